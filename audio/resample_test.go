package audio_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/solo-assistant/solo/audio"
)

func sine(hz float64, rate, n int, amplitude float64) []int16 {
	out := make([]int16, n)
	for i := range out {
		out[i] = int16(math.Round(amplitude * math.Sin(2*math.Pi*hz*float64(i)/float64(rate))))
	}
	return out
}

// residue is the level of what is left of pcm, in dB against the sine's own, after the best fitting
// sine of hz was taken away. The rounding to 16 bits alone leaves about -95 dB at this amplitude.
func residue(pcm []int16, hz float64, rate int) float64 {
	var ss, cc, sc, xs, xc float64
	for i, v := range pcm {
		s, c := math.Sincos(2 * math.Pi * hz * float64(i) / float64(rate))
		ss, cc, sc, xs, xc = ss+s*s, cc+c*c, sc+s*c, xs+float64(v)*s, xc+float64(v)*c
	}
	det := ss*cc - sc*sc
	a, b := (xs*cc-xc*sc)/det, (xc*ss-xs*sc)/det
	var left, all float64
	for i, v := range pcm {
		s, c := math.Sincos(2 * math.Pi * hz * float64(i) / float64(rate))
		fit := a*s + b*c
		left, all = left+(float64(v)-fit)*(float64(v)-fit), all+fit*fit
	}
	return 10 * math.Log10(left/all)
}

func TestResampleIsClean(t *testing.T) {
	for _, rates := range [][2]int{{48000, 16000}, {44100, 16000}, {22050, 16000}, {8000, 16000}, {11025, 16000}, {24000, 16000},
		{96000, 16000}, {192000, 16000}, {16000, 48000}, {16000, 44100}, {22050, 48000}, {44099, 16000}} {
		t.Run(fmt.Sprint(rates[0], "to", rates[1]), func(t *testing.T) {
			out := audio.Resample(sine(1000, rates[0], rates[0], 30000), rates[0], rates[1])
			if want := rates[1]; len(out) != want {
				t.Fatalf("%d samples, want %d", len(out), want)
			}
			snr := -residue(out[rates[1]/10:rates[1]*9/10], 1000, rates[1])
			t.Logf("SNR at 1 kHz %.1f dB", snr)
			if snr < 90 {
				t.Errorf("SNR %.1f dB, at least 90 wanted", snr)
			}
		})
	}
}

func TestResampleKeepsTheMirrorOut(t *testing.T) {
	for _, hz := range []float64{8010, 9000, 12000, 15990, 17000, 23000} {
		out := audio.Resample(sine(hz, 48000, 48000, 30000), 48000, 16000)
		if level := audio.Level(out[1600:14400]); level > -90 {
			t.Errorf("%.0f Hz leaks through at %.1f dBFS", hz, level)
		}
	}
}

func TestResampleIsFlatWhereSpeechIs(t *testing.T) {
	for _, hz := range []float64{50, 300, 1000, 3000, 5000, 6500} {
		in := sine(hz, 44100, 44100, 20000)
		out := audio.Resample(in, 44100, 16000)
		if d := audio.Level(out[1600:14400]) - audio.Level(in[4410:39690]); math.Abs(d) > 0.02 {
			t.Errorf("%.0f Hz is off by %.3f dB", hz, d)
		}
	}
}

func TestResampleHasNoDelay(t *testing.T) {
	in := make([]int16, 4800)
	in[2400] = 30000
	for _, to := range []int{16000, 44100, 48000, 96000} {
		out := audio.Resample(in, 48000, to)
		if peak := slices.Index(out, slices.Max(out)); peak != 2400*to/48000 {
			t.Errorf("to %d: the click is at %d, want %d", to, peak, 2400*to/48000)
		}
	}
}

func TestResamplerGivesTheSameInPieces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	in := make([]int16, 20000)
	for i := range in {
		in[i] = int16(rng.IntN(60000) - 30000)
	}
	for _, rates := range [][2]int{{44100, 16000}, {16000, 22050}, {48000, 16000}, {16000, 16000}, {12345, 16001}} {
		want := audio.Resample(in, rates[0], rates[1])
		r := audio.NewResampler(rates[0], rates[1])
		for range 2 { // a flushed one is as good as new
			var got []int16
			for rest := in; len(rest) > 0; {
				n := min(rng.IntN(700), len(rest))
				got = r.Process(got, rest[:n])
				rest = rest[n:]
			}
			if got = r.Flush(got); !slices.Equal(got, want) {
				t.Fatalf("%v: %d samples differ from %d", rates, len(got), len(want))
			}
		}
	}
}

func TestResampleOfLittle(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, 2: 1, 3: 1, 4: 2} {
		if got := len(audio.Resample(make([]int16, n), 48000, 16000)); got != want {
			t.Errorf("%d samples became %d, want %d", n, got, want)
		}
	}
	loud := slices.Repeat([]int16{32767, 32767, -32768, -32768}, 4000)
	for _, s := range [][]int16{audio.Resample(loud, 16000, 44100), audio.Resample(slices.Repeat([]int16{32767}, 9000), 48000, 16000)} {
		if len(s) == 0 || slices.Max(s) < 30000 {
			t.Error("full scale was lost")
		}
	}
}

func BenchmarkResample48kTo16k(b *testing.B) {
	in := sine(440, 48000, 960, 20000)
	r := audio.NewResampler(48000, 16000)
	var out []int16
	b.ReportAllocs()
	for b.Loop() {
		out = r.Process(out[:0], in)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/20e6*100, "%realtime")
}
