package store_test

import (
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/memory"
	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/task"
)

func open(t testing.TB, path string) *rows.DB {
	t.Helper()
	db, err := rows.Open(t.Context(), rows.Config{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func lend(t testing.TB, db *rows.DB, name string) *store.Store {
	t.Helper()
	user, err := db.User(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return store.New(db, user)
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// What one Solo keeps, the next one finds, to the last field.
func TestAllIsKeptOverARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "solo.db")
	zone := must[*time.Location](t)(time.LoadLocation("Europe/Berlin"))
	now := func() time.Time { return time.Date(2026, 3, 27, 8, 30, 0, 123_000_000, zone) }
	ctx := t.Context()

	first := must[*rows.DB](t)(rows.Open(ctx, rows.Config{Path: path}))
	s := lend(t, first, "owner")
	tasks, mem := task.New(task.Config{Rows: s.Tasks(), Now: now}), memory.New(memory.Config{Rows: s.Memory(), Now: now})
	book := schedule.New(schedule.Config{Rows: s.Schedule(), Now: now})

	added := must[task.Task](t)(tasks.Add(ctx, task.Task{Description: "call Anna", Due: now().Add(time.Hour), Tags: []string{"phone", "it's"}}))
	plain := must[task.Task](t)(tasks.Add(ctx, task.Task{Description: "rest"}))
	fact := must[memory.Item](t)(mem.Keep(ctx, "the spare key is under the blue pot", "voice"))
	if err := mem.Set(ctx, "name", "Jo", "voice"); err != nil {
		t.Fatal(err)
	}
	timer := must[schedule.Promise](t)(book.Add(ctx, schedule.Promise{Kind: schedule.Timer, Text: "eggs", Length: 7 * time.Minute}))
	alarm := must[schedule.Promise](t)(book.Add(ctx, schedule.Promise{Kind: schedule.Alarm, Every: "FREQ=DAILY;BYHOUR=7;BYMINUTE=0"}))
	reminder := must[schedule.Promise](t)(book.Add(ctx, schedule.Promise{Kind: schedule.Reminder, Text: "call mom", At: now().Add(time.Minute), Zone: "Asia/Tokyo"}))
	said := store.Turn{At: now(), Reply: "It is nine. Anything else?", Turned: event.Turned{Outcome: "interrupted", Heard: "what time is it",
		Spoken: "It is nine.", Endpoint: 150 * time.Millisecond, STT: 41 * time.Millisecond, Think: 300 * time.Microsecond, FirstAudio: 80 * time.Millisecond}}
	said = must[store.Turn](t)(s.Turns().Keep(ctx, said))
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}

	s = lend(t, open(t, path), "owner")
	tasks, mem = task.New(task.Config{Rows: s.Tasks(), Now: now}), memory.New(memory.Config{Rows: s.Memory(), Now: now})
	book = schedule.New(schedule.Config{Rows: s.Schedule(), Now: now})
	same(t, "tasks", must[[]task.Task](t)(tasks.Open(ctx)), []task.Task{added, plain})
	same(t, "facts", must[[]memory.Item](t)(mem.Recall(ctx, "where is my spare key", 3)), []memory.Item{fact})
	same(t, "promises", must[[]schedule.Promise](t)(book.Waiting(ctx)), []schedule.Promise{reminder, timer, alarm})
	same(t, "turns", must[[]store.Turn](t)(s.Turns().Last(ctx, 5)), []store.Turn{said})
	if name, ok, err := mem.Get(ctx, "name"); name != "Jo" || !ok || err != nil {
		t.Errorf("name is %q, %v, %v", name, ok, err)
	}
	if _, ok, err := mem.Get(ctx, "voice"); ok || err != nil {
		t.Errorf("a preference that was never set: %v, %v", ok, err)
	}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got\n%+v, want\n%+v", what, got, want)
	}
}
