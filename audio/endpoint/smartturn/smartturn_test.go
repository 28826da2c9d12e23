package smartturn

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/cmplx"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen"
)

var _ listen.Turns = (*Model)(nil)

func tone(hz float64, samples int) []int16 {
	pcm := make([]int16, samples)
	for i := range pcm {
		pcm[i] = int16(8000 * math.Sin(2*math.Pi*hz*float64(i)/audio.Rate))
	}
	return pcm
}

func TestTransform(t *testing.T) {
	s := newSpectrogram()
	var in, out [window]complex128
	for i := range in {
		in[i] = complex(math.Sin(float64(i*i)), math.Cos(float64(3*i)))
	}
	s.transform(out[:], in[:], window, 1)
	for k := 0; k < window; k += 7 {
		var want complex128
		for i, v := range in {
			want += v * cmplx.Rect(1, -2*math.Pi*float64(i*k%window)/window)
		}
		if cmplx.Abs(out[k]-want) > 1e-9 {
			t.Fatalf("bin %d is %v, want %v", k, out[k], want)
		}
	}
}

// A tone is loudest in its band, at its time, and the numbers lie as Whisper's do.
func TestSpectrogram(t *testing.T) {
	s := newSpectrogram()
	for _, hz := range []float64{200, 440, 1000, 3000, 7000} {
		got := s.of(tone(hz, 2*audio.Rate)) // in the last two seconds
		best, at := 0, float32(math.Inf(-1))
		for b := range bands {
			if v := got[b*frames+700]; v > at {
				best, at = b, v
			}
		}
		low, high := hertz(mel(8000)*float64(best)/(bands+1)), hertz(mel(8000)*float64(best+2)/(bands+1))
		if hz < low || hz > high {
			t.Errorf("%v Hz is in band %d, %.0f to %.0f Hz", hz, best, low, high)
		}
		if early := got[best*frames+300]; early > at-1.5 {
			t.Errorf("%v Hz: %v before it began, %v then", hz, early, at)
		}
		low32, high32 := got[0], got[0]
		for _, v := range got {
			low32, high32 = min(low32, v), max(high32, v)
		}
		if d := high32 - low32; d > 2.0001 || high32 < 0 {
			t.Errorf("numbers from %v to %v", low32, high32)
		}
	}
	area := 0.0 // every band weighs the same, whatever its width
	for _, w := range s.filters[60].weight {
		area += w * audio.Rate / window
	}
	if math.Abs(area-1) > 0.05 {
		t.Errorf("a band weighs %v", area)
	}
}

func TestOddSounds(t *testing.T) {
	s := newSpectrogram()
	for name, pcm := range map[string][]int16{"nothing": nil, "one sample": {3}, "silence": make([]int16, span), "too long": tone(300, 3*span)} {
		for _, v := range s.of(pcm) {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				t.Fatalf("%s: %v", name, v)
			}
		}
	}
}

func TestMissing(t *testing.T) {
	if _, err := New(Config{Model: filepath.Join(t.TempDir(), "none.onnx")}); !errors.Is(err, ErrNoModel) {
		t.Errorf("without a model: %v", err)
	}
	_, err := New(Config{Model: written(t, meanModel(3, 0)), Library: "/nowhere/libonnxruntime.so"})
	if !errors.Is(err, ErrAbsent) {
		t.Errorf("without the library: %v", err)
	}
}

// loaded is a model, or a skip where onnxruntime is missing.
func loaded(t testing.TB, onnx []byte) *Model {
	t.Helper()
	m, err := New(Config{Model: written(t, onnx)})
	if errors.Is(err, ErrAbsent) {
		t.Skipf("skipped: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// A tiny model, the mean of the spectrogram through a sigmoid, is run as the real one would be.
func TestTinyModel(t *testing.T) {
	m := loaded(t, meanModel(3, 0))
	pcm := tone(440, audio.Rate)
	mean := 0.0
	for _, v := range m.mel.of(pcm) {
		mean += float64(v) / (bands * frames)
	}
	want := 1 / (1 + math.Exp(-mean))
	for range 2 {
		got, err := m.Complete(t.Context(), pcm)
		if err != nil || math.Abs(got-want) > 1e-3 {
			t.Errorf("sure %v, %v; want %v", got, err, want)
		}
	}
	why := errors.New("the user speaks on")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if _, err := m.Complete(ctx, pcm); !errors.Is(err, why) {
		t.Errorf("cancelled: %v", err)
	}
	if err := errors.Join(m.Close(), m.Close()); err != nil {
		t.Error(err)
	}
	if _, err := m.Complete(t.Context(), pcm); err == nil {
		t.Error("a closed model answers")
	}
}

func TestOtherModels(t *testing.T) {
	loaded(t, meanModel(3, 0))
	for name, tt := range map[string]struct {
		onnx []byte
		want string
	}{
		"no model":      {[]byte("hello"), "no model"},
		"another shape": {meanModel(2, 0), "another model"},
		"other frames":  {meanModel(3, 777), "another model"},
	} {
		if _, err := New(Config{Model: written(t, tt.onnx)}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func BenchmarkSpectrogram(b *testing.B) {
	s, pcm := newSpectrogram(), tone(440, span)
	for b.Loop() {
		s.of(pcm)
	}
}

func written(t testing.TB, onnx []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "smart-turn.onnx")
	if err := os.WriteFile(path, onnx, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// meanModel writes an ONNX file: sigmoid(mean(input)), of an input of so many sizes; the last is other where not 0.
func meanModel(sizes, other int) []byte {
	dims := []int{1, bands, frames}[:sizes]
	if other != 0 {
		dims[sizes-1] = other
	}
	axes := []byte{}
	for i := range sizes - 1 {
		axes = append(axes, varint(8, uint64(i+1))...) // AttributeProto.ints
	}
	reduce := join(text(1, "input_features"), text(2, "mean"), text(4, "ReduceMean"),
		bytesOf(5, join(text(1, "axes"), axes, varint(20, 7))), bytesOf(5, join(text(1, "keepdims"), varint(3, 0), varint(20, 2))))
	sigmoid := join(text(1, "mean"), text(2, "logits"), text(4, "Sigmoid"))
	graph := join(bytesOf(1, reduce), bytesOf(1, sigmoid), text(2, "tiny"), bytesOf(11, value("input_features", dims)), bytesOf(12, value("logits", []int{1})))
	return join(varint(1, 8), bytesOf(7, graph), bytesOf(8, join(text(1, ""), varint(2, 13))))
}

// value is a ValueInfoProto of 32-bit floats.
func value(name string, dims []int) []byte {
	var shape []byte
	for _, d := range dims {
		shape = append(shape, bytesOf(1, varint(1, uint64(d)))...)
	}
	return join(text(1, name), bytesOf(2, bytesOf(1, join(varint(1, 1), bytesOf(2, shape)))))
}

func varint(field int, v uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(field)<<3), v)
}

func bytesOf(field int, b []byte) []byte {
	return append(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(field)<<3|2), uint64(len(b))), b...)
}

func text(field int, s string) []byte { return bytesOf(field, []byte(s)) }

func join(parts ...[]byte) (out []byte) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}
