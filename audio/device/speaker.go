package device

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/audio"
)

// SpeakerConfig says which speaker to play on, and who likes to know about it.
type SpeakerConfig struct {
	Name string // a part of the device's name, "" for the system's default
	Rate int    // of what is played, Hz; 0 is 48000

	OnFault  func(error)       // what went wrong; Solo mends it by itself
	OnDevice func(name string) // this speaker is used from now on
	// Played gets all that the device gets, silence too, from a thread that must not wait; nil for nobody.
	Played func(pcm []int16, rate int)
	Log    zerolog.Logger
}

// buffered is how much sound the device holds: what is in there can not be taken back.
const buffered = 40 * time.Millisecond

// fade is how long a hushed sound takes to end without a click.
const fade = 4 * time.Millisecond

// errClosed is what Play gives when Serve has ended.
var errClosed = errors.New("the speaker is closed")

// Speaker is a speaker that goes on whatever happens to the device; meanwhile what is played is lost.
type Speaker struct {
	c    SpeakerConfig
	q    *queue
	keep *keeper
	lost []int16
	used atomic.Int64 // when there was last something to play, in ns since 1970
	wake chan struct{}
}

// NewSpeaker makes a speaker. Serve opens it.
func NewSpeaker(c SpeakerConfig) *Speaker {
	if c.Rate == 0 {
		c.Rate = 48000
	}
	s := &Speaker{c: c, q: newQueue(c.Rate), wake: make(chan struct{}, 1)}
	s.used.Store(time.Now().UnixNano())
	s.keep = &keeper{kind: Playback, want: c.Name, rate: c.Rate, start: openDriver, data: s.give, idle: s.idle, beat: func() {},
		fault: orNothing(c.OnFault), found: orNothing(c.OnDevice), log: c.Log,
		needed: func() time.Time { return time.Unix(0, s.used.Load()) }, rouses: s.wake}
	return s
}

// Serve keeps the speaker open until ctx ends. It fails at once with ErrNoSpeaker or ErrAbsent
// where at first there is none; one that is lost later is waited for.
func (s *Speaker) Serve(ctx context.Context) error {
	s.q.end(nil)
	err := s.keep.serve(ctx)
	if errors.Is(err, ErrNoSpeaker) || errors.Is(err, ErrAbsent) {
		s.q.end(err)
	} else {
		s.q.end(errClosed)
	}
	return err
}

// Rate is the rate of Play, in Hz.
func (s *Speaker) Rate() int { return s.c.Rate }

// Play queues mono samples and blocks while more than 200 ms wait. It waits for Serve to begin,
// and fails when that has ended. A Hush during Play drops the rest of pcm too.
func (s *Speaker) Play(ctx context.Context, pcm []int16) error {
	s.Rouse()
	return s.q.put(ctx, pcm)
}

// Rouse tells that there will soon be something to play: a device that rests since nothing was said for a while is
// started, which takes it some time.
func (s *Speaker) Rouse() {
	was := s.used.Swap(time.Now().UnixNano())
	if time.Since(time.Unix(0, was)) < restful/2 {
		return
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Drain returns when all was played.
func (s *Speaker) Drain(ctx context.Context) error {
	if err := s.q.drain(ctx); err != nil {
		return err
	}
	return sleep(ctx, buffered, nil)
}

// Hush drops what waits to be played. The device is silent within 50 ms.
func (s *Speaker) Hush() { s.q.hush(int(audio.Samples(fade, s.c.Rate))) }

// give fills what the device asks for.
func (s *Speaker) give(pcm []int16, _ int) {
	n := s.q.take(pcm)
	if n > 0 {
		s.used.Store(time.Now().UnixNano())
	}
	clear(pcm[n:])
	if s.c.Played != nil {
		s.c.Played(pcm, s.c.Rate)
	}
}

// idle lets what was to be played in d pass by unheard, so that nobody waits for a device that is not there.
func (s *Speaker) idle(d time.Duration) {
	n := int(audio.Samples(min(max(d, 0), gap), s.c.Rate))
	if cap(s.lost) < n {
		s.lost = make([]int16, n)
	}
	s.q.take(s.lost[:n])
}
