// Package store lends the rows to the parts: one adapter each, so that SQL never reaches them.
package store

import (
	"errors"
	"fmt"

	"github.com/solo-assistant/solo/core/store/rows"
)

// Store is the rows of one user, in the parts' words.
type Store struct{ own *rows.Own }

// New builds a Store over an open database.
func New(db *rows.DB, user rows.UserID) *Store { return &Store{own: db.Of(user)} }

// absent puts a part's own word in the place of rows.ErrNone.
func absent(err, word error) error {
	if errors.Is(err, rows.ErrNone) {
		return word
	}
	return err
}

// MaxText is the longest text that is kept in one row, in bytes.
const MaxText = 16 << 20

// ErrLong says that a text is longer than MaxText. Nothing of it was kept.
var ErrLong = errors.New("longer than 16 MiB")

func fits(what string, length int) error {
	if length > MaxText {
		return fmt.Errorf("keeping %s of %d bytes: %w", what, length, ErrLong)
	}
	return nil
}

// count bounds how many rows are asked for.
func count(n int) int32 { return int32(min(max(n, 0), 10_000)) }

// each turns rows into a part's words.
func each[R, T any](list []R, word func(R) (T, error)) ([]T, error) {
	var out []T
	for _, row := range list {
		t, err := word(row)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}
