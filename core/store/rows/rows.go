// Package rows keeps Solo's rows: SQLite today, the same queries and migrations for PostgreSQL.
//
// All rows belong to a user and are reached through Of alone. Writing goes through one connection, one transaction at
// a time, and is on the disk when a method returns (WAL, synchronous=FULL); reading has a few connections of its own
// and never waits for writing. A DB and all that comes from it are safe for use by several goroutines.
package rows

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/solo-assistant/solo/core/store/rows/gen"
)

// Config says where the rows are.
type Config struct {
	// Path is the database file. It and its folder are made where they are missing, for the owner's eyes alone.
	Path string `toml:"path" doc:"the database file"`
}

// DB is an open database.
type DB struct {
	path    string
	temp    string  // folder to remove at Close, "" for none
	writer  *sql.DB // one connection
	readers *sql.DB
	read    *gen.Queries
}

// Open opens the database, makes it where there is none, and brings its tables up to date.
// Errors: ErrReadOnly, ErrCorrupt, ErrFull, ErrBusy, ErrNewer, each with the path and what to do.
func Open(ctx context.Context, c Config) (*DB, error) {
	if c.Path == "" {
		return nil, errors.New("opening the database: no path is set")
	}
	if err := prepare(c.Path); err != nil {
		return nil, fault("opening the database "+c.Path, err)
	}
	return open(ctx, c.Path, "full")
}

// open opens the two pools. sync is SQLite's synchronous mode.
func open(ctx context.Context, path, sync string) (*DB, error) {
	db := &DB{path: path}
	var err error
	if db.writer, err = connect(path, sync, false); err == nil {
		if db.readers, err = connect(path, sync, true); err == nil {
			err = db.up(ctx)
		}
	}
	if err != nil {
		return nil, errors.Join(fault("opening the database "+path, err), db.Close())
	}
	db.read = gen.New(db.readers)
	return db, nil
}

// Path is the database file.
func (db *DB) Path() string { return db.path }

// Close waits for what is under way and closes the database; a Scratch copy is removed.
func (db *DB) Close() error {
	var errs []error
	for _, pool := range []*sql.DB{db.readers, db.writer} { // the writer last: it tidies up the WAL
		if pool != nil {
			errs = append(errs, pool.Close())
		}
	}
	if db.temp != "" {
		errs = append(errs, os.RemoveAll(db.temp))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("closing the database %s: %w", db.path, err)
	}
	return nil
}

// UserID names one user.
type UserID int64

// User gives the user of a name, made where there is none. Solo's first user is "owner".
func (db *DB) User(ctx context.Context, name string) (UserID, error) {
	id, err := db.read.FindUser(ctx, name)
	if errors.Is(err, sql.ErrNoRows) {
		id, err = gen.New(db.writer).EnsureUser(ctx, gen.EnsureUserParams{Name: plain(name), Created: time.Now().UnixMilli()})
	}
	if err != nil {
		return 0, fault("looking up the user", err)
	}
	return UserID(id), nil
}

// Of gives the rows of one user: the only way to them.
func (db *DB) Of(user UserID) *Own { return &Own{db: db, user: int64(user)} }
