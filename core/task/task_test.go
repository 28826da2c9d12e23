package task_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/task"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var now = time.Date(2026, 3, 27, 8, 30, 0, 987_654_321, time.FixedZone("CET", 3600))

// fresh is a list over a real, empty database.
func fresh(t testing.TB) *task.List {
	t.Helper()
	db, err := rows.Open(context.Background(), rows.Config{Path: filepath.Join(t.TempDir(), "solo.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	user, err := db.User(context.Background(), "owner")
	if err != nil {
		t.Fatal(err)
	}
	return task.New(task.Config{Rows: store.New(db, user).Tasks(), Now: func() time.Time { return now }})
}

func add(t testing.TB, l *task.List, text string) task.Task {
	t.Helper()
	got, err := l.Add(t.Context(), task.Task{Description: text})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func names(list []task.Task) string {
	var out []string
	for _, t := range list {
		out = append(out, t.Description)
	}
	return strings.Join(out, "; ")
}

func TestWhatIsDueFirstComesFirst(t *testing.T) {
	l := fresh(t)
	for _, in := range []task.Task{
		{Description: "some day"}, {Description: "tonight", Due: now.Add(12 * time.Hour)},
		{Description: "any day"}, {Description: "at ten", Due: now.Add(90 * time.Minute)},
	} {
		if _, err := l.Add(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	got, err := l.Open(t.Context())
	if err != nil || names(got) != "at ten; tonight; some day; any day" {
		t.Errorf("got %s, %v", names(got), err)
	}
	if due := got[0].Due; due.Format("15:04 -0700") != "10:00 +0100" {
		t.Errorf("due at %v, want the user's zone", due)
	}
}

func TestADayInTheLifeOfATask(t *testing.T) {
	l := fresh(t)
	a := add(t, l, "  call Anna \n")
	if a.Description != "call Anna" || a.Done() || !a.Created.Equal(now.Truncate(time.Millisecond)) {
		t.Errorf("added %+v", a)
	}
	done, err := l.Complete(t.Context(), a.ID)
	if err != nil || !done.Done() || done.Finished.IsZero() {
		t.Fatalf("completed %+v, %v", done, err)
	}
	if again, err := l.Complete(t.Context(), a.ID); err != nil || !reflect.DeepEqual(again, done) {
		t.Errorf("completed twice: %+v, %v", again, err)
	}
	if open, err := l.Open(t.Context()); err != nil || len(open) != 0 {
		t.Errorf("still open: %v, %v", open, err)
	}
	if back, err := l.Reopen(t.Context(), a.ID); err != nil || !reflect.DeepEqual(back, a) {
		t.Errorf("reopened %+v, %v, want %+v", back, err, a)
	}
	gone, err := l.Delete(t.Context(), a.ID)
	if err != nil || !reflect.DeepEqual(gone, a) {
		t.Fatalf("deleted %+v, %v", gone, err)
	}
	if b := add(t, l, "other"); b.ID == a.ID {
		t.Error("an ID was used twice")
	}
	if err := l.Restore(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	if found, err := l.Find(t.Context(), "anna"); err != nil || len(found) != 1 || !reflect.DeepEqual(found[0], a) {
		t.Errorf("restored %+v, %v", found, err)
	}
}

func TestWhatIsNotThereIsSaid(t *testing.T) {
	l := fresh(t)
	_, complete := l.Complete(t.Context(), 7)
	_, reopen := l.Reopen(t.Context(), 7)
	_, del := l.Delete(t.Context(), 7)
	for name, err := range map[string]error{"Complete": complete, "Reopen": reopen, "Delete": del, "Restore": l.Restore(t.Context(), task.Task{Description: "no ID"})} {
		if !errors.Is(err, task.ErrUnknown) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBounds(t *testing.T) {
	l := fresh(t)
	for name, tt := range map[string]struct {
		in   task.Task
		want error
	}{
		"empty":         {task.Task{Description: " \t\n\x00\x1b"}, task.ErrEmpty},
		"a megabyte":    {task.Task{Description: strings.Repeat("x", 1<<20)}, task.ErrTooLong},
		"too many tags": {task.Task{Description: "x", Tags: make([]string, 33)}, task.ErrTooLong},
		"a long tag":    {task.Task{Description: "x", Tags: []string{strings.Repeat("t", 65)}}, task.ErrTooLong},
		"the longest":   {task.Task{Description: strings.Repeat("x", task.MaxText), Tags: []string{strings.Repeat("t", 64)}}, nil},
	} {
		if _, err := l.Add(t.Context(), tt.in); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := l.Find(t.Context(), strings.Repeat("x ", 1<<19)); !errors.Is(err, task.ErrTooLong) {
		t.Errorf("finding by a megabyte: %v", err)
	}
}

func TestFindMeansOpenTasks(t *testing.T) {
	l := fresh(t)
	for _, text := range []string{"buy milk", "buy oat milk for the cafe", "water the plants", "'); DROP TABLE tasks; --", "50% off_sale\\"} {
		add(t, l, text)
	}
	for words, want := range map[string]string{
		"milk": "buy milk; buy oat milk for the cafe", "oat milk": "buy oat milk for the cafe", "plant": "water the plants", "plnts": "water the plants",
		"cheese": "", "": "", "%": "", "_": "", "drop table": "'); DROP TABLE tasks; --", "50 off sale": "50% off_sale\\",
	} {
		found, err := l.Find(t.Context(), words)
		if err != nil || names(found) != want {
			t.Errorf("%q found %q, %v, want %q", words, names(found), err, want)
		}
	}
	found, err := l.Find(t.Context(), "plants")
	if err != nil || len(found) != 1 {
		t.Fatalf("found %v, %v", found, err)
	}
	if _, err := l.Complete(t.Context(), found[0].ID); err != nil {
		t.Fatal(err)
	}
	if found, err = l.Find(t.Context(), "plants"); err != nil || len(found) != 0 {
		t.Errorf("found what is done: %v, %v", found, err)
	}
}

func TestManyHandsLoseNothing(t *testing.T) {
	l := fresh(t)
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			a := add(t, l, fmt.Sprintf("task %d", i))
			if i%2 == 0 {
				if _, err := l.Complete(t.Context(), a.ID); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if open, err := l.Open(t.Context()); err != nil || len(open) != 20 {
		t.Errorf("%d open, %v", len(open), err)
	}
}

// Whatever the words, adding and finding by them neither fails nor harms what is there.
func FuzzFind(f *testing.F) {
	l := fresh(f)
	witness := add(f, l, "the witness")
	for _, s := range []string{"buy milk", "'; DELETE FROM tasks; --", "\x00\x1b[0m", "\xff\xfe", "日本語", "%_\\\"", "$1", "null"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := l.Add(t.Context(), task.Task{Description: text, Tags: []string{text[:min(len(text), 20)]}})
		if errors.Is(err, task.ErrEmpty) || errors.Is(err, task.ErrTooLong) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Find(t.Context(), text); err != nil {
			t.Error(err)
		}
		if _, err := l.Delete(t.Context(), a.ID); err != nil {
			t.Error(err)
		}
		if open, err := l.Open(t.Context()); err != nil || len(open) != 1 || open[0].ID != witness.ID {
			t.Errorf("left %v, %v", open, err)
		}
	})
}

func BenchmarkAdd(b *testing.B) {
	l := fresh(b)
	for b.Loop() {
		add(b, l, "call the dentist about the bill")
	}
}

func BenchmarkFind(b *testing.B) {
	l := fresh(b)
	for i := range 200 {
		add(b, l, fmt.Sprintf("call number %d about the bill", i))
	}
	for b.Loop() {
		if found, err := l.Find(b.Context(), "number 17"); err != nil || len(found) == 0 {
			b.Fatal(found, err)
		}
	}
}
