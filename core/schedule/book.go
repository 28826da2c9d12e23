package schedule

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/models"
)

// Rows keeps the promises of one user and their receipts. A promise is found by Kind and ID. What a method changes is on
// the disk when it returns.
type Rows interface {
	// Insert stores a new promise and gives it back with its ID.
	Insert(ctx context.Context, p Promise) (Promise, error)
	// Put stores all of a change or nothing.
	Put(ctx context.Context, c Change) error
	// Get gives one promise, or ErrUnknown.
	Get(ctx context.Context, kind Kind, id int64) (Promise, error)
	// In lists the promises in a state, the soonest first.
	In(ctx context.Context, s State) ([]Promise, error)
	// Receipts gives those of a promise at one of its times, in their order.
	Receipts(ctx context.Context, kind Kind, id int64, at time.Time) ([]Receipt, error)
	// History gives the last n receipts before the one of an ID, the newest first.
	History(ctx context.Context, n int, before int64) ([]Receipt, error)
}

// Channel takes a promise that nobody answered to where the user may see it. Send returns when it was taken, and may try
// several times before it gives up.
type Channel interface {
	Name() string
	Send(ctx context.Context, e event.Due) error
}

// Deliverer carries out a briefing or a routine; it returns when that is done. One whose How is event.Again was begun
// before Solo ended.
type Deliverer interface {
	Deliver(ctx context.Context, e event.Due) error
}

// Config is what a Book is made of.
type Config struct {
	Rows Rows `toml:"-"`
	// Now tells the time in the user's zone; nil is time.Now.
	Now func() time.Time `toml:"-"`
	// Due is called once for every promise that is due, with how late it is; it returns quickly. After an error it is
	// called again.
	Due func(ctx context.Context, e event.Due) error `toml:"-"`
	// Confirmed says that whoever takes what is due calls Telling and Told: until then a promise does not ring out.
	Confirmed bool `toml:"-"`
	// Channels take what nobody answers, besides being told again.
	Channels []Channel `toml:"-"`
	// Quiet is called when the last ringing promise went silent, by whatever way; nil for nobody.
	Quiet func()         `toml:"-"`
	Log   zerolog.Logger `toml:"-"`
	// RingFor is how long an unanswered promise rings; 0 is two minutes.
	RingFor time.Duration `toml:"ring_for" default:"2m" min:"1s" max:"1h" doc:"how long a timer, alarm or reminder rings when nobody answers"`
	// EscalateAfter is how long nobody answers until a promise is told again and to further channels; 0 is never.
	EscalateAfter  time.Duration `toml:"escalate_after" default:"1m" min:"0s" max:"1h" doc:"when nobody answers for so long, a reminder is said again and sent to the desktop and the webhook; 0s: never"`
	QuietHours     string        `toml:"quiet_hours" default:"" doc:"hours such as 22:00-07:00 that hold back briefings and what Solo says of its own accord, never a timer, alarm or reminder; empty: none"`
	MissedTimer    Policy        `toml:"missed_timer" default:"once" allowed:"once|skip|all" doc:"what becomes of a timer that was due while Solo was off: once tells it, skip does not"`
	MissedAlarm    Policy        `toml:"missed_alarm" default:"once" allowed:"once|skip|all" doc:"the same for alarms; all: each time of one that recurs, not only the last"`
	MissedReminder Policy        `toml:"missed_reminder" default:"once" allowed:"once|skip|all" doc:"the same for reminders"`
	MissedBriefing Policy        `toml:"missed_briefing" default:"once" allowed:"once|skip|all" doc:"the same for briefings"`
	MissedRoutine  Policy        `toml:"missed_routine" default:"skip" allowed:"once|skip|all" doc:"the same for routines that run by the clock"`
}

// Check says what is wrong with the settings, beyond what their tags tell.
func (c Config) Check() error {
	_, err := ParseHours(c.QuietHours)
	return err
}

// Book holds the promises of one user.
type Book struct {
	c     Config
	hours Hours
	rows  sync.Mutex // one change of rows at a time: each reads, decides and writes
	wake  chan struct{}
	work  sync.WaitGroup // what Serve has started

	mu    sync.Mutex // guards the rest, so that Ringing never waits for the disk
	rings map[key]*ring
	plans map[Kind]Deliverer
	owed  []Receipt // that could not be stored yet
	faded []faded   // rang lately
}

type key struct {
	kind Kind
	id   int64
}

func keyOf(p Promise) key { return key{p.Kind, p.ID} }

// New builds a Book. Promises can be changed at once; they ring while Serve runs. Quiet hours that cannot be read, which
// Config.Check tells, are none.
func New(c Config) *Book {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.RingFor <= 0 {
		c.RingFor = 2 * time.Minute
	}
	if c.Due == nil {
		c.Due = func(context.Context, event.Due) error { return nil }
	}
	if c.Quiet == nil {
		c.Quiet = func() {}
	}
	hours, _ := ParseHours(c.QuietHours)
	return &Book{c: c, hours: hours, wake: make(chan struct{}, 1), rings: map[key]*ring{}, plans: map[Kind]Deliverer{}}
}

// Carry names who carries out the promises of a kind, briefings or routines. Until then they wait.
func (b *Book) Carry(k Kind, d Deliverer) {
	b.mu.Lock()
	b.plans[k] = d
	b.mu.Unlock()
	b.nudge()
}

// Quiet tells whether quiet hours hold back what Solo would say of its own accord.
func (b *Book) Quiet(now time.Time) bool { return b.hours.Quiet(now) }

// Add promises a time: At, or Length from now, or the first of Every after now. It returns what was stored.
// Errors: ErrKind, ErrNoTime, ErrPast, ErrTooFar, ErrTooLong, ErrRule, ErrNever, ErrZone, or the rows' own.
func (b *Book) Add(ctx context.Context, p Promise) (Promise, error) {
	p, err := complete(p, b.c.Now())
	if err != nil {
		return Promise{}, err
	}
	b.rows.Lock()
	defer b.rows.Unlock()
	p, err = b.c.Rows.Insert(ctx, p)
	if err != nil {
		return Promise{}, fmt.Errorf("storing the %s: %w", p.Kind, err)
	}
	b.nudge()
	return p, nil
}

// Waiting lists what is to ring later, the soonest first, of the given kinds or of all.
func (b *Book) Waiting(ctx context.Context, kinds ...Kind) ([]Promise, error) {
	all, err := b.c.Rows.In(ctx, Waiting)
	if err != nil {
		return nil, fmt.Errorf("listing what waits: %w", err)
	}
	return slices.DeleteFunc(all, func(p Promise) bool {
		return len(kinds) > 0 && !slices.Contains(kinds, p.Kind) || b.held(keyOf(p))
	}), nil
}

// Cancel takes a waiting or ringing promise back and returns it as it was, ready for Restore.
// It is ErrUnknown where there is none or it is over already.
func (b *Book) Cancel(ctx context.Context, kind Kind, id int64) (Promise, error) {
	b.rows.Lock()
	defer b.rows.Unlock()
	p, err := b.open(ctx, kind, id)
	if err != nil {
		return Promise{}, err
	}
	gone := p
	gone.State = Cancelled
	if err := b.put(ctx, gone, b.answered(ctx, p, Acknowledged, "cancelled")...); err != nil {
		return Promise{}, err
	}
	return p, nil
}

// Restore puts a promise back as Cancel, Stop or Waiting returned it. What was ringing waits again, and so is due at once.
func (b *Book) Restore(ctx context.Context, p Promise) error {
	b.rows.Lock()
	defer b.rows.Unlock()
	var back []Receipt
	if p.State == Ringing {
		p.State = Waiting
		back = append(back, p.receipt(Restored, channel(ctx), b.c.Now()))
	}
	return b.put(ctx, p, back...)
}

// Extend gives a timer or an alarm more time, or less where by is negative. A ringing timer goes on for by from now.
// It is ErrPast where no time would be left.
func (b *Book) Extend(ctx context.Context, id int64, by time.Duration) (Promise, error) {
	b.rows.Lock()
	defer b.rows.Unlock()
	p, err := b.open(ctx, Timer, id)
	if err != nil {
		return Promise{}, err
	}
	now := b.c.Now()
	base, was := p.At, p
	if p.due(now) {
		base = now
	}
	p.At, p.State = tidy(base.Add(by), p.At.Location()), Waiting
	if p.due(now) {
		return Promise{}, ErrPast
	}
	if p.At.Sub(now) > horizon {
		return Promise{}, ErrTooFar
	}
	if p.Kind == Timer {
		p.Length += by
	}
	return p, b.put(ctx, p, b.answered(ctx, was, Snoozed, "")...)
}

// open reads a promise that is not over.
func (b *Book) open(ctx context.Context, kind Kind, id int64) (Promise, error) {
	p, err := b.c.Rows.Get(ctx, kind, id)
	if err != nil {
		return Promise{}, fmt.Errorf("looking up %s %d: %w", kind, id, err)
	}
	if p.State == Done || p.State == Cancelled {
		return Promise{}, fmt.Errorf("%s %d is over: %w", kind, id, ErrUnknown)
	}
	return p, nil
}

// answered are the receipts of an answer to a promise: one where it rings, else none.
func (b *Book) answered(ctx context.Context, p Promise, s Step, note string) []Receipt {
	if p.State != Ringing && !b.held(keyOf(p)) {
		return nil
	}
	r := p.receipt(s, channel(ctx), b.c.Now())
	r.Note = note
	return []Receipt{r}
}

// channel is the door through which a call came.
func channel(ctx context.Context) string { return cmp.Or(models.OriginOf(ctx).Channel, "voice") }

// put stores a promise that no longer rings and lets Serve look again.
func (b *Book) put(ctx context.Context, p Promise, rs ...Receipt) error {
	if err := b.c.Rows.Put(ctx, Change{Promises: []Promise{p}, Receipts: rs}); err != nil {
		return fmt.Errorf("storing %s %d: %w", p.Kind, p.ID, err)
	}
	b.drop(keyOf(p))
	b.nudge()
	return nil
}

// nudge wakes Serve; one waiting nudge is enough.
func (b *Book) nudge() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}
