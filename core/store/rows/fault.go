package rows

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

var (
	ErrNone     = errors.New("no such row")
	ErrNoUser   = errors.New("no such user")
	ErrFull     = errors.New("the disk is full: free some space and try again")
	ErrReadOnly = errors.New("the file or its folder cannot be written: check who owns them")
	ErrCorrupt  = errors.New("the file is damaged or no database: move it away, or put a backup in its place")
	ErrBusy     = errors.New("another program holds the database: end it and try again")
	ErrDown     = errors.New("the database server does not answer: see that it runs and that database.dsn names it")
	ErrRefused  = errors.New("the database server refused the login: check user, password and database in database.dsn")
	ErrServer   = errors.New("the database server cannot be used")
	ErrRights   = errors.New("the database may not be changed by this user: give it the right to create and write tables, or name another in database.dsn")
	ErrNewer    = errors.New("the database was written by a newer Solo: update Solo")
)

// fault says what was being done and, where a person can mend it, how.
func fault(doing string, err error) error {
	if err == nil {
		return nil
	}
	if kind := kindOf(err); kind != nil && !errors.Is(err, kind) {
		return fmt.Errorf("%s: %w (%w)", doing, kind, err)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

func kindOf(err error) error {
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return ErrNone
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return ErrReadOnly
	case errors.Is(err, syscall.ENOSPC):
		return ErrFull
	}
	if kind := serverKind(err); kind != nil {
		return kind
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return nil
	}
	switch e.Code() & 0xff { // without the extended part
	case sqlite3.SQLITE_FULL:
		return ErrFull
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return ErrReadOnly
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return ErrCorrupt
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return ErrBusy
	}
	return nil
}

// isDisk tells whether trying again at once is of no use.
func isDisk(err error) bool {
	kind := kindOf(err)
	return kind != nil && !errors.Is(kind, ErrBusy)
}
