package project_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/project"
)

func TestParse(t *testing.T) {
	sketches, err := project.Parse("Life\r\n" +
		"\t[Paused] Music [ 30 % ]\n" +
		"\t\t- Scales\n" +
		"\n" +
		"      * [x] A song [100%]\n" +
		"\t[on hold] Boat\n" +
		" [ACTIVE] Not a level of its own [5%]\n" +
		"[ ] Work [2026 plan]\n" +
		"    [IDEA] Book [7%]\n" +
		"  [COMPLETED] Taxes [10%] [100%]\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []project.Sketch{
		{Name: "Life", Status: project.Active, Percent: -1, Depth: 0, Line: 1},
		{Name: "Music", Status: project.Paused, Percent: 30, Depth: 1, Line: 2},
		{Name: "Scales", Status: project.Active, Percent: -1, Depth: 2, Line: 3},
		{Name: "A song", Status: project.Done, Percent: 100, Depth: 3, Line: 5},
		{Name: "Boat", Status: project.Paused, Percent: -1, Depth: 1, Line: 6},
		{Name: "Not a level of its own", Status: project.Active, Percent: 5, Depth: 1, Line: 7},
		{Name: "Work [2026 plan]", Status: project.Active, Percent: -1, Depth: 0, Line: 8},
		{Name: "[IDEA] Book", Status: project.Active, Percent: 7, Depth: 1, Line: 9},
		{Name: "Taxes [10%]", Status: project.Done, Percent: 100, Depth: 1, Line: 10},
	}
	if len(sketches) != len(want) {
		t.Fatalf("got %d lines, %+v", len(sketches), sketches)
	}
	for i, w := range want {
		if sketches[i] != w {
			t.Errorf("line %d: got %+v, want %+v", w.Line, sketches[i], w)
		}
	}
}

func TestWhatIsNoTree(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want error
		line string
	}{
		"nothing":       {"", project.ErrNoTree, ""},
		"blank":         {"\n \n\t\n```\n", project.ErrNoTree, ""},
		"1 MB and more": {strings.Repeat("x", 1<<20+1), project.ErrLongText, ""},
		"a long name":   {"ok\n" + strings.Repeat("x", 1<<19), project.ErrTooLong, "line 2"},
		"no name":       {"a\nb\n[DONE] [5%]", project.ErrName, "line 3"},
		"150 %":         {"a [150%]", project.ErrProgress, "line 1"},
		"a staircase":   {stairs(40), project.ErrDeep, "line 33"},
		"too many":      {strings.Repeat("a\n", project.Most+1), project.ErrMany, ""},
	} {
		_, err := project.Parse(tt.text)
		if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.line) {
			t.Errorf("%s: %v, want %v at %q", name, err, tt.want, tt.line)
		}
	}
}

func stairs(n int) string {
	var out strings.Builder
	for i := range n {
		out.WriteString(strings.Repeat(" ", i) + "step\n")
	}
	return out.String()
}

const sample = `
[ACTIVE] Career [40%]
  [PAUSED] Job Applications [20%]
[ACTIVE] Family [65%]
   Kindergarten Registration [100%]
  [ACTIVE] Weekend Planning [30%]
[ACTIVE] Health [50%]
  [ACTIVE] Running Routine [50%]`

func TestTake(t *testing.T) {
	s := fresh(t)
	got, err := s.Take(t.Context(), sample)
	if err != nil || len(got.Added) != 7 || len(got.Changed) != 0 {
		t.Fatalf("took %+v, %v", got, err)
	}
	s.is(t, strings.Replace(sample, "   Kindergarten", "  [ACTIVE] Kindergarten", 1))
	byHand := map[string]bool{"Career": true, "Job Applications": true, "Kindergarten Registration": true, "Weekend Planning": true, "Running Routine": true}
	for _, p := range got.Added {
		if (p.Progress != nil) != byHand[p.Name] {
			t.Errorf("%s: progress set by hand: %v", p.Name, p.Progress)
		}
	}

	again, err := s.Take(t.Context(), s.text(t))
	if err != nil || again.Same != 7 || len(again.Added)+len(again.Changed) != 0 {
		t.Errorf("the same text again: %+v, %v", again, err)
	}
	more, err := s.Take(t.Context(), "[ACTIVE] family\n  [DONE] weekend planning [100%]\n  Holiday\n    Flights [10%]\n")
	if err != nil || len(more.Added) != 2 || len(more.Changed) != 2 || len(more.Before) != 2 {
		t.Fatalf("took %+v, %v", more, err)
	}
	s.is(t, `
[ACTIVE] Career [40%]
  [PAUSED] Job Applications [20%]
[ACTIVE] family [70%]
  [ACTIVE] Kindergarten Registration [100%]
  [DONE] weekend planning [100%]
  [ACTIVE] Holiday [10%]
    [ACTIVE] Flights [10%]
[ACTIVE] Health [50%]
  [ACTIVE] Running Routine [50%]`)
	if err := s.GiveBack(t.Context(), more); err != nil {
		t.Fatal(err)
	}
	s.is(t, strings.Replace(sample, "   Kindergarten", "  [ACTIVE] Kindergarten", 1))
}

func FuzzText(f *testing.F) {
	f.Add(sample)
	f.Add("[DONE] [5%] [6%]\n\t- [x] é [0%]")
	f.Add(stairs(31))
	f.Fuzz(func(t *testing.T, text string) {
		lines, err := project.Parse(text)
		if err != nil {
			return
		}
		var top []*project.Node
		path := []*project.Node{}
		for _, l := range lines {
			n := &project.Node{Project: project.Project{Name: l.Name, Status: l.Status}, Percent: max(0, l.Percent), Depth: l.Depth}
			if l.Depth == 0 {
				top = append(top, n)
			} else {
				path[l.Depth-1].Below = append(path[l.Depth-1].Below, n)
			}
			path = append(path[:l.Depth], n)
		}
		again, err := project.Parse(project.Text(top))
		if err != nil || len(again) != len(lines) {
			t.Fatalf("%q does not come back: %d of %d lines, %v", project.Text(top), len(again), len(lines), err)
		}
		for i, l := range lines {
			if a := again[i]; a.Name != l.Name || a.Status != l.Status || a.Percent != max(0, l.Percent) || a.Depth != l.Depth {
				t.Fatalf("%+v came back as %+v", l, a)
			}
		}
	})
}
