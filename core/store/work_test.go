package store_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/project"
	"github.com/solo-assistant/solo/core/routine"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/store/rows/rowstest"
	"github.com/solo-assistant/solo/core/task"
)

// Work is kept alike by both engines, and each user's apart from the others'.
func TestWork(t *testing.T) {
	rowstest.Each(t, func(t *testing.T, c rows.Config) {
		db := rowstest.Open(t, c)
		own := store.New(db, rowstest.Owner(t, db))
		guest, err := db.User(t.Context(), "guest")
		if err != nil {
			t.Fatal(err)
		}
		strange := store.New(db, guest)
		at := time.Date(2026, 3, 27, 8, 30, 0, 0, time.UTC)
		t.Run("projects", func(t *testing.T) { projects(t, own, strange, at) })
		t.Run("tasks", func(t *testing.T) { tasks(t, own, strange, at) })
		t.Run("routines", func(t *testing.T) { routines(t, own, strange, at) })
		t.Run("nudges", func(t *testing.T) { nudges(t, own, strange, at) })
	})
}

const hostile = "'); DROP TABLE projects; -- $1 \u202e é 株 \"x\""

func projects(t *testing.T, own, strange *store.Store, at time.Time) {
	r := own.Projects()
	kept, err := r.Put(t.Context(), project.Project{Name: hostile, Status: project.Active, Priority: 1, Domain: "home", Created: at, Changed: at},
		project.Project{Name: "b", Status: project.Paused, Priority: 5, Progress: new(0), Reviewed: at, Created: at, Changed: at})
	if err != nil || len(kept) != 2 || kept[0].ID == kept[1].ID || kept[0].Name != hostile {
		t.Fatal(kept, err)
	}
	kept[0].Parent, kept[0].Progress = kept[1].ID, new(100)
	if _, err := r.Put(t.Context(), kept[0]); err != nil {
		t.Fatal(err)
	}
	all, err := r.List(t.Context())
	if err != nil || !reflect.DeepEqual(all, kept) {
		t.Errorf("got %+v, %v\nwant %+v", all, err, kept)
	}
	for name, p := range map[string]project.Project{"state": {Name: "x", Status: "odd", Priority: 1}, "priority": {Name: "x", Status: project.Active, Priority: 9},
		"progress": {Name: "x", Status: project.Active, Priority: 1, Progress: new(101)}} {
		if _, err := r.Put(t.Context(), project.Project{Name: "before", Status: project.Active, Priority: 1}, p); err == nil {
			t.Errorf("the rows took an odd %s", name)
		}
	}
	if all, err := r.List(t.Context()); err != nil || len(all) != 2 {
		t.Errorf("half of a change was kept: %v, %v", all, err)
	}
	if all, err := strange.Projects().List(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("a stranger sees %v, %v", all, err)
	}
	if err := strange.Projects().Remove(t.Context(), kept[0].ID); !errors.Is(err, project.ErrUnknown) {
		t.Errorf("a stranger removed a project: %v", err)
	}
	if err := r.Remove(t.Context(), kept[0].ID, 4711); !errors.Is(err, project.ErrUnknown) {
		t.Errorf("removing one that is not there: %v", err)
	}
	if all, err := r.List(t.Context()); err != nil || len(all) != 2 {
		t.Errorf("half of a removal was kept: %v, %v", all, err)
	}
}

func tasks(t *testing.T, own, strange *store.Store, at time.Time) {
	l := task.New(task.Config{Rows: own.Tasks(), Now: func() time.Time { return at }})
	var ids []int64
	for _, in := range []task.Task{{Description: hostile, Project: 7, Tags: []string{hostile}}, {Description: "b", Status: task.Blocked, Stuck: hostile, Project: 7}, {Description: "c", Status: task.Doing}} {
		made, err := l.Add(t.Context(), in)
		if err != nil || made.Stuck != in.Stuck || made.Project != in.Project || !slices.Equal(made.Tags, in.Tags) {
			t.Fatalf("%+v, %v", made, err)
		}
		ids = append(ids, made.ID)
	}
	if _, err := l.Complete(t.Context(), ids[0]); err != nil {
		t.Fatal(err)
	}
	if open, err := l.Open(t.Context()); err != nil || len(open) != 2 {
		t.Errorf("open: %v, %v", open, err)
	}
	if done, err := l.Finished(t.Context(), at.Add(-time.Minute), 10); err != nil || len(done) != 1 || !done[0].Done() {
		t.Errorf("done: %v, %v", done, err)
	}
	if done, err := l.Finished(t.Context(), at.Add(time.Minute), 10); err != nil || len(done) != 0 {
		t.Errorf("done later: %v, %v", done, err)
	}
	if n, err := l.Tally(t.Context()); err != nil || n[7] != (task.Tally{Open: 1, Done: 1}) || len(n) != 1 {
		t.Errorf("counted %v, %v", n, err)
	}
	if n, err := strange.Tasks().Tally(t.Context()); err != nil || len(n) != 0 {
		t.Errorf("a stranger counts %v, %v", n, err)
	}
	if _, err := own.Tasks().Insert(t.Context(), task.Task{Description: "x", Status: "odd"}); err == nil {
		t.Error("the rows took an odd state")
	}
}

func routines(t *testing.T, own, strange *store.Store, at time.Time) {
	r := own.Routines()
	in := routine.Routine{Name: hostile, Created: at, Model: true, Actions: []routine.Action{{Tool: "a.b", Arguments: json.RawMessage(`{"x":"é'"}`), Words: hostile}, {Say: "done"}}}
	kept, err := r.Put(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	kept.Ran = at
	if _, err := r.Put(t.Context(), kept); err != nil {
		t.Fatal(err)
	}
	if all, err := r.List(t.Context()); err != nil || !reflect.DeepEqual(all, []routine.Routine{kept}) {
		t.Errorf("got %+v, %v\nwant %+v", all, err, kept)
	}
	if all, err := strange.Routines().List(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("a stranger sees %v, %v", all, err)
	}
	if err := strange.Routines().Remove(t.Context(), kept.ID); !errors.Is(err, routine.ErrUnknown) {
		t.Errorf("a stranger removed a routine: %v", err)
	}
	if err := r.Remove(t.Context(), kept.ID); err != nil {
		t.Error(err)
	}
}

func nudges(t *testing.T, own, strange *store.Store, at time.Time) {
	n := own.Nudges()
	for _, about := range []string{"task 1 due 5", "task 1 due 5", hostile} {
		if err := n.Tell(t.Context(), at, at.Add(-time.Hour), about); err != nil {
			t.Fatal(err)
		}
	}
	if told, err := n.Told(t.Context(), at.Add(-time.Minute)); err != nil || len(told) != 2 {
		t.Errorf("told %v, %v", told, err)
	}
	if told, err := strange.Nudges().Told(t.Context(), time.Time{}); err != nil || len(told) != 0 {
		t.Errorf("a stranger was told %v, %v", told, err)
	}
	if err := n.Tell(t.Context(), at.Add(2*time.Hour), at.Add(time.Hour), "later"); err != nil {
		t.Fatal(err)
	}
	if told, err := n.Told(t.Context(), time.Time{}); err != nil || !slices.Equal(told, []string{"later"}) {
		t.Errorf("old nudges are kept: %v, %v", told, err)
	}
}
