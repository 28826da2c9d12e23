package rows

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/store/rows/gen"
	"github.com/solo-assistant/solo/core/store/rows/pgtest"
)

const day = 24 * time.Hour

// Only what is over and old goes, and only the user's own.
func TestPrune(t *testing.T) {
	db, ctx := fresh(t), t.Context()
	anna, ben := owner(t, db), otherUser(t, db)
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	ago := func(days int) int64 { return now.Add(-time.Duration(days) * day).UnixMilli() }
	for _, o := range []*Own{anna, ben} {
		for _, days := range []int{1, 400} {
			must(o.AddTurn(ctx, Turn{At: ago(days), Heard: "x"}))(t)
			for _, state := range []string{"waiting", "ringing", "done", "cancelled"} {
				remind(t, o, Reminder{Text: state, At: ago(days), State: state, Created: ago(days)})
			}
			for _, state := range []string{"queued", "running", "waiting", "done", "failed", "cancelled"} {
				must(o.PutJob(ctx, Job{Kind: "k", Title: state, Input: "{}", Origin: "{}", State: state, Changed: ago(days)}))(t)
			}
		}
	}
	// Set long ago for a far day: it is not old.
	remind(t, anna, Reminder{Text: "set long ago", At: ago(-1), State: "cancelled", Created: ago(900)})
	remind(t, anna, Reminder{Text: "made now", At: ago(900), State: "done", Created: ago(0)})

	if p := must(anna.Prune(ctx, now, Ages{}))(t); p != (Pruned{}) {
		t.Errorf("for ever lost %+v", p)
	}
	p := must(anna.Prune(ctx, now, Ages{Turns: 365 * day, Promises: 90 * day, Asked: 30 * day, Jobs: 90 * day}))(t)
	if want := (Pruned{Turns: 1, Promises: 2, Jobs: 3}); p != want {
		t.Errorf("took %+v, want %+v", p, want)
	}
	for state, want := range map[string]int{"waiting": 2, "ringing": 2, "done": 2, "cancelled": 2} {
		if got := must(anna.Reminders(ctx, state))(t); len(got) != want {
			t.Errorf("anna has %d reminders that are %s, want %d", len(got), state, want)
		}
		if got := must(ben.Reminders(ctx, state))(t); len(got) != 2 {
			t.Errorf("ben has %d reminders that are %s, want 2", len(got), state)
		}
	}
	if got := must(ben.Turns(ctx, 9, 1<<60))(t); len(got) != 2 {
		t.Errorf("ben has %d turns", len(got))
	}
}

func remind(t testing.TB, o *Own, r Reminder) {
	t.Helper()
	err := o.change(t.Context(), "storing a reminder", func(q *gen.Queries) (err error) {
		if r.ID, err = o.identify(t.Context(), q, 0); err == nil {
			r.UserID = o.user
			_, err = q.PutReminder(t.Context(), gen.PutReminderParams(r))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What is erased is remembered with the erasing or not at all, and is no longer in the files.
func TestErasedLeavesATombstoneAndNoText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "solo.db")
	db, ctx := reopen(t, path), t.Context()
	o := owner(t, db)
	keep(t, o, "stays")
	secret := keep(t, o, "the code of the gate is "+strings.Repeat("4711", 2000))
	stop := context.Canceled
	for _, end := range []error{stop, nil} {
		err := o.within(ctx, "erasing", func(t *tx) error {
			if _, err := t.RemoveFact(ctx, gen.RemoveFactParams{UserID: o.user, ID: secret.ID}); err != nil {
				return err
			}
			if err := t.bury(ctx, "facts", secret.ID); err != nil {
				return err
			}
			return end
		})
		list := must(o.Erased(ctx))(t)
		if end != nil && len(list) != 0 || end == nil && (err != nil || len(list) != 1 || list[0].ID != secret.ID || list[0].Kind != "facts") {
			t.Errorf("ending with %v: %v, %v", end, list, err)
		}
	}
	if err := db.Scrub(ctx); err != nil {
		t.Fatal(err)
	}
	pgtest.OnlyFiles(t)
	for _, file := range []string{path, path + "-wal"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte("47114711")) {
			t.Errorf("%s still has what was erased", filepath.Base(file))
		}
	}
}
