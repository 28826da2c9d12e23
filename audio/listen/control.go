package listen

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// mailbox holds commands until the listener takes them.
type mailbox struct {
	mu    sync.Mutex
	todo  []func(context.Context)
	muted bool
	bell  chan struct{} // room for one: there is something to do
}

func (b *mailbox) put(do func(context.Context)) {
	b.mu.Lock()
	b.todo = append(b.todo, do)
	b.mu.Unlock()
	select {
	case b.bell <- struct{}{}:
	default:
	}
}

func (b *mailbox) take() []func(context.Context) {
	b.mu.Lock()
	defer b.mu.Unlock()
	todo := b.todo
	b.todo = nil
	return todo
}

// obey does what was asked, and what is asked while doing it.
func (l *Listener) obey(ctx context.Context) {
	for todo := l.box.take(); len(todo) > 0; todo = l.box.take() {
		for _, do := range todo {
			do(ctx)
		}
	}
}

// Gate keeps VAD and recogniser off while Solo speaks; the wake detector stays on. A wake word or the
// key opens a turn all the same. A turn that is open already goes on.
func (l *Listener) Gate(on bool) {
	l.box.put(func(context.Context) {
		if l.gated && !on {
			l.follow.from = l.now // what was heard before is Solo's own voice
			if l.turn == nil {    // else the user has spoken over it, and the turn knows its room
				l.room.reset()
			}
		}
		l.gated = on
	})
}

// Attend listens for d without a wake word, counted from the end of the Gate where one is on. When
// speech begins, a turn opens; when none begins, nothing happens. 0 ends it.
func (l *Listener) Attend(d time.Duration) {
	l.box.put(func(context.Context) {
		l.follow = follow{left: audio.Samples(d, audio.Rate), from: max(l.now, l.follow.from)}
		l.c.VAD.Reset()
	})
}

// Press opens a turn by key: what is said from now until Release is heard, and nothing else ends it but
// silence of all kinds (Tuning.Longest, four times). It works while muted too, and the microphone is
// muted again after it.
func (l *Listener) Press() { l.box.put(l.press) }

// Release ends the turn that Press opened, at once.
func (l *Listener) Release() {
	l.box.put(func(context.Context) {
		if l.turn != nil && l.turn.key {
			l.end("key")
		}
	})
}

// Mute drops all frames from now on, those for the wake word too, or hears again. An open turn ends.
func (l *Listener) Mute(on bool) {
	l.box.mu.Lock()
	l.box.muted = on
	l.box.mu.Unlock()
	l.box.put(func(context.Context) {
		if l.muted == on {
			return
		}
		l.muted = on
		l.follow = follow{}
		if l.turn != nil {
			l.miss("the microphone was muted")
		}
		l.forget()
	})
}

// Muted says whether the microphone is closed by the user's word.
func (l *Listener) Muted() bool {
	l.box.mu.Lock()
	defer l.box.mu.Unlock()
	return l.box.muted
}

func (l *Listener) press(ctx context.Context) {
	if l.turn != nil && l.turn.key {
		return
	}
	fresh := l.turn == nil || !l.turn.told
	if l.open(ctx, l.now, turn{key: true, told: true}) && fresh {
		l.c.Woke(audio.Hit{Score: math.NaN()}, audio.Time(l.now, audio.Rate))
	}
}
