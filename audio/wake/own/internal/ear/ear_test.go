package ear_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/wake/own/internal/ear"
	"github.com/solo-assistant/solo/tests/corpus"
)

func open(t testing.TB) *ear.Ear {
	t.Helper()
	file, err := os.ReadFile(filepath.Join(corpus.Dir(t), "models/openwakeword/embedding_model.onnx"))
	if err != nil {
		t.Skip("skipped: ", err)
	}
	e, err := ear.New(file)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// signal is 3 s of gliding tones in hiss, never quiet.
func signal() []int16 {
	pcm := make([]int16, 3*audio.Rate)
	seed, phase := uint32(1), 0.0
	for i := range pcm {
		seed = seed*1664525 + 1013904223
		hz := 300 + 250*math.Sin(float64(i)/3000)
		phase += 2 * math.Pi * hz / audio.Rate
		pcm[i] = int16(6000*math.Sin(phase)*(0.6+0.4*math.Sin(float64(i)/900)) + 3000*math.Sin(5.1*phase) + float64(seed>>22) - 512)
	}
	return pcm
}

func hear(e *ear.Ear, pcm []int16, step int) (all [][]float32) {
	for piece := range slices.Chunk(pcm, step) {
		e.Hear(piece, func(v []float32) { all = append(all, slices.Clone(v)) })
	}
	return all
}

// off is the largest difference of two embeddings.
func off(a, b []float32) float64 {
	most := 0.0
	for i := range a {
		most = max(most, math.Abs(float64(a[i]-b[i])))
	}
	return most
}

// The numbers are those that upstream's two ONNX files give in onnxruntime 1.28.2 (whole windows, no stream).
// The first window ends with the column 175, which is the last of the 22nd embedding.
func TestHearsWhatOnnxruntimeHears(t *testing.T) {
	got := hear(open(t), signal(), audio.FrameLen)
	want := golden(t)
	if len(got) != 37 || len(want) != 2 {
		t.Fatalf("%d embeddings, want 37; %d to compare", len(got), len(want))
	}
	for i, end := range []int{175, 279} {
		if d := off(got[(end+1)/8-1], want[i]); d > 2e-3 {
			t.Errorf("the embedding that ends with column %d is off by %v", end, d)
		} else {
			t.Logf("off by at most %.2g", d)
		}
	}
}

func TestPiecesOfAnyLength(t *testing.T) {
	e, pcm := open(t), signal()
	whole := hear(e, pcm, len(pcm))
	for _, step := range []int{1, 159, 160, 161, 512, 1281} {
		e.Reset()
		got := hear(e, pcm, step)
		if len(got) != len(whole) {
			t.Fatalf("%d embeddings in pieces of %d, %d in one", len(got), step, len(whole))
		}
		for i := range got {
			if off(got[i], whole[i]) != 0 {
				t.Fatalf("embedding %d is another in pieces of %d", i, step)
			}
		}
	}
}

// After Reset it is as if there had been silence, of zeros or of the least of hiss.
func TestResetIsSilence(t *testing.T) {
	e := open(t)
	first := hear(e, signal(), 320)
	e.Reset()
	second := hear(e, signal(), 320)
	for i := range first {
		if off(first[i], second[i]) != 0 {
			t.Fatalf("embedding %d is another after Reset", i)
		}
	}
	e.Reset()
	quiet := hear(e, make([]int16, 2*audio.Rate), 320)
	for i := range quiet {
		if d := off(quiet[i], quiet[0]); d != 0 {
			t.Fatalf("embedding %d of silence differs by %v from the first", i, d)
		}
	}
}

func TestTwinsDoNotMeet(t *testing.T) {
	a := open(t)
	b := a.Twin()
	want := hear(a, signal(), 320)
	a.Reset()
	var got [][]float32
	for piece := range slices.Chunk(signal(), 320) {
		a.Hear(make([]int16, 320), func([]float32) {})
		b.Hear(piece, func(v []float32) { got = append(got, slices.Clone(v)) })
	}
	for i := range want {
		if off(got[i], want[i]) != 0 {
			t.Fatalf("embedding %d is another beside a twin", i)
		}
	}
}

func TestNewRefusesOtherFiles(t *testing.T) {
	dir := corpus.Dir(t)
	for name, want := range map[string]string{
		"models/openwakeword/melspectrogram.onnx": "not the speech embedding",
		"models/silero/silero_vad.onnx":           "not the speech embedding",
		"MANIFEST.md":                             "reading an ONNX file",
	} {
		file, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Skip("skipped: ", err)
		}
		if _, err := ear.New(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// BenchmarkHear reports how much of one core a second of sound costs.
func BenchmarkHear(b *testing.B) {
	e, second := open(b), signal()[:audio.Rate]
	b.ReportAllocs()
	for b.Loop() {
		e.Hear(second, func([]float32) {})
	}
	b.ReportMetric(100*b.Elapsed().Seconds()/float64(b.N), "%core")
}
