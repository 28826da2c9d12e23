package schedule

import (
	"context"
	"fmt"
	"math"
	"time"
)

// lately is how long what rang can still be snoozed.
const lately = 15 * time.Minute

// faded is a promise that rang, and when it fell silent.
type faded struct {
	p  Promise
	at time.Time
}

// fade keeps the last promises that rang. The caller holds mu.
func (b *Book) fade(p Promise) {
	b.faded = append(b.faded, faded{p, b.c.Now()})
	if len(b.faded) > 8 {
		b.faded = b.faded[1:]
	}
}

// Faded is the reminder or alarm that fell silent last, a quarter of an hour ago at most: what "remind me again" means
// where nothing rings. It is given as it rang.
func (b *Book) Faded() (Promise, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := len(b.faded) - 1; i >= 0; i-- {
		if f := b.faded[i]; f.p.Kind != Timer && b.c.Now().Sub(f.at) < lately {
			return f.p, true
		}
	}
	return Promise{}, false
}

// Find gives the promise of an ID, of whatever kind; no two have the same. It is ErrUnknown where there is none.
func (b *Book) Find(ctx context.Context, id int64) (Promise, error) {
	for _, k := range []Kind{Reminder, Timer, Briefing} { // one of each table
		if p, err := b.c.Rows.Get(ctx, k, id); err == nil {
			return p, nil
		}
	}
	return Promise{}, fmt.Errorf("promise %d: %w", id, ErrUnknown)
}

// Postpone lets one promise ring d later: one that rings or has rung, d from now; one that waits, d after its time. A
// recurrence goes on as it was. It gives the promise as it was and as it is.
func (b *Book) Postpone(ctx context.Context, kind Kind, id int64, d time.Duration) (was, is Promise, err error) {
	switch {
	case d <= 0:
		return was, is, ErrPast
	case d > horizon:
		return was, is, ErrTooFar
	}
	b.rows.Lock()
	defer b.rows.Unlock()
	was, err = b.c.Rows.Get(ctx, kind, id)
	if err != nil {
		return was, is, fmt.Errorf("looking up %s %d: %w", kind, id, err)
	}
	if was.State == Cancelled {
		return was, is, fmt.Errorf("%s %d was cancelled: %w", kind, id, ErrUnknown)
	}
	is, now := was, b.c.Now()
	base := was.At
	if was.due(now) || was.State != Waiting {
		base = now
	}
	is.At, is.State, is.Missed = tidy(base.Add(d), was.At.Location()), Waiting, false
	if is.At.Sub(now) > horizon {
		return was, is, ErrTooFar
	}
	return was, is, b.put(ctx, is, was.receipt(Snoozed, channel(ctx), now))
}

// Finish notes that one promise is done: it rings no more, and where it waits it does not ring at its next time. It gives
// the promise as it was, ready for Restore.
func (b *Book) Finish(ctx context.Context, kind Kind, id int64) (Promise, error) {
	b.rows.Lock()
	defer b.rows.Unlock()
	p, err := b.open(ctx, kind, id)
	if err != nil {
		return Promise{}, err
	}
	now := b.c.Now()
	next := p.settled(false)
	if err := b.put(ctx, next, p.receipt(Acknowledged, channel(ctx), now)); err != nil {
		return Promise{}, err
	}
	return p, nil
}

// Told is a receipt with the promise that it is for, as that is now.
type Delivery struct {
	Receipt
	Text  string
	Every string
}

// History gives the last n receipts before the one of an ID, 0 for all, the newest first.
func (b *Book) History(ctx context.Context, n int, before int64) ([]Delivery, error) {
	if before <= 0 {
		before = math.MaxInt64
	}
	list, err := b.c.Rows.History(ctx, min(max(n, 0), 10000), before)
	if err != nil {
		return nil, fmt.Errorf("reading the history of promises: %w", err)
	}
	known := map[key]Promise{}
	var out []Delivery
	for _, r := range list {
		k := key{r.Kind, r.Promise}
		p, ok := known[k]
		if !ok {
			p, _ = b.c.Rows.Get(ctx, r.Kind, r.Promise) // one that is gone has no words
			known[k] = p
		}
		out = append(out, Delivery{r, p.Text, p.Every})
	}
	return out, nil
}
