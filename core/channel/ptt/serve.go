package ptt

import (
	"context"
	"errors"
	"time"

	"github.com/solo-assistant/solo/core/channel/ptt/internal/keys"
	"github.com/solo-assistant/solo/core/supervise"
)

// Pauses between tries to watch the keys.
const (
	firstPause   = 2 * time.Second
	longestPause = time.Minute
	steady       = time.Minute // keys that were watched this long are tried again soon
)

// watcher knows one system's keyboard.
type watcher interface {
	// Watch takes the chords, calls ready once it has them, and calls told from one goroutine each
	// time one goes down or up, once each. It returns nil when ctx ends, else what went wrong, and has
	// given the chords back by then.
	Watch(ctx context.Context, want []keys.Wish, ready func(), told func(keys.Event)) error
	String() string
}

// Serve watches the keys until ctx ends. What keeps it from that is noted as Trouble, and tried again
// after a pause.
func (d *Door) Serve(ctx context.Context) error {
	if len(d.want) == 0 {
		supervise.Ready(ctx)
		return nil
	}
	pause := firstPause
	for {
		began := time.Now()
		err := d.watch(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if d.note(err) {
			d.conf.Log.Warn().Err(errors.Join(cause(err)...)).Msg(err.Error())
		}
		supervise.Ready(ctx) // Solo lives on without keys
		if time.Since(began) >= steady {
			pause = firstPause
		}
		rest := time.After(pause)
		if lasting(err) {
			rest = nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-rest:
		}
		pause = min(2*pause, longestPause)
	}
}

// watch watches until ctx ends or the keyboard fails. A Press is followed by its Release in any case.
func (d *Door) watch(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	events := make(chan keys.Event)
	result := make(chan error, 1)
	go func() {
		defer close(events)
		result <- d.watcher.Watch(ctx, d.want, func() { d.up(ctx) }, func(e keys.Event) {
			select {
			case events <- e:
			case <-ctx.Done():
			}
		})
	}()
	defer func() { // also when a callback panics
		cancel()
		for range events {
		}
	}()
	t := talker{conf: d.conf}
	defer t.release()
	for {
		select {
		case e, ok := <-events:
			if !ok {
				return d.ended(<-result)
			}
			t.key(d.deeds[e.Which], e.Down)
		case <-t.limit:
			d.conf.Log.Warn().Dur("longest", d.conf.Longest).Msg("the key to talk was down for too long; it counts as released")
			t.release()
		}
	}
}

// ended makes sure that a watcher that just left is told as trouble.
func (d *Door) ended(err error) error {
	if err != nil {
		return err
	}
	return &keys.Trouble{Kind: keys.ErrGone, Say: "the keys are not watched any more"}
}

func (d *Door) up(ctx context.Context) {
	d.note(nil)
	d.conf.Log.Info().Msg("push-to-talk: " + d.How())
	supervise.Ready(ctx)
}

// Check takes the keys for a moment and gives them back: an error is the sentence of what is in the
// way. A Solo that runs elsewhere with the same keys is in the way too.
func (d *Door) Check(ctx context.Context) error {
	if len(d.want) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, checkPatience)
	defer cancel()
	got := false
	err := d.watcher.Watch(ctx, d.want, func() { got = true; cancel() }, func(keys.Event) {})
	if err == nil && !got {
		return &keys.Trouble{Kind: keys.ErrAbsent, Say: "the keyboard did not answer in time"}
	}
	return err
}

// checkPatience leaves time for a desktop that asks its user first.
const checkPatience = 30 * time.Second

// cause is what the system said behind a sentence.
func cause(err error) []error {
	var t *keys.Trouble
	if errors.As(err, &t) && t.Err != nil {
		return []error{t.Err}
	}
	return nil
}
