package dialog_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/dialog"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/voices"
)

// ledger keeps what a conductor tells of its telling.
type ledger struct {
	mu    sync.Mutex
	lines []string
}

func (l *ledger) note(what string, es []event.Due) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range es {
		l.lines = append(l.lines, fmt.Sprintf("%s %d", what, e.ID))
	}
}

func (l *ledger) read() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.lines)
}

// chorus is a stage whose conductor tells of its telling; everything rings.
func chorus(t *testing.T, v dialog.Voice, act func(d *dialog.Conductor, l *ledger)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var b bus.Bus
		l := &ledger{}
		d := dialog.New(dialog.Config{Mind: thinker{}, Voice: v, Ears: &ears{}, Bus: &b, FollowUp: 5 * time.Second,
			Rings:   func(event.Due) bool { return true },
			Telling: func(_ context.Context, es []event.Due) { l.note("telling", es) },
			Told: func(_ context.Context, es []event.Due, err error) {
				l.note(map[bool]string{true: "told", false: "could not tell"}[err == nil], es)
			}})
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { _ = d.Serve(ctx) })
		act(d, l)
		cancel()
		wg.Wait()
	})
}

func TestTellsWhenAReminderBeginsAndWhenItWasSaid(t *testing.T) {
	m := &mouth{}
	chorus(t, m, func(d *dialog.Conductor, l *ledger) {
		_ = d.Due(t.Context(), event.Due{Kind: "reminder", ID: 1, Text: "water the ferns"})
		time.Sleep(300 * time.Millisecond)
		if got := l.read(); !slices.Equal(got, []string{"telling 1"}) {
			t.Errorf("while it is said: %q", got)
		}
		d.Woke(audio.Hit{Word: "jarvis"}, time.Second) // spoken over
		time.Sleep(time.Second)
		d.Missed("nothing was said")
		time.Sleep(10 * time.Second)
		if got := l.read(); !slices.Equal(got, []string{"telling 1", "telling 1", "told 1"}) {
			t.Errorf("spoken over once: %q", got)
		}
	})
}

func TestManyAtOnceAreToldInBreaths(t *testing.T) {
	m := &mouth{}
	chorus(t, m, func(d *dialog.Conductor, l *ledger) {
		for id := range int64(12) {
			_ = d.Due(t.Context(), event.Due{Kind: "reminder", ID: id, Text: fmt.Sprint("number ", id)})
		}
		time.Sleep(time.Minute)
		said := m.heard()
		if n := len(l.read()); n != 24 || len(said) < 3 {
			t.Errorf("%d notes on %d breaths: %q", n, len(said), said)
		}
		for id := range 12 {
			if n := strings.Count(strings.Join(said, " "), fmt.Sprintf("reminder: number %d.", id)); n != 1 {
				t.Errorf("number %d was said %d times", id, n)
			}
		}
	})
}

func TestATimerIsToldOfOnceHoweverLongItRings(t *testing.T) {
	m := &mouth{}
	chorus(t, m, func(d *dialog.Conductor, l *ledger) {
		_ = d.Due(t.Context(), event.Due{Kind: "timer", ID: 1})
		time.Sleep(time.Minute)
		if got := l.read(); !slices.Equal(got, []string{"telling 1", "told 1"}) || count(m.heard(), "Your timer is done.") < 5 {
			t.Errorf("noted %q, said %q", got, m.heard())
		}
	})
}

// An alarm that rang when Solo ended chimes on before its words come again, and is not told of anew.
func TestWhatRingsOnChimesFirst(t *testing.T) {
	m := &mouth{}
	chorus(t, m, func(d *dialog.Conductor, l *ledger) {
		_ = d.Due(t.Context(), event.Due{Kind: "alarm", ID: 1, How: event.On})
		time.Sleep(time.Second)
		if len(m.heard()) > 0 || len(m.sounds()) == 0 {
			t.Errorf("said %q with %d chimes", m.heard(), len(m.sounds()))
		}
		time.Sleep(10 * time.Second)
		if count(m.heard(), "Your alarm is ringing.") == 0 || len(m.sounds()) < 4 {
			t.Errorf("after a while: said %q with %d chimes", m.heard(), len(m.sounds()))
		}
	})
}

func TestHowItIsTold(t *testing.T) {
	for want, e := range map[string]event.Due{
		"Here is your reminder: call Anna.":                                                             {Kind: "reminder", Text: "call Anna."},
		"I may have told you this before. Here is your reminder: call Anna.":                            {Kind: "reminder", Text: "call Anna", How: event.Again},
		"Once more. Here is your reminder: call Anna.":                                                  {Kind: "reminder", Text: "call Anna", How: event.Still, Late: 2 * time.Minute},
		"I may have told you this before. Your timer is done. This is 2 hours late: I was not running.": {Kind: "timer", How: event.Again, Late: 2 * time.Hour},
		"Here is your reminder: stretch. This is 1 hour and 30 minutes late: I was not running.":        {Kind: "reminder", Text: "stretch", Late: 90 * time.Minute},
	} {
		m := &mouth{}
		chorus(t, m, func(d *dialog.Conductor, _ *ledger) {
			_ = d.Due(t.Context(), e)
			time.Sleep(20 * time.Second)
			if said := m.heard(); len(said) == 0 || said[0] != want {
				t.Errorf("said %q, want %q", said, want)
			}
		})
	}
}

// mute has no voice.
type mute struct{ mouth }

func (*mute) Say(context.Context, string) error { return errors.New("no voice") }

func (*mute) Cue(ctx context.Context, _ voices.Earcon) error { return errors.New("no voice") }

func TestWithoutAVoiceThatIsTold(t *testing.T) {
	chorus(t, &mute{}, func(d *dialog.Conductor, l *ledger) {
		_ = d.Due(t.Context(), event.Due{Kind: "reminder", ID: 1, Text: "x"})
		time.Sleep(10 * time.Second)
		if got := l.read(); !slices.Equal(got, []string{"telling 1", "could not tell 1"}) {
			t.Errorf("noted %q", got)
		}
	})
}
