package device_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/codec"
	"github.com/solo-assistant/solo/audio/device"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ramp is n samples that count upwards from first, none of them 0.
func ramp(first, n int) []int16 {
	out := make([]int16, n)
	for i := range out {
		out[i] = int16((first+i)%30000 + 1)
	}
	return out
}

func clip(pcm []int16) audio.Clip { return audio.Clip{Format: audio.Mono16k, PCM: pcm} }

// readAll reads a tape to its end.
func readAll(t *testing.T, tape *device.Tape) []int16 {
	t.Helper()
	var got []int16
	first := audio.Samples(tape.Position(), audio.Rate)
	for {
		f, err := tape.Read(t.Context())
		if errors.Is(err, io.EOF) {
			return got
		}
		if err != nil {
			t.Fatal(err)
		}
		if f.At != first+int64(len(got)) {
			t.Fatalf("frame at %d, want %d", f.At, first+int64(len(got)))
		}
		got = append(got, f.PCM...)
	}
}

func TestTapeGivesItsInputThenTheTail(t *testing.T) {
	in := ramp(0, 10*audio.FrameLen+100)
	tape := device.NewTape(device.TapeConfig{In: device.Clip(clip(in)), Tail: 200 * time.Millisecond})
	got := readAll(t, tape)
	if want := (11 + 10) * audio.FrameLen; len(got) != want {
		t.Fatalf("%d samples, want %d", len(got), want)
	}
	if !slices.Equal(got[:len(in)], in) || slices.Max(got[len(in):]) != 0 {
		t.Fatal("the input did not come back")
	}
	if out := tape.Out(); len(out.PCM) != len(got) || slices.Max(out.PCM) != 0 || tape.Position() != out.Duration() {
		t.Fatalf("%v was played while nothing was", out.Duration())
	}
	if err := tape.Play(t.Context(), ramp(0, 9)); !errors.Is(err, device.ErrEnded) {
		t.Fatalf("playing after the end: %v", err)
	}
}

func TestTapePlaysWhereTheInputIs(t *testing.T) {
	for _, rate := range []int{16000, 22050, 48000, 11025} {
		var heard []time.Duration
		tape := device.NewTape(device.TapeConfig{In: device.Clip(clip(ramp(0, 50*audio.FrameLen))), Rate: rate,
			OnPlay: func(at time.Duration) { heard = append(heard, at) }})
		for range 7 {
			if _, err := tape.Read(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		say := ramp(0, rate/10)
		if err := tape.Play(t.Context(), say); err != nil {
			t.Fatal(err)
		}
		readAll(t, tape)
		start := int(audio.Samples(140*time.Millisecond, rate))
		out := tape.Out()
		if out.Format.Rate != rate || !slices.Equal(out.PCM[start:start+len(say)], say) {
			t.Fatalf("at %d Hz it was not played at 140 ms", rate)
		}
		if slices.Max(out.PCM[:start]) != 0 || slices.Max(out.PCM[start+len(say):]) != 0 {
			t.Fatal("something else was played too")
		}
		if want := audio.Time(int64(start), rate); !slices.Equal(heard, []time.Duration{want}) {
			t.Fatalf("OnPlay %v, want once at %v", heard, want)
		}
	}
}

func TestTapeStandsWhileSoloThinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var busy atomic.Bool
		tape := device.NewTape(device.TapeConfig{In: device.Clip(clip(ramp(0, 5*audio.FrameLen))), Busy: busy.Load, Tail: time.Second})
		for range 5 {
			if _, err := tape.Read(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		busy.Store(true)
		var wg sync.WaitGroup
		wg.Go(func() {
			time.Sleep(3 * time.Second) // thinking
			for _, s := range [][]int16{ramp(0, 1000), ramp(1000, 7000)} {
				if err := tape.Play(t.Context(), s); err != nil {
					t.Error(err)
				}
				time.Sleep(10 * time.Millisecond) // synthesis is slower than the tape, and yet there is no gap
			}
			if err := tape.Drain(t.Context()); err != nil {
				t.Error(err)
			}
			busy.Store(false)
		})
		began := time.Now()
		readAll(t, tape)
		wg.Wait()
		out, start := tape.Out(), 5*audio.FrameLen
		if !slices.Equal(out.PCM[start:start+8000], ramp(0, 8000)) {
			t.Error("the answer is not on the tape in one piece right behind the question")
		}
		if want := start + 8000 + audio.Rate; len(out.PCM) < want || len(out.PCM) > want+2*audio.FrameLen {
			t.Errorf("the tape has %d samples, want about %d", len(out.PCM), want)
		}
		if d := time.Since(began); d < 3*time.Second || d > 4*time.Second {
			t.Errorf("it took %v", d)
		}
	})
}

func TestTapeDoesNotWaitForeverForWhatFollowsAPiece(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tape := device.NewTape(device.TapeConfig{Busy: func() bool { return true }})
		if err := tape.Play(t.Context(), ramp(0, 100)); err != nil {
			t.Fatal(err)
		}
		if _, err := tape.Read(t.Context()); err != nil {
			t.Fatal(err)
		}
		if out := tape.Out(); !slices.Equal(out.PCM[:100], ramp(0, 100)) {
			t.Fatal("the piece was not played")
		}
	})
}

func TestTapeReadEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		why := errors.New("barge-in")
		for _, clocked := range []bool{false, true} {
			ctx, cancel := context.WithCancelCause(t.Context())
			tape := device.NewTape(device.TapeConfig{Busy: func() bool { return true }, Clocked: clocked})
			var err error
			var wg sync.WaitGroup
			wg.Go(func() {
				for err == nil {
					_, err = tape.Read(ctx)
				}
			})
			time.Sleep(time.Second)
			cancel(why)
			wg.Wait()
			if !errors.Is(err, why) {
				t.Fatalf("got %v", err)
			}
		}
	})
}

func TestTapeKeepsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tape := device.NewTape(device.TapeConfig{In: device.Clip(clip(ramp(0, 50*audio.FrameLen))), Clocked: true})
		began := time.Now()
		for i := range 40 {
			if i == 20 {
				time.Sleep(5*audio.FrameTime - 1) // a late reader catches up
			}
			if _, err := tape.Read(t.Context()); err != nil {
				t.Fatal(err)
			}
			want := time.Duration(i+1) * audio.FrameTime
			if 20 <= i && i < 25 {
				want = max(want, 25*audio.FrameTime-1)
			}
			if got := time.Since(began); got != want {
				t.Fatalf("frame %d came after %v, want %v", i, got, want)
			}
		}
	})
}

func TestTapePlayBlocksAt200ms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tape := device.NewTape(device.TapeConfig{Clocked: true, Tail: 3 * time.Second})
		var wg sync.WaitGroup
		var took, drained time.Duration
		began := time.Now()
		wg.Go(func() {
			if err := tape.Play(t.Context(), ramp(0, 16000)); err != nil {
				t.Error(err)
			}
			took = time.Since(began)
			if err := tape.Drain(t.Context()); err != nil {
				t.Error(err)
			}
			drained = time.Since(began)
		})
		readAll(t, tape)
		wg.Wait()
		if took < 780*time.Millisecond || took > 820*time.Millisecond {
			t.Errorf("one second was queued after %v, want 800 ms", took)
		}
		if drained < 980*time.Millisecond || drained > 1020*time.Millisecond {
			t.Errorf("one second was played after %v", drained)
		}
	})
}

func TestTapeHush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tape := device.NewTape(device.TapeConfig{Clocked: true})
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := tape.Play(t.Context(), ramp(0, 32000)); err != nil {
				t.Error("a hushed Play is no fault:", err)
			}
		})
		wg.Go(func() {
			time.Sleep(500 * time.Millisecond)
			tape.Hush()
		})
		readAll(t, tape)
		wg.Wait()
		out := tape.Out().PCM
		last := len(out)
		for last > 0 && out[last-1] == 0 {
			last--
		}
		if d := audio.Time(int64(last), audio.Rate); d < 470*time.Millisecond || d > 520*time.Millisecond {
			t.Errorf("sound until %v, hushed at 500 ms", d)
		}
	})
}

func TestTapeWritesAWAV(t *testing.T) {
	var file bytes.Buffer
	tape := device.NewTape(device.TapeConfig{In: device.Clip(clip(ramp(0, 9*audio.FrameLen))), To: &file, Rate: 24000})
	if err := tape.Play(t.Context(), ramp(0, 4000)); err != nil {
		t.Fatal(err)
	}
	in := readAll(t, tape)
	if err := tape.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := audio.ReadWAV(&file)
	if err != nil || got.Format.Rate != 24000 || !slices.Equal(got.PCM[:4000], ramp(0, 4000)) {
		t.Fatal(got.Format, err)
	}
	if want := len(in) * 3 / 2; len(got.PCM) != want || len(tape.Out().PCM) != 0 {
		t.Fatalf("%d samples, want %d", len(got.PCM), want)
	}
}

// broken is a recording that ends in an error.
type broken struct{ device.Samples }

var errBroken = errors.New("cut short")

func (b broken) Read(pcm []int16) (int, error) {
	n, err := b.Samples.Read(pcm)
	if errors.Is(err, io.EOF) {
		err = errBroken
	}
	return n, err
}

func TestTapeTellsWhyItsInputEnded(t *testing.T) {
	tape := device.NewTape(device.TapeConfig{In: broken{device.Clip(clip(ramp(0, 700)))}})
	if got := readAll(t, tape); !slices.Equal(got[:700], ramp(0, 700)) {
		t.Error("what came before was lost")
	}
	if !errors.Is(tape.Err(), errBroken) {
		t.Error(tape.Err())
	}
	full := device.NewTape(device.TapeConfig{To: failing{}})
	if _, err := full.Read(t.Context()); !errors.Is(err, errBroken) {
		t.Error("a full disk went unnoticed:", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errBroken }

// Who asks for a microphone and a speaker gets a tape as well; and a tape takes any sound file.
var (
	_ device.Samples = (*codec.Stream)(nil)
	_ source         = (*device.Tape)(nil)
	_ source         = (*device.Mic)(nil)
	_ sink           = (*device.Tape)(nil)
	_ sink           = (*device.Speaker)(nil)
)

type source interface {
	Read(ctx context.Context) (audio.Frame, error)
}

type sink interface {
	Rate() int
	Play(ctx context.Context, pcm []int16) error
	Drain(ctx context.Context) error
	Hush()
}

// hours is silence without a file.
type hours struct{ left int64 }

func (h *hours) Read(pcm []int16) (int, error) {
	if h.left == 0 {
		return 0, io.EOF
	}
	n := min(int64(len(pcm)), h.left)
	h.left -= n
	clear(pcm[:n])
	return int(n), nil
}

func TestTapeOfHoursNeedsNoMemory(t *testing.T) {
	tape := device.NewTape(device.TapeConfig{In: &hours{audio.Samples(3*time.Hour, audio.Rate)}, To: io.Discard})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	frames := 0
	for {
		if _, err := tape.Read(t.Context()); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		frames++
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 1<<20 || tape.Position() < 3*time.Hour {
		t.Errorf("%d frames, %v: the heap grew by %d KiB", frames, tape.Position(), grown>>10)
	}
}
