package echo_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/echo"
	"github.com/solo-assistant/solo/audio/echo/echotest"
	"github.com/solo-assistant/solo/audio/listen"
	"github.com/solo-assistant/solo/audio/listen/listentest"
	"github.com/solo-assistant/solo/audio/vad/webrtc"
	"github.com/solo-assistant/solo/audio/wake/porcupine"
	"github.com/solo-assistant/solo/tests/corpus"
)

// talk is a session on one clock: what the loudspeaker plays and what the microphone hears of it and of others.
type talk struct {
	played, heard []int16
	at            int
	speaking      func(at int) bool // Solo speaks there
	rests         func(at int) bool // the loudspeaker does, nil for never
	e             *echo.Canceller
	l             *listen.Listener
	gated         bool
	named         []spell // where the wake word is in the sentence that is played
}

// spell is a stretch of samples.
type spell struct{ from, to int }

func (s *talk) Read(context.Context) (audio.Frame, error) {
	const n = audio.FrameLen
	if s.at+n > len(s.heard) {
		return audio.Frame{}, io.EOF
	}
	if s.e != nil && (s.rests == nil || !s.rests(s.at)) {
		s.e.Played(s.played[s.at:s.at+n], audio.Rate)
	}
	if on := s.speaking(s.at); on != s.gated && s.l != nil {
		s.gated = on
		s.l.Gate(on)
	}
	f := audio.Frame{At: int64(s.at), PCM: s.heard[s.at : s.at+n]}
	s.at += n
	return f, nil
}

// deaf is a recogniser that hears nothing.
type deaf struct{}

func (deaf) Feed([]int16) error                               { return nil }
func (deaf) Partial() string                                  { return "" }
func (deaf) Finish(context.Context) (audio.Transcript, error) { return audio.Transcript{}, nil }
func (deaf) Close() error                                     { return nil }

// wakes runs the whole of the hearing over a talk and gives where the wake word was told. Use "" leaves out the canceller.
func (s *talk) wakes(t testing.TB, use echo.Use) (hits []int) {
	t.Helper()
	w, err := porcupine.New(porcupine.Config{})
	if err != nil {
		t.Skip("skipped: " + err.Error())
	}
	defer w.Close()
	v, err := webrtc.New(webrtc.Config{})
	if err != nil {
		t.Fatal(err)
	}
	c := listen.Config{Source: s, Wake: w, VAD: v, Open: func(context.Context) (listen.Stream, error) { return deaf{}, nil },
		Woke: func(_ audio.Hit, at time.Duration) { hits = append(hits, int(audio.Samples(at, audio.Rate))) }}
	if use != "" {
		s.e = echo.New(echo.Config{Source: s, Now: func() int64 { return int64(s.at / 640 * 640) }, Use: use})
		defer s.e.Close()
		c.Source = s.e
		c.Own = func(string) bool {
			return s.e.Own(slices.ContainsFunc(s.named, func(n spell) bool { return s.at > n.from && s.at < n.to+audio.Rate/5 }))
		}
	}
	if s.l, err = listen.New(c); err != nil {
		t.Fatal(err)
	}
	if err := s.l.Serve(t.Context()); err != nil {
		t.Fatal(err)
	}
	return hits
}

// lines are what Solo says; some of them hold its wake word.
var lines = []string{
	"The museum opens at ten in the morning and closes at six.", "Tomorrow it will rain in the north, with some wind from the west.",
	"Your next appointment is with the dentist on Thursday at half past two.", "I have added milk, bread and two lemons to the shopping list.",
	"A lighthouse shows ships the way at night, and warns them of rocks.", "The timer has four minutes and twenty seconds left.",
	"I am Jarvis, your assistant on this machine.", "Trains leave every half hour from platform nine.",
	"Just say Jarvis, and then what you want.", "That is about three hundred kilometres from here.",
	"Travis and his sister called twice this afternoon.", "The service will be closed for the whole of next week.",
	"Jarvis. That is my name.", "In the harvest season farmers rise before the sun does.",
	"You asked me to remind you of the washing.", "Steam engines turn heat into motion by letting water boil.",
	"Java is a language, and an island.", "The charges for that journey are listed on the last page.",
}

// answer adds so many seconds of Solo's speech, from lines in turn.
func (s *talk) answer(t testing.TB, voice string, seconds, from int) {
	for i, begin := from, len(s.played); len(s.played)-begin < seconds*audio.Rate; i++ {
		at, line := len(s.played), lines[i%len(lines)]
		s.played = append(s.played, listentest.Say(t, voice, line)...)
		s.played = append(s.played, make([]int16, audio.Rate/4)...)
		if strings.Contains(line, "Jarvis") {
			s.named = append(s.named, spell{at, len(s.played)})
		}
	}
}

// place is a room with its noise and what the devices do.
type place struct {
	rt60, noise, ppm float64
	level            float64 // of the echo at the microphone, dBFS
	delay            int     // samples
}

func (p place) String() string {
	return fmt.Sprintf("RT60 %.1f s, echo %.0f dBFS, noise %.0f dBFS, %.0f ppm", p.rt60, p.level, p.noise, p.ppm)
}

func (p place) hears(played []int16, user []float64, seed uint64) []int16 {
	r := echotest.Living(p.rt60)
	mic := echotest.At(echotest.Through(r.Response(r.Speaker), echotest.Distort(played)), p.level)
	return echotest.Sum(echotest.Late(mic, p.delay, p.ppm), echotest.Noise(len(played), p.noise, seed), user)
}

func soaking(t *testing.T) {
	t.Helper()
	if os.Getenv("SOLO_SOAK") == "" {
		t.Skip("skipped: a long proof; make soak runs it")
	}
}

// The user says the wake word over Solo's answers, as loud as Solo is at the microphone and quieter.
func TestSoakBargeIn(t *testing.T) {
	soaking(t)
	words := listentest.Files(t, filepath.Join(corpus.Dir(t), "wake", "jarvis"), "*")
	places := []place{{0.2, -65, 0, -28, 900}, {0.4, -65, 0, -28, 2500}, {0.4, -55, 40, -28, 2500}, {0.6, -65, -60, -28, 1700}}
	for _, louder := range []float64{6, 0, -6} {
		var sum trials
		var wg sync.WaitGroup
		var mu sync.Mutex
		for i, p := range places {
			wg.Go(func() {
				all := barge(t, p, words, 28, louder, uint64(i))
				mu.Lock()
				defer mu.Unlock()
				t.Logf("%s, user %+.0f dB: %v", p, louder, all)
				sum = trials{sum.said + all.said, sum.silence + all.silence, sum.heard + all.heard, sum.both + all.both, sum.raw + all.raw}
			})
		}
		wg.Wait()
		share := float64(sum.both) / float64(sum.silence)
		fmt.Printf("soak: barge-in in simulated rooms, the user %+.0f dB beside the echo: %v: %.0f %% of those heard in silence\n", louder, sum, 100*share)
		if louder >= 0 && (share < 0.95 || sum.silence < 100) {
			t.Errorf("%v", sum)
		}
	}
}

// trials are counts of wake words over an answer.
type trials struct{ said, silence, heard, both, raw int }

func (n trials) String() string {
	return fmt.Sprintf("%d wake words over an answer, %d heard (in silence %d of the same, of which %d; without the canceller %d)", n.said, n.heard, n.silence, n.both, n.raw)
}

// barge has n answers spoken over, and counts the wake words that were told.
func barge(t *testing.T, p place, words []string, n int, louder float64, seed uint64) trials {
	rnd := rand.New(rand.NewPCG(seed, 3))
	r := echotest.Living(p.rt60)
	way := r.Response(r.User)
	a := &talk{}
	var speaks, calls []spell
	user := []float64{}
	for i := range n {
		a.played = append(a.played, make([]int16, (1+rnd.IntN(2)*12)*audio.Rate)...)
		from := len(a.played)
		a.answer(t, []string{"slt", "rms"}[i%2], 7, rnd.IntN(len(lines)))
		speaks = append(speaks, spell{from, len(a.played)})
		word := listentest.Trim(listentest.Load(t, words[(i+int(seed)*n)%len(words)]))
		at := from + audio.Rate + rnd.IntN(3*audio.Rate)
		wet := echotest.At(echotest.Through(way, append(word, make([]int16, audio.Rate)...)), p.level+louder)
		user = append(user, make([]float64, max(at+len(wet)-len(user), 0))...)
		for j, v := range wet {
			user[at+j] += v
		}
		calls = append(calls, spell{at, at + len(word) + audio.Rate*6/10})
	}
	for len(a.played)%audio.FrameLen != 0 {
		a.played = append(a.played, 0)
	}
	speaking := func(at int) bool {
		for _, s := range speaks {
			if at >= s.from && at < s.to {
				return true
			}
		}
		return false
	}
	rests := func(at int) bool { // the device runs for ten seconds after each answer
		for _, s := range speaks {
			if at >= s.from-audio.Rate/5 && at < s.to+10*audio.Rate {
				return false
			}
		}
		return true
	}
	heard := p.hears(a.played, user, seed)
	told := func(hits []int) (which []bool, n int) {
		for _, c := range calls {
			found := slices.ContainsFunc(hits, func(h int) bool { return h >= c.from && h <= c.to })
			if which = append(which, found); found {
				n++
			}
		}
		return which, n
	}
	a.heard, a.speaking, a.rests = heard, speaking, rests
	with, heardWith := told(a.wakes(t, echo.Auto))
	quiet := &talk{heard: p.hears(make([]int16, len(a.played)), user, seed), speaking: speaking}
	silent, heardSilent := told(quiet.wakes(t, ""))
	_, heardRaw := told((&talk{heard: heard, speaking: speaking}).wakes(t, ""))
	both := 0
	for i := range with {
		if with[i] && silent[i] {
			both++
		}
	}
	return trials{n, heardSilent, heardWith, both, heardRaw}
}

// An hour of Solo's own speech, its wake word in one line of six, wakes nobody.
func TestSoakSelfWake(t *testing.T) {
	soaking(t)
	var wg sync.WaitGroup
	var mu sync.Mutex
	minutes, hits, raw := 0.0, 0, 0
	for i, p := range []place{{0.2, -65, 0, -22, 900}, {0.4, -65, 0, -28, 2500}, {0.4, -55, 40, -22, 2500}, {0.6, -65, -60, -28, 1700}, {0.9, -70, 0, -25, 4000}, {0.5, -60, 2000, -25, 1200}} {
		wg.Go(func() {
			a := &talk{speaking: func(int) bool { return true }}
			for j := range 10 {
				a.played = append(a.played, make([]int16, 2*audio.Rate)...)
				a.answer(t, []string{"slt", "rms", "awb", "kal16"}[(i+j)%4], 60, 5*j+i)
			}
			for len(a.played)%audio.FrameLen != 0 {
				a.played = append(a.played, 0)
			}
			a.heard = p.hears(a.played, nil, uint64(i))
			with := a.wakes(t, echo.Auto)
			without := (&talk{heard: a.heard, speaking: a.speaking}).wakes(t, "")
			mu.Lock()
			defer mu.Unlock()
			minutes += float64(len(a.played)) / audio.Rate / 60
			hits, raw = hits+len(with), raw+len(without)
			for _, h := range with {
				t.Logf("%s: a self-wake at %.1f s", p, float64(h)/audio.Rate)
			}
			t.Logf("%s: %d self-wakes, %d without the canceller; %v", p, len(with), len(without), a.e.State())
		})
	}
	wg.Wait()
	fmt.Printf("soak: %.0f minutes of Solo's own speech in six simulated rooms, its wake word in it: %d self-wakes, %d without the canceller\n", minutes, hits, raw)
	if hits > 0 {
		t.Errorf("%d self-wakes", hits)
	}
}
