package brief

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/rs/zerolog"
)

// Nudges keeps what the heartbeat has spoken of.
type Nudges interface {
	// Told lists what was spoken of since a time.
	Told(ctx context.Context, since time.Time) ([]string, error)
	// Tell writes down what is about to be spoken of, all or none, and forgets what is older than a time.
	Tell(ctx context.Context, at, before time.Time, about ...string) error
}

// BeatConfig is what a Heart is made of.
type BeatConfig struct {
	Work   Work   `toml:"-"`
	Nudges Nudges `toml:"-"`
	// Hold tells that this is no moment to speak: quiet hours, or a conversation that goes on. nil is never.
	Hold func() bool `toml:"-"`
	// Say speaks up.
	Say func(ctx context.Context, text string) error `toml:"-"`
	Now func() time.Time                             `toml:"-"` // in the user's zone; nil is time.Now
	Log zerolog.Logger                               `toml:"-"`

	Every time.Duration `toml:"every" default:"15m" min:"0s" max:"24h" doc:"how often Solo looks whether a task is due or something is stuck, and says so, once for each; 0s: never"`
	Lead  time.Duration `toml:"lead" default:"30m" min:"0s" max:"24h" doc:"how long before it is due a task is spoken of"`
	Stuck time.Duration `toml:"stuck" default:"72h" min:"1h" max:"8760h" doc:"after how long a task that is stuck is spoken of"`
	Still time.Duration `toml:"still" default:"720h" min:"24h" max:"8760h" doc:"after how long an active project that nobody looked at is spoken of"`
}

// Heart looks over tasks and projects from time to time, and speaks up when something is due or stuck.
type Heart struct{ c BeatConfig }

// NewHeart builds a Heart; Serve makes it beat.
func NewHeart(c BeatConfig) *Heart {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Hold == nil {
		c.Hold = func() bool { return false }
	}
	return &Heart{c}
}

func (h *Heart) String() string { return "heartbeat" }

const (
	look     = 30 * time.Second     // between two looks at the wall clock, at most: the machine may have slept
	remember = 400 * 24 * time.Hour // for how long what was spoken of is kept
	atOnce   = 3                    // things that are spoken of in one breath
)

// Serve beats until ctx ends; what is wrong is logged and tried again at the next beat.
func (h *Heart) Serve(ctx context.Context) error {
	if h.c.Every <= 0 {
		<-ctx.Done()
		return ctx.Err()
	}
	next := h.c.Now().Add(min(h.c.Every, time.Minute)) // not into the start
	for {
		wait := min(max(next.Sub(h.c.Now()), 0), look)
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
		now := h.c.Now()
		if back := next.Sub(now); back > h.c.Every {
			next = now.Add(h.c.Every) // the clock was set back
		}
		if now.Before(next) {
			continue
		}
		if h.c.Hold() {
			next = now.Add(look) // soon after
			continue
		}
		next = now.Add(h.c.Every)
		if err := h.Beat(ctx); err != nil && ctx.Err() == nil {
			h.c.Log.Warn().Err(err).Msg("tasks and projects could not be looked over")
		}
	}
}

// Beat looks once, and speaks up where there is something new. It writes down what it says before it says it.
func (h *Heart) Beat(ctx context.Context) error {
	found, err := h.find(ctx)
	if err != nil || len(found) == 0 {
		return err
	}
	now := h.c.Now()
	told, err := h.c.Nudges.Told(ctx, now.Add(-remember))
	if err != nil {
		return fmt.Errorf("reading what was said: %w", err)
	}
	known := map[string]bool{}
	for _, t := range told {
		known[t] = true
	}
	var say, about []string
	for _, f := range found {
		if !known[f.key] && len(say) < atOnce {
			say, about = append(say, f.say), append(about, f.key)
		}
	}
	if len(say) == 0 || h.c.Hold() {
		return nil
	}
	if err := h.c.Nudges.Tell(ctx, now, now.Add(-remember), about...); err != nil {
		return fmt.Errorf("writing down what is to be said: %w", err)
	}
	if err := h.c.Say(ctx, "By the way: "+list(say)+"."); err != nil {
		return fmt.Errorf("speaking up: %w", err)
	}
	return nil
}

// matter is something to speak of, with the name by which it is known again.
type matter struct{ key, say string }

// find gives what is due, overdue or stuck, the most pressing first.
func (h *Heart) find(ctx context.Context) ([]matter, error) {
	open, err := h.c.Work.Open(ctx)
	if err != nil {
		return nil, fmt.Errorf("looking over tasks: %w", err)
	}
	w := &writer{now: h.c.Now(), kind: Morning}
	var due, stuck, still []matter
	for _, t := range open {
		switch {
		case h.pressing(w, t):
			due = append(due, w.due(t))
		case t.Blocked && w.now.Sub(t.Changed) >= h.c.Stuck:
			stuck = append(stuck, matter{fmt.Sprintf("task %d stuck %d", t.ID, t.Changed.UnixMilli()), strings.Replace(w.stuck(t), t.Text, t.Text+" has been stuck", 1)})
		case t.Doing && w.now.Sub(t.Changed) >= 7*24*time.Hour:
			stuck = append(stuck, matter{fmt.Sprintf("task %d doing %d", t.ID, t.Changed.UnixMilli()),
				fmt.Sprintf("%s has been under way for %d days", t.Text, int(w.now.Sub(t.Changed).Hours()/24))})
		}
	}
	projects, err := h.c.Work.Projects(ctx)
	if err != nil {
		return nil, fmt.Errorf("looking over projects: %w", err)
	}
	for _, p := range projects {
		if p.Status == "active" && w.now.Sub(latest(p)) >= h.c.Still && len(still) == 0 { // one a beat is enough
			still = append(still, matter{fmt.Sprintf("project %d still %d", p.ID, latest(p).UnixMilli()),
				fmt.Sprintf("you have not looked at the project %s for %d days", p.Name, int(w.now.Sub(latest(p)).Hours()/24))})
		}
	}
	return append(append(due, stuck...), still...), nil
}

// wholeDay is the hour from which a task is spoken of that is due on a day and at no hour of it.
const wholeDay = 9

// pressing tells whether it is time to speak of a task's due time.
func (h *Heart) pressing(w *writer, t Task) bool {
	if t.Due.IsZero() {
		return false
	}
	at := t.Due.In(w.now.Location())
	if at.Format("15:04") == "23:59" { // a day as a whole
		y, m, d := at.Date()
		return !w.now.Before(time.Date(y, m, d, wholeDay, 0, 0, 0, at.Location()))
	}
	return !w.now.Before(at.Add(-h.c.Lead))
}

// due words a task that is due or overdue; each is spoken of once, and once more when it is overdue by a day.
func (w *writer) due(t Task) matter {
	late := w.now.Sub(t.Due)
	switch {
	case late >= 24*time.Hour:
		return matter{fmt.Sprintf("task %d late %d", t.ID, t.Due.UnixMilli()), strings.Replace(w.since(t), t.Text, t.Text+" has been overdue", 1)}
	case late > 0:
		return matter{fmt.Sprintf("task %d due %d", t.ID, t.Due.UnixMilli()), strings.Replace(w.since(t), t.Text, t.Text+" is overdue", 1)}
	}
	said := w.clock(t.Due)
	if said == "" {
		said = "today"
	}
	return matter{fmt.Sprintf("task %d due %d", t.ID, t.Due.UnixMilli()), t.Text + " is due " + strings.TrimPrefix(said, "on ")}
}
