package backup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// List gives the backups of the folder, the newest first.
func (v *Vault) List() ([]Backup, error) {
	entries, err := os.ReadDir(v.c.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("looking for backups: %w", err)
	}
	var out []Backup
	for _, e := range entries {
		made, ok := madeAt(e.Name())
		info, err := e.Info()
		if !ok || err != nil || !info.Mode().IsRegular() {
			continue
		}
		out = append(out, Backup{Name: e.Name(), Path: filepath.Join(v.c.Folder, e.Name()), Made: made, Size: info.Size()})
	}
	slices.SortFunc(out, func(a, b Backup) int { return b.Made.Compare(a.Made) })
	return out, nil
}

// madeAt reads the time in a backup's name.
func madeAt(name string) (time.Time, bool) {
	mid, ok := strings.CutPrefix(name, prefix)
	if !ok {
		return time.Time{}, false
	}
	for _, end := range []string{fileEnd, rowsEnd} {
		if text, ok := strings.CutSuffix(mid, end); ok {
			at, err := time.Parse(stamp, text)
			return at, err == nil
		}
	}
	return time.Time{}, false
}

// find gives the path of a backup: of one in the folder by its name or the beginning of its time, of the newest for
// "latest" or "", or a path.
func (v *Vault) find(name string) (string, error) {
	if strings.ContainsRune(name, filepath.Separator) {
		_, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("%s: %w", name, ErrNone)
		}
		return name, err
	}
	list, err := v.List()
	if err != nil {
		return "", err
	}
	if len(list) == 0 {
		return "", fmt.Errorf("%w in %s: solo db backup makes one", ErrNone, v.c.Folder)
	}
	if name == "" || name == "latest" {
		return list[0].Path, nil
	}
	for _, b := range list {
		if b.Name == name || strings.HasPrefix(strings.TrimPrefix(b.Name, prefix), name) {
			return b.Path, nil
		}
	}
	return "", fmt.Errorf("%s: %w: solo db backups lists them", name, ErrNone)
}

// Prune removes the backups that are older than they are kept, but never the newest one, and what a backup left behind
// that was broken off.
func (v *Vault) Prune() ([]Backup, error) {
	list, err := v.List()
	if err != nil {
		return nil, err
	}
	var gone []Backup
	before := v.c.Now().AddDate(0, 0, -v.c.Days)
	for i, b := range list {
		if i == 0 || !b.Made.Before(before) {
			continue
		}
		if err := errors.Join(os.Remove(b.Path), missing(os.Remove(b.Path+sumEnd))); err != nil {
			return gone, fmt.Errorf("removing an old backup: %w", err)
		}
		gone = append(gone, b)
	}
	left, err := filepath.Glob(filepath.Join(v.c.Folder, ".making-*"))
	if err != nil {
		return gone, err
	}
	for _, dir := range left {
		if info, err := os.Stat(dir); err == nil && v.c.Now().Sub(info.ModTime()) > 24*time.Hour {
			if err := os.RemoveAll(dir); err != nil {
				return gone, fmt.Errorf("tidying backups: %w", err)
			}
		}
	}
	return gone, nil
}

// missing is nil where nothing was there.
func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Folder is where the backups are.
func (v *Vault) Folder() string { return v.c.Folder }

// Key is the file of the key that Solo made, "" where something else locks the backups.
func (v *Vault) Key() string {
	if v.c.Recipient != "" || v.c.Passphrase.Reveal() != "" {
		return ""
	}
	return v.c.KeyFile
}
