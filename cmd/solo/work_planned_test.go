package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/brief"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/routine"
	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/task"
)

// workDay is an assistant that runs, with what it said.
func workDay(t *testing.T, more ...string) (*assistant, func() []string) {
	t.Helper()
	a := openApp(t, t.TempDir(), more...)
	db, err := rows.Open(t.Context(), a.settings.Store)
	if err != nil {
		t.Fatal(err)
	}
	d, err := a.desk(t.Context(), db, false, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	said := make(chan string, 64)
	t.Cleanup(d.s.bus.Tap(heardReplies(said)))
	return d.s, func() (out []string) {
		for {
			select {
			case s := <-said:
				out = append(out, s)
			case <-time.After(300 * time.Millisecond):
				return out
			}
		}
	}
}

func TestPlannedWork(t *testing.T) {
	s, said := workDay(t, "brief.week=10:00")
	actions, err := s.work.routines.Actions("set a timer for two hours and say enjoy the film")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.work.routines.Add(t.Context(), routine.Routine{Name: "movie time", Actions: actions}); err != nil {
		t.Fatal(err)
	}
	if err := s.runRoutine(t.Context(), event.Due{Kind: "routine", Text: "movie time"}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(said(), " "); got != "2 hours, starting now. Enjoy the film." {
		t.Errorf("said %q", got)
	}
	if timers, err := s.book.Waiting(t.Context(), schedule.Timer); err != nil || len(timers) != 1 {
		t.Errorf("timers: %v, %v", timers, err)
	}
	if err := s.runRoutine(t.Context(), event.Due{Kind: "routine", Text: "gone"}); err != nil {
		t.Errorf("a routine that is gone: %v", err)
	}
	if err := s.giveBriefing(t.Context(), event.Due{Kind: "briefing", Text: "week"}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(said(), " "); !strings.HasPrefix(got, "This is your weekly review.") {
		t.Errorf("said %q", got)
	}

	// What the settings say is planned at the start, and what the user says is stronger.
	for _, tt := range []struct {
		set  string
		want int
	}{{"settings", 1}, {"", 0}, {"FREQ=DAILY;BYHOUR=9;BYMINUTE=0", 1}, {"FREQ=DAILY;BYHOUR=9;BYMINUTE=0", 1}} {
		var err error
		if tt.set == "settings" {
			var rule string
			if rule, err = s.work.plans.Planned(t.Context(), brief.Week); err == nil {
				err = s.work.plans.keep(t.Context(), brief.Week, rule)
			}
		} else {
			err = s.work.plans.Plan(t.Context(), brief.Week, tt.set)
		}
		if err != nil {
			t.Fatal(err)
		}
		waiting, err := s.book.Waiting(t.Context(), schedule.Briefing)
		if err != nil || len(waiting) != tt.want || tt.want == 1 && tt.set != "settings" && waiting[0].Every != tt.set {
			t.Errorf("after %q: %v, %v", tt.set, waiting, err)
		}
	}
}

func TestHeartbeatSpeaksOnce(t *testing.T) {
	s, said := workDay(t)
	if _, err := s.tasks.Add(t.Context(), task.Task{Description: "call my sister", Due: s.app.now().Add(10 * time.Minute)}); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"By the way: call your sister is due", ""} {
		s.work.lastTalk.Store(0)
		if err := s.work.heart.Beat(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(said(), " "); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("beat %d: %q, want %q", i+1, got, want)
		}
	}
	if s.talking() {
		t.Error("nobody spoke, and yet there is a conversation")
	}
	if _, err := s.understand(t.Context(), "what time is it", false); err != nil {
		t.Fatal(err)
	}
	if !s.talking() {
		t.Error("what was just said is no conversation")
	}
}

// openApp is Solo in a folder of a test, with nothing around it that thinks or hears.
func openApp(t *testing.T, dir string, set ...string) *app {
	t.Helper()
	h := home{config: dir, data: filepath.Join(dir, "data"), cache: filepath.Join(dir, "cache")}
	s, _, err := loadSettings(h, append([]string{"llama.use=off", "ollama.use=off", "whisper.use=off"}, set...))
	if err != nil {
		t.Fatal(err)
	}
	return &app{home: h, settings: s, log: zerolog.Nop()}
}

// heardReplies hands on each sentence that is said.
func heardReplies(said chan<- string) func(bus.Meta, any) {
	return func(_ bus.Meta, v any) {
		if e, ok := v.(event.Replied); ok {
			said <- e.Text
		}
	}
}
