// Package stttest is the one suite that every recogniser of Solo passes.
package stttest

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// Stream is what a recogniser's stream can do.
type Stream interface {
	Feed(pcm []int16) error
	Partial() string
	Finish(ctx context.Context) (audio.Transcript, error)
	Close() error
}

// Open begins an utterance.
type Open func(ctx context.Context) (Stream, error)

// Utterance is a recording and the words that the recogniser is known to find in it.
type Utterance struct {
	PCM  []int16 // 16 kHz mono, at least two seconds
	Text string
}

// Run tests what listeners rely on. The two utterances must have different texts.
func Run(t *testing.T, open Open, one, two Utterance) {
	s := suite{open, one, two}
	for name, test := range map[string]func(*testing.T){
		"words":       s.words,
		"nothing fed": s.nothing,
		"silence":     s.silence,
		"cancelled":   s.cancelled,
		"closed":      s.closed,
		"in sequence": s.sequence,
		"odd chunks":  s.chunks,
		"watched":     s.watched,
		"turns":       s.turns,
	} {
		t.Run(name, test)
	}
}

type suite struct {
	open     Open
	one, two Utterance
}

func (s suite) begin(t *testing.T) Stream {
	t.Helper()
	st, err := s.open(t.Context())
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

func feed(t *testing.T, st Stream, pcm []int16, chunk func() int) {
	t.Helper()
	for len(pcm) > 0 {
		n := min(chunk(), len(pcm))
		if err := st.Feed(pcm[:n]); err != nil {
			t.Fatalf("Feed: %v", err)
		}
		pcm = pcm[n:]
	}
}

func frames() int { return audio.FrameLen }

func (s suite) hear(t *testing.T, u Utterance, chunk func() int) audio.Transcript {
	t.Helper()
	st := s.begin(t)
	feed(t, st, u.PCM, chunk)
	got, err := st.Finish(t.Context())
	if err != nil {
		t.Fatalf("Finish: %v", err)
	}
	if err := st.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	return got
}

// words: the text is right, words lie in order within the sound, partials grow while it is fed.
func (s suite) words(t *testing.T) {
	st := s.begin(t)
	if p := st.Partial(); p != "" {
		t.Errorf("partial before any sound: %q", p)
	}
	longest, changes, last := 0, 0, ""
	for pcm := s.one.PCM; len(pcm) > 0; pcm = pcm[min(audio.FrameLen, len(pcm)):] {
		if err := st.Feed(pcm[:min(audio.FrameLen, len(pcm))]); err != nil {
			t.Fatalf("Feed: %v", err)
		}
		if p := st.Partial(); p != last {
			changes, last, longest = changes+1, p, max(longest, len(strings.Fields(p)))
		}
	}
	if changes < 2 || longest < 2 {
		t.Errorf("partials changed %d times and reached %d words; they should grow while words are spoken", changes, longest)
	}
	got, err := st.Finish(t.Context())
	if err != nil {
		t.Fatalf("Finish: %v", err)
	}
	if got.Text != s.one.Text {
		t.Errorf("heard %q, want %q", got.Text, s.one.Text)
	}
	if !(got.Sure > 0.5 && got.Sure <= 1) || got.Engine == "" {
		t.Errorf("sure %v by %q, want over 0.5 and a name", got.Sure, got.Engine)
	}
	checkWords(t, got, audio.Time(int64(len(s.one.PCM)), audio.Rate))
}

func checkWords(t *testing.T, got audio.Transcript, long time.Duration) {
	t.Helper()
	var at time.Duration
	for _, w := range got.Words {
		if w.Start < at || w.End <= w.Start || w.End > long {
			t.Errorf("word %q lies at %v to %v; the word before ends at %v, the sound at %v", w.Text, w.Start, w.End, at, long)
		}
		at = w.End
	}
}

func (s suite) nothing(t *testing.T) {
	if _, err := s.begin(t).Finish(t.Context()); !errors.Is(err, audio.ErrNoSpeech) {
		t.Errorf("Finish without sound: %v, want audio.ErrNoSpeech", err)
	}
}

// silence: neither zeros nor the hiss of a microphone are words.
func (s suite) silence(t *testing.T) {
	hiss := make([]int16, 3*audio.Rate)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range hiss {
		hiss[i] = int16(r.NormFloat64() * 20)
	}
	for name, pcm := range map[string][]int16{"zeros": make([]int16, 3*audio.Rate), "hiss": hiss, "one sample": {100}} {
		st := s.begin(t)
		feed(t, st, pcm, frames)
		if got, err := st.Finish(t.Context()); !errors.Is(err, audio.ErrNoSpeech) {
			t.Errorf("%s: heard %q, %v; want audio.ErrNoSpeech", name, got.Text, err)
		}
		if p := st.Partial(); p != "" {
			t.Errorf("%s: partial %q", name, p)
		}
		st.Close()
	}
}

// cancelled: a context that has ended ends Finish with its cause, and Open too.
func (s suite) cancelled(t *testing.T) {
	why := errors.New("the user spoke again")
	ctx, cancel := context.WithCancelCause(t.Context())
	st := s.begin(t)
	feed(t, st, s.one.PCM, frames)
	cancel(why)
	if _, err := st.Finish(ctx); !errors.Is(err, why) {
		t.Errorf("Finish after cancel: %v, want %v", err, why)
	}
	if _, err := s.open(ctx); !errors.Is(err, why) {
		t.Errorf("Open after cancel: %v, want %v", err, why)
	}
}

// closed: a second Close is fine, a use after Finish or Close is not.
func (s suite) closed(t *testing.T) {
	st := s.begin(t)
	feed(t, st, s.one.PCM[:audio.Rate], frames)
	_, _ = st.Finish(t.Context())
	if err := st.Feed(s.one.PCM[:audio.FrameLen]); err == nil {
		t.Error("Feed after Finish gave no error")
	}
	if _, err := st.Finish(t.Context()); err == nil || errors.Is(err, audio.ErrNoSpeech) {
		t.Errorf("second Finish: %v, want an error of its own", err)
	}
	for range 2 {
		if err := st.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	if err := st.Feed(s.one.PCM[:audio.FrameLen]); err == nil {
		t.Error("Feed after Close gave no error")
	}
	half := s.begin(t) // closed without Finish: the next one starts clean
	feed(t, half, s.two.PCM[:len(s.two.PCM)/2], frames)
	if err := half.Close(); err != nil {
		t.Errorf("Close in the middle: %v", err)
	}
	if got := s.hear(t, s.one, frames); got.Text != s.one.Text {
		t.Errorf("after a stream closed in the middle: %q, want %q", got.Text, s.one.Text)
	}
}

// sequence: what was heard before changes nothing.
func (s suite) sequence(t *testing.T) {
	for i, u := range []Utterance{s.one, s.two, s.one, s.two} {
		if got := s.hear(t, u, frames); got.Text != u.Text {
			t.Errorf("utterance %d: %q, want %q", i+1, got.Text, u.Text)
		}
	}
}

// chunks: the text is the same however the sound is cut.
func (s suite) chunks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, chunk := range map[string]func() int{
		"all at once": func() int { return len(s.one.PCM) },
		"37 samples":  func() int { return 37 },
		"any number":  func() int { return 1 + r.IntN(5000) },
	} {
		if got := s.hear(t, s.one, chunk); got.Text != s.one.Text {
			t.Errorf("%s: %q, want %q", name, got.Text, s.one.Text)
		}
	}
}

// watched: another goroutine may ask for partials all the while; the race detector looks on.
func (s suite) watched(t *testing.T) {
	st := s.begin(t)
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				_, _ = io.WriteString(io.Discard, st.Partial())
				time.Sleep(time.Millisecond)
			}
		}
	})
	feed(t, st, s.one.PCM, frames)
	got, err := st.Finish(t.Context())
	close(done)
	wg.Wait()
	if err != nil || got.Text != s.one.Text {
		t.Errorf("heard %q, %v; want %q", got.Text, err, s.one.Text)
	}
}

// turns: streams opened by many goroutines each hear their own.
func (s suite) turns(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 4 {
		u := []Utterance{s.one, s.two}[i%2]
		wg.Go(func() {
			st, err := s.open(t.Context())
			if err != nil {
				t.Errorf("Open: %v", err)
				return
			}
			defer st.Close()
			if err := st.Feed(u.PCM); err != nil {
				t.Errorf("Feed: %v", err)
			}
			if got, err := st.Finish(t.Context()); err != nil || got.Text != u.Text {
				t.Errorf("heard %q, %v; want %q", got.Text, err, u.Text)
			}
		})
	}
	wg.Wait()
}
