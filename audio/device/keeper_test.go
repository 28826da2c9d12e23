package device

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// house is a sound system for tests: its devices come and go, and it can misbehave.
type house struct {
	mu      sync.Mutex
	devices []Info
	down    bool          // no server
	mute    bool          // devices open, but give nothing
	stuck   chan struct{} // closing a device waits for this
	jammed  chan struct{} // listing devices waits for this
	opens   int
	pauses  int
	played  []int16
	slow    time.Duration // from opening or resuming until there is sound
}

func (h *house) set(f func()) { h.mu.Lock(); f(); h.mu.Unlock() }

func (h *house) start(k Kind) (driver, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.down {
		return nil, k.none()
	}
	return h, nil
}

func (h *house) close() {}

func (h *house) list(Kind) ([]Info, error) {
	h.mu.Lock()
	jammed, down, found := h.jammed, h.down, append([]Info(nil), h.devices...)
	h.mu.Unlock()
	if jammed != nil {
		<-jammed
	}
	if down {
		return nil, errors.New("connection refused")
	}
	for i := range found {
		found[i].id = found[i].Name
	}
	return found, nil
}

// open runs a device that gives 10 ms of its name's length, or takes it, until it is gone.
func (h *house) open(k Kind, id any, rate int, data func([]int16, int)) (line, error) {
	h.set(func() { h.opens++ })
	name, _ := id.(string)
	if id == nil {
		for _, d := range h.devices {
			if d.Default {
				name = d.Name
			}
		}
	}
	l := &houseLine{h: h, stop: make(chan struct{})}
	l.woke.Store(time.Now().UnixNano())
	l.wg.Go(func() {
		t := time.NewTicker(10 * time.Millisecond)
		defer t.Stop()
		for {
			select {
			case <-l.stop:
				return
			case <-t.C:
			}
			if !h.has(name) || l.paused.Load() || l.asleep() {
				continue
			}
			pcm := make([]int16, rate/100)
			if k == Capture {
				for i := range pcm {
					pcm[i] = int16(len(name))
				}
			}
			data(pcm, rate)
			if k == Playback {
				h.set(func() { h.played = append(h.played, pcm...) })
			}
		}
	})
	return l, nil
}

func (h *house) has(name string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, d := range h.devices {
		if d.Name == name {
			return !h.down && !h.mute
		}
	}
	return false
}

type houseLine struct {
	h      *house
	stop   chan struct{}
	paused atomic.Bool
	woke   atomic.Int64 // when it was opened or resumed
	wg     sync.WaitGroup
}

// asleep says that the device does not give sound yet.
func (l *houseLine) asleep() bool {
	l.h.mu.Lock()
	defer l.h.mu.Unlock()
	return time.Since(time.Unix(0, l.woke.Load())) < l.h.slow
}

func (l *houseLine) running() bool { return true }
func (l *houseLine) pause() error {
	l.paused.Store(true)
	l.h.set(func() { l.h.pauses++ })
	return nil
}

func (l *houseLine) resume() error {
	l.h.mu.Lock()
	down := l.h.down
	l.h.mu.Unlock()
	if down {
		return errors.New("connection terminated")
	}
	l.woke.Store(time.Now().UnixNano())
	l.paused.Store(false)
	return nil
}

func (l *houseLine) close() {
	l.h.mu.Lock()
	stuck := l.h.stuck
	l.h.mu.Unlock()
	if stuck != nil {
		<-stuck
	}
	close(l.stop)
	l.wg.Wait()
}

// run serves until the test's function is done, in a bubble where time is free.
func run(t *testing.T, serve func(context.Context) error, f func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := serve(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("served until %v", err)
		}
	})
	f()
	cancel()
	wg.Wait()
}

// hear reads frames for d and gives how long each device was heard, by the length of its name; 0 is silence.
func hear(t *testing.T, m *Mic, d time.Duration) map[int]time.Duration {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	heard, at := map[int]time.Duration{}, int64(-1)
	for {
		f, err := m.Read(ctx)
		if err != nil {
			return heard
		}
		if at >= 0 && f.At != at {
			t.Fatalf("frame at %d, want %d", f.At, at)
		}
		at = f.At + audio.FrameLen
		heard[int(f.PCM[audio.FrameLen/2])] += audio.FrameTime
	}
}

func about(got, want time.Duration) bool {
	return got >= want-250*time.Millisecond && got <= want+250*time.Millisecond
}

func TestMicThroughTroubles(t *testing.T) {
	const a, bb = 1, 2 // lengths of the names
	devices := []Info{{Name: "A", Default: true}, {Name: "BB"}}
	for name, tt := range map[string]struct {
		want  string
		harm  func(h *house)
		mend  func(h *house)        // after five seconds
		heard map[int]time.Duration // in the ten seconds from the harm on
		says  string
	}{
		"nothing happens": {heard: map[int]time.Duration{a: 10 * time.Second}},
		"the default goes": {
			harm:  func(h *house) { h.devices = []Info{{Name: "BB", Default: true}} },
			heard: map[int]time.Duration{0: 600 * time.Millisecond, bb: 9400 * time.Millisecond},
		},
		"the named one goes and comes": {
			want:  "bb",
			harm:  func(h *house) { h.devices = devices[:1] },
			mend:  func(h *house) { h.devices = devices },
			heard: map[int]time.Duration{0: 600 * time.Millisecond, a: 4900 * time.Millisecond, bb: 4500 * time.Millisecond},
			says:  `"bb" is not there: using "A"`,
		},
		"another default": {
			harm:  func(h *house) { h.devices = []Info{{Name: "A"}, {Name: "BB", Default: true}} },
			heard: map[int]time.Duration{a: 700 * time.Millisecond, bb: 9300 * time.Millisecond},
		},
		"the server stops and starts": {
			harm:  func(h *house) { h.down = true },
			mend:  func(h *house) { h.down = false },
			heard: map[int]time.Duration{0: 5200 * time.Millisecond, a: 4800 * time.Millisecond},
			says:  `"A" gives no sound any more`,
		},
		"a dead device hangs when it is closed": {
			harm:  func(h *house) { h.devices, h.stuck = []Info{{Name: "BB", Default: true}}, make(chan struct{}) },
			heard: map[int]time.Duration{0: 2600 * time.Millisecond, bb: 7400 * time.Millisecond},
			says:  `"A" gives no sound any more`,
		},
		"the server hangs": {
			harm:  func(h *house) { h.jammed, h.mute = make(chan struct{}), true },
			mend:  func(h *house) { close(h.jammed); h.jammed, h.mute = nil, false },
			heard: map[int]time.Duration{0: 5 * time.Second, a: 5 * time.Second},
			says:  "does not answer",
		},
		"a device opens but gives nothing": {
			harm:  func(h *house) { h.mute = true },
			mend:  func(h *house) { h.mute = false },
			heard: map[int]time.Duration{0: 5 * time.Second, a: 5 * time.Second},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := &house{devices: devices}
				var said []string
				m := NewMic(MicConfig{Name: tt.want, OnFault: func(err error) { said = append(said, err.Error()) }})
				m.keep.start = h.start
				run(t, m.Serve, func() {
					hear(t, m, 1300*time.Millisecond) // between two looks at the devices
					if tt.harm != nil {
						h.set(func() { tt.harm(h) })
					}
					heard := hear(t, m, 5*time.Second)
					if tt.mend != nil {
						h.set(func() { tt.mend(h) })
					}
					for k, d := range hear(t, m, 5*time.Second) {
						heard[k] += d
					}
					for k := range 3 {
						if !about(heard[k], tt.heard[k]) {
							t.Errorf("heard %v (0 is silence), want %v", heard, tt.heard)
							break
						}
					}
					if h.stuck != nil {
						close(h.stuck)
					}
				})
				if all := strings.Join(said, "; "); !strings.Contains(all, tt.says) || len(said) > 4 {
					t.Errorf("said %d things: %s; want %q", len(said), all, tt.says)
				}
			})
		})
	}
}

func TestServeSaysThatThereIsNone(t *testing.T) {
	for name, h := range map[string]*house{
		"no server":      {down: true},
		"no device":      {},
		"only a monitor": {devices: []Info{{Name: "Monitor of A", Monitor: true, Default: true}}},
	} {
		m := NewMic(MicConfig{})
		m.keep.start = h.start
		if err := m.Serve(t.Context()); !errors.Is(err, ErrNoMicrophone) {
			t.Errorf("%s: %v", name, err)
		}
		s := NewSpeaker(SpeakerConfig{})
		s.keep.start = h.start
		if err := s.Serve(t.Context()); !errors.Is(err, ErrNoSpeaker) {
			t.Errorf("%s: %v", name, err)
		}
		if err := s.Play(t.Context(), make([]int16, 9)); !errors.Is(err, ErrNoSpeaker) {
			t.Errorf("%s: playing: %v", name, err)
		}
	}
}

func TestPick(t *testing.T) {
	devices := []Info{{Name: "Monitor of USB Speaker", Monitor: true}, {Name: "USB Camera"}, {Name: "Built-in", Default: true}, {Name: "usb"}}
	for want, expect := range map[string]string{"": "Built-in", "camera": "USB Camera", "USB": "usb", "usb c": "USB Camera",
		"monitor": "Monitor of USB Speaker", "missing": "Built-in", "speaker": "Monitor of USB Speaker"} {
		got, wished, err := pick(Capture, devices, want)
		if err != nil || got.Name != expect || wished != (want != "missing") {
			t.Errorf("%q: %q %v %v, want %q", want, got.Name, wished, err, expect)
		}
	}
}

func TestMicDropsTheOldestWhenTheReaderIsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &house{devices: []Info{{Name: "A", Default: true}}}
		m := NewMic(MicConfig{Queue: 10})
		m.keep.start = h.start
		run(t, m.Serve, func() {
			time.Sleep(time.Second)
			f, err := m.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if lost := m.Dropped(); lost < 35 || lost > 40 || f.At != lost*audio.FrameLen {
				t.Errorf("%d dropped, the first frame is at %d", lost, f.At)
			}
		})
	})
}

func TestMicTellsTheLevel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &house{devices: []Info{{Name: strings.Repeat("x", 250), Default: true}}}
		var levels []float64
		m := NewMic(MicConfig{OnLevel: func(l float64) { levels = append(levels, l) }})
		m.keep.start = h.start
		run(t, m.Serve, func() {
			time.Sleep(1020 * time.Millisecond)
			h.set(func() { h.down = true })
			time.Sleep(1500 * time.Millisecond)
		})
		if len(levels) < 35 || levels[10] > -42.3 || levels[10] < -42.4 || levels[len(levels)-1] != audio.Silence {
			t.Errorf("%d levels: %.2f", len(levels), levels)
		}
	})
}

func TestSpeakerDoesNotHoldItsCallerUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &house{devices: []Info{{Name: "A", Default: true}}}
		s := NewSpeaker(SpeakerConfig{Rate: 16000})
		s.keep.start = h.start
		run(t, s.Serve, func() {
			time.Sleep(time.Second)
			h.set(func() { h.down = true })
			began := time.Now()
			if err := s.Play(t.Context(), make([]int16, 5*16000)); err != nil {
				t.Fatal(err)
			}
			if err := s.Drain(t.Context()); err != nil {
				t.Fatal(err)
			}
			if d := time.Since(began); d < 4500*time.Millisecond || d > 5500*time.Millisecond {
				t.Errorf("5 s passed in %v while there was no speaker", d)
			}
			h.set(func() { h.down = false; h.played = nil })
			time.Sleep(time.Second)
			if err := s.Play(t.Context(), []int16{7, 8, 9}); err != nil {
				t.Fatal(err)
			}
			if err := s.Drain(t.Context()); err != nil {
				t.Fatal(err)
			}
			h.mu.Lock()
			defer h.mu.Unlock()
			sum := 0
			for _, v := range h.played {
				sum += int(v)
			}
			if sum != 24 {
				t.Errorf("the speaker that came back played %d", sum)
			}
		})
		if err := s.Play(t.Context(), []int16{1}); err == nil {
			t.Error("played on a closed speaker")
		}
	})
}

func TestSpeakerPlayEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSpeaker(SpeakerConfig{Rate: 16000}) // not served yet
		why := errors.New("barge-in")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(why) })
		if err := s.Play(ctx, make([]int16, 16000)); !errors.Is(err, why) {
			t.Error(err)
		}
		if err := s.Drain(ctx); !errors.Is(err, why) {
			t.Error(err)
		}
		s.Hush()
		if n, _, _ := s.q.state(); n != 64 {
			t.Errorf("%d samples wait after Hush, 4 ms are to fade", n)
		}
	})
}
