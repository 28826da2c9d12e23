// Package store lends the rows to the parts: one adapter each, so that SQL never reaches them.
package store

import (
	"errors"

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
