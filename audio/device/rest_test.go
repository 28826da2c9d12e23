package device

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"
)

// resting runs a speaker in a house until it rests.
func resting(t *testing.T, f func(t *testing.T, h *house, s *Speaker)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := &house{devices: []Info{{Name: "box", Default: true}}}
		s := NewSpeaker(SpeakerConfig{Rate: 16000, Log: zerolog.Nop()})
		s.keep.start = h.start
		run(t, func(ctx context.Context) error {
			if err := s.Serve(ctx); !errors.Is(err, context.Canceled) {
				return err
			}
			return context.Canceled
		}, func() {
			time.Sleep(restful + time.Second)
			f(t, h, s)
		})
	})
}

// counts are how often a device was paused and opened.
func (h *house) counts() (pauses, opens int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.pauses, h.opens
}

func ones(n int) []int16 {
	pcm := make([]int16, n)
	for i := range pcm {
		pcm[i] = 1
	}
	return pcm
}

// sounded counts the samples that were heard.
func (h *house) sounded() (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, x := range h.played {
		n += int(x)
	}
	return n
}

func TestASpeakerRestsAndLosesNothing(t *testing.T) {
	resting(t, func(t *testing.T, h *house, s *Speaker) {
		if n, _ := h.counts(); n != 1 {
			t.Fatalf("paused %d times", n)
		}
		for range 3 {
			if err := s.Play(t.Context(), ones(1600)); err != nil {
				t.Fatal(err)
			}
			if err := s.Drain(t.Context()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(restful + time.Second)
		}
		pauses, opens := h.counts()
		if n := h.sounded(); n != 3*1600 || pauses != 4 || opens != 1 {
			t.Errorf("%d samples heard, %d pauses, opened %d times", n, pauses, opens)
		}
	})
}

func TestARousedSpeakerPlaysAtOnce(t *testing.T) {
	resting(t, func(t *testing.T, h *house, s *Speaker) {
		s.Rouse()
		time.Sleep(100 * time.Millisecond)
		began := time.Now()
		if err := s.Play(t.Context(), ones(160)); err != nil {
			t.Fatal(err)
		}
		for h.sounded() == 0 {
			time.Sleep(time.Millisecond)
		}
		if d := time.Since(began); d > 20*time.Millisecond {
			t.Errorf("heard after %v", d)
		}
	})
}

func TestARestingSpeakerWhoseServerRestarted(t *testing.T) {
	resting(t, func(t *testing.T, h *house, s *Speaker) {
		h.set(func() { h.down = true })
		time.Sleep(3 * time.Second)
		s.Rouse()
		time.Sleep(time.Second)
		h.set(func() { h.down = false })
		time.Sleep(time.Second)
		if err := s.Play(t.Context(), ones(160)); err != nil {
			t.Fatal(err)
		}
		if err := s.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := h.sounded(); n != 160 {
			t.Errorf("%d samples heard", n)
		}
	})
}
