// Package echo takes Solo's own voice out of what the microphone hears, so that the user is heard while Solo speaks.
//
// A Canceller stands between the microphone and its reader, and is told what the loudspeaker gets. While Solo speaks,
// and shortly after, it finds how much later the echo comes and how the two devices' clocks drift (aligner.go), has the
// echo taken out by speexdsp's canceller (speex.go, build tag speex), and lets only what is clearly louder than the rest
// of the echo through (gate.go). The rest of the time frames pass untouched.
//
// It measures what it does. Where there is no echo, as with headphones, the microphone is left as it is. Where there is
// one that cannot be taken out, it chooses half-duplex by itself: who is much louder than Solo is heard, and nobody else.
//
// Concurrency: Read is for one goroutine at a time; Played, State and Over may be called from any.
package echo

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/audio"
)

// The filter's sizes, in samples.
const (
	block = 320                   // it works on so much at once
	tail  = audio.Rate * 32 / 100 // longest echo of a room
)

// after is how long after the last sound there may still be an echo, in samples.
const after = audio.Rate * 9 / 10

// Source gives the microphone's frames.
type Source interface {
	Read(ctx context.Context) (audio.Frame, error)
}

// Config says whom to listen to and how. Source and Now are needed.
type Config struct {
	Source  Source
	Now     func() int64 // samples that the microphone gave so far, at audio.Rate; called from any goroutine
	Use     Use
	OnState func(State) // the mode changed; called by Read
	Log     zerolog.Logger
}

// Canceller is a microphone without Solo's own voice.
type Canceller struct {
	c   Config
	ref *reference

	align  *aligner
	filter *speex
	heard  meter // of frames as they are heard
	left   meter // and of what is left of them
	calm   calm
	floor  float64
	hall   hall
	gate   gate
	judge  judge
	speaks atomic.Bool // Solo does
	grown  int         // frames in a row that the filter made louder
	gain   float64     // by how much loud frames are weakened, dB, of late
	far    [frame]int16
	tap    func(at int64, left []int16) // of a test: what the filter leaves

	keep int // frames to hold back

	over  atomic.Bool // the user speaks over Solo
	sure  atomic.Bool // and is much louder
	mu    sync.Mutex
	state State
}

// New makes a canceller.
func New(c Config) *Canceller {
	r := newReference(c.Now)
	c.Log = c.Log.With().Str("part", "echo").Logger()
	e := &Canceller{c: c, ref: r, align: newAligner(r), gate: gate{hiss: hiss{seed: 1}}}
	e.judge = judge{use: c.Use, built: Built}
	e.state = e.judge.state(e.align)
	return e
}

// Played tells what the loudspeaker gets now, mono at rate Hz. It is short, and never waits for Read.
func (e *Canceller) Played(pcm []int16, rate int) {
	if e.c.Use != Off {
		e.ref.played(pcm, rate)
	}
}

// Read gives the next frame of the microphone. While Solo speaks it is some frames behind: its place is that of the
// frame from which it was made.
func (e *Canceller) Read(ctx context.Context) (audio.Frame, error) {
	for {
		if f, ok := e.gate.next(e.keep); ok {
			return f, nil
		}
		f, err := e.c.Source.Read(ctx)
		if err != nil {
			e.keep = 0
			if f, ok := e.gate.next(0); ok {
				return f, nil
			}
			return f, err
		}
		if e.c.Use == Off || len(f.PCM) != frame {
			return f, nil
		}
		if level := e.heard.level(f.PCM); f.At <= e.ref.loud.Load()+after {
			e.clean(f, level)
			continue
		} else if e.calm.hear(level); e.speaks.Load() {
			e.end()
		}
		if len(e.gate.wait) == 0 {
			return f, nil
		}
		e.gate.through(audio.Frame{At: f.At, PCM: slices.Clone(f.PCM)}, false)
	}
}

// begin prepares for Solo's speaking.
func (e *Canceller) begin() {
	e.speaks.Store(true)
	e.floor = e.calm.floor()
	e.align.begin()
	e.gate.loud, e.gate.sure, e.gate.open, e.gate.shut = 0, 0, 0, false
	e.hall = hall{}
	if e.filter == nil && Built {
		e.filter = newFilter()
	}
}

// end goes back to leaving the microphone as it is.
func (e *Canceller) end() {
	e.keep = 0
	e.speaks.Store(false)
	e.over.Store(false)
	e.sure.Store(false)
	e.tell()
}

// clean makes a frame of what is heard while Solo speaks, for the gate to hold.
func (e *Canceller) clean(f audio.Frame, level float64) {
	if !e.speaks.Load() {
		e.begin()
	}
	e.align.hear(f.At, f.PCM, e.ref.sounds(f.At))
	aligned := e.align.read(e.far[:], f.At)
	m := moment{echo: e.hall.play(e.expect(f.At, aligned)), heard: level, rest: level, floor: e.floor, aligned: aligned}
	out := audio.Frame{At: f.At, PCM: slices.Clone(f.PCM)}
	if aligned && e.judge.cancels() {
		m.rest = e.cancel(out.PCM, f.PCM, level)
	}
	if e.tap != nil {
		e.tap(f.At, out.PCM)
	}
	if most, known := e.judge.most(m.echo, e.align, aligned); known {
		e.gate.take(out, m.rest, most, e.floor)
		e.keep = ahead
	} else {
		e.gate.through(out, e.judge.mode == Clear)
		e.keep = 0
	}
	e.align.poor = aligned && e.judge.cancels() && e.poorly(level-m.rest, m)
	m.users = e.gate.open > 0
	m.power, m.left = energy(f.PCM), energy(out.PCM)
	if e.judge.hear(m, e.align) {
		e.tell()
	}
	e.over.Store(e.gate.over(false))
	e.sure.Store(e.gate.over(true))
}

// expect is the level of what was played and may be heard now.
func (e *Canceller) expect(at int64, aligned bool) float64 {
	var m meter
	if aligned {
		return m.level(e.far[:])
	}
	// The delay is only about known: the loudest of what was played around it counts.
	delay, reach := e.align.delay, 2
	if !e.align.known {
		delay, reach = 0.15*audio.Rate, 8
	}
	top := quietest
	var near [frame]int16
	for i := -reach; i <= reach; i++ {
		e.ref.read(near[:], math.Floor(e.ref.place(at)-delay)+float64(i*frame), 1)
		top = max(top, m.level(near[:]))
	}
	return top
}

// poorly says whether the loud frames of late were hardly weakened.
func (e *Canceller) poorly(by float64, m moment) bool {
	if m.echo > e.judge.top-10 {
		e.gain += 0.1 * (by - e.gain)
	}
	return e.gain < 4
}

// cancel has the echo taken out and gives the level of the rest. A filter that makes things worse is not heard, and
// forgets after a while.
func (e *Canceller) cancel(out, heard []int16, level float64) float64 {
	e.filter.cancel(out, heard, e.far[:])
	rest := e.left.level(out)
	if rest <= level+3 {
		e.grown = 0
		return rest
	}
	copy(out, heard)
	if e.grown++; e.grown > 25 {
		e.filter.reset()
		e.grown = 0
	}
	return level
}

// Over says whether the user speaks over Solo: in the last 1.3 s there was sound that cannot be Solo's own. It is true
// where there is no echo, and false while nothing is known of it.
func (e *Canceller) Over() bool { return e.over.Load() }

// Own says whether a wake word that is heard now may be Solo's own; said tells that it is in what Solo says, which is all
// that is known before anything was measured.
func (e *Canceller) Own(said bool) bool {
	switch e.State().Mode {
	case Clear:
		return false
	case Cancelling, HalfDuplex:
		return e.speaks.Load() && (!e.Over() || said && !e.sure.Load())
	}
	return said
}

// State is how it goes.
func (e *Canceller) State() State {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.state
}

// tell keeps the state for whoever asks, and reports another mode.
func (e *Canceller) tell() {
	s := e.judge.state(e.align)
	e.mu.Lock()
	was := e.state
	e.state = s
	e.mu.Unlock()
	if was.Mode == s.Mode && was.Why == s.Why {
		return
	}
	e.c.Log.Info().Str("mode", string(s.Mode)).Str("why", s.Why).Float64("erle_db", s.ERLE).Dur("delay", s.Delay).Float64("drift_ppm", s.Drift).Msg("echo")
	if e.c.OnState != nil {
		e.c.OnState(s)
	}
}

// Close frees the filter. Nothing may be read any more.
func (e *Canceller) Close() error {
	if e.filter != nil {
		e.filter.close()
		e.filter = nil
	}
	return nil
}

// String names what it is made of.
func (e *Canceller) String() string {
	switch {
	case e.c.Use == Off:
		return "off"
	case Built:
		return "speexdsp"
	}
	return "gate"
}
