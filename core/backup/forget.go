package backup

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/solo-assistant/solo/core/store/rows"
)

// remember writes down what was erased, numbers alone, beside the backups: an old one may still hold it when the rows are
// lost.
func (v *Vault) remember(ctx context.Context, db *rows.DB) error {
	list, err := db.Tombstones(ctx)
	if err != nil {
		return err
	}
	known, err := v.remembered()
	if err != nil {
		return err
	}
	seen := map[rows.Erased]bool{}
	for _, e := range known {
		seen[e] = true
	}
	f, err := os.OpenFile(filepath.Join(v.c.Folder, tombstones), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	for _, e := range list {
		if seen[e] {
			continue
		}
		line, errLine := json.Marshal(erased{e.UserID, e.Kind, e.ID, e.At})
		_, errOut := out.Write(append(line, '\n'))
		err = errors.Join(err, errLine, errOut)
	}
	return errors.Join(err, out.Flush(), f.Sync(), f.Close())
}

// erased is a line of that file.
type erased struct {
	User int64  `json:"user"`
	Kind string `json:"kind"`
	ID   int64  `json:"id"`
	At   int64  `json:"at"`
}

func (v *Vault) remembered() (out []rows.Erased, err error) {
	f, err := os.Open(filepath.Join(v.c.Folder, tombstones))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var e erased
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			continue // a line that a power cut has torn; the rows still know of it
		}
		out = append(out, rows.Erased{UserID: e.User, Kind: e.Kind, ID: e.ID, At: e.At})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading what was erased: %w", err)
	}
	return out, nil
}
