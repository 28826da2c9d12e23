package schedule

import (
	"context"
	"fmt"
	"time"

	"github.com/solo-assistant/solo/core/event"
)

const (
	look  = 30 * time.Second // between two looks at the wall clock, at most
	retry = 5 * time.Second  // after Due or the rows failed
)

// Serve rings what is due until ctx ends. What rang when Solo ended rings again first.
func (b *Book) Serve(ctx context.Context) error {
	if err := b.resume(ctx); err != nil {
		return err
	}
	for {
		wait, err := b.round(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-b.wake:
			timer.Stop()
		case <-timer.C:
		}
	}
}

// resume takes up what was ringing when Solo ended.
func (b *Book) resume(ctx context.Context) error {
	b.rows.Lock()
	defer b.rows.Unlock()
	rang, err := b.c.Rows.In(ctx, Ringing)
	if err != nil {
		return fmt.Errorf("reading what was ringing: %w", err)
	}
	for _, p := range rang {
		if !b.held(keyOf(p)) {
			b.hold(p, b.c.Now())
		}
	}
	return nil
}

// round does all that the present asks for and says how long nothing more is to be done.
func (b *Book) round(ctx context.Context) (time.Duration, error) {
	if err := b.begin(ctx); err != nil {
		return 0, err
	}
	b.tell(ctx)
	b.end(ctx)
	return b.pause(ctx)
}

// begin lets ring what is due. A promise rings even where that cannot be stored: being heard matters more.
func (b *Book) begin(ctx context.Context) error {
	b.rows.Lock()
	defer b.rows.Unlock()
	waiting, err := b.c.Rows.In(ctx, Waiting)
	if err != nil {
		return fmt.Errorf("reading what waits: %w", err)
	}
	now := b.c.Now()
	for _, p := range waiting {
		if !p.due(now) {
			break
		}
		if b.held(keyOf(p)) {
			continue
		}
		p = p.latest(now)
		p.State = Ringing
		if err := b.c.Rows.Put(ctx, p); err != nil {
			b.c.Log.Error().Err(err).Int64("id", p.ID).Str("kind", string(p.Kind)).Msg("ringing, but that could not be stored")
		}
		b.hold(p, now)
	}
	return nil
}

// tell hands each new ring to Due.
func (b *Book) tell(ctx context.Context) {
	for _, r := range b.each() {
		if r.told || r.over != nil || ctx.Err() != nil {
			continue
		}
		late := max(0, b.c.Now().Sub(r.p.At))
		e := event.Due{Kind: string(r.p.Kind), ID: r.p.ID, Text: r.p.Text, At: r.p.At, Late: late}
		if err := b.c.Due(ctx, e); err != nil {
			b.c.Log.Warn().Err(err).Int64("id", e.ID).Str("kind", e.Kind).Msg("due, but nobody could be told yet")
			continue
		}
		b.mu.Lock()
		if now := b.rings[keyOf(r.p)]; now != nil {
			now.told, now.since = true, b.c.Now()
		}
		b.mu.Unlock()
	}
}

// end settles what rang long enough, and what could not be stored before.
func (b *Book) end(ctx context.Context) {
	b.rows.Lock()
	defer b.rows.Unlock()
	now := b.c.Now()
	for _, r := range b.each() {
		over := r.over
		if over == nil && r.told && b.rung(r, now) >= b.c.RingFor {
			p := r.p.settled(now, true)
			over = &p
			b.c.Log.Info().Int64("id", p.ID).Str("kind", string(p.Kind)).Msg("nobody answered")
		}
		if over == nil {
			continue
		}
		if err := b.settle(ctx, keyOf(r.p), *over); err != nil && ctx.Err() == nil {
			b.c.Log.Error().Err(err).Msg("will be stored later")
		}
	}
}

// rung is how long a ring has sounded. Where the clock was set back it starts to count anew.
func (b *Book) rung(r ring, now time.Time) time.Duration {
	if d := now.Sub(r.since); d >= 0 {
		return d
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if held := b.rings[keyOf(r.p)]; held != nil {
		held.since = now
	}
	return 0
}

// pause is how long Serve may sleep.
func (b *Book) pause(ctx context.Context) (time.Duration, error) {
	waiting, err := b.Waiting(ctx)
	if err != nil {
		return 0, err
	}
	now, wait := b.c.Now(), look
	if len(waiting) > 0 {
		wait = min(wait, waiting[0].At.Sub(now))
	}
	for _, r := range b.each() {
		if r.told && r.over == nil {
			wait = min(wait, r.since.Add(b.c.RingFor).Sub(now))
		} else {
			wait = min(wait, retry)
		}
	}
	return max(wait, 0), nil
}
