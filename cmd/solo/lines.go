package main

import (
	"sync"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/event"
)

// show prints the turns of b as they happen until stop is called.
func show(b *bus.Bus, tell cli.Tell) (stop func()) {
	return b.Tap(func(m bus.Meta, v any) {
		if l := line(m.Turn, v); l != nil {
			tell(l)
		}
	})
}

// line is an event of a turn as the command line shows it, nil for one that it does not.
func line(turn uint64, v any) cli.Line {
	switch e := v.(type) {
	case event.Woke:
		return cli.Woken{Turn: turn, Word: e.Word, Score: cli.Score(e.Score), At: cli.Seconds(e.At)}
	case event.Partial:
		return cli.Partial{Turn: turn, Text: e.Text, Stable: e.Stable}
	case event.Heard:
		return cli.Heard{Turn: turn, Text: e.Text, Engine: e.Engine, Start: cli.Seconds(e.Start), End: cli.Seconds(e.End)}
	case event.Misheard:
		return cli.Note{Text: "      (" + e.Why + ")"}
	case event.Understood:
		l := cli.Intent{Turn: turn, Slots: e.Slots}
		if e.Intent != "" {
			l.Name = &e.Intent
		}
		return l
	case event.Replied:
		return cli.Reply{Turn: turn, Text: e.Text}
	case event.Turned:
		return cli.Turn{Turn: turn, Outcome: e.Outcome, Endpoint: cli.Millis(e.Endpoint), STT: cli.Millis(e.STT),
			Think: cli.Millis(e.Think), FirstAudio: cli.Millis(e.FirstAudio), Total: cli.Millis(e.Total())}
	}
	return nil
}

// tally counts what a session came to.
type tally struct {
	mu            sync.Mutex
	heard, spoken int
}

// of counts the turns of b until stop is called.
func (t *tally) of(b *bus.Bus) (stop func()) {
	return b.Tap(func(_ bus.Meta, v any) {
		e, ok := v.(event.Turned)
		if !ok {
			return
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if e.Heard != "" {
			t.heard++
		}
		if e.Spoken != "" {
			t.spoken++
		}
	})
}

func (t *tally) turns() (heard, spoken int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.heard, t.spoken
}
