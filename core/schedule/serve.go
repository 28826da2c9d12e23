package schedule

import (
	"context"
	"fmt"
	"time"

	"github.com/solo-assistant/solo/core/event"
)

const (
	look   = 30 * time.Second // between two looks at the rows, at most
	glance = 5 * time.Second  // between two looks at the wall clock
	retry  = 5 * time.Second  // after Due or the rows failed
)

// Serve rings what is due until ctx ends, and waits for what it has begun. What rang when Solo ended comes first.
func (b *Book) Serve(ctx context.Context) error {
	defer b.work.Wait()
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
		b.doze(ctx, wait)
	}
}

// doze sleeps for a while, and less where something changed: promises, or the wall clock, which somebody may set, and
// which runs on while the machine sleeps.
func (b *Book) doze(ctx context.Context, wait time.Duration) {
	began, wall := time.Now(), b.c.Now().Round(0)
	timer, glances := time.NewTimer(wait), time.NewTicker(glance)
	defer timer.Stop()
	defer glances.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.wake:
			return
		case <-timer.C:
			return
		case <-glances.C:
			if strayed := b.c.Now().Round(0).Sub(wall) - time.Since(began); strayed.Abs() > time.Second/2 {
				return
			}
		}
	}
}

// resume takes up what was ringing when Solo ended. Its receipts tell how far it had come: what was not begun is told for
// the first time, what was begun as a repeat, and what was told is not told again. A timer or an alarm rings on for the
// rest of its time; of the others the further channels are told.
func (b *Book) resume(ctx context.Context) error {
	b.rows.Lock()
	defer b.rows.Unlock()
	rang, err := b.c.Rows.In(ctx, Ringing)
	if err != nil {
		return fmt.Errorf("reading what was ringing: %w", err)
	}
	now := b.c.Now()
	for _, p := range rang {
		if b.held(keyOf(p)) {
			continue
		}
		receipts, err := b.c.Rows.Receipts(ctx, p.Kind, p.ID, p.At)
		if err != nil {
			return fmt.Errorf("reading the receipts of what was ringing: %w", err)
		}
		b.hold(b.taken(p, stand(receipts), now))
	}
	return nil
}

// taken is the ring of a promise that rang when Solo ended.
func (b *Book) taken(p Promise, s standing, now time.Time) ring {
	r := ring{p: p, since: now, late: b.lateness(p, now) > grace, took: s.passed}
	if s.begun {
		r.how = event.Again
	}
	if s.told.IsZero() {
		return r
	}
	r.said, r.since, r.late = true, s.told, true // not said again
	r.how, r.told = event.On, p.Kind == Reminder || now.Sub(s.told) >= b.c.RingFor
	return r
}

// round does all that the present asks for and says how long nothing more is to be done.
func (b *Book) round(ctx context.Context) (time.Duration, error) {
	b.repay(ctx)
	next, err := b.begin(ctx)
	if err != nil {
		return 0, err
	}
	b.tell(ctx)
	b.escalate(ctx)
	b.end(ctx)
	return b.pause(next), nil
}

// begin lets ring what is due and gives the time of what comes next, zero for nothing. A promise rings even where that
// cannot be stored: being heard matters more.
func (b *Book) begin(ctx context.Context) (next time.Time, err error) {
	b.rows.Lock()
	defer b.rows.Unlock()
	waiting, err := b.c.Rows.In(ctx, Waiting)
	if err != nil {
		return next, fmt.Errorf("reading what waits: %w", err)
	}
	now := b.c.Now()
	var c Change
	var begun []ring
	for _, p := range waiting {
		opens := b.opens(p)
		if opens.After(now) {
			if next.IsZero() || opens.Before(next) {
				next = opens
			}
			if !p.due(now) {
				break // and so are all that follow
			}
			continue
		}
		if b.held(keyOf(p)) || !p.Kind.rings() && b.carrier(p.Kind) == nil {
			continue
		}
		at, told := b.reckon(p, now)
		if !told {
			c.Promises = append(c.Promises, at.settled(true))
			c.Receipts = append(c.Receipts, at.receipt(Skipped, "", now))
			continue
		}
		at.State = Ringing
		begun = append(begun, ring{p: at, since: now, late: b.lateness(at, now) > grace})
		c.Promises = append(c.Promises, at)
	}
	b.start(ctx, c, begun)
	return next, nil
}

// start stores what begins to ring, and rings it.
func (b *Book) start(ctx context.Context, c Change, begun []ring) {
	if len(c.Promises) == 0 {
		return
	}
	if err := b.c.Rows.Put(ctx, c); err != nil {
		b.c.Log.Error().Err(err).Int("promises", len(begun)).Msg("due, but that could not be stored")
	} else if len(begun) < len(c.Promises) {
		b.nudge() // what was skipped may have a next time
	}
	for _, r := range begun {
		b.hold(r)
	}
}

// end settles what rang long enough, and what could not be stored before.
func (b *Book) end(ctx context.Context) {
	b.rows.Lock()
	defer b.rows.Unlock()
	now := b.c.Now()
	for _, r := range b.each() {
		over := r.over
		if over == nil && b.ends(r) && b.rung(r, now) >= b.c.RingFor {
			over = &Change{[]Promise{r.p.settled(true)}, []Receipt{r.p.receipt(Missed, "", now)}}
			b.c.Log.Info().Int64("id", r.p.ID).Str("kind", string(r.p.Kind)).Msg("nobody answered")
		}
		if over == nil {
			continue
		}
		if err := b.settle(ctx, keyOf(r.p), *over); err != nil && ctx.Err() == nil {
			b.c.Log.Error().Err(err).Msg("will be stored later")
		}
	}
}

// ends tells whether a ring may ring out: it was told, and what is confirmed was said.
func (b *Book) ends(r ring) bool {
	return r.told && r.p.Kind.rings() && (r.said || r.mute || !b.c.Confirmed)
}

// rung is how long a ring has sounded. Where the clock was set back it starts to count anew.
func (b *Book) rung(r ring, now time.Time) time.Duration {
	if d := now.Sub(r.since); d >= 0 {
		return d
	}
	b.alter(keyOf(r.p), func(r *ring) { r.since = now })
	return 0
}

// pause is how long Serve may sleep; next is when something is due, zero for never.
func (b *Book) pause(next time.Time) time.Duration {
	now, wait := b.c.Now(), look
	sooner := func(at time.Time) { wait = min(wait, at.Sub(now)) }
	if !next.IsZero() {
		sooner(next)
	}
	for _, r := range b.each() {
		switch {
		case r.busy:
		case r.over != nil:
			wait = min(wait, retry)
		case r.tries > 0:
			sooner(r.since.Add(again))
		case !r.told:
			wait = min(wait, retry)
		default:
			if !r.passed && b.c.EscalateAfter > 0 {
				sooner(r.since.Add(b.c.EscalateAfter))
			}
			if b.ends(r) {
				sooner(r.since.Add(b.c.RingFor))
			}
		}
	}
	b.mu.Lock()
	owing := len(b.owed) > 0
	b.mu.Unlock()
	if owing {
		wait = min(wait, retry)
	}
	return max(wait, 0)
}
