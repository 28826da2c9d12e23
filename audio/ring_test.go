package audio_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
)

func TestRingKeepsTheLastSamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, size := range []int{0, 1, 7, 320} {
		r, all := audio.NewRing(size), []int16{}
		for range 300 {
			piece := make([]int16, rng.IntN(2*size+3))
			for i := range piece {
				piece[i] = int16(len(all) + i)
			}
			r.Write(piece)
			all = append(all, piece...)
			kept := all[max(0, len(all)-size):]
			if r.Total() != int64(len(all)) || r.Len() != len(kept) || !slices.Equal(r.Last(size), kept) {
				t.Fatalf("size %d after %d: %v, want %v", size, len(all), r.Last(size), kept)
			}
			at := rng.IntN(len(all) + 2)
			want := all[min(max(at, len(all)-size), len(all)):]
			if got := r.Since(int64(at)); !slices.Equal(got, want) {
				t.Fatalf("since %d: %v, want %v", at, got, want)
			}
		}
		if r.Reset(); r.Total() != 0 || len(r.Last(9)) != 0 {
			t.Fatal("a reset ring remembers")
		}
	}
}

func TestFramerCutsAnyPieces(t *testing.T) {
	f := audio.NewFramer(640)
	var got []int16
	next, at := int16(0), int64(640)
	for _, n := range []int{0, 1, 319, 320, 321, 1000, 5, 34} {
		piece := make([]int16, n)
		for i := range piece {
			piece[i] = next
			next++
		}
		for fr := range f.Frames(piece) {
			if fr.At != at || len(fr.PCM) != audio.FrameLen {
				t.Fatalf("frame at %d with %d samples, want %d", fr.At, len(fr.PCM), at)
			}
			at += audio.FrameLen
			got = append(got, fr.PCM...)
		}
	}
	last, ok := f.Flush()
	if got = append(got, last.PCM...); !ok || last.At != at {
		t.Fatal("no last frame", last.At, ok)
	}
	if len(got)%audio.FrameLen != 0 {
		t.Fatal("odd length", len(got))
	}
	for i, s := range got {
		if want := int16(i); i < int(next) && s != want || i >= int(next) && s != 0 {
			t.Fatalf("sample %d is %d", i, s)
		}
	}
	if _, ok := f.Flush(); ok {
		t.Fatal("a second last frame")
	}
}

func TestFramerLosesNothingWhenTheLoopStops(t *testing.T) {
	f := audio.NewFramer(0)
	for range f.Frames(make([]int16, 3*audio.FrameLen)) {
		break
	}
	n := 0
	for fr := range f.Frames(nil) {
		if n++; fr.At != int64(n*audio.FrameLen) {
			t.Fatal(fr.At)
		}
	}
	if n != 2 {
		t.Fatalf("%d frames were left, want 2", n)
	}
}

func TestLevel(t *testing.T) {
	for name, tt := range map[string]struct {
		pcm  []int16
		want float64
	}{
		"nothing":         {nil, audio.Silence},
		"silence":         {make([]int16, 100), audio.Silence},
		"full square":     {[]int16{-32768, -32768}, 0},
		"full sine":       {sine(1000, 16000, 1600, 32767), -3.01},
		"sine of a tenth": {sine(1000, 16000, 1600, 3277), -23.01},
	} {
		if got := audio.Level(tt.pcm); math.Abs(got-tt.want) > 0.01 {
			t.Errorf("%s: %.2f dBFS, want %.2f", name, got, tt.want)
		}
	}
}

func TestMono16k(t *testing.T) {
	left, right := sine(500, 48000, 48000, 20000), sine(500, 48000, 48000, 10000)
	var both []int16
	for i := range left {
		both = append(both, left[i], right[i])
	}
	c := audio.Clip{Format: audio.Format{Rate: 48000, Channels: 2}, PCM: both}
	got := c.Mono16k()
	if got.Format != audio.Mono16k || got.Duration() != time.Second || c.Duration() != time.Second {
		t.Fatal(got.Format, got.Duration())
	}
	if d := audio.Level(got.PCM) - audio.Level(sine(500, 16000, 16000, 15000)); math.Abs(d) > 0.02 {
		t.Errorf("the mix is %.2f dB off the mean", d)
	}
	if same := got.Mono16k(); &same.PCM[0] != &got.PCM[0] {
		t.Error("a clip that is right already was copied")
	}
	if got := audio.Mono([]int16{1, 3, -5, -6, 7}, 2); !slices.Equal(got, []int16{2, -5}) {
		t.Error(got)
	}
}
