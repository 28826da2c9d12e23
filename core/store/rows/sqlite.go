package rows

import (
	"context"
	"database/sql"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // registers "sqlite", written in Go
)

const (
	maxReaders = 4
	busyFor    = "5000" // ms to wait for another program's lock
)

// prepare makes the file and its folder, so that they are private from the first byte. SQLite gives its -wal and -shm
// files the same mode.
func prepare(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// connect makes a pool: one connection that writes, or some that cannot.
func connect(path, sync string, reader bool) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	q := url.Values{"_txlock": {"immediate"}, "_busy_timeout": {busyFor}, "_journal_mode": {"wal"},
		"_synchronous": {sync}, "_foreign_keys": {"on"}, "_pragma": {"secure_delete(on)"}}
	count := 1
	if reader {
		q.Set("_query_only", "on")
		q.Set("_txlock", "deferred")
		count = maxReaders
	}
	pool, err := sql.Open("sqlite", address(abs, q))
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(count)
	pool.SetMaxIdleConns(count)
	return pool, nil
}

// connectDamaged makes a pool of one connection on a file that may be shorter than its head says.
func connectDamaged(path string) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	pool, err := sql.Open("sqlite", address(abs, url.Values{"_pragma": {"writable_schema(on)"}, "_query_only": {"on"}}))
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(1)
	return pool, nil
}

func address(abs string, q url.Values) string {
	abs = filepath.ToSlash(abs)
	if !strings.HasPrefix(abs, "/") { // C:/folder
		abs = "/" + abs
	}
	return (&url.URL{Scheme: "file", Path: abs, RawQuery: q.Encode()}).String()
}

// Check reads the whole file and tells the first thing that is wrong with it, nil for nothing. A server looks after its own
// files: it is asked whether it can be read and written.
func (db *DB) Check(ctx context.Context) error {
	if db.engine == Postgres {
		return fault("checking "+db.path, db.settle(ctx))
	}
	var said string
	if err := db.readers.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&said); err != nil {
		return fault("checking "+db.path, err)
	}
	if said != "ok" {
		return fault("checking "+db.path+": "+said, ErrCorrupt)
	}
	return nil
}
