package store_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
)

// evening runs a Book over the database at path until do returns, as one life of Solo.
func evening(t *testing.T, path string, do func(b *schedule.Book, told func() []event.Due)) {
	t.Helper()
	db, err := rows.Open(t.Context(), rows.Config{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var due []event.Due
	b := schedule.New(schedule.Config{Rows: lend(t, db, "owner").Schedule(), Due: func(_ context.Context, e event.Due) error {
		mu.Lock()
		defer mu.Unlock()
		due = append(due, e)
		return nil
	}})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- b.Serve(ctx) }()
	do(b, func() []event.Due {
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		return due
	})
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Serve ended with %v", err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// Promises over three lives of Solo, on a real disk.
func TestPromisesOutliveSolo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "solo.db")
	synctest.Test(t, func(t *testing.T) {
		var alarm, reminder schedule.Promise
		evening(t, path, func(b *schedule.Book, told func() []event.Due) {
			alarm = must[schedule.Promise](t)(b.Add(t.Context(), schedule.Promise{Kind: schedule.Alarm, Every: "FREQ=DAILY;BYHOUR=7;BYMINUTE=0", Zone: "UTC"}))
			reminder = must[schedule.Promise](t)(b.Add(t.Context(), schedule.Promise{Kind: schedule.Reminder, Text: "call mom", At: time.Now().Add(time.Hour)}))
			must[schedule.Promise](t)(b.Add(t.Context(), schedule.Promise{Kind: schedule.Timer, Text: "tea", Length: time.Minute}))
			if time.Sleep(time.Minute); len(told()) != 1 || told()[0].Text != "tea" {
				t.Fatalf("told %+v", told())
			} // it ends while the timer rings
		})
		time.Sleep(8*time.Hour - time.Minute)
		evening(t, path, func(b *schedule.Book, told func() []event.Due) {
			got := told()
			if len(got) != 3 || got[0].Text != "tea" || got[1].ID != reminder.ID || got[1].Late != 7*time.Hour || got[2].ID != alarm.ID {
				t.Fatalf("told %+v", got)
			}
			if rang := must[[]schedule.Promise](t)(b.Stop(t.Context())); len(rang) != 3 {
				t.Errorf("stopped %v", rang)
			}
		})
		time.Sleep(time.Hour)
		evening(t, path, func(b *schedule.Book, told func() []event.Due) {
			waiting := must[[]schedule.Promise](t)(b.Waiting(t.Context()))
			if len(told()) != 0 || len(waiting) != 1 || waiting[0].ID != alarm.ID || waiting[0].At.Sub(alarm.At) != 24*time.Hour {
				t.Errorf("told %+v, waiting %+v", told(), waiting)
			}
		})
	})
}

func TestScheduleRows(t *testing.T) {
	r := lend(t, open(t, filepath.Join(t.TempDir(), "solo.db")), "owner").Schedule()
	ctx := t.Context()
	p := schedule.Promise{Kind: schedule.Timer, At: time.Now(), Zone: "UTC", State: schedule.Waiting, Created: time.Now()}
	kept := must[schedule.Promise](t)(r.Insert(ctx, p))
	if found := must[schedule.Promise](t)(r.Get(ctx, schedule.Alarm, kept.ID)); found.Kind != schedule.Timer {
		t.Errorf("asked for as an alarm: %+v", found)
	}
	if _, err := r.Get(ctx, schedule.Reminder, kept.ID); !errors.Is(err, schedule.ErrUnknown) {
		t.Errorf("a timer found as a reminder: %v", err)
	}
	if err := r.Put(ctx, schedule.Change{Promises: []schedule.Promise{p}}); !errors.Is(err, schedule.ErrUnknown) {
		t.Errorf("putting without an ID: %v", err)
	}
	kept.Zone = "Mars/Olympus" // a zone that a later system no longer knows
	if err := r.Put(ctx, schedule.Change{Promises: []schedule.Promise{kept}}); err != nil {
		t.Fatal(err)
	}
	if found := must[schedule.Promise](t)(r.Get(ctx, schedule.Timer, kept.ID)); !found.At.Equal(kept.At) {
		t.Errorf("due at %v, want %v", found.At, kept.At)
	}
}

func TestTurnsAreCutAndCounted(t *testing.T) {
	turns := lend(t, open(t, filepath.Join(t.TempDir(), "solo.db")), "owner").Turns()
	long := make([]byte, 1<<20)
	for i := range long {
		long[i] = "é"[i%2]
	}
	kept := must[store.Turn](t)(turns.Keep(t.Context(), store.Turn{At: time.Unix(1, 0), Reply: string(long)}))
	if len(kept.Reply) != 64<<10 {
		t.Errorf("kept %d bytes", len(kept.Reply))
	}
	for i := range 5 {
		must[store.Turn](t)(turns.Keep(t.Context(), store.Turn{At: time.Unix(int64(10-i), 0), Reply: "r"}))
	}
	last := must[[]store.Turn](t)(turns.Last(t.Context(), 2))
	if len(last) != 2 || last[0].At.Unix() != 10 || last[1].At.Unix() != 9 {
		t.Errorf("last are %+v", last)
	}
	if none := must[[]store.Turn](t)(turns.Last(t.Context(), -1)); len(none) != 0 {
		t.Errorf("less than none: %v", none)
	}
}
