package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/solo-assistant/solo/core/backup"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/store/rows"
)

func (a *app) dbBackup(ctx context.Context, _ cli.DB, tell cli.Tell) error {
	return a.inRows(ctx, func(db *rows.DB) error {
		b, err := a.vault().Make(ctx, db)
		if err != nil {
			return err
		}
		tell(listed(b, "made"))
		if b.NewKey != "" {
			tell(cli.Note{Text: keyNote(b.NewKey)})
		}
		return nil
	})
}

func listed(b backup.Backup, did string) cli.DBBackup {
	return cli.DBBackup{Did: did, Name: b.Name, Path: b.Path, Made: b.Made, Size: b.Size}
}

// keyNote tells of a new key.
func keyNote(file string) string {
	return "The key of your backups is " + file + ". Keep a copy of it in another place: without it nobody can open them, not even you."
}

func (a *app) dbBackups(_ context.Context, _ cli.DB, tell cli.Tell) error {
	list, err := a.vault().List()
	if err != nil {
		return err
	}
	for _, b := range list {
		tell(listed(b, ""))
	}
	if len(list) == 0 {
		tell(cli.Note{Text: "No backup in " + a.vault().Folder() + ": solo backup now makes one."})
	}
	return nil
}

// backupKey is the key that a command names. A passphrase comes with the settings alone, so that no list of processes
// shows it.
func (a *app) backupKey(o cli.DB) backup.Key {
	if o.Key == "" {
		return backup.Key{}
	}
	return backup.Key{File: o.Key}
}

func (a *app) dbVerify(ctx context.Context, o cli.DB, tell cli.Tell) error {
	r, err := a.vault().Verify(ctx, o.Name, a.backupKey(o))
	if err != nil {
		return err
	}
	tell(cli.DBRestored{Name: r.Name, Made: r.Made, Rows: r.Rows, Erased: r.Erased})
	return nil
}

func (a *app) dbRestore(ctx context.Context, o cli.DB, tell cli.Tell) error {
	if o.Replace {
		if a.settings.Store.DSN != "" {
			return &cli.Failure{Code: "usage", Exit: cli.ExitUsage, Hint: "--to names an empty database on it", Err: errors.New("--replace is for the file of SQLite, and Solo uses a PostgreSQL")}
		}
		return a.alone(func() error { return a.replace(ctx, o, tell) })
	}
	to := target(o.To)
	if o.Into != "" {
		to = rows.Config{Path: filepath.Join(o.Into, "solo.db")}
	}
	r, err := a.vault().Restore(ctx, o.Name, a.backupKey(o), to, a.forgotten(ctx, tell))
	if err != nil {
		return err
	}
	tell(cli.DBRestored{Name: r.Name, Made: r.Made, Place: r.Place, Rows: r.Rows, Erased: r.Erased})
	return nil
}

// replace restores beside the file that is used, and then puts the two in each other's place.
func (a *app) replace(ctx context.Context, o cli.DB, tell cli.Tell) error {
	path := a.settings.Store.Path
	fresh := path + ".restored"
	if err := discard(fresh); err != nil { // of a restore that was broken off
		return err
	}
	r, err := a.vault().Restore(ctx, o.Name, a.backupKey(o), rows.Config{Path: fresh}, a.forgotten(ctx, tell))
	if err != nil {
		return err
	}
	aside := path + ".before-" + time.Now().UTC().Format("2006-01-02T150405Z")
	for _, end := range []string{"-wal", "-shm", ""} {
		err := os.Rename(path+end, aside+end)
		if errors.Is(err, fs.ErrNotExist) {
			if end == "" {
				aside = ""
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("putting the database aside: %w", err)
		}
	}
	if err := os.Rename(fresh, path); err != nil {
		return fmt.Errorf("putting the restored database in its place: %w", err)
	}
	tell(cli.DBRestored{Name: r.Name, Made: r.Made, Place: path, Rows: r.Rows, Erased: r.Erased, Aside: aside})
	return nil
}

// forgotten is what the rows that are used know to be erased.
func (a *app) forgotten(ctx context.Context, tell cli.Tell) (list []rows.Erased) {
	err := a.inRows(ctx, func(db *rows.DB) (err error) {
		list, err = db.Tombstones(ctx)
		return err
	})
	var none *cli.Failure
	if err != nil && !(errors.As(err, &none) && none.Code == "none") {
		a.log.Warn().Err(err).Msg("the rows do not tell what was erased")
		tell(cli.Note{Text: "The database in use cannot be read: what you had forgotten since the newest backup may be in the restored one."})
	}
	return list
}
