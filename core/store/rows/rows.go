// Package rows keeps Solo's rows: in SQLite, or in PostgreSQL by the same queries and migrations.
//
// All rows belong to a user and are reached through Of alone. Writing goes through one connection, one transaction at
// a time, and is on the disk when a method returns (WAL, synchronous=FULL); reading has a few connections of its own
// and never waits for writing. A DB and all that comes from it are safe for use by several goroutines.
//
// # Adding rows
//
// Tables go into migrations, queries into queries, both in words that both engines understand; go generate makes gen of
// them. What the engines say differently, such as searching by text, goes into migrations/sqlite and migrations/postgres.
// The files of one number make one step: those for all engines first, then the engine's own; on the way down the other
// way round. A step may also be there for one engine alone. Example, as 00003_memory.sql in each of the two folders:
//
//	CREATE VIRTUAL TABLE notes_fts USING fts5 (text, user_id UNINDEXED, id UNINDEXED, tokenize = 'porter unicode61');
//	CREATE INDEX notes_text ON notes USING gin (to_tsvector('english', text));
//
// Such a table is named after its own with _fts behind it. Triggers in its migration should keep it, between
// "-- +goose StatementBegin" and "-- +goose StatementEnd", for moving to another engine and restoring a backup copy the
// common tables alone and leave the rest to the triggers. A table is known by user_id and id: the rowid of a table without
// INTEGER PRIMARY KEY changes in a backup.
//
// A statement in two dialects is a value of type both. $1 is the user, whom list, one and exec put in; the arguments that
// they are given begin at $2:
//
//	var findNotes = both{
//		sqlite:   "SELECT id, bm25(notes_fts) FROM notes_fts WHERE notes_fts MATCH $2 AND user_id = $1 ORDER BY 2 LIMIT $3",
//		postgres: "SELECT id, -ts_rank(to_tsvector('english', text), websearch_to_tsquery('english', $2)) FROM notes WHERE ...",
//	}
//
//	func (o *Own) FindNotes(ctx context.Context, words string, n int32) ([]Hit, error) {
//		hits, err := list(ctx, o, findNotes, func(row scan) (h Hit, err error) { return h, row(&h.ID, &h.Score) }, words, n)
//		return hits, fault("searching notes", err)
//	}
//
//	err := o.within(ctx, "tidying notes", func(t *tx) error { // one transaction
//		hits, err := list(ctx, t, findNotes, readHit, words, n)        // reading in it
//		...
//		if _, err := t.exec(ctx, dropOldNotes, before); err != nil {    // changing in it
//			return err
//		}
//		_, err = t.PutFact(ctx, ...)                                    // with a generated query
//		return err
//	})
//
// What takes rows away for good calls t.bury(ctx, "notes", ids...) in the same transaction: a backup that still holds them
// is then restored without them. DB.Scrub afterwards sees that no file of SQLite holds their text.
//
// SQL stands nowhere else: a test reads the queries and all values of both, and refuses one that forgets the user.
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
	// DSN is a PostgreSQL to be used instead of a file; "" for the file.
	DSN DSN `toml:"-"`
	// Patient lets a PostgreSQL be opened that does not answer yet: all fails with ErrDown until it does.
	Patient bool `toml:"-"`
	// AsIs leaves the tables at the version that they have.
	AsIs bool `toml:"-"`
	// OnState is told when a PostgreSQL stops answering, and nil when it is back. It is called from several goroutines,
	// one at a time, and must not wait for rows.
	OnState func(error) `toml:"-"`
}

// DB is an open database.
type DB struct {
	engine  Engine
	path    string  // the file, or where the server is
	link    *link   // to the server, nil for a file
	temp    string  // folder to remove at Close, "" for none
	writer  *sql.DB // one connection
	readers *sql.DB
	read    *gen.Queries
	hushed  hushed
}

// Open opens the database, makes it where there is none, and brings its tables up to date.
// Errors: ErrReadOnly, ErrCorrupt, ErrFull, ErrBusy, ErrNewer, each with the path and what to do.
func Open(ctx context.Context, c Config) (*DB, error) {
	if c.DSN != "" {
		return openServer(ctx, c)
	}
	if c.Path == "" {
		return nil, errors.New("opening the database: no path is set")
	}
	if err := prepare(c.Path); err != nil {
		return nil, fault("opening the database "+c.Path, err)
	}
	return open(ctx, c.Path, "full", c.AsIs)
}

// open opens the two pools. sync is SQLite's synchronous mode.
func open(ctx context.Context, path, sync string, asIs bool) (*DB, error) {
	db := &DB{engine: SQLite, path: path}
	var err error
	if db.writer, err = connect(path, sync, false); err == nil {
		if db.readers, err = connect(path, sync, true); err == nil && !asIs {
			err = db.up(ctx)
		}
	}
	if err != nil {
		return nil, errors.Join(fault("opening the database "+path, err), db.Close())
	}
	db.read = newQueries(db.readers)
	return db, nil
}

// Engine is the kind of database.
func (db *DB) Engine() Engine { return db.engine }

// Path is the database file, or what names the server, without its password.
func (db *DB) Path() string { return db.path }

func newQueries(on gen.DBTX) *gen.Queries { return gen.New(on) }

// Close waits for what is under way and closes the database; a Scratch copy is removed.
func (db *DB) Close() error {
	var errs []error
	if db.link != nil {
		db.link.close()
	}
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

// User gives the user of a name, made where there is none. Solo's first user is "owner"; while a server does not answer,
// the user asked for is taken for that one, and it is seen to when the server is there.
func (db *DB) User(ctx context.Context, name string) (UserID, error) {
	id, err := db.user(ctx, name)
	if err != nil && db.link != nil && db.link.state() != nil {
		return UserID(db.link.assume(name)), nil
	}
	if err != nil {
		return 0, fault("looking up the user", err)
	}
	return UserID(id), nil
}

func (db *DB) user(ctx context.Context, name string) (int64, error) {
	id, err := db.read.FindUser(ctx, name)
	if errors.Is(err, sql.ErrNoRows) {
		id, err = newQueries(db.writer).EnsureUser(ctx, gen.EnsureUserParams{Name: plain(name), Created: time.Now().UnixMilli()})
	}
	return id, err
}

// Of gives the rows of one user: the only way to them.
func (db *DB) Of(user UserID) *Own { return &Own{db: db, user: int64(user)} }
