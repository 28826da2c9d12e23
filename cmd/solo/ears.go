package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen"
	"github.com/solo-assistant/solo/audio/stt/sphinx"
	"github.com/solo-assistant/solo/core/dialog"
	"github.com/solo-assistant/solo/core/supervise"
)

// hearing is what Solo hears the room with. Its engines take time to load, so it comes to be while Solo runs already.
type hearing struct {
	mu       sync.Mutex
	listener *listen.Listener // nil while there is none
	deaf     error            // why there is none although there is a microphone

	loading sync.Mutex
	stt     *sphinx.Engine // nil until a microphone needs it
}

// now is the listener, nil without one.
func (h *hearing) now() *listen.Listener {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.listener
}

// why tells why there is no listener although there is a microphone, nil for no reason.
func (h *hearing) why() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.deaf
}

// muted tells whether the microphone is closed by the user's word.
func (h *hearing) muted() bool {
	l := h.now()
	return l != nil && l.Muted()
}

func (h *hearing) set(l *listen.Listener, deaf error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.listener, h.deaf = l, deaf
}

// ear is the service that loads the engines and listens.
type ear struct {
	s *assistant
	e ends
}

func (ear) String() string { return "listen" }

// Serve listens until ctx ends or the source does. Where an engine is missing it ends at once, and hearing tells why.
func (r ear) Serve(ctx context.Context) error {
	l := r.s.hearing.now()
	if l == nil {
		var err error
		l, err = r.s.newListener(ctx, r.e.source)
		r.s.hearing.set(l, err)
	}
	supervise.Ready(ctx)
	var err error
	if l != nil {
		err = l.Serve(ctx)
	}
	if err == nil && r.e.last != nil {
		r.e.last()
	}
	return err
}

// newListener puts wake word, VAD and recogniser behind the microphone.
func (s *assistant) newListener(ctx context.Context, source listen.Source) (*listen.Listener, error) {
	open, err := s.opener()
	if err != nil {
		return nil, fmt.Errorf("recogniser: %w", err)
	}
	vad, err := s.app.newVAD()
	if err != nil {
		return nil, fmt.Errorf("voice activity: %w", err)
	}
	wake, err := s.newWake()
	if err != nil {
		return nil, fmt.Errorf("wake word: %w", err)
	}
	l, err := listen.New(listen.Config{
		Source: source, Wake: wake, VAD: vad, Open: open, Complete: commands().Complete,
		Woke: s.woke, Partial: s.dialog.Partial, Missed: s.dialog.Missed, Ended: hearer(s.dialog),
		Own: func(word string) bool {
			said := strings.Contains(strings.ToLower(s.speaker.Saying()), strings.ToLower(word))
			return s.levels.own(said)
		},
		Turns: s.giveTurns(), Tuning: s.app.settings.Listen.Tuning, Log: s.app.log,
	})
	if err != nil {
		return nil, errors.Join(err, wake.Close())
	}
	s.hold(wake)
	if muted, ok, err := s.memory.Get(ctx, "muted"); err == nil && ok && muted == "true" {
		l.Mute(true)
	}
	return l, nil
}

// hearer hands finished utterances to a conversation.
func hearer(d *dialog.Conductor) func(*listen.Utterance) {
	return func(u *listen.Utterance) {
		d.Hear(dialog.Utterance{Start: u.Start, End: u.End, Endpoint: u.Endpoint, Finish: u.Finish})
	}
}

// recogniser is the one that all microphones share; it is made at the first call.
func (s *assistant) recogniser() (*sphinx.Engine, error) {
	s.hearing.loading.Lock()
	defer s.hearing.loading.Unlock()
	if s.hearing.stt != nil {
		return s.hearing.stt, nil
	}
	stt, err := s.app.newRecogniser()
	if err != nil {
		return nil, err
	}
	s.hearing.stt = stt
	s.hold(stt)
	return stt, nil
}

// opener gives each utterance a stream of the recogniser.
func opener(e *sphinx.Engine) func(context.Context) (listen.Stream, error) {
	return func(ctx context.Context) (listen.Stream, error) {
		st, err := e.Open(ctx)
		if err != nil {
			return nil, err // not a nil *sphinx.Stream in an interface
		}
		return st, nil
	}
}

// woke opens a turn, and a loudspeaker that rests meanwhile is started: there will be an answer.
func (s *assistant) woke(hit audio.Hit, at time.Duration) {
	s.rouse()
	s.wakes.woke(hit, at)
	s.dialog.Woke(hit, at)
}

func (s *assistant) rouse() {
	s.thrift.rouse()
	if r, ok := s.sink.(interface{ Rouse() }); ok {
		r.Rouse()
	}
}

// ears leads the listener where there is one.
type ears struct{ s *assistant }

func (e ears) Gate(on bool) {
	if l := e.s.hearing.now(); l != nil {
		l.Gate(on)
	}
}

func (e ears) Attend(window time.Duration) {
	if l := e.s.hearing.now(); l != nil {
		l.Attend(window)
	}
}

func (e ears) Muted() bool { return e.s.hearing.muted() }
