package web

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// sent is what a line sent, and when.
type sent struct {
	kind int
	n    int // samples
	at   time.Duration
}

func lined() (*Line, *[]sent) {
	var all []sent
	began := time.Now()
	return newLine(func(kind int, data []byte) error {
		all = append(all, sent{kind, len(data) / sampleSize, time.Since(began)})
		return nil
	}), &all
}

func TestALinePlaysAsFastAsItIsHeard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, all := lined()
		if err := l.Play(t.Context(), make([]int16, audio.Rate)); err != nil { // a second
			t.Fatal(err)
		}
		if len(*all) != 10 || (*all)[2].at != 0 || (*all)[9].at != 700*time.Millisecond {
			t.Errorf("sent %v", *all)
		}
		began := time.Now()
		if err := l.Drain(t.Context()); err != nil || time.Since(began) != 300*time.Millisecond {
			t.Errorf("drained after %v: %v", time.Since(began), err)
		}
		if err := l.Drain(t.Context()); err != nil || time.Since(began) != 300*time.Millisecond {
			t.Error("an empty line was waited for")
		}
	})
}

func TestHushEndsPlayingAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, all := lined()
		done := make(chan error)
		go func() { done <- l.Play(t.Context(), make([]int16, 5*audio.Rate)) }()
		time.Sleep(450 * time.Millisecond)
		began := time.Now()
		l.Hush()
		if err := <-done; err != nil || time.Since(began) != 0 {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		if last := (*all)[len(*all)-1]; last.kind != 1 {
			t.Errorf("last %+v", last)
		}
		if err := l.Drain(t.Context()); err != nil || time.Since(began) != 0 {
			t.Error("what was dropped is waited for")
		}
		n := len(*all)
		if err := l.Play(t.Context(), make([]int16, 160)); err != nil || len(*all) != n+1 {
			t.Error("nothing can be said after a hush")
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := l.Play(ctx, make([]int16, 9*audio.Rate)); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}

func TestALineGivesFrames(t *testing.T) {
	l, _ := lined()
	raw := little([]int16{1, -2, 32767, -32768})
	for range audio.FrameLen/2 - 1 {
		l.take(raw)
		if l.sounds == lineQueue {
			break
		}
	}
	f, err := l.Read(t.Context())
	if err != nil || f.At != 0 || len(f.PCM) != audio.FrameLen || f.PCM[1] != -2 || f.PCM[3] != -32768 {
		t.Fatalf("%+v %v", f, err)
	}
	for i := range 3 * lineQueue {
		l.take(little(make([]int16, 1+i%7)))
	}
	if l.lost == 0 || l.sounds != lineQueue {
		t.Errorf("%d lost, %d wait", l.lost, l.sounds)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(io.ErrClosedPipe)
	l.rest = nil
	for err = nil; err == nil; {
		_, err = l.Read(ctx)
	}
	if !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
	l.leave()
	for err = nil; err == nil; {
		_, err = l.Read(t.Context())
	}
	if !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

// The button stands where it was pressed in the sound, whoever reads when; also where sound was lost.
func TestTheButtonKeepsItsPlace(t *testing.T) {
	l, _ := lined()
	frame := little(make([]int16, audio.FrameLen))
	l.take(frame)
	l.press(true)
	for range 2 * lineQueue {
		l.take(frame)
	}
	l.press(false)
	l.take(frame)
	l.leave()
	var told []int64
	frames := int64(0)
	l.Button(func(down bool) {
		at := frames
		if down {
			at = -1 - at
		}
		told = append(told, at)
	})
	for {
		if _, err := l.Read(t.Context()); err != nil {
			break
		}
		frames++
	}
	if len(told) != 2 || told[0] != -1 || told[1] != lineQueue-1 || frames != lineQueue {
		t.Errorf("told %v, %d frames", told, frames)
	}
}
