package rows

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// CopyTo copies all rows of one moment into an empty database of whatever engine, and reads them back. The source stays as
// it is. Errors: those of Load.
func (db *DB) CopyTo(ctx context.Context, target *DB) (Dump, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r, w := io.Pipe()
	written := make(chan error, 1)
	go func() {
		_, err := db.Dump(ctx, w)
		w.CloseWithError(err)
		written <- err
	}()
	d, err := target.Load(ctx, r)
	cancel()
	r.CloseWithError(context.Canceled)
	if from := <-written; from != nil && err != nil && !errors.Is(from, context.Canceled) {
		return d, errors.Join(from, err)
	}
	return d, err
}

// Snapshot writes the file of SQLite anew to a path that must not exist, without what was erased and other gaps.
func (db *DB) Snapshot(ctx context.Context, path string) error {
	if db.engine != SQLite {
		return errors.New("only SQLite keeps its rows in a file")
	}
	return fault("copying the database", db.vacuumInto(ctx, path))
}

// Scratch copies the database into a private temporary file, for trying things out. Closing the copy removes it.
func (db *DB) Scratch(ctx context.Context) (*DB, error) {
	dir, err := os.MkdirTemp("", "solo-scratch-") // mode 0700
	if err != nil {
		return nil, fault("making a scratch copy", err)
	}
	s, err := db.scratch(ctx, filepath.Join(dir, "solo.db"))
	if err != nil {
		return nil, errors.Join(fault("making a scratch copy", err), os.RemoveAll(dir))
	}
	s.temp = dir
	return s, nil
}

// scratch is a copy whose writing needs not outlive a power cut.
func (db *DB) scratch(ctx context.Context, path string) (*DB, error) {
	if db.engine == SQLite {
		if err := db.vacuumInto(ctx, path); err != nil {
			return nil, err
		}
		return open(ctx, path, "off", false)
	}
	if err := prepare(path); err != nil {
		return nil, err
	}
	s, err := open(ctx, path, "off", false)
	if err != nil {
		return nil, err
	}
	if _, err := db.CopyTo(ctx, s); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// vacuumInto copies over a connection of its own: the readers may not even write another file, and the writer is not to
// wait.
func (db *DB) vacuumInto(ctx context.Context, path string) error {
	pool, err := connect(db.path, "full", false)
	if err != nil {
		return err
	}
	_, err = pool.ExecContext(ctx, "VACUUM INTO $1", path)
	return errors.Join(err, pool.Close())
}
