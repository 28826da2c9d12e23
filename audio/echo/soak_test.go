package echo_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
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
}

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
		c.Own = func(string) bool { return s.speaking(s.at) && !s.e.Over() }
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

// answers is so many seconds of Solo's speech, from lines in turn.
func answers(t testing.TB, voice string, seconds float64, from int) []int16 {
	var out []int16
	for i := from; float64(len(out)) < seconds*audio.Rate; i++ {
		out = append(out, listentest.Say(t, voice, lines[i%len(lines)])...)
		out = append(out, make([]int16, audio.Rate/4)...)
	}
	return out
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
		said, told, raw := 0, 0, 0
		for i, p := range places {
			n, with, without := barge(t, p, words, 25, louder, uint64(i))
			said, told, raw = said+n, told+with, raw+without
			t.Logf("%s, user %+.0f dB: %d of %d, without the canceller %d", p, louder, with, n, without)
		}
		fmt.Printf("soak: barge-in in simulated rooms, the user %+.0f dB beside the echo: %d of %d wake words over an answer heard, %d without the canceller\n", louder, told, said, raw)
		if louder >= 0 && float64(told) < 0.95*float64(said) {
			t.Errorf("only %d of %d were heard", told, said)
		}
	}
}

// barge has n answers spoken over, and counts the wake words that were told, with and without the canceller.
func barge(t *testing.T, p place, words []string, n int, louder float64, seed uint64) (said, with, without int) {
	rnd := rand.New(rand.NewPCG(seed, 3))
	r := echotest.Living(p.rt60)
	way := r.Response(r.User)
	var played []int16
	type span struct{ from, to int }
	var speaks, calls []span
	user := []float64{}
	for i := range n {
		played = append(played, make([]int16, (1+rnd.IntN(2)*12)*audio.Rate)...)
		from := len(played)
		played = append(played, answers(t, []string{"slt", "rms"}[i%2], 7, rnd.IntN(len(lines)))...)
		speaks = append(speaks, span{from, len(played)})
		word := listentest.Trim(listentest.Load(t, words[(i+int(seed)*n)%len(words)]))
		at := from + audio.Rate + rnd.IntN(3*audio.Rate)
		wet := echotest.At(echotest.Through(way, append(word, make([]int16, audio.Rate)...)), p.level+louder)
		user = append(user, make([]float64, max(at+len(wet)-len(user), 0))...)
		for j, v := range wet {
			user[at+j] += v
		}
		calls = append(calls, span{at, at + len(word) + audio.Rate*6/10})
	}
	for len(played)%audio.FrameLen != 0 {
		played = append(played, 0)
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
	heard := p.hears(played, user, seed)
	count := func(hits []int) (n int) {
		for _, c := range calls {
			for _, h := range hits {
				if h >= c.from && h <= c.to {
					n++
					break
				}
			}
		}
		return n
	}
	a := &talk{played: played, heard: heard, speaking: speaking, rests: rests}
	hits := a.wakes(t, echo.Auto)
	t.Logf("%s: %v; %d hits", p, a.e.State(), len(hits))
	b := &talk{played: played, heard: heard, speaking: speaking}
	q := &talk{played: played, heard: p.hears(make([]int16, len(played)), user, seed), speaking: speaking}
	t.Logf("in silence %d", count(q.wakes(t, "")))
	return n, count(hits), count(b.wakes(t, ""))
}

// An hour of Solo's own speech, its wake word in one line of six, wakes nobody.
func TestSoakSelfWake(t *testing.T) {
	soaking(t)
	var wg sync.WaitGroup
	var mu sync.Mutex
	minutes, hits, raw := 0.0, 0, 0
	for i, p := range []place{{0.2, -65, 0, -22, 900}, {0.4, -65, 0, -28, 2500}, {0.4, -55, 40, -22, 2500}, {0.6, -65, -60, -28, 1700}, {0.9, -70, 0, -25, 4000}, {0.5, -60, 2000, -25, 1200}} {
		wg.Go(func() {
			var played []int16
			for j := range 10 {
				played = append(played, make([]int16, 2*audio.Rate)...)
				played = append(played, answers(t, []string{"slt", "rms", "awb", "kal16"}[(i+j)%4], 60, 5*j+i)...)
			}
			for len(played)%audio.FrameLen != 0 {
				played = append(played, 0)
			}
			heard := p.hears(played, nil, uint64(i))
			a := &talk{played: played, heard: heard, speaking: func(int) bool { return true }}
			with := a.wakes(t, echo.Auto)
			b := &talk{played: played, heard: heard, speaking: func(int) bool { return true }}
			without := b.wakes(t, "")
			mu.Lock()
			defer mu.Unlock()
			minutes += float64(len(played)) / audio.Rate / 60
			hits, raw = hits+len(with), raw+len(without)
			t.Logf("%s: %d self-wakes, %d without the canceller; %v", p, len(with), len(without), a.e.State())
		})
	}
	wg.Wait()
	fmt.Printf("soak: %.0f minutes of Solo's own speech in six simulated rooms, its wake word in it: %d self-wakes, %d without the canceller\n", minutes, hits, raw)
	if hits > 0 {
		t.Errorf("%d self-wakes", hits)
	}
}
