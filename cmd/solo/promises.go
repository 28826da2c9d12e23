package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/notify"
	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/models"
)

// reminderSettings are the settings of promises.
type reminderSettings struct {
	schedule.Config
	Desktop string        `toml:"desktop" default:"on" allowed:"on|off" doc:"whether what nobody answers is shown on the desktop"`
	Webhook config.Secret `toml:"webhook" doc:"address to which what nobody answers is posted as JSON, such as https://example.org/hook; empty: nothing leaves the machine"`
}

// Check says what is wrong with the settings, beyond what their tags tell.
func (r reminderSettings) Check() error {
	if err := r.Config.Check(); err != nil {
		return fmt.Errorf("reminders.quiet_hours: %w", err)
	}
	if w := (&notify.Webhook{URL: r.Webhook}); r.Webhook.Reveal() != "" && w.Check() != nil {
		return fmt.Errorf("reminders.webhook: %w", notify.ErrAddress)
	}
	return nil
}

// givePromises makes the book of promised times. What it tells goes to the conversation, whose receipts come back.
func (s *assistant) givePromises(st *store.Store) {
	set := s.app.settings.Reminders
	c := set.Config
	c.Rows, c.Now, c.Log, c.Confirmed = st.Schedule(), s.app.now, s.app.part("schedule"), true
	due := bus.Publisher[event.Due](&s.bus, "schedule")
	c.Due = func(ctx context.Context, d event.Due) error {
		_ = due.Publish(ctx, d) // it fails only when ctx has ended
		return s.dialog.Due(ctx, d)
	}
	if set.Desktop == "on" {
		c.Channels = append(c.Channels, farther{notify.Desktop{}})
	}
	if set.Webhook.Reveal() != "" {
		c.Channels = append(c.Channels, farther{&notify.Webhook{URL: set.Webhook, Record: s.posts}})
	}
	s.book = schedule.New(c)
}

// posts writes into the ledger what goes to the webhook, by the word of the user's settings.
func (s *assistant) posts(ctx context.Context, body json.RawMessage) error {
	const name = "reminders.webhook"
	return s.brain.consent.Passed(ctx, models.Spec{Name: name}, models.Call{Tool: name, Arguments: body})
}

// farther is a channel of the package notify as the book knows it.
type farther struct {
	notice interface {
		Name() string
		Send(ctx context.Context, n notify.Notice) error
	}
}

func (f farther) Name() string { return f.notice.Name() }

func (f farther) Send(ctx context.Context, e event.Due) error {
	n := notify.Notice{Key: fmt.Sprintf("%s-%d-%d", e.Kind, e.ID, e.At.UnixMilli()), Kind: e.Kind, ID: e.ID, Title: "Reminder", Text: e.Text, At: e.At, Late: e.Late}
	if e.Kind != string(schedule.Reminder) {
		n.Title = strings.TrimSpace("Your " + e.Text + " " + e.Kind)
		n.Text = "It was due at " + e.At.Format("15:04") + "."
	}
	return f.notice.Send(ctx, n)
}

// telling notes that something begins to be said.
func (s *assistant) telling(ctx context.Context, es []event.Due) {
	s.owes(s.book.Telling(ctx, es...))
}

// told notes what became of it: it was heard where there is a loudspeaker, else it stood in the terminal where a person
// sits, else the other channels take it at once.
func (s *assistant) told(ctx context.Context, es []event.Due, err error) {
	if _, none := s.sink.(silence); none && err == nil {
		err = errNoLoudspeaker
	}
	switch {
	case err == nil:
		s.owes(s.book.Told(ctx, schedule.Spoken, "voice", es...))
	case s.read:
		s.owes(s.book.Told(ctx, schedule.Shown, "terminal", es...))
	default:
		s.owes(s.book.Untold(ctx, "voice", err, es...))
	}
}

var errNoLoudspeaker = errors.New("there is no loudspeaker here")

func (s *assistant) owes(err error) {
	if err != nil {
		s.app.log.Error().Err(err).Str("part", "schedule").Msg("a receipt will be stored later")
	}
}

// presence notes that somebody is there: who speaks to Solo after a reminder was said has heard it.
type presence struct {
	s      *assistant
	heard  *bus.Sub[event.Heard]
	turned *bus.Sub[event.Turned]
	began  map[uint64]time.Time // when the words of a turn came; only Serve's goroutine touches it
}

func newPresence(s *assistant) *presence {
	return &presence{s: s, began: map[uint64]time.Time{},
		heard:  bus.Subscribe[event.Heard](&s.bus, "presence", 16, bus.DropOldest),
		turned: bus.Subscribe[event.Turned](&s.bus, "presence", 16, bus.DropOldest)}
}

func (p *presence) String() string { return "presence" }

// Serve watches until ctx ends. The answer counts when its turn is over, so that "snooze" finds what rings.
func (p *presence) Serve(ctx context.Context) error {
	supervise.Ready(ctx)
	for {
		select {
		case e := <-p.heard.C:
			p.note(e)
		case e := <-p.turned.C:
			p.over(ctx, e.Turn)
		case <-ctx.Done():
			return nil
		}
	}
}

// note takes down what was spoken. What is typed may come from a program.
func (p *presence) note(e bus.Event[event.Heard]) {
	if e.Val.Engine != "typed" && e.Val.Engine != "resumed" && e.Val.Text != "" {
		p.began[e.Turn] = e.At
	}
}

func (p *presence) over(ctx context.Context, turn uint64) {
	for {
		select {
		case e := <-p.heard.C: // its words were told before its end
			p.note(e)
			continue
		default:
		}
		break
	}
	at, ok := p.began[turn]
	clear(p.began) // one turn at a time
	if !ok {
		return // nothing was said
	}
	if err := p.s.book.Answered(ctx, at); err != nil {
		p.s.app.log.Warn().Err(err).Str("part", "schedule").Msg("an answer was not kept")
	}
}

// receipts are what was done about promised times, for the dashboard.
func (r *rooms) receipts(ctx context.Context, n int) ([]web.ReceiptView, error) {
	list, err := r.s.book.History(ctx, n, 0)
	var out []web.ReceiptView
	for _, d := range list {
		out = append(out, web.ReceiptView{ID: d.ID, At: d.Made, Step: string(d.Step), Channel: d.Channel, Promise: d.Promise, Kind: string(d.Kind), Text: d.Text,
			For: d.Receipt.At, Late: d.Late.Milliseconds(), Again: d.Again, Note: d.Note})
	}
	return out, err
}
