package main

import (
	"slices"
	"sync"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/wake/own"
	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/tool/wake"
)

// wakes keeps the sound of the last few wakes, in memory alone, so that the user may call one of them false.
type wakes struct {
	mu    sync.Mutex
	d     *ownEngine // nil where another engine listens
	words []string
	ring  *audio.Ring
	hit   *woken   // told by the detector, and perhaps not a wake: Solo may have said the word itself
	last  []*woken // the oldest first
}

// woken is one wake.
type woken struct {
	word    string
	sound   []int16
	at      time.Time
	place   time.Duration // of the word's end in the stream
	turn    uint64
	begun   time.Duration // where in the stream the words behind it began, 0 for none
	fruit   bool          // a command came of it
	settled bool          // it was called false already
}

const (
	wakesKept = 3
	wakeSpan  = 3 * time.Second // of sound for each
	wakeAge   = 5 * time.Minute // an older one is not meant
	// meant is how soon behind the wake word the words follow of who wanted to wake Solo.
	meant = 1200 * time.Millisecond
)

// kept is a detector whose hits are kept.
type kept struct {
	*ownEngine
	w *wakes
}

// newWake makes the microphone's wake word detector.
func (s *assistant) newWake() (wakeEngine, error) {
	e, err := s.app.newWake("")
	if d, ok := e.(*ownEngine); ok && err == nil {
		return s.wakes.watch(d), nil
	}
	return e, err
}

// watch makes a detector's wakes known.
func (w *wakes) watch(d *ownEngine) wakeEngine {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.d, w.words, w.ring = d, d.Words(), audio.NewRing(int(audio.Samples(wakeSpan, audio.Rate)))
	return kept{d, w}
}

func (d kept) Feed(pcm []int16) (audio.Hit, bool, error) {
	d.w.ring.Write(pcm)
	hit, found, err := d.ownEngine.Feed(pcm)
	if found {
		d.w.mu.Lock()
		d.w.hit = &woken{word: hit.Word, sound: d.w.ring.Last(d.w.ring.Len())}
		d.w.mu.Unlock()
	}
	return hit, found, err
}

func (d kept) Reset() {
	d.w.ring.Reset()
	d.ownEngine.Reset()
}

// woke says that the last hit opened a turn.
func (w *wakes) woke(hit audio.Hit, at time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	h := w.hit
	if w.hit = nil; h == nil || hit.Word != h.word {
		return
	}
	h.at, h.place = time.Now(), at
	w.last = append(w.last, h)
	w.last = w.last[max(0, len(w.last)-wakesKept):]
}

// hear learns from the bus what became of the wakes.
func (w *wakes) hear(m bus.Meta, v any) {
	if m.Turn == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if e, ok := v.(event.Woke); ok {
		if n := len(w.last); n > 0 && w.last[n-1].turn == 0 && e.Word == w.last[n-1].word {
			w.last[n-1].turn = m.Turn
		}
		return
	}
	for _, k := range w.last {
		if k.turn != m.Turn {
			continue
		}
		switch e := v.(type) {
		case event.Heard:
			k.begun = e.Start
		case event.Understood:
			k.fruit = k.fruit || e.Intent != "" && e.Intent != "wake.false"
		}
	}
}

// wrong is the wake that the user calls false in a turn: the last that came to nothing, but not the one by which the
// user woke Solo to say so. Where all came to something it is the last. Errors: wake.ErrNone, wake.ErrNotOwn.
func (w *wakes) wrong(turn uint64) (*woken, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.d == nil {
		return nil, wake.ErrNotOwn
	}
	var fallback *woken
	for i := len(w.last) - 1; i >= 0; i-- {
		k := w.last[i]
		wanted := turn != 0 && k.turn == turn && k.begun != 0 && k.begun-k.place < meant
		switch {
		case k.settled || wanted || time.Since(k.at) > wakeAge:
		case !k.fruit:
			k.settled = true
			return k, nil
		case fallback == nil:
			fallback = k
		}
	}
	if fallback == nil {
		return nil, wake.ErrNone
	}
	fallback.settled = true
	return fallback, nil
}

// use has the detector listen with a word that was made anew, where it listens for that word.
func (w *wakes) use(m *own.Model) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if slices.Contains(w.words, m.Phrase) {
		w.d.Swap(m)
	}
}
