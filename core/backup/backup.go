// Package backup keeps encrypted copies of Solo's rows, and makes rows of them again.
//
// A backup is one file: age around zstd around the file that SQLite's VACUUM INTO makes, or around the dump of a
// PostgreSQL's rows. What Solo has to know about it stands in front in a skippable frame of zstd, so that the programs age
// and zstd can open it without Solo. Beside it lies its SHA-256, which tells a damaged file from a wrong key.
package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/core/store/rows"
)

// Settings are what the user can choose.
type Settings struct {
	Use        string        `toml:"use" default:"on" allowed:"on|off" doc:"whether Solo makes a backup every day"`
	Folder     string        `toml:"folder" doc:"where backups are kept, best on another disk; empty: backups in Solo's data folder"`
	Days       int           `toml:"days" default:"30" min:"1" max:"3650" doc:"how many days a backup is kept; the newest one always is"`
	Recipient  string        `toml:"recipient" doc:"age1... that backups are encrypted to, so that only its owner can open them; empty: a key that Solo makes"`
	Passphrase config.Secret `toml:"passphrase" doc:"what backups are encrypted with instead of a key"`
}

// Config is what a Vault is made of.
type Config struct {
	Settings
	KeyFile string           // made with the first backup where neither recipient nor passphrase is set
	Now     func() time.Time // nil: the clock
	Log     zerolog.Logger
}

// Vault is a folder of backups. It is safe for use by several goroutines; two programs may use one folder.
type Vault struct {
	c Config
}

// New builds a Vault over c.Folder.
func New(c Config) *Vault {
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Vault{c}
}

// Backup is one backup in the folder.
type Backup struct {
	Name string    `json:"name"`
	Path string    `json:"path"`
	Made time.Time `json:"made"`
	Size int64     `json:"size"` // bytes
	// NewKey is the file of the key that was made for this first backup, "" else.
	NewKey string `json:"new_key,omitempty"`
}

// Errors that a person can mend. ErrOpen is a wrong key.
var (
	ErrKey     = errors.New("the key does not fit this backup: give the file of the key that it was made with")
	ErrDamaged = errors.New("the backup is damaged: take another one")
	ErrCut     = errors.New("the backup is cut off: take another one")
	ErrNoKey   = errors.New("there is no key to open it with")
	ErrNone    = errors.New("there is no such backup")
	ErrThere   = errors.New("there are rows already, which are left as they are: name a fresh folder")
)

const (
	stamp      = "2006-01-02T150405Z"
	prefix     = "solo-"
	fileEnd    = ".db.zst.age"   // a file of SQLite
	rowsEnd    = ".rows.zst.age" // a dump
	sumEnd     = ".sha256"
	part       = ".part"
	tombstones = "erased.jsonl"
)

// Make makes a backup of what is in the rows now. Solo goes on reading and writing meanwhile.
func (v *Vault) Make(ctx context.Context, db *rows.DB) (b Backup, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("making a backup in %s: %w", v.c.Folder, err)
		}
	}()
	if err := os.MkdirAll(v.c.Folder, 0o700); err != nil {
		return b, err
	}
	lock, newKey, err := v.lock()
	if err != nil {
		return b, err
	}
	if err := v.remember(ctx, db); err != nil {
		return b, err
	}
	work, err := os.MkdirTemp(v.c.Folder, ".making-")
	if err != nil {
		return b, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	b.Made = v.c.Now().UTC().Truncate(time.Second)
	b.Name = prefix + b.Made.Format(stamp) + fileEnd
	if db.Engine() == rows.Postgres {
		b.Name = strings.TrimSuffix(b.Name, fileEnd) + rowsEnd
	}
	b.Path, b.NewKey = filepath.Join(v.c.Folder, b.Name), newKey
	if _, err := os.Stat(b.Path); err == nil {
		return b, fmt.Errorf("%s is there already: wait a second", b.Name)
	}
	head, fill, err := contents(ctx, db, work)
	if err != nil {
		return b, err
	}
	head.Made = b.Made
	b.Size, err = seal(filepath.Join(work, b.Name), lock, head, fill)
	if err != nil {
		return b, err
	}
	return b, keep(work, v.c.Folder, b.Name)
}

// contents gives what goes into a backup: its head, and what writes the rest.
func contents(ctx context.Context, db *rows.DB, work string) (head, func(io.Writer) error, error) {
	h := head{Solo: "backup", Format: format, Engine: db.Engine()}
	if db.Engine() == rows.Postgres {
		version, _, err := db.Version(ctx)
		h.Version = version
		return h, func(w io.Writer) error { _, err := db.Dump(ctx, w); return err }, err
	}
	path := filepath.Join(work, "solo.db")
	if err := db.Snapshot(ctx, path); err != nil {
		return h, nil, err
	}
	d, err := count(ctx, path)
	h.Version, h.Tables = d.Version, d.Tables
	return h, func(w io.Writer) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		_, err = io.Copy(w, f)
		return errors.Join(err, f.Close())
	}, err
}

// count adds up the rows in a file, whatever version its tables have.
func count(ctx context.Context, path string) (rows.Dump, error) {
	db, err := rows.Open(ctx, rows.Config{Path: path, AsIs: true})
	if err != nil {
		return rows.Dump{}, err
	}
	d, err := db.Dump(ctx, io.Discard)
	return d, errors.Join(err, db.Close())
}

// keep moves a finished backup from where it was made to its place, with its checksum.
func keep(from, to, name string) error {
	for _, n := range []string{name + sumEnd, name} { // the backup last: who sees it sees its checksum
		if err := os.Rename(filepath.Join(from, n), filepath.Join(to, n)); err != nil {
			return err
		}
	}
	dir, err := os.Open(to)
	if err != nil {
		return err
	}
	_ = dir.Sync() // not every system can
	return dir.Close()
}
