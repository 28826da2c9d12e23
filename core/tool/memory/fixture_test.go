package memory_test

import (
	"path/filepath"
	"testing"

	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
)

// open lends the rows of a new database.
func open(t *testing.T) *store.Store {
	t.Helper()
	db, err := rows.Open(t.Context(), rows.Config{Path: filepath.Join(t.TempDir(), "solo.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	user, err := db.User(t.Context(), "owner")
	if err != nil {
		t.Fatal(err)
	}
	return store.New(db, user)
}
