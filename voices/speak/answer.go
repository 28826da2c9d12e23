package speak

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/solo-assistant/solo/voices"
)

// answer is what one ctx says, from its first Say to its Flush.
type answer struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	stop   func() bool // takes back the hush that the end of ctx causes
	hush   func()      // silences the loudspeaker, once

	mu    sync.Mutex
	lines []*line
	first time.Time
}

// line is one sentence and how much of it has been played.
type line struct {
	answer *answer
	text   string // as the user would read it
	plain  string // as the engine is given it
	done   chan struct{}
	once   sync.Once
	err    error // set before done is closed
	made   int   // samples rendered, guarded by answer.mu
	played int   // samples handed to the loudspeaker, guarded by answer.mu
	whole  bool  // everything rendered has been handed over, guarded by answer.mu
}

func newAnswer(ctx context.Context, sink Sink) *answer {
	a := &answer{}
	a.ctx, a.cancel = context.WithCancelCause(ctx)
	a.hush = sync.OnceFunc(sink.Hush)
	a.stop = context.AfterFunc(a.ctx, a.hush)
	return a
}

// release frees what the answer holds without hushing a later one.
func (a *answer) release() {
	a.stop()
	a.cancel(nil)
}

func (a *answer) add(text, plain string) *line {
	a.mu.Lock()
	defer a.mu.Unlock()
	l := &line{answer: a, text: text, plain: plain, done: make(chan struct{})}
	a.lines = append(a.lines, l)
	return l
}

func (a *answer) all() []*line {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]*line(nil), a.lines...)
}

func (a *answer) failure() error {
	for _, l := range a.all() {
		if l.err != nil {
			return l.err
		}
	}
	return nil
}

// finish closes the line, once.
func (l *line) finish(err error) {
	l.once.Do(func() {
		l.err = err
		close(l.done)
	})
}

func (l *line) rendered(n int) {
	l.answer.mu.Lock()
	defer l.answer.mu.Unlock()
	l.made += n
}

func (l *line) heard(n int, whole bool) {
	l.answer.mu.Lock()
	defer l.answer.mu.Unlock()
	if l.answer.first.IsZero() && n > 0 {
		l.answer.first = time.Now()
	}
	l.played += n
	l.whole = l.whole || whole
}

// spoken is what was said so far. A sentence that was cut off counts by the share of its sound that
// was played, to the nearest whole word.
func (a *answer) spoken() voices.Spoken {
	a.mu.Lock()
	defer a.mu.Unlock()
	var said, rest []string
	for _, l := range a.lines {
		if !l.whole {
			rest = append(rest, l.text)
		}
		switch {
		case l.whole:
			said = append(said, l.text)
		case l.played > 0 && l.made > 0:
			words := strings.Fields(l.text)
			if n := len(words) * l.played / l.made; n > 0 {
				said = append(said, strings.Join(words[:min(n, len(words))], " "))
			}
		}
	}
	return voices.Spoken{Text: strings.Join(said, " "), First: a.first, Rest: rest}
}
