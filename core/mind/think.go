package mind

import (
	"context"
	"time"

	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/models"
)

// Fillers cover the wait for a slow language model, one an answer, never the same twice in a row.
var Fillers = []string{"One moment.", "Let me think.", "Just a second."}

// doubtful is the trust in the recognised words under which a command that is nearly said was perhaps meant, although
// a language model could answer.
const doubtful = 0.5

// ask is for what is no command: a guess, the language model, or an honest word.
func (m *Mind) ask(ctx context.Context, h event.Heard, yield func(string, error) bool) {
	m.told(ctx, event.Understood{})
	if m.c.Agent == nil || h.Sure < doubtful {
		if suggestion, intent, ok := m.c.Intents.Near(h.Text); ok {
			m.c.Log.Debug().Str("intent", intent).Msg("nearly understood")
			yield(m.put(question{text: suggestion}, "Did you mean: "+suggestion+"?"), nil)
			return
		}
	}
	if m.c.Agent == nil {
		yield("I did not understand that. I have no language model yet, so ask \"what can you do\" for what I know.", nil)
		return
	}
	m.think(ctx, h, yield)
}

// noter is an Agent that wants to know what was said without it, so that later words can refer to it.
type noter interface {
	Note(ctx context.Context, words, answer string)
}

func (m *Mind) note(ctx context.Context, words, said string, err error) {
	if n, ok := m.c.Agent.(noter); ok && err == nil && said != "" {
		n.Note(ctx, words, said)
	}
}

// piece is what the agent's goroutine hands over.
type piece struct {
	answer models.Answer
	err    error
}

// ahead is how many pieces of an answer may wait to be spoken. The model does not wait for the voice: its longest time
// and its place in the queue are for thinking, and an answer takes minutes to say that is written in seconds.
const ahead = 2048

// think passes on what the language model says, and covers the wait where it is slow to begin.
func (m *Mind) think(turn context.Context, h event.Heard, yield func(string, error) bool) {
	ctx, cancel := context.WithCancel(turn)
	pieces := make(chan piece, ahead)
	defer func() { // the agent has let go of its tools before the turn ends
		cancel()
		for range pieces {
		}
	}()
	go func() {
		defer close(pieces)
		for a, err := range m.c.Agent.Answer(ctx, h) {
			select {
			case pieces <- piece{a, err}:
			case <-ctx.Done():
				return
			}
		}
	}()
	var slow <-chan time.Time
	if m.c.Filler > 0 {
		wait := time.NewTimer(m.c.Filler)
		defer wait.Stop()
		slow = wait.C
	}
	for {
		select {
		case p, more := <-pieces:
			if !more && turn.Err() != nil {
				yield("", context.Cause(turn))
			}
			if !more || !m.pass(p, yield) || p.err != nil { // an error is the end, told once
				return
			}
			slow = nil
		case <-slow:
			if !yield(m.filler(), nil) {
				return
			}
		}
	}
}

// pass says one piece and keeps the question that it leaves open; false where nobody listens any more.
func (m *Mind) pass(p piece, yield func(string, error) bool) bool {
	if p.answer.Ask != nil {
		m.put(question{ask: *p.answer.Ask}, p.answer.Text)
	}
	return yield(p.answer.Text, p.err)
}

// filler is the next one. The empty line behind it says that the sentence is over: it is spoken now, and does not wait
// for the one that it covers.
func (m *Mind) filler() string {
	m.fillers++
	return Fillers[m.fillers%len(Fillers)] + "\n\n"
}
