package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/backup"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/channel/local"
	"github.com/solo-assistant/solo/core/store/rows"
)

// vault is where the backups are.
func (a *app) vault() *backup.Vault {
	c := backup.Config{Settings: a.settings.Backup, KeyFile: filepath.Join(a.home.config, "backup.key"), Log: a.part("backup")}
	if c.Folder == "" {
		c.Folder = filepath.Join(a.home.data, "backups")
	}
	return backup.New(c)
}

// Database looks after the rows and their backups.
func (a *app) Database(ctx context.Context, o cli.DB, tell cli.Tell) error {
	do := map[string]func(context.Context, cli.DB, cli.Tell) error{
		"status": a.dbStatus, "check": a.dbCheck, "migrate": a.dbMigrate, "rollback": a.dbRollback, "prune": a.dbPrune,
		"move": a.dbMove, "backup": a.dbBackup, "backups": a.dbBackups, "verify": a.dbVerify, "restore": a.dbRestore,
	}[o.Do]
	return dbFailure(do(ctx, o, tell))
}

// dbFailure tells the exit of a command what went wrong with the rows.
func dbFailure(err error) error {
	var known *cli.Failure
	if errors.As(err, &known) {
		return err
	}
	for _, k := range []struct {
		err        error
		code, hint string
	}{
		{backup.ErrKey, "key", "--key names another key, and SOLO_BACKUP_PASSPHRASE a passphrase"},
		{backup.ErrNoKey, "key", "--key names a key, and SOLO_BACKUP_PASSPHRASE a passphrase"},
		{backup.ErrCut, "cut", ""}, {backup.ErrDamaged, "damaged", ""}, {rows.ErrTorn, "damaged", ""},
		{backup.ErrNone, "none", ""}, {backup.ErrThere, "occupied", ""}, {rows.ErrNotEmpty, "occupied", ""},
		{rows.ErrCorrupt, "corrupt", "solo run saves what can be read of it and goes on; solo backup restore --replace takes the newest backup"},
		{rows.ErrDown, "down", ""}, {rows.ErrRefused, "refused", ""}, {rows.ErrFull, "full", ""}, {rows.ErrReadOnly, "readonly", ""}, {rows.ErrNewer, "newer", ""},
	} {
		if errors.Is(err, k.err) {
			return &cli.Failure{Code: k.code, Hint: k.hint, Err: err}
		}
	}
	return err
}

// inRows opens the rows as they are for one piece of work.
func (a *app) inRows(ctx context.Context, do func(*rows.DB) error) error {
	c := a.settings.Store
	c.AsIs = true
	if c.DSN == "" {
		if _, err := os.Stat(c.Path); errors.Is(err, fs.ErrNotExist) {
			return &cli.Failure{Code: "none", Hint: "it is made when Solo first runs", Err: fmt.Errorf("there is no database at %s yet", c.Path)}
		}
	}
	db, err := rows.Open(ctx, c)
	if err != nil {
		return err
	}
	return errors.Join(do(db), db.Close())
}

// alone keeps Solo from running meanwhile.
func (a *app) alone(do func() error) error {
	claim, err := local.Take(a.home.data)
	if err != nil {
		return taken(err)
	}
	return errors.Join(do(), claim.Release())
}

func (a *app) dbStatus(ctx context.Context, _ cli.DB, tell cli.Tell) error {
	return a.inRows(ctx, func(db *rows.DB) (err error) {
		s := cli.DBStatus{Engine: string(db.Engine()), Place: db.Path()}
		if s.Version, s.Known, err = db.Version(ctx); err != nil {
			return err
		}
		if s.Rows, err = db.Counts(ctx); err != nil {
			return err
		}
		if info, err := os.Stat(db.Path()); err == nil {
			s.Bytes = info.Size()
		}
		list, err := a.vault().List()
		if err != nil {
			return err
		}
		s.Backups, s.Folder = len(list), a.vault().Folder()
		if len(list) > 0 {
			s.Newest, s.Key = &list[0].Made, a.vault().Key()
		}
		tell(s)
		return nil
	})
}

func (a *app) dbCheck(ctx context.Context, _ cli.DB, tell cli.Tell) error {
	return a.inRows(ctx, func(db *rows.DB) error {
		if err := db.Check(ctx); err != nil {
			return err
		}
		tell(cli.Note{Text: db.Path() + " is sound."})
		return nil
	})
}

// migrateTo goes to a version, or one chosen by the versions there are.
func (a *app) migrateTo(ctx context.Context, tell cli.Tell, choose func(have, known int64) (int64, error)) error {
	return a.alone(func() error {
		return a.inRows(ctx, func(db *rows.DB) error {
			have, known, err := db.Version(ctx)
			if err != nil {
				return err
			}
			to, err := choose(have, known)
			if err != nil {
				return &cli.Failure{Code: "version", Exit: cli.ExitUsage, Err: err}
			}
			if err := db.MigrateTo(ctx, to); err != nil {
				return err
			}
			tell(cli.DBVersion{From: have, To: to})
			return nil
		})
	})
}

func (a *app) dbMigrate(ctx context.Context, o cli.DB, tell cli.Tell) error {
	return a.migrateTo(ctx, tell, func(have, known int64) (int64, error) {
		to := o.Version
		if to < 0 {
			to = known
		}
		if to < have || to > known {
			return 0, fmt.Errorf("the tables have version %d, and this Solo can bring them up to %d; solo db rollback goes back", have, known)
		}
		return to, nil
	})
}

func (a *app) dbRollback(ctx context.Context, o cli.DB, tell cli.Tell) error {
	return a.migrateTo(ctx, tell, func(have, _ int64) (int64, error) {
		to := o.Version
		if to < 0 {
			to = have - 1
		}
		if to < 1 || to >= have {
			return 0, fmt.Errorf("the tables have version %d: --version goes back to one from 1 to %d", have, have-1)
		}
		if !o.Bare {
			return to, a.dbBackup(ctx, o, tell)
		}
		return to, nil
	})
}

func (a *app) dbPrune(ctx context.Context, _ cli.DB, tell cli.Tell) error {
	db, err := rows.Open(ctx, a.settings.Store)
	if err != nil {
		return err
	}
	p, err := a.prune(ctx, db)
	if err == nil {
		tell(cli.DBPruned(p))
	}
	return errors.Join(err, db.Close())
}

// target is the database that --to names.
func target(to string) rows.Config {
	if strings.Contains(to, "://") || strings.Contains(to, "=") {
		return rows.Config{DSN: rows.DSN(to)}
	}
	return rows.Config{Path: to}
}

func (a *app) dbMove(ctx context.Context, o cli.DB, tell cli.Tell) error {
	began, c := time.Now(), target(o.To)
	use := "database.dsn (SOLO_DATABASE_DSN) to that DSN"
	if c.DSN == "" {
		if _, err := os.Lstat(c.Path); err == nil {
			return &cli.Failure{File: c.Path, Code: "occupied", Err: errors.New("it is there already, and stays as it is: name a new file")}
		}
		use = "store.path (SOLO_STORE_PATH) to that file, and no database.dsn"
	}
	return a.alone(func() error {
		return a.inRows(ctx, func(db *rows.DB) error {
			to, err := rows.Open(ctx, c)
			if err != nil {
				return err
			}
			d, err := db.CopyTo(ctx, to)
			m := cli.DBMoved{From: db.Path(), To: to.Path(), Rows: map[string]int64{}, Use: use}
			if err := errors.Join(err, to.Close()); err != nil {
				if c.DSN == "" {
					err = errors.Join(err, discard(c.Path))
				}
				return err
			}
			for _, t := range d.Tables {
				m.Rows[t.Table] = t.Rows
				m.Total += t.Rows
			}
			m.Millis = cli.Millis(time.Since(began))
			tell(m)
			return nil
		})
	})
}

// discard removes a database file that is of no use.
func discard(path string) error {
	var errs []error
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
