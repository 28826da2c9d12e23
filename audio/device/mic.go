package device

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/audio"
)

// MicConfig says which microphone to listen to, and who likes to know about it.
type MicConfig struct {
	Name  string // a part of the device's name, "" for the system's default
	Queue int    // frames that may wait for the reader before the oldest is dropped; 0 is 100, two seconds

	OnLevel  func(dbfs float64) // every 50 ms, audio.Silence while there is no microphone
	OnFault  func(error)        // what went wrong; Solo mends it by itself
	OnDevice func(name string)  // this microphone is used from now on
	Log      zerolog.Logger
}

// Mic is a microphone that goes on whatever happens to the device; meanwhile it gives silence.
type Mic struct {
	c    MicConfig
	keep *keeper

	mu      sync.Mutex
	queue   []audio.Frame
	dropped int64
	cut     *audio.Framer
	to16k   *audio.Resampler
	from    int // rate that to16k takes
	pcm     []int16
	energy  float64   // sum of squares since the last level
	heard   int       // samples in energy
	told    time.Time // when OnLevel was called
	ready   chan struct{}
	total   atomic.Int64 // samples that were added
	native  atomic.Int64 // the device's rate, Hz
}

// NewMic makes a microphone. Serve opens it.
func NewMic(c MicConfig) *Mic {
	if c.Queue <= 0 {
		c.Queue = 100
	}
	m := &Mic{c: c, cut: audio.NewFramer(0), ready: make(chan struct{}, 1)}
	m.keep = &keeper{kind: Capture, want: c.Name, rate: audio.Rate, start: openDriver, data: m.take, idle: m.idle, beat: m.level,
		fault: orNothing(c.OnFault), found: orNothing(c.OnDevice), log: c.Log}
	return m
}

// Serve keeps the microphone open until ctx ends. It fails at once with ErrNoMicrophone or ErrAbsent
// where at first there is none; one that is lost later is waited for.
func (m *Mic) Serve(ctx context.Context) error { return m.keep.serve(ctx) }

// Read gives the next frame, and waits for it. When the reader is late the oldest frames are dropped,
// which shows as a jump in Frame.At. It ends only with ctx.
func (m *Mic) Read(ctx context.Context) (audio.Frame, error) {
	for {
		if f, ok := m.next(); ok {
			return f, nil
		}
		select {
		case <-m.ready:
		case <-ctx.Done():
			return audio.Frame{}, context.Cause(ctx)
		}
	}
}

// Heard is how many samples at audio.Rate the microphone gave so far, read or not: the place of the next one.
func (m *Mic) Heard() int64 { return m.total.Load() }

// Native is the device's own rate in Hz, 0 until it gave its first sample.
func (m *Mic) Native() int { return int(m.native.Load()) }

// Dropped is how many frames were lost because the reader was late.
func (m *Mic) Dropped() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.dropped
}

func (m *Mic) next() (audio.Frame, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.queue) == 0 {
		return audio.Frame{}, false
	}
	f := m.queue[0]
	m.queue = m.queue[:copy(m.queue, m.queue[1:])]
	return f, true
}

// take gets samples from the device, at its own rate.
func (m *Mic) take(pcm []int16, rate int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.from != rate {
		m.to16k, m.from = audio.NewResampler(rate, audio.Rate), rate
		m.native.Store(int64(rate))
	}
	m.pcm = m.to16k.Process(m.pcm[:0], pcm)
	m.add(m.pcm)
}

// idle fills up with silence where the device gave nothing for d.
func (m *Mic) idle(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.from = 0 // what the resampler holds belongs to another time
	m.add(make([]int16, audio.Samples(min(max(d, 0), gap), audio.Rate)))
}

// add cuts frames and queues them.
func (m *Mic) add(pcm []int16) {
	for _, s := range pcm {
		m.energy += float64(s) * float64(s)
	}
	m.heard += len(pcm)
	m.total.Add(int64(len(pcm)))
	for f := range m.cut.Frames(pcm) {
		if len(m.queue) >= m.c.Queue {
			m.queue = m.queue[:copy(m.queue, m.queue[1:])]
			m.dropped++
		}
		m.queue = append(m.queue, f)
	}
	if len(m.queue) > 0 {
		select {
		case m.ready <- struct{}{}:
		default:
		}
	}
}

// level tells how loud the last tick was.
func (m *Mic) level() {
	if m.c.OnLevel == nil {
		return
	}
	m.mu.Lock()
	energy, heard := m.energy, m.heard
	if heard == 0 || time.Since(m.told) < tick-tick/10 {
		m.mu.Unlock()
		return
	}
	m.energy, m.heard, m.told = 0, 0, time.Now()
	m.mu.Unlock()
	m.c.OnLevel(max(audio.Silence, 10*math.Log10(energy/float64(heard)/(32768*32768)+1e-12)))
}

// orNothing makes a callback that may be called in any case.
func orNothing[T any](f func(T)) func(T) {
	if f == nil {
		return func(T) {}
	}
	return f
}
