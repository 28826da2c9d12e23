package echo

import (
	"context"
	"io"
	"math"
	"slices"
	"testing"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/echo/echotest"
	"github.com/solo-assistant/solo/audio/listen/listentest"
)

// stage is a loudspeaker that plays something and a microphone that hears something, on one clock.
type stage struct {
	played []int16 // from the first sample on
	heard  []int16
	at     int
	e      *Canceller
}

func newStage(t testing.TB, played, heard []int16, use Use) *stage {
	s := &stage{played: played, heard: heard}
	s.e = New(Config{Source: s, Now: func() int64 { return int64(s.at) }, Use: use})
	t.Cleanup(func() { _ = s.e.Close() })
	return s
}

func (s *stage) Read(context.Context) (audio.Frame, error) {
	if s.at+frame > len(s.heard) {
		return audio.Frame{}, io.EOF
	}
	if s.at+frame <= len(s.played) {
		s.e.Played(s.played[s.at:s.at+frame], audio.Rate)
	}
	f := audio.Frame{At: int64(s.at), PCM: s.heard[s.at : s.at+frame]}
	s.at += frame
	return f, nil
}

// run reads to the end and gives what came.
func (s *stage) run(t testing.TB) []int16 {
	var out []int16
	for {
		f, err := s.e.Read(t.Context())
		if err != nil {
			return out
		}
		out = append(out, f.PCM...)
	}
}

// speech is about so many seconds of a voice.
func speech(t testing.TB, voice string, seconds int) []int16 {
	var out []int16
	lines := []string{
		"The museum opens at ten in the morning and closes at six.", "Tomorrow it will rain in the north, with some wind from the west.",
		"Your next appointment is with the dentist on Thursday.", "I have added milk, bread and two lemons to the shopping list.",
		"A lighthouse shows ships the way at night.", "The timer has four minutes and twenty seconds left.",
		"Trains leave every half hour from platform nine.", "That is about three hundred kilometres from here.",
	}
	for i := 0; len(out) < seconds*audio.Rate; i++ {
		out = append(out, listentest.Say(t, voice, lines[i%len(lines)])...)
		out = append(out, make([]int16, audio.Rate/3)...)
	}
	return out[:seconds*audio.Rate]
}

// The echo is weakened in rooms of all kinds, with clocks that drift; where it cannot be, half-duplex is chosen.
func TestTheEchoIsWeakened(t *testing.T) {
	if !Built {
		t.Skip("skipped: this build has no canceller; on Debian: apt-get install libspeexdsp-dev, and the build tag speex")
	}
	solo := append(make([]int16, audio.Rate), speech(t, "slt", 19)...)
	for _, c := range []struct {
		rt60, noise, ppm float64
		delay            int
		erle             float64 // least
	}{
		{0.2, -75, 0, 1000, 17}, {0.4, -75, 0, 2500, 18}, {0.4, -50, 0, 2500, 14}, {0.6, -75, 0, 800, 16}, {0.9, -75, 0, 2500, 12},
		{0.4, -75, 30, 2500, 16}, {0.4, -75, -300, 2500, 15}, {0.4, -75, 1500, 2500, math.Inf(-1)},
	} {
		if raced && c.rt60 != 0.2 {
			continue // this is all arithmetic
		}
		r := echotest.Living(c.rt60)
		mic := echotest.At(echotest.Through(r.Response(r.Speaker), echotest.Distort(solo)), -28)
		s := newStage(t, solo, echotest.Sum(echotest.Late(mic, c.delay, c.ppm), echotest.Noise(len(solo), c.noise, 1)), Auto)
		var before, behind float64
		s.e.tap = func(at int64, left []int16) {
			if at > 8*audio.Rate {
				before, behind = before+energy(s.heard[at:int(at)+frame]), behind+energy(left)
			}
		}
		out := s.run(t)
		st, erle := s.e.State(), decibel(before/behind)
		gated := audio.Level(out[8*audio.Rate:])
		t.Logf("RT60 %.1f s, noise %.0f dBFS, drift %.0f ppm: ERLE %.1f dB, behind the gate %.1f dBFS; %v", c.rt60, c.noise, c.ppm, erle, gated, st)
		if math.IsInf(c.erle, -1) {
			if st.Mode != HalfDuplex {
				t.Errorf("drift %.0f ppm: %v", c.ppm, st)
			}
			continue
		}
		if st.Mode != Cancelling || erle < c.erle || math.Abs(st.Drift-c.ppm) > 25 || math.Abs(st.ERLE-erle) > 12 {
			t.Errorf("RT60 %.1f s, noise %.0f dBFS, drift %.0f ppm: ERLE %.1f dB, want %.0f; %v", c.rt60, c.noise, c.ppm, erle, c.erle, st)
		}
		if more := audio.Samples(st.Delay, audio.Rate) - int64(c.delay); more < -100 || more > 220 { // with the drift of 20 s
			t.Errorf("the echo comes after %d samples of the devices, but it is %v", c.delay, st.Delay)
		}
	}
}

// With headphones the microphone is left as it is.
func TestWithoutAnEchoNothingIsTouched(t *testing.T) {
	solo := append(make([]int16, audio.Rate), speech(t, "slt", 8)...)
	user := make([]float64, 6*audio.Rate)
	for _, v := range speech(t, "rms", 2) {
		user = append(user, float64(v)/4)
	}
	heard := echotest.Sum(echotest.Noise(len(solo), -60, 1), user)
	s := newStage(t, solo, heard, Auto)
	out := s.run(t)
	if st := s.e.State(); st.Mode != Clear {
		t.Fatal(st)
	}
	if !slices.Equal(out, heard[:len(out)]) || len(out) != len(heard) {
		t.Error("the microphone's sound was changed")
	}
}

// The user is heard over Solo, and Solo is not.
func TestTheUserIsHeardOverSolo(t *testing.T) {
	if !Built {
		t.Skip("skipped: this build has no canceller")
	}
	solo := append(make([]int16, audio.Rate), speech(t, "slt", 14)...)
	r := echotest.Living(0.4)
	mic := echotest.Late(echotest.At(echotest.Through(r.Response(r.Speaker), solo), -28), 2000, 0)
	word := listentest.Say(t, "rms", "computer, turn the volume down")
	at := 10 * audio.Rate
	user := append(make([]float64, at), echotest.At(echotest.Through(r.Response(r.User), append(word, make([]int16, 8000)...)), -30)...)
	s := newStage(t, solo, echotest.Sum(mic, echotest.Noise(len(solo), -70, 1), user), Auto)
	over := map[bool]int{}
	var out []int16
	for {
		f, err := s.e.Read(t.Context())
		if err != nil {
			break
		}
		if int(f.At) != len(out) {
			t.Fatalf("a frame at %d comes behind %d samples", f.At, len(out))
		}
		out = append(out, f.PCM...)
		if s.at > 5*audio.Rate && s.at < at || s.at > at+audio.Rate && s.at < at+len(word) {
			over[s.at > at && s.e.Over()]++
		}
	}
	if len(out) != len(solo) {
		t.Errorf("%d samples came of %d", len(out), len(solo))
	}
	alone, both := audio.Level(out[5*audio.Rate:at-8000]), audio.Level(out[at:at+len(word)])
	t.Logf("Solo alone %.1f dBFS, with the user %.1f; %v", alone, both, over)
	if alone > -65 || both < -36 || over[true] < len(word)/frame/2-50 || s.e.Over() {
		t.Errorf("Solo alone %.1f dBFS, with the user %.1f; over %v", alone, both, over)
	}
}

// What is not Solo's time is nobody's business: at rest and when off, frames are the microphone's own.
func TestAtRestFramesPass(t *testing.T) {
	heard := echotest.Sum(echotest.Noise(2*audio.Rate, -50, 1))
	for _, use := range []Use{Auto, Off} {
		played := make([]int16, len(heard))
		if use == Off {
			played = heard
		}
		s := newStage(t, played, heard, use)
		f, err := s.e.Read(t.Context())
		if err != nil || &f.PCM[0] != &heard[0] {
			t.Errorf("%s: a frame was copied (%v)", use, err)
		}
		if !slices.Equal(append(slices.Clone(f.PCM), s.run(t)...), heard) {
			t.Errorf("%s: the sound was changed", use)
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	solo := speech(b, "slt", 20)
	r := echotest.Living(0.4)
	mic := echotest.Late(echotest.At(echotest.Through(r.Response(r.Speaker), solo), -28), 2000, 0)
	heard := echotest.Sum(mic, echotest.Noise(len(solo), -70, 1))
	for name, played := range map[string][]int16{"speaking": solo, "at rest": nil} {
		b.Run(name, func(b *testing.B) {
			s := newStage(b, played, heard, Auto)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.e.Read(b.Context()); err != nil {
					b.StopTimer()
					s.at = 0
					s.e = New(Config{Source: s, Now: func() int64 { return int64(s.at) }})
					b.StartTimer()
				}
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(audio.FrameTime)*100, "%core")
		})
	}
}

// A device that had no sound for a moment moves the echo; it is found again within a second or so.
func TestAnEchoThatJumpsIsFoundAgain(t *testing.T) {
	if !Built {
		t.Skip("skipped: this build has no canceller")
	}
	solo := append(make([]int16, audio.Rate), speech(t, "slt", 15)...)
	r := echotest.Living(0.3)
	mic := echotest.At(echotest.Through(r.Response(r.Speaker), solo), -28)
	late, later := echotest.Late(mic, 1500, 0), echotest.Late(mic, 1900, 0)
	at := 9 * audio.Rate
	s := newStage(t, solo, echotest.Sum(append(late[:at:at], later[at:]...), echotest.Noise(len(solo), -70, 1)), Auto)
	var before, behind [2]float64
	s.e.tap = func(from int64, left []int16) {
		for i, span := range [][2]int{{5 * audio.Rate, at}, {at + 2*audio.Rate, len(solo)}} {
			if int(from) >= span[0] && int(from) < span[1] {
				before[i], behind[i] = before[i]+energy(s.heard[from:int(from)+frame]), behind[i]+energy(left)
			}
		}
	}
	s.run(t)
	first, second := decibel(before[0]/behind[0]), decibel(before[1]/behind[1])
	t.Logf("ERLE %.1f dB before the jump, %.1f dB from two seconds after it; %v", first, second, s.e.State())
	if second < 12 || second < first-8 {
		t.Errorf("ERLE %.1f dB before the jump, %.1f dB after it", first, second)
	}
}
