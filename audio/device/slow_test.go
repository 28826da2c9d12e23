package device

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/audio"
)

// heardOf counts what was played of a sound of ones.
func (h *house) clear() { h.set(func() { h.played = nil }) }

// Whatever a loudspeaker needs to wake, the first half second of what is said is heard: at the start, and after a rest.
func TestASlowLoudspeakerLosesNoWord(t *testing.T) {
	for _, slow := range []time.Duration{100 * time.Millisecond, 700 * time.Millisecond, 1500 * time.Millisecond, 2300 * time.Millisecond} {
		t.Run(slow.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := &house{devices: []Info{{Name: "box", Default: true}}, slow: slow}
				s := NewSpeaker(SpeakerConfig{Rate: 16000, Log: zerolog.Nop()})
				s.keep.start = h.start
				run(t, s.Serve, func() {
					for range 2 {
						if err := s.Play(t.Context(), ones(8000)); err != nil {
							t.Fatal(err)
						}
						if err := s.Drain(t.Context()); err != nil {
							t.Fatal(err)
						}
						if n := h.sounded(); n != 8000 {
							t.Errorf("of half a second, %d samples of 8000 were heard", n)
						}
						h.clear()
						time.Sleep(restful + time.Second)
					}
				})
			})
		})
	}
}

// A loudspeaker that never wakes keeps nobody waiting for ever.
func TestALoudspeakerThatNeverWakesIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &house{devices: []Info{{Name: "box", Default: true}}, slow: time.Hour}
		s := NewSpeaker(SpeakerConfig{Rate: 16000, Log: zerolog.Nop()})
		s.keep.start = h.start
		run(t, s.Serve, func() {
			began := time.Now()
			_ = s.Play(t.Context(), ones(8000))
			_ = s.Drain(t.Context())
			if d := time.Since(began); d > 6*time.Second {
				t.Errorf("half a second of sound took %v", d)
			}
		})
	})
}

// A microphone that wakes late loses nothing of what comes once it is awake, and its places go on.
func TestASlowMicrophoneLosesNoWord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &house{devices: []Info{{Name: "four", Default: true}}, slow: 1500 * time.Millisecond}
		m := NewMic(MicConfig{Log: zerolog.Nop()})
		m.keep.start = h.start
		run(t, m.Serve, func() {
			if m.Native() != 0 {
				t.Errorf("a rate of %d Hz before there is sound", m.Native())
			}
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			var pcm []int16
			for {
				f, err := m.Read(ctx)
				if err != nil {
					break
				}
				if int(f.At) != len(pcm) {
					t.Fatalf("a frame at %d comes behind %d samples", f.At, len(pcm))
				}
				pcm = append(pcm, f.PCM...)
			}
			first := slices.Index(pcm, 4)
			if at := audio.Time(int64(first), audio.Rate); first < 0 || at > 1600*time.Millisecond || slices.Contains(pcm[first:], 0) || len(pcm)-first < 3*audio.Rate/4 {
				t.Errorf("awake at %v, of %d samples", at, len(pcm))
			}
			if m.Heard() < int64(len(pcm)) || m.Native() != audio.Rate {
				t.Errorf("%d samples at %d Hz", m.Heard(), m.Native())
			}
		})
	})
}
