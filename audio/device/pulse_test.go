//go:build linux && cgo

package device_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/device"
	"github.com/solo-assistant/solo/audio/device/pulsetest"
)

// melody is a tone that climbs, so that every moment of it is like no other.
func melody(rate int, d time.Duration) audio.Clip {
	c := audio.Clip{Format: audio.Format{Rate: rate, Channels: 1}, PCM: make([]int16, audio.Samples(d, rate))}
	phase := 0.0
	for i := range c.PCM {
		phase += 2 * math.Pi * (200 + 900*float64(i)/float64(len(c.PCM))) / float64(rate)
		c.PCM[i] = int16(9000*math.Sin(phase) + 4000*math.Sin(2.7*phase))
	}
	return c
}

// match finds want in got: the place of its first sample, the correlation there (1 is the same) and the SNR in dB.
func match(got, want []int16) (at int, corr, snr float64) {
	sums := func(l, step int) (ab, aa, bb float64) {
		for i := 0; i < len(want) && l+i < len(got); i += step {
			a, b := float64(got[l+i]), float64(want[i])
			ab, aa, bb = ab+a*b, aa+a*a, bb+b*b
		}
		return ab, aa, bb
	}
	best := math.Inf(-1)
	try := func(from, to, step, sparse int) {
		for l := max(0, from); l < min(to, len(got)-len(want)/2); l += step {
			ab, aa, bb := sums(l, sparse)
			if c := ab / math.Sqrt(aa*bb+1); c > best {
				best, at = c, l
			}
		}
	}
	try(0, len(got), 3, 67)
	best = math.Inf(-1)
	try(at-20, at+20, 1, 1)
	ab, aa, bb := sums(at, 1)
	return at, ab / math.Sqrt(aa*bb+1), 10 * math.Log10(ab*ab/(aa*bb-ab*ab+1))
}

// service runs a Serve beside the test.
func service(t *testing.T, serve func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := serve(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("served until %v", err)
		}
	})
	t.Cleanup(func() {
		began := time.Now()
		cancel()
		wg.Wait()
		if d := time.Since(began); d > time.Second {
			t.Errorf("it took %v to close the device", d)
		}
	})
}

// notes collects what is told about devices.
type notes struct {
	mu     sync.Mutex
	faults []error
	names  []string
}

func (n *notes) fault(err error)  { n.mu.Lock(); n.faults = append(n.faults, err); n.mu.Unlock() }
func (n *notes) name(name string) { n.mu.Lock(); n.names = append(n.names, name); n.mu.Unlock() }
func (n *notes) all() (string, []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	var said []string
	for _, err := range n.faults {
		said = append(said, err.Error())
	}
	return strings.Join(said, "; "), n.names
}

// read takes frames for d, or until until says so.
func read(t *testing.T, m *device.Mic, d time.Duration, until func(audio.Frame) bool) (pcm []int16, ok bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	for {
		f, err := m.Read(ctx)
		if err != nil {
			return pcm, false
		}
		pcm = append(pcm, f.PCM...)
		if until != nil && until(f) {
			return pcm, true
		}
	}
}

func loud(f audio.Frame) bool { return audio.Level(f.PCM) > -40 }

func TestMicHearsWhatIsPlayed(t *testing.T) {
	s := pulsetest.Start(t)
	var levels []float64
	var at []time.Time
	m := device.NewMic(device.MicConfig{OnLevel: func(l float64) { levels, at = append(levels, l), append(at, time.Now()) }})
	t.Run("live", func(t *testing.T) {
		service(t, m.Serve)
		began := time.Now()
		if _, err := m.Read(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Logf("first frame after %v", time.Since(began))
		var corr, snr float64
		for try := 0; try < 3 && corr < 0.99; try++ { // a very busy machine may lose a piece
			var wg sync.WaitGroup
			clip := melody(48000, 1500*time.Millisecond)
			wg.Go(func() { s.PlayIntoMic(clip) })
			got, _ := read(t, m, 2200*time.Millisecond, nil)
			wg.Wait()
			_, corr, snr = match(got, clip.Mono16k().PCM)
			t.Logf("correlation %.4f, SNR %.1f dB, %v in 2.2 s", corr, snr, audio.Time(int64(len(got)), audio.Rate))
		}
		if corr < 0.99 {
			t.Errorf("what was heard is not what was played: correlation %.3f", corr)
		}
	})
	top := audio.Silence
	for i, l := range levels {
		top = max(top, l)
		if i > 3 && at[i].Sub(at[i-3]) < 130*time.Millisecond {
			t.Errorf("levels come every %v", at[i].Sub(at[i-3])/3)
		}
	}
	if top < -20 || top > -5 || len(levels) < 30 {
		t.Errorf("%d levels up to %.1f dBFS", len(levels), top)
	}
}

// playAndRecord plays a second and says how well they were heard, and how long it took.
func playAndRecord(t *testing.T, s *pulsetest.Server, spk *device.Speaker) (corr float64, queued, drained time.Duration) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	wait := s.RecordSpeaker(ctx, 48000)
	clip := melody(spk.Rate(), time.Second)
	began := time.Now()
	if err := spk.Play(t.Context(), clip.PCM); err != nil {
		t.Fatal(err)
	}
	queued = time.Since(began)
	if err := spk.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	drained = time.Since(began)
	time.Sleep(200 * time.Millisecond)
	cancel()
	at, corr, snr := match(wait().PCM, clip.PCM)
	t.Logf("correlation %.4f, SNR %.1f dB, first sound %v after Play, queued after %v, drained after %v",
		corr, snr, audio.Time(int64(at), 48000), queued, drained)
	return corr, queued, drained
}

func TestSpeakerIsHeard(t *testing.T) {
	s := pulsetest.Start(t)
	spk := device.NewSpeaker(device.SpeakerConfig{})
	service(t, spk.Serve)
	var queued, drained time.Duration
	var corr float64
	for try := 0; try < 3 && corr < 0.99; try++ { // a very busy machine may lose a piece
		corr, queued, drained = playAndRecord(t, s, spk)
	}
	if corr < 0.99 {
		t.Errorf("what was played was not heard: correlation %.3f", corr)
	}
	if queued < 600*time.Millisecond || queued > time.Second || drained < 950*time.Millisecond || drained > 1300*time.Millisecond {
		t.Errorf("1 s was queued after %v and drained after %v", queued, drained)
	}
}

func TestSpeakerHushIsSilentWithin50ms(t *testing.T) {
	s := pulsetest.Start(t)
	spk := device.NewSpeaker(device.SpeakerConfig{})
	service(t, spk.Serve)
	ctx, cancel := context.WithCancel(t.Context())
	wait := s.RecordSpeaker(ctx, 48000)
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := spk.Play(t.Context(), melody(48000, 5*time.Second).PCM); err != nil {
			t.Error(err)
		}
	})
	// The recording's end is where it is cut off, so the time of the hush is counted from there.
	time.Sleep(time.Second)
	spk.Hush()
	wg.Wait()
	time.Sleep(500 * time.Millisecond)
	cancel()
	got := wait().PCM
	last := len(got)
	for last > 0 && got[last-1] > -50 && got[last-1] < 50 {
		last--
	}
	after := 500*time.Millisecond - audio.Time(int64(len(got)-last), 48000)
	t.Logf("silent %v after Hush", after)
	if last == 0 || after > 50*time.Millisecond {
		t.Errorf("sound until %v after Hush", after)
	}
}

func TestMicSurvives(t *testing.T) {
	s := pulsetest.Start(t)
	for name, tt := range map[string]struct {
		want   string // microphone
		before func()
		harm   func()
		says   string
		ends   string // the microphone in use
	}{
		"unplugging the named one": {
			want:   "usb",
			before: func() { s.PlugMic("usb", "UsbHeadset") },
			harm:   func() { s.Unplug("UsbHeadset") },
			says:   `"usb" is not there: using "VirtualMic"`,
			ends:   pulsetest.Mic,
		},
		"plugging the named one in": {
			want: "later",
			harm: func() { s.PlugMic("late", "LaterMic") },
			says: `"later" is not there: using "VirtualMic"`,
			ends: "LaterMic",
		},
		"unplugging the default": {
			before: func() { s.PlugMic("second", "SecondMic"); s.Default("SecondMic") },
			harm:   func() { s.Unplug("SecondMic"); s.Default(pulsetest.Mic) },
			ends:   pulsetest.Mic,
		},
		"another default": {
			before: func() { s.PlugMic("third", "ThirdMic") },
			harm:   func() { s.Default("ThirdMic") },
			ends:   "ThirdMic",
		},
		"a restarted server": {
			harm: func() { s.Restart(300 * time.Millisecond) },
			says: `"VirtualMic" gives no sound`,
			ends: pulsetest.Mic,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s.Default(pulsetest.Mic)
			if tt.before != nil {
				tt.before()
			}
			var n notes
			m := device.NewMic(device.MicConfig{Name: tt.want, OnFault: n.fault, OnDevice: n.name})
			service(t, m.Serve)
			read(t, m, 300*time.Millisecond, nil)
			tt.harm()
			harmed := time.Now()
			clip := melody(48000, 250*time.Millisecond)
			var wg sync.WaitGroup
			stop, cancel := context.WithCancel(t.Context())
			wg.Go(func() {
				for stop.Err() == nil {
					s.PlayIntoMic(clip)
				}
			})
			for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); {
				if _, names := n.all(); len(names) > 1 && names[len(names)-1] == tt.ends {
					break
				}
				read(t, m, 20*time.Millisecond, nil)
			}
			_, ok := read(t, m, 5*time.Second, loud)
			took := time.Since(harmed)
			cancel()
			wg.Wait()
			says, names := n.all()
			t.Logf("sound again after %v, devices %v, said: %s", took, names, says)
			if !ok || took > 3*time.Second {
				t.Errorf("it took %v to hear again", took)
			}
			if !strings.Contains(says, tt.says) {
				t.Errorf("said %q, want %q", says, tt.says)
			}
			if len(names) == 0 || names[len(names)-1] != tt.ends {
				t.Errorf("devices %v, want %s in the end", names, tt.ends)
			}
		})
	}
}

func TestSpeakerSurvives(t *testing.T) {
	s := pulsetest.Start(t)
	s.PlugSpeaker("usb", "UsbSpeaker")
	var n notes
	spk := device.NewSpeaker(device.SpeakerConfig{Name: "usb", OnFault: n.fault, OnDevice: n.name})
	service(t, spk.Serve)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		tone := melody(48000, 100*time.Millisecond)
		for ctx.Err() == nil {
			if err := spk.Play(ctx, tone.PCM); err != nil && ctx.Err() == nil {
				t.Error(err)
			}
		}
	})
	defer wg.Wait()
	defer cancel()
	for _, tt := range []struct {
		what, monitor string
		harm          func()
	}{
		{"unplugged", "vspk.monitor", func() { s.Unplug("UsbSpeaker") }},
		{"plugged in again", "usb.monitor", func() { s.PlugSpeaker("usb", "UsbSpeaker") }},
		{"server restarted", "vspk.monitor", func() { s.Restart(0) }},
	} {
		time.Sleep(500 * time.Millisecond)
		tt.harm()
		began := time.Now()
		sound := false
		for !sound && time.Since(began) < 4*time.Second {
			listen, stop := context.WithTimeout(t.Context(), 150*time.Millisecond)
			sound = audio.Level(s.Record(listen, tt.monitor, 16000)().PCM) > -40
			stop()
		}
		t.Logf("%s: sound again within %v", tt.what, time.Since(began))
		if !sound || time.Since(began) > 3*time.Second {
			t.Errorf("%s: sound %v after %v", tt.what, sound, time.Since(began))
		}
	}
	says, names := n.all()
	t.Logf("devices %v, said: %s", names, says)
}

func TestListNamesTheDevices(t *testing.T) {
	s := pulsetest.Start(t)
	for kind, want := range map[device.Kind]string{device.Capture: pulsetest.Mic, device.Playback: pulsetest.Speaker} {
		began := time.Now()
		found, err := device.List(kind)
		if err != nil || found[0].Name != want || !found[0].Default || found[0].Monitor {
			t.Errorf("%v %v", found, err)
		}
		t.Logf("%d %ss listed in %v", len(found), kind, time.Since(began))
	}
	s.Unplug(pulsetest.Mic)
	if found, err := device.List(device.Capture); !errors.Is(err, device.ErrNoMicrophone) {
		t.Errorf("only monitors are left, and yet: %v %v", found, err)
	}
	s.Stop()
	began := time.Now()
	if _, err := device.List(device.Playback); !errors.Is(err, device.ErrNoSpeaker) || time.Since(began) > 100*time.Millisecond {
		t.Errorf("without a server: %v after %v", err, time.Since(began))
	}
}
