package listen_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen"
)

// at is a place in the stream from seconds.
func at(seconds float64) int64 { return int64(math.Round(seconds * audio.Rate)) }

// sound is n seconds of dull noise at level dBFS.
func sound(seconds, level float64) []int16 {
	out, pcm := make([]float64, at(seconds)), make([]int16, at(seconds))
	r := rand.New(rand.NewPCG(1, uint64(len(pcm))))
	var sum, y, z float64
	for i := range out {
		y += 0.3 * (2*r.Float64() - 1 - y)
		z += 0.3 * (y - z)
		out[i] = z
		sum += z * z
	}
	gain := 32768 * math.Pow(10, level/20) / math.Sqrt(sum/float64(len(out)))
	for i := range pcm {
		pcm[i] = int16(math.Round(min(max(gain*out[i], -32768), 32767)))
	}
	return pcm
}

func speech(seconds float64) []int16 { return sound(seconds, -20) }
func quiet(seconds float64) []int16  { return sound(seconds, -70) }

// word is one that the recogniser knows when the sound reaches at, if it was fed the sound from its begin on.
type word struct {
	text      string
	begin, at float64 // seconds in the stream
}

// rig is a whole listener on a piece of sound, with what happened.
type rig struct {
	pcm    []int16
	wakes  map[int64]string // ends of wake words
	words  []word
	orders map[string]bool // complete partials; true: they may go on
	do     map[int64]func(*listen.Listener)
	wake   listen.Wake // real parts in place of the rig's own
	vad    listen.VAD
	own    func(string) bool
	turns  listen.Turns
	tuning listen.Tuning
	fail   func(what string) error
	clock  func(context.Context) error // waits before each frame
	brief  bool                        // the sound ends half a second behind the first turn

	keep bool // utterances are not finished at once

	l          *listen.Listener
	pos        atomic.Int64 // samples handed out
	happened   []string
	utterances []*listen.Utterance
	told       []time.Duration
	decided    []int64 // where in the stream each turn ended or was missed
	opened     int
	closed     int
}

func (r *rig) Read(ctx context.Context) (audio.Frame, error) {
	if r.clock != nil {
		if err := r.clock(ctx); err != nil {
			return audio.Frame{}, err
		}
	}
	if r.pos.Load()+audio.FrameLen > int64(len(r.pcm)) || r.brief && len(r.decided) > 0 && r.pos.Load() > r.decided[0]+at(0.5) {
		return audio.Frame{}, io.EOF
	}
	for p := r.pos.Load(); p < r.pos.Load()+audio.FrameLen; p++ {
		if do := r.do[p]; do != nil {
			do(r.l)
		}
	}
	f := audio.Frame{At: r.pos.Load(), PCM: r.pcm[r.pos.Load() : r.pos.Load()+audio.FrameLen]}
	r.pos.Add(audio.FrameLen)
	return f, r.failing("read")
}

func (r *rig) failing(what string) error {
	if r.fail == nil {
		return nil
	}
	return r.fail(what)
}

type scriptedWake struct{ r *rig }

func (w scriptedWake) Feed(pcm []int16) (audio.Hit, bool, error) {
	for p := w.r.pos.Load() - int64(len(pcm)); p < w.r.pos.Load(); p++ {
		if word, ok := w.r.wakes[p]; ok {
			return audio.Hit{Word: word, Score: math.NaN()}, true, w.r.failing("wake")
		}
	}
	return audio.Hit{}, false, w.r.failing("wake")
}
func (scriptedWake) Reset()         {}
func (scriptedWake) String() string { return "scripted" }

type loudVAD struct{ r *rig }

func (v loudVAD) Speech(f audio.Frame) (bool, error) {
	return audio.Level(f.PCM) > -45, v.r.failing("vad")
}
func (loudVAD) Reset() {}

// late is how much of a word's beginning may be missing, in samples (50 ms).
const late = audio.Rate / 20

// reveals is a recogniser that knows the words beforehand and tells those whose sound it was fed.
type reveals struct {
	r        *rig
	from, to int64
	closed   bool
}

func (s *reveals) Feed(pcm []int16) error {
	if s.to < 0 {
		s.from = s.r.pos.Load() - int64(len(pcm))
	}
	s.to = s.r.pos.Load()
	return s.r.failing("feed")
}

func (s *reveals) Partial() string {
	var out []string
	for _, w := range s.r.words {
		if at(w.begin)+late >= s.from && at(w.at) <= s.to {
			out = append(out, w.text)
		}
	}
	return strings.Join(out, " ")
}

func (s *reveals) Finish(ctx context.Context) (audio.Transcript, error) {
	if s.closed {
		return audio.Transcript{}, errors.New("finished after close")
	}
	if p := s.Partial(); p != "" {
		return audio.Transcript{Text: p, Sure: 1, Engine: "reveals"}, s.r.failing("finish")
	}
	return audio.Transcript{}, audio.ErrNoSpeech
}

func (s *reveals) Close() error {
	if !s.closed {
		s.r.closed++
	}
	s.closed = true
	return s.r.failing("close")
}

func (r *rig) note(format string, args ...any) {
	r.happened = append(r.happened, fmt.Sprintf(format, args...))
}

// complete takes what is no order for the beginning of one, but for nonsense.
func (r *rig) complete(partial string) (whole, extendable bool) {
	extendable, whole = r.orders[partial]
	return whole, extendable || !whole && !strings.Contains(partial, "nonsense")
}

func (r *rig) build(t testing.TB) *listen.Listener {
	t.Helper()
	c := listen.Config{
		Source: r, Wake: r.wake, VAD: r.vad, Own: r.own, Turns: r.turns, Tuning: r.tuning,
		Open: func(context.Context) (listen.Stream, error) {
			if err := r.failing("open"); err != nil {
				return nil, err
			}
			r.opened++
			return &reveals{r: r, to: -1}, nil
		},
		Complete: r.complete,
		Woke:     func(h audio.Hit, at time.Duration) { r.told = append(r.told, at); r.note("woke %q", h.Word) },
		Partial: func(text string, stable bool) {
			if stable {
				r.note("stable %q", text)
			} else {
				r.note("partial %q", text)
			}
		},
		Ended: func(u *listen.Utterance) {
			r.utterances, r.decided = append(r.utterances, u), append(r.decided, r.pos.Load())
			r.note("ended %s %q", u.Why, u.Partial)
			if !r.keep {
				u.Finish(context.Background()) // run asks again and tells the error
			}
		},
		Missed: func(why string) {
			r.decided = append(r.decided, r.pos.Load())
			r.note("missed: %s", why)
		},
	}
	if c.Wake == nil {
		c.Wake = scriptedWake{r}
	}
	if c.VAD == nil {
		c.VAD = loudVAD{r}
	}
	l, err := listen.New(c)
	if err != nil {
		t.Fatal(err)
	}
	r.l = l
	return l
}

// run serves the whole sound and checks that no recogniser was left open.
func (r *rig) run(t testing.TB) {
	t.Helper()
	if err := r.build(t).Serve(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, u := range r.utterances {
		if _, err := u.Finish(t.Context()); err != nil && !errors.Is(err, audio.ErrNoSpeech) {
			t.Error(err)
		}
	}
	if r.opened != r.closed {
		t.Errorf("%d recognisers opened, %d closed", r.opened, r.closed)
	}
}

// say is what happened, without partials.
func (r *rig) say() string {
	var out []string
	for _, h := range r.happened {
		if !strings.HasPrefix(h, "partial") && !strings.HasPrefix(h, "stable") {
			out = append(out, h)
		}
	}
	return strings.Join(out, "; ")
}
