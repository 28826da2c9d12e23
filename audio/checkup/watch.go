package checkup

import (
	"context"
	"sync"

	"github.com/solo-assistant/solo/audio"
)

// Source gives a microphone's frames.
type Source interface {
	Read(ctx context.Context) (audio.Frame, error)
}

// Watch is a microphone that is watched while it is used: it tells when it falls silent, and when it distorts.
type Watch struct {
	source Source
	told   func(f Finding, over bool) // from Read's goroutine

	zeros int // frames of zero in a row
	again int // times at which sound came back: some microphones give zeros in every quiet room
	cuts  int // frames cut off, each of them forgotten after 10 s
	since int // frames since the last was cut off

	mu  sync.Mutex
	now []Finding
}

// Frames after which something is told.
const (
	hushed = 400 // 8 s
	cutOff = 10
	healed = 500 // 10 s without
	habit  = 2   // after so many times it is no fault
)

// NewWatch watches a source. Told is called with each fault when it begins, and with over when it ended; nil for nobody.
func NewWatch(s Source, told func(f Finding, over bool)) *Watch {
	if told == nil {
		told = func(Finding, bool) {}
	}
	return &Watch{source: s, told: told}
}

// Read gives the source's next frame.
func (w *Watch) Read(ctx context.Context) (audio.Frame, error) {
	f, err := w.source.Read(ctx)
	if err == nil {
		w.hear(f.PCM)
	}
	return f, err
}

func (w *Watch) hear(pcm []int16) {
	quiet, cut := true, 0
	for _, s := range pcm {
		if s == 0 {
			continue
		}
		quiet = false
		if s >= distort || s <= -distort {
			cut++
		}
	}
	if quiet {
		if w.zeros++; w.zeros == hushed && w.again < habit {
			w.begin(Zeros)
		}
	} else {
		if w.zeros >= hushed && w.again < habit {
			w.again++
			w.end(Zeros)
		}
		w.zeros = 0
	}
	w.since++
	if cut >= 3 {
		w.since = 0
		if w.cuts++; w.cuts == cutOff {
			w.begin(Clipped)
		}
	}
	if w.since == healed {
		if w.cuts >= cutOff {
			w.end(Clipped)
		}
		w.cuts = 0
	}
}

// Findings are the faults of now.
func (w *Watch) Findings() []Finding {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]Finding(nil), w.now...)
}

func (w *Watch) begin(k Kind) {
	f := finding(k)
	w.mu.Lock()
	w.now = append(w.now, f)
	w.mu.Unlock()
	w.told(f, false)
}

func (w *Watch) end(k Kind) {
	w.mu.Lock()
	for i, f := range w.now {
		if f.Kind == k {
			w.now = append(w.now[:i:i], w.now[i+1:]...)
			break
		}
	}
	w.mu.Unlock()
	w.told(finding(k), true)
}
