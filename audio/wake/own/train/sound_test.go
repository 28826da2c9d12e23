package train

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen/listentest"
)

// tone is n samples of a sine at so many dB below full scale.
func tone(n int, db float64) []int16 {
	out := make([]int16, n)
	for i := range out {
		out[i] = int16(32767 * math.Pow(10, db/20) * math.Sin(float64(i)*0.2))
	}
	return out
}

func TestStretchFindsWhatWasSaid(t *testing.T) {
	hiss := func(ms int) []int16 { return samples(scaled(hiss(rand.New(rand.NewPCG(1, 1)), ms*16, 0.5), 0.001)) }
	said := listentest.Join(tone(audio.Rate*3/10, -12), hiss(100), tone(audio.Rate/5, -15))
	pcm := listentest.Join(hiss(300), tone(160, -20), hiss(700), said, hiss(900), tone(320, -25), hiss(200))
	first, last := stretch(pcm)
	begin := (300 + 10 + 700) * 16
	if math.Abs(float64(first-begin)) > 320 || math.Abs(float64(last-begin-len(said))) > 320 {
		t.Errorf("from %d to %d, want %d to %d", first, last, begin, begin+len(said))
	}
	for name, quiet := range map[string][]int16{"nothing": nil, "short": make([]int16, 100), "silence": make([]int16, 16000)} {
		if x := trimmed(quiet); x != nil {
			t.Errorf("%s: %d samples", name, len(x))
		}
	}
}

func scaled(x []float32, by float32) []float32 {
	for i := range x {
		x[i] *= by
	}
	return x
}

func TestFlaw(t *testing.T) {
	pad := func(x []int16) []int16 { return listentest.Join(listentest.Quiet(700), x, listentest.Quiet(700)) }
	loud := tone(audio.Rate*6/10, -1)
	for i := range loud {
		loud[i] = max(min(loud[i]*2, 32767), -32767)
		if loud[i] > 0 {
			loud[i] = 32767
		}
	}
	for name, tt := range map[string]struct {
		pcm  []int16
		want string
	}{
		"good":      {pad(tone(audio.Rate*6/10, -15)), ""},
		"silence":   {pad(nil), "did not hear"},
		"nothing":   {nil, "did not hear"},
		"faint":     {pad(tone(audio.Rate*6/10, -62)), "did not hear"},
		"a click":   {pad(tone(1000, -10)), "did not hear"},
		"endless":   {pad(tone(2*audio.Rate, -15)), "too long"},
		"distorted": {pad(loud), "distorted"},
		"late":      {listentest.Join(listentest.Quiet(1500), tone(audio.Rate*6/10, -15)), "too late"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Flaw(tt.pcm); tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("%q, want one with %q", got, tt.want)
			}
		})
	}
}

func TestFourier(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{2, 8, 64} {
		x, want := make([]complex128, n), make([]complex128, n)
		for i := range x {
			x[i] = complex(r.NormFloat64(), r.NormFloat64())
		}
		for k := range want {
			for i, v := range x {
				want[k] += v * cmplx.Rect(1, -2*math.Pi*float64(i*k)/float64(n))
			}
		}
		fourier(x)
		for k := range x {
			if cmplx.Abs(x[k]-want[k]) > 1e-9 {
				t.Fatalf("%d of %d is %v, want %v", k, n, x[k], want[k])
			}
		}
	}
}

// A click in a room is the room; what is said later does not sound earlier.
func TestEcho(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 5 {
		room := room(r)
		click := make([]float32, 2*len(room))
		click[100] = 1
		for i, v := range echo(click, room) {
			want := float32(0)
			if i >= 100 && i < 100+len(room) {
				want = room[i-100]
			}
			if math.Abs(float64(v-want)) > 1e-5 {
				t.Fatalf("sample %d is %v, want %v", i, v, want)
			}
		}
	}
}

func TestPaced(t *testing.T) {
	x := make([]float32, 1000)
	for i := range x {
		x[i] = float32(i)
	}
	for i, v := range paced(x, 1.25) {
		if math.Abs(float64(v)-1.25*float64(i)) > 0.01 {
			t.Fatalf("sample %d is %v", i, v)
		}
	}
}

// Whatever is put around it, the word ends where stage says.
func TestStageKnowsTheEnd(t *testing.T) {
	x := floats(tone(audio.Rate/2, -12))
	for i := range 200 {
		r := rand.New(rand.NewPCG(4, uint64(i)))
		s := scene{r: r, talk: [][]float32{floats(tone(3*audio.Rate, -20))}, real: [][]float32{hiss(r, 1000, 0)}}
		plain := i%2 == 0
		pcm, end := s.stage(x, plain)
		if end < audio.Rate*8/5 || end > len(pcm)-audio.Rate/3 {
			t.Fatalf("it ends at %d of %d", end, len(pcm))
		}
		before, behind := audio.Level(pcm[end-1600:end-160]), audio.Level(pcm[end+800:end+2400])
		if plain && before < behind+20 {
			t.Fatalf("%d: %.0f dB before the end, %.0f behind it", i, before, behind)
		}
		if before < -55 || before > -1 {
			t.Fatalf("%d: it is %.0f dB loud", i, before)
		}
	}
}

func TestNoiseIsNumbers(t *testing.T) {
	for i := range 50 {
		r := rand.New(rand.NewPCG(5, uint64(i)))
		for name, x := range map[string][]float32{"noise": noise(r, 8000), "babble": babble(r, [][]float32{floats(tone(4000, -10))}, 8000, 3), "nobody": babble(r, nil, 8000, 3)} {
			if p := power(x); math.IsNaN(p) || math.IsInf(p, 0) || p < 1e-3 {
				t.Fatalf("%s has the power %v", name, p)
			}
		}
	}
}
