package project_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/project"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var now = time.Date(2026, 3, 27, 8, 30, 0, 987_654_321, time.FixedZone("CET", 3600))

// shelf is an empty Book over real rows, with tasks that a test counts itself.
type shelf struct {
	*project.Book
	tasks map[int64]project.Tally
}

func fresh(t testing.TB) *shelf {
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
	s := &shelf{tasks: map[int64]project.Tally{}}
	s.Book = project.New(project.Config{Rows: store.New(db, user).Projects(), Now: func() time.Time { return now },
		Tasks: func(context.Context) (map[int64]project.Tally, error) { return s.tasks, nil }})
	return s
}

func (s *shelf) add(t testing.TB, parent int64, name string) project.Project {
	t.Helper()
	p, err := s.Add(t.Context(), project.Project{Name: name, Parent: parent})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return p
}

func (s *shelf) text(t testing.TB) string {
	t.Helper()
	top, err := s.Tree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return project.Text(top)
}

func (s *shelf) is(t testing.TB, want string) {
	t.Helper()
	if got := s.text(t); strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func (s *shelf) edit(t testing.TB, id int64, do func(*project.Project)) project.Project {
	t.Helper()
	was, is, err := s.Edit(t.Context(), id, do)
	if err != nil {
		t.Fatal(err)
	}
	if is.Changed.Before(was.Changed) || !is.Created.Equal(was.Created) {
		t.Errorf("changed from %+v to %+v", was, is)
	}
	return was
}

func TestATreeOfProjects(t *testing.T) {
	s := fresh(t)
	s.is(t, "")
	career := s.add(t, 0, "Career")
	jobs := s.add(t, career.ID, "Job\tApplications")
	health := s.add(t, 0, "Health")
	s.add(t, health.ID, "Running")
	swim := s.add(t, health.ID, "Swimming")
	s.edit(t, jobs.ID, func(p *project.Project) { p.Status, p.Progress = project.Paused, new(20) })
	s.edit(t, swim.ID, func(p *project.Project) { p.Status = project.Done })
	s.edit(t, health.ID, func(p *project.Project) { p.Priority = 1 })
	s.is(t, `
[ACTIVE] Health [50%]
  [ACTIVE] Running [0%]
  [DONE] Swimming [100%]
[ACTIVE] Career [20%]
  [PAUSED] Job Applications [20%]`)

	s.tasks[career.ID] = project.Tally{Open: 1, Done: 2} // 0 + 100 + 100 + 20 of 4
	s.tasks[swim.ID] = project.Tally{Open: 9}
	s.is(t, `
[ACTIVE] Health [50%]
  [ACTIVE] Running [0%]
  [DONE] Swimming [100%]
[ACTIVE] Career [55%]
  [PAUSED] Job Applications [20%]`)

	s.edit(t, swim.ID, func(p *project.Project) { p.Status = project.Dropped }) // counts for nothing above it
	was := s.edit(t, career.ID, func(p *project.Project) { p.Progress, p.Parent = new(40), health.ID })
	s.is(t, `
[ACTIVE] Health [20%]
  [ACTIVE] Career [40%]
    [PAUSED] Job Applications [20%]
  [ACTIVE] Running [0%]
  [DROPPED] Swimming [0%]`)
	if err := s.Restore(t.Context(), was); err != nil {
		t.Fatal(err)
	}

	gone, err := s.Remove(t.Context(), health.ID)
	if err != nil || len(gone) != 3 || gone[0].Name != "Health" {
		t.Fatalf("removed %v, %v", gone, err)
	}
	s.is(t, "[ACTIVE] Career [55%]\n  [PAUSED] Job Applications [20%]")
	if _, err := s.Get(t.Context(), swim.ID); !errors.Is(err, project.ErrUnknown) {
		t.Errorf("a child of what was removed: %v", err)
	}
	if err := s.Restore(t.Context(), gone...); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Get(t.Context(), swim.ID); err != nil || got.Parent != health.ID || got.Status != project.Dropped {
		t.Errorf("restored %+v, %v", got, err)
	}
	if later := s.add(t, 0, "Later"); later.ID <= swim.ID {
		t.Errorf("the ID %d was given out before", later.ID)
	}
}

func TestReview(t *testing.T) {
	s := fresh(t)
	p := s.add(t, 0, "Garden")
	if !p.Reviewed.IsZero() {
		t.Errorf("a new project was reviewed at %v", p.Reviewed)
	}
	was, is, err := s.Review(t.Context(), p.ID)
	if err != nil || !was.Reviewed.IsZero() || !is.Reviewed.Equal(now.Truncate(time.Millisecond)) {
		t.Errorf("reviewed %v, then %v, %v", was.Reviewed, is.Reviewed, err)
	}
}

func TestWhatCannotBe(t *testing.T) {
	s := fresh(t)
	a := s.add(t, 0, "a")
	b := s.add(t, a.ID, "b")
	c := s.add(t, b.ID, "c")
	for name, tt := range map[string]struct {
		in   project.Project
		want error
	}{
		"no name":          {project.Project{}, project.ErrName},
		"blank name":       {project.Project{Name: " \n\x00\u2028 "}, project.ErrName},
		"1 MB":             {project.Project{Name: strings.Repeat("x", 1<<20)}, project.ErrTooLong},
		"long domain":      {project.Project{Name: "x", Domain: strings.Repeat("x", 65)}, project.ErrTooLong},
		"taken":            {project.Project{Name: " A "}, project.ErrTaken},
		"taken below":      {project.Project{Name: "C", Parent: b.ID}, project.ErrTaken},
		"status":           {project.Project{Name: "x", Status: "asleep"}, project.ErrStatus},
		"priority":         {project.Project{Name: "x", Priority: 6}, project.ErrPriority},
		"no priority":      {project.Project{Name: "x", Priority: -1}, project.ErrPriority},
		"too far":          {project.Project{Name: "x", Progress: new(101)}, project.ErrProgress},
		"less than none":   {project.Project{Name: "x", Progress: new(-1)}, project.ErrProgress},
		"of no parent":     {project.Project{Name: "x", Parent: 999}, project.ErrUnknown},
		"of a strange one": {project.Project{Name: "x", Parent: -3}, project.ErrUnknown},
	} {
		if _, err := s.Add(t.Context(), tt.in); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
	for name, tt := range map[string]struct {
		id, parent int64
		want       error
	}{
		"itself":       {a.ID, a.ID, project.ErrCycle},
		"its child":    {a.ID, b.ID, project.ErrCycle},
		"its grandson": {a.ID, c.ID, project.ErrCycle},
		"nobody":       {a.ID, 777, project.ErrUnknown},
		"unknown":      {777, a.ID, project.ErrUnknown},
		"upwards":      {c.ID, a.ID, nil},
	} {
		if _, _, err := s.Edit(t.Context(), tt.id, func(p *project.Project) { p.Parent = tt.parent }); !errors.Is(err, tt.want) {
			t.Errorf("move to %s: %v, want %v", name, err, tt.want)
		}
	}
	if _, err := s.Remove(t.Context(), 12345); !errors.Is(err, project.ErrUnknown) {
		t.Errorf("removing nothing: %v", err)
	}
	if err := s.Restore(t.Context(), project.Project{Name: "x"}); !errors.Is(err, project.ErrUnknown) {
		t.Errorf("restoring without a number: %v", err)
	}
}

// Putting old states back must not make a ring either.
func TestRestoreMakesNoRing(t *testing.T) {
	s := fresh(t)
	a := s.add(t, 0, "a")
	b := s.add(t, 0, "b")
	was := s.edit(t, a.ID, func(p *project.Project) { p.Parent = b.ID })
	s.edit(t, a.ID, func(p *project.Project) { p.Parent = 0 })
	under := was
	under.Parent = b.ID
	s.edit(t, b.ID, func(p *project.Project) { p.Parent = a.ID })
	if err := s.Restore(t.Context(), under); !errors.Is(err, project.ErrCycle) {
		t.Errorf("a ring was restored: %v", err)
	}
	s.is(t, "[ACTIVE] a [0%]\n  [ACTIVE] b [0%]")
}

func TestNamesAreOnlyText(t *testing.T) {
	s := fresh(t)
	for _, name := range []string{
		"'); DROP TABLE projects; --", "Robert\x00\x1b[31m'; DELETE FROM tasks", "a \"quoted\" $1 name", "émigré 株式 🚀", "[ACTIVE] [40%]", "- dash", "100%", "{{x}} <b>",
		"\xff\xfe broken", "tab\there", "two\nlines\r\nthree",
	} {
		p := s.add(t, 0, name)
		if strings.ContainsAny(p.Name, "\x00\x1b\n\r\t") {
			t.Errorf("%q was kept as %q", name, p.Name)
		}
		got, err := s.Find(t.Context(), p.Name)
		if err != nil || len(got) == 0 || got[0].ID != p.ID {
			t.Errorf("%q is not found: %v, %v", p.Name, got, err)
		}
	}
	text := s.text(t)
	other := fresh(t)
	if _, err := other.Take(t.Context(), text); err != nil {
		t.Fatal(err)
	}
	other.is(t, text)
}

func TestTheTreeIsNotTooDeep(t *testing.T) {
	s := fresh(t)
	var up, top int64
	for i := range project.Deepest {
		up = s.add(t, up, fmt.Sprint("level ", i)).ID
		if top == 0 {
			top = up
		}
	}
	if _, err := s.Add(t.Context(), project.Project{Name: "too deep", Parent: up}); !errors.Is(err, project.ErrDeep) {
		t.Errorf("one more level: %v", err)
	}
	root := s.add(t, 0, "root")
	if _, _, err := s.Edit(t.Context(), top, func(p *project.Project) { p.Parent = root.ID }); !errors.Is(err, project.ErrDeep) {
		t.Errorf("the whole tower moved down: %v", err)
	}
}

func TestFind(t *testing.T) {
	s := fresh(t)
	career := s.add(t, 0, "Career")
	house := s.add(t, 0, "House renovation")
	s.add(t, house.ID, "Kitchen")
	flat := s.add(t, 0, "Flat in Lisbon")
	s.add(t, flat.ID, "Kitchen")
	s.add(t, career.ID, "Job applications")
	old := s.add(t, flat.ID, "Garden")
	s.edit(t, old.ID, func(p *project.Project) { p.Status = project.Done })
	s.add(t, house.ID, "Garden")
	for text, want := range map[string]string{
		"career":                     "Career",
		"my career":                  "Career",
		"CAREER":                     "Career",
		"carreer":                    "Career",
		"job application":            "Career / Job applications",
		"the renovation":             "House renovation",
		"kitchen":                    "House renovation / Kitchen; Flat in Lisbon / Kitchen",
		"flat in lisbon / kitchen":   "Flat in Lisbon / Kitchen",
		"flat in lisbon/kitchen":     "Flat in Lisbon / Kitchen",
		"garden":                     "House renovation / Garden; Flat in Lisbon / Garden",
		"lisbon flat":                "Flat in Lisbon",
		"":                           "",
		"a boat":                     "",
		"'; DROP TABLE projects;--":  "",
		strings.Repeat("house", 1e5): "",
	} {
		found, err := s.Find(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range found {
			got = append(got, n.Path)
		}
		if len(text) > 40 {
			text = text[:40]
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
}

// Many at once leave a tree without rings and without doubles.
func TestManyAtOnce(t *testing.T) {
	s := fresh(t)
	var ids []int64
	for i := range 6 {
		ids = append(ids, s.add(t, 0, fmt.Sprint("p", i)).ID)
	}
	done := make(chan error, 6)
	for i := range 6 {
		go func() {
			var err error
			for j := range 6 {
				_, _, e := s.Edit(context.Background(), ids[i], func(p *project.Project) { p.Parent = ids[(i+j)%6] })
				if e != nil && !errors.Is(e, project.ErrCycle) {
					err = e
				}
			}
			done <- err
		}()
	}
	for range 6 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	top, err := s.Tree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if all := project.Flat(top); len(all) != 6 {
		t.Errorf("%d projects in the tree", len(all))
	}
	for _, n := range top {
		if n.Parent != 0 {
			t.Errorf("%s stands at the top, but has the parent %d: a ring", n.Name, n.Parent)
		}
	}
}
