package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// session is a solo run on the virtual microphone and speaker.
type session struct {
	*program
	sound   *pulse
	close   func()
	started time.Duration // from the start of the program to its word that it listens
}

// startLimit is how long a start may take that builds its models first.
const startLimit = 3 * time.Minute

// run starts solo run and waits until it listens.
func (b *bench) run(ctx context.Context, home string, settings ...string) (*session, error) {
	sound, err := b.pulse(ctx)
	if err != nil {
		return nil, err
	}
	// Settings that are there already keep it from asking who we are.
	if err := os.MkdirAll(home, 0o755); err != nil {
		return nil, fmt.Errorf("make a home for solo: %w", err)
	}
	if err := os.WriteFile(filepath.Join(home, "config.toml"), nil, 0o644); err != nil {
		return nil, fmt.Errorf("make a home for solo: %w", err)
	}
	in, closeIn, err := terminal()
	if err != nil {
		return nil, err
	}
	args := []string{"run"}
	for _, s := range settings {
		args = append(args, "--set", s)
	}
	began := time.Now()
	p, err := b.start(ctx, home, sound.env, in, args...)
	if err != nil {
		closeIn()
		return nil, err
	}
	s := &session{program: p, sound: sound, close: closeIn}
	ready, ok := p.await(ctx, 0, startLimit, func(l line) bool { return l.Event == "ready" })
	if !ok || !strings.HasPrefix(ready.Text, "Listening") {
		err := fmt.Errorf("solo run does not listen%s%s", s.lastWords(), s.notes())
		s.end()
		return nil, err
	}
	s.started = ready.came.Sub(began)
	return s, nil
}

// notes is what it had to say beside errors.
func (s *session) notes() (text string) {
	for _, l := range s.printed(0) {
		if l.Event == "note" || l.Event == "ready" {
			text += "; " + l.Text
		}
	}
	return text
}

// end stops it as Ctrl-C does.
func (s *session) end() {
	_ = s.stop() // how it ends is not measured
	s.close()
}

// exchange is one turn that was played.
type exchange struct {
	outcome
	began, ended time.Time     // from the first sample's way into the microphone to the end of the answer
	rest         time.Duration // until Solo no longer listens for a reply
}

// tail is played behind an order, so that the room does not fall silent with its last word.
const tail = 1500

// say plays a turn and waits for its answer, if one comes.
func (s *session) say(ctx context.Context, o spoken) (exchange, error) {
	t := &tape{}
	t.wait(ms(300))
	t.turn(o.order, o.voice, o.wake, o.words, o.gap)
	t.wait(ms(tail))
	e := exchange{outcome: unheard(t.turns[0]), began: time.Now()}
	n := len(s.printed(0))
	played := make(chan error, 1)
	go func() { played <- s.sound.play(ctx, inRoom(t.pcm)) }()
	woke := false
	var id uint64
	_, _ = s.await(ctx, n, audio.Time(int64(len(t.pcm)), audio.Rate)+ms(12000), func(l line) bool {
		if l.Event == "wake" {
			woke, id = true, l.Turn
		}
		return woke && l.Event == "turn" && l.Turn == id
	})
	if err := <-played; err != nil {
		return e, err
	}
	e.ended = time.Now()
	e.take(s.printed(n), id)
	time.Sleep(ms(400))
	for _, l := range s.printed(n) {
		if l.Event == "reply" && strings.HasSuffix(l.Text, "?") {
			e.rest = ms(5500)
		}
	}
	return e, ctx.Err()
}
