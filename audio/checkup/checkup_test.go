package checkup_test

import (
	"context"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/checkup"
	"github.com/solo-assistant/solo/audio/listen/listentest"
)

// said is five seconds of speech in a quiet room, the voice at a level in dBFS.
func said(t testing.TB, level float64) []int16 {
	pcm := listentest.Join(listentest.Quiet(700), listentest.Say(t, "rms", "Hello Solo, this is a test of my microphone."), listentest.Quiet(600),
		listentest.Say(t, "slt", "Six thick thistle sticks."), listentest.Quiet(500))
	pcm = listentest.Scale(pcm, level-listentest.Active(pcm))
	return add(pcm, noise(len(pcm), -68))
}

func noise(n int, dbfs float64) []int16 {
	rnd := rand.New(rand.NewPCG(3, 4))
	out := make([]int16, n)
	for i := range out {
		out[i] = int16(math.Round(rnd.NormFloat64() * 32768 * math.Pow(10, dbfs/20)))
	}
	return out
}

func add(a, b []int16) []int16 {
	out := slices.Clone(a)
	for i := range out {
		out[i] = int16(min(max(int(a[i])+int(b[i%len(b)]), -32768), 32767))
	}
	return out
}

func mains(n int, hz, dbfs float64) []int16 {
	out := make([]int16, n)
	for i := range out {
		for h := 1.0; h <= 4; h++ {
			out[i] += int16(32768 * math.Pow(10, dbfs/20) * math.Sin(2*math.Pi*hz*h*float64(i)/audio.Rate) / h)
		}
	}
	return out
}

func shifted(pcm []int16, by int16) []int16 {
	out := slices.Clone(pcm)
	for i := range out {
		out[i] += by
	}
	return out
}

func holed(pcm []int16) []int16 {
	out := slices.Clone(pcm)
	for at := audio.Rate; at+500 < len(out); at += 4000 {
		clear(out[at : at+320])
	}
	return out
}

func telephone(pcm []int16) []int16 {
	return audio.Resample(audio.Resample(pcm, audio.Rate, 8000), 8000, audio.Rate)
}

func TestEachFaultIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		pcm  []int16
		own  int
		want []checkup.Kind
	}{
		"well":             {said(t, -25), 48000, nil},
		"well and loud":    {said(t, -18), 16000, nil},
		"gives nothing":    {nil, 0, []checkup.Kind{checkup.Nothing}},
		"muted":            {make([]int16, 5*audio.Rate), 48000, []checkup.Kind{checkup.Zeros}},
		"unplugged":        {noise(5*audio.Rate, -86), 48000, []checkup.Kind{checkup.Silent}},
		"far too quiet":    {said(t, -58), 48000, []checkup.Kind{checkup.Faint}},
		"nobody near it":   {noise(5*audio.Rate, -62), 48000, []checkup.Kind{checkup.Faint}},
		"distorted":        {listentest.Scale(said(t, -25), 36), 48000, []checkup.Kind{checkup.Clipped}},
		"beside zero":      {shifted(said(t, -25), 2500), 48000, []checkup.Kind{checkup.Offset}},
		"hum of 50 Hz":     {add(said(t, -35), mains(6*audio.Rate, 50, -28)), 48000, []checkup.Kind{checkup.Hum}},
		"hum of 60 Hz":     {add(said(t, -35), mains(6*audio.Rate, 60, -28)), 48000, []checkup.Kind{checkup.Hum}},
		"telephone":        {telephone(said(t, -25)), 16000, []checkup.Kind{checkup.Narrow}},
		"told by its rate": {said(t, -25), 8000, []checkup.Kind{checkup.Narrow}},
		"with holes":       {holed(said(t, -25)), 48000, []checkup.Kind{checkup.Gaps}},
	} {
		t.Run(name, func(t *testing.T) {
			e := checkup.NewExaminer()
			for piece := range slices.Chunk(c.pcm, 777) {
				e.Hear(piece)
			}
			r := e.Report(true, c.own)
			var got []checkup.Kind
			for _, f := range r.Findings {
				got = append(got, f.Kind)
				if f.What == "" || f.Mend == "" {
					t.Errorf("%s does not say what it is and what to do", f.Kind)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("found %v, want %v; %+v", got, c.want, r)
			}
			if r.Heard > 10*time.Second {
				t.Errorf("it took %v", r.Heard)
			}
		})
	}
}

// Noise, hums and voices of all kinds are no faults by themselves.
func TestRoomsAreNoFaults(t *testing.T) {
	for name, pcm := range map[string][]int16{
		"speech in a noisy room": add(said(t, -25), noise(6*audio.Rate, -40)),
		"a quiet room":           noise(5*audio.Rate, -70),
		"a soft voice":           said(t, -38),
		"a weak hum":             add(said(t, -28), mains(6*audio.Rate, 50, -62)),
	} {
		e := checkup.NewExaminer()
		e.Hear(pcm)
		if r := e.Report(false, 48000); !r.Fit() {
			t.Errorf("%s: %v", name, r.Findings)
		}
	}
}

// tape is a microphone of pieces.
type tape struct {
	at     int64
	pieces [][]int16
}

func (p *tape) Read(context.Context) (audio.Frame, error) {
	for len(p.pieces) > 0 && len(p.pieces[0]) < audio.FrameLen {
		p.pieces = p.pieces[1:]
	}
	if len(p.pieces) == 0 {
		return audio.Frame{}, io.EOF
	}
	f := audio.Frame{At: p.at, PCM: p.pieces[0][:audio.FrameLen]}
	p.pieces[0] = p.pieces[0][audio.FrameLen:]
	p.at += audio.FrameLen
	return f, nil
}

func TestWhatBefallsAMicrophoneInUseIsTold(t *testing.T) {
	quiet := make([]int16, 9*audio.Rate)
	loud := slices.Repeat([]int16{32767, 32767, 32767, 32767, -32768, -32768, -32768, -32768}, audio.Rate/8)
	var told []string
	w := checkup.NewWatch(&tape{pieces: [][]int16{said(t, -25), quiet, said(t, -25), quiet, said(t, -25), quiet, said(t, -25), loud, said(t, -25), noise(12*audio.Rate, -60)}},
		func(f checkup.Finding, over bool) {
			text := string(f.Kind)
			if over {
				text += " over"
			}
			told = append(told, text)
		})
	most := 0
	for {
		f, err := w.Read(t.Context())
		if err != nil {
			break
		}
		if most = max(most, len(w.Findings())); len(f.PCM) != audio.FrameLen {
			t.Fatal("a frame was cut")
		}
	}
	if got := strings.Join(told, ", "); got != "zeros, zeros over, zeros, zeros over, clipped, clipped over" || len(w.Findings()) != 0 || most != 1 {
		t.Errorf("told %s; at the end %v", got, w.Findings())
	}
}

func FuzzExaminer(f *testing.F) {
	f.Add([]byte{0, 0, 255, 127, 0, 128}, uint8(200))
	f.Fuzz(func(t *testing.T, raw []byte, times uint8) {
		e := checkup.NewExaminer()
		pcm := make([]int16, 0, len(raw)/2)
		for i := 0; i+1 < len(raw); i += 2 {
			pcm = append(pcm, int16(raw[i])|int16(raw[i+1])<<8)
		}
		for range times {
			e.Hear(pcm)
		}
		r := e.Report(true, 0)
		if math.IsNaN(r.Loudest) || math.IsNaN(r.Floor) || r.Loudest > 0.1 || r.Floor > r.Loudest {
			t.Errorf("%+v", r)
		}
	})
}

func BenchmarkWatch(b *testing.B) {
	w := checkup.NewWatch(endless(noise(audio.FrameLen, -60)), nil)
	for b.Loop() {
		_, _ = w.Read(b.Context())
	}
}

type endless []int16

func (e endless) Read(context.Context) (audio.Frame, error) { return audio.Frame{PCM: e}, nil }
