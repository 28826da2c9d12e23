package agent

import (
	"context"
	"errors"
	"time"

	"github.com/solo-assistant/solo/models"
)

// prepared is a prompt that the engine reads before it is certain that it is needed.
type prepared struct {
	words   string
	session string
	end     context.CancelFunc
	done    chan struct{} // closed when the engine has read it, or gave up
	turn    *turn
	at      time.Time
}

// errOvertaken ends what was begun on a guess.
var errOvertaken = errors.New("overtaken by the next words")

// patience is how long an answer waits for its own prompt to be read, before it asks by itself.
const patience = 20 * time.Second

// Prepare lets the engine read the prompt that Answer would send for text, and returns at once. The next Prepare or
// Answer ends it, unless it is for the same text: then the work goes on where it is.
func (a *Agent) Prepare(ctx context.Context, text string) {
	session := models.OriginOf(ctx).Session
	a.mu.Lock()
	defer a.mu.Unlock()
	if old := a.ready; old != nil {
		if old.words == text && old.session == session && a.c.Now().Sub(old.at) < time.Minute {
			return
		}
		old.end()
	}
	if a.answers > 0 {
		a.ready = nil
		return // an answer is being written; a guess would only stand in its way
	}
	if a.folding != nil {
		a.folding()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	p := &prepared{words: text, session: session, end: func() { cancel(errOvertaken) }, done: make(chan struct{}), at: a.c.Now()}
	a.ready = p
	a.work.Go(func() {
		defer cancel(nil)
		a.read(ctx, p)
	})
}

// read lets the engine read a prompt and write nothing.
func (a *Agent) read(ctx context.Context, p *prepared) {
	defer close(p.done)
	p.turn = a.turn(ctx, p.words)
	if ctx.Err() != nil {
		return
	}
	r := a.request(models.Quick, join(p.turn.messages), p.turn.offer)
	r.MaxTokens = -1
	for _, err := range a.c.Model.Stream(ctx, r) {
		if err != nil {
			if ctx.Err() == nil {
				a.c.Log.Debug().Err(err).Msg("the prompt was not read beforehand")
			}
			return
		}
	}
}

// stale drops a prompt that was prepared before the talk changed.
func (a *Agent) stale(session string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ready != nil && a.ready.session == session {
		a.ready.end()
		a.ready = nil
	}
}

// begin opens an answer. It gives the turn that was prepared for the same words, nil where there is none.
func (a *Agent) begin(ctx context.Context, words string) *turn {
	a.mu.Lock()
	p := a.ready
	a.ready = nil
	a.answers++
	if a.folding != nil {
		a.folding()
	}
	a.mu.Unlock()
	if p == nil {
		return nil
	}
	if p.words != words || p.session != models.OriginOf(ctx).Session || a.c.Now().Sub(p.at) > time.Minute {
		p.end()
		return nil
	}
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-p.done:
		return p.turn
	case <-late.C:
	case <-ctx.Done():
	}
	p.end()
	return nil
}

// rest closes an answer.
func (a *Agent) rest(session string) {
	a.mu.Lock()
	a.answers--
	a.mu.Unlock()
	select {
	case a.fold <- session: // whether its talk grew too long is seen there
	default: // it comes again after the next answer
	}
}
