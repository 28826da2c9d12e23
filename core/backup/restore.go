package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/solo-assistant/solo/core/store/rows"
)

// Restored tells what was made of a backup.
type Restored struct {
	Name   string    `json:"name"`
	Made   time.Time `json:"made"`
	Place  string    `json:"place"` // file or server, "" where it was only tried
	Rows   int64     `json:"rows"`
	Erased int64     `json:"erased"` // rows of the backup that were erased since, and are again
}

// Verify makes rows of a backup in a private folder, compares them with what was copied, and removes them.
func (v *Vault) Verify(ctx context.Context, name string, k Key) (Restored, error) {
	dir, err := os.MkdirTemp("", "solo-verify-") // mode 0700
	if err != nil {
		return Restored{}, fmt.Errorf("trying a backup: %w", err)
	}
	r, err := v.Restore(ctx, name, k, rows.Config{Path: filepath.Join(dir, "solo.db")}, nil)
	r.Place = ""
	return r, errors.Join(err, os.RemoveAll(dir))
}

// Restore makes rows of a backup where none are yet, and compares them with what was copied. What the user erased since is
// erased again: what the folder of backups knows of, and forget. Where it fails nothing is left.
func (v *Vault) Restore(ctx context.Context, name string, k Key, to rows.Config, forget []rows.Erased) (r Restored, err error) {
	path, err := v.find(name)
	if err != nil {
		return r, err
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("restoring %s: %w", filepath.Base(path), err)
		}
	}()
	keys, err := v.keys(k)
	if err != nil {
		return r, err
	}
	in, err := unseal(path, keys)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	r.Name, r.Made = filepath.Base(path), in.head.Made
	known, err := v.remembered()
	if err != nil {
		return r, err
	}
	forget = append(slices.Clone(forget), known...)
	if to.DSN == "" {
		if _, err := os.Lstat(to.Path); err == nil {
			return r, fmt.Errorf("%s: %w", to.Path, ErrThere)
		}
		if err := os.MkdirAll(filepath.Dir(to.Path), 0o700); err != nil {
			return r, err
		}
		defer func() {
			if err != nil {
				err = errors.Join(err, sweep(to.Path))
			}
		}()
	}
	if in.head.Engine == rows.SQLite && to.DSN != "" {
		return v.through(ctx, in, r, to, forget)
	}
	return unpack(ctx, in, r, to, forget)
}

// through restores a file of SQLite beside, and copies it to a server.
func (v *Vault) through(ctx context.Context, in *opened, r Restored, to rows.Config, forget []rows.Erased) (_ Restored, err error) {
	dir, err := os.MkdirTemp("", "solo-restore-")
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	from := rows.Config{Path: filepath.Join(dir, "solo.db")}
	if r, err = unpack(ctx, in, r, from, forget); err != nil {
		return r, err
	}
	source, err := rows.Open(ctx, from)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := rows.Open(ctx, to)
	if err != nil {
		return r, err
	}
	_, err = source.CopyTo(ctx, target)
	r.Place = target.Path()
	return r, errors.Join(err, target.Close())
}

// unpack makes rows of an open backup.
func unpack(ctx context.Context, in *opened, r Restored, to rows.Config, forget []rows.Erased) (_ Restored, err error) {
	if in.head.Engine == rows.SQLite {
		if err := writeFile(to.Path, in); err != nil {
			return r, err
		}
		got, err := count(ctx, to.Path)
		if err != nil {
			return r, err
		}
		if got.Version != in.head.Version || !slices.Equal(got.Tables, in.head.Tables) {
			return r, fmt.Errorf("%w: its rows do not add up", ErrDamaged)
		}
		r.Rows = total(got.Tables)
	}
	db, err := rows.Open(ctx, to)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if in.head.Engine == rows.Postgres {
		d, err := db.Load(ctx, in)
		if err != nil {
			return r, err
		}
		if _, err := io.Copy(io.Discard, in); err != nil { // the end of the file has to be right as well
			return r, err
		}
		r.Rows = total(d.Tables)
	}
	if r.Erased, err = db.Bury(ctx, forget); err != nil {
		return r, err
	}
	r.Place = db.Path()
	return r, db.Check(ctx)
}

func total(tables []rows.Sum) (n int64) {
	for _, t := range tables {
		n += t.Rows
	}
	return n
}

func writeFile(path string, from io.Reader) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Sync(), f.Close())
}

// sweep removes a database file that is of no use, and what belongs to it.
func sweep(path string) error {
	var errs []error
	for _, end := range []string{"", "-wal", "-shm"} {
		errs = append(errs, missing(os.Remove(path+end)))
	}
	return errors.Join(errs...)
}
