package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/channel/local"
	"github.com/solo-assistant/solo/core/mind"
	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/when"
	"github.com/solo-assistant/solo/models"
)

// Remind looks after promised times, in the running Solo or else in the rows.
func (a *app) Remind(ctx context.Context, o cli.Remind, tell cli.Tell) error {
	v, err := a.visitor(ctx, false)
	if err != nil {
		return err
	}
	defer v.Close()
	return v.visit(ctx, "remind", o, func(raw json.RawMessage) error {
		var l promiseLine
		if err := json.Unmarshal(raw, &l); err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
		switch {
		case l.Promise != nil:
			tell(*l.Promise)
		case l.Delivery != nil:
			tell(*l.Delivery)
		case l.Note != "":
			tell(cli.Note{Text: l.Note})
		case l.Failure != nil:
			return &cli.Failure{Code: l.Failure.Code, Hint: l.Failure.Hint, Err: errors.New(l.Failure.Message)}
		}
		return nil
	})
}

// promiseLine is one line of the verb remind; one of its fields is set.
type promiseLine struct {
	Promise  *cli.Promise  `json:"promise,omitempty"`
	Delivery *cli.Delivery `json:"delivery,omitempty"`
	Note     string        `json:"note,omitempty"`
	Failure  *cli.Broken   `json:"failure,omitempty"`
}

func (s *assistant) promiseVerbs() map[string]local.Verb {
	return map[string]local.Verb{"remind": with(s.remind)}
}

// remind carries out one order about promised times. A failure that the user can mend goes through the door as a line, so
// that its hint is kept.
func (s *assistant) remind(ctx context.Context, o cli.Remind, tell func(any) error) error {
	ctx = models.WithOrigin(ctx, models.Origin{Channel: "typed"})
	do, ok := map[string]func(context.Context, cli.Remind, func(any) error) error{
		"add": s.remindAdd, "list": s.remindList, "cancel": s.remindCancel, "snooze": s.remindSnooze, "done": s.remindDone,
		"restore": s.remindRestore, "history": s.remindHistory,
	}[o.Do]
	if !ok {
		return fmt.Errorf("nothing that can be done about reminders is called %q", o.Do)
	}
	err := do(ctx, o, tell)
	if f, ok := errors.AsType[*cli.Failure](err); ok {
		return tell(promiseLine{Failure: &cli.Broken{Code: f.Code, Message: f.Err.Error(), Hint: f.Hint}})
	}
	return err
}

func mendable(code, hint, format string, args ...any) error {
	return &cli.Failure{Code: code, Hint: hint, Err: fmt.Errorf(format, args...)}
}

const sayWhen = `say when, as in: solo remind add "call Anna" --at "tomorrow at five"`

func (s *assistant) remindAdd(ctx context.Context, o cli.Remind, tell func(any) error) error {
	p, err := s.meant(o)
	if err != nil {
		return err
	}
	p, err = s.book.Add(ctx, p)
	for _, known := range []error{schedule.ErrTooFar, schedule.ErrRule, schedule.ErrNever, schedule.ErrPast, schedule.ErrTooLong, schedule.ErrNoTime} {
		if errors.Is(err, known) {
			return mendable("time", sayWhen, "the reminder was not made: %w", err)
		}
	}
	if err != nil {
		return err
	}
	return tell(promiseLine{Promise: s.promiseLine(p, "added")})
}

// meant is the reminder that is wished for.
func (s *assistant) meant(o cli.Remind) (schedule.Promise, error) {
	now := s.app.now()
	text, phrase := strings.TrimSpace(o.Text), strings.TrimSpace(o.At)
	p := schedule.Promise{Kind: schedule.Reminder, Every: o.Every}
	if phrase == "" && o.Every == "" {
		text, phrase, _ = mind.Apart(withoutLead(text), now)
	}
	p.Text = strings.TrimSpace(text)
	switch at, err := time.Parse(time.RFC3339, phrase); {
	case p.Text == "":
		return p, mendable("text", sayWhen, "there is nothing to remind you of")
	case phrase == "" && o.Every == "":
		return p, mendable("time", sayWhen, "no time was found in %q", o.Text)
	case phrase == "":
		return p, nil
	case err == nil:
		p.At = at.In(now.Location())
		return p, nil
	}
	if d, ok := lengthOf(phrase, now); ok { // "ten minutes" is from now on
		p.At = now.Add(d)
		return p, nil
	}
	at, rule, ok := mind.When(phrase, now)
	if !ok {
		return p, mendable("time", sayWhen, "%q is no time to come", phrase)
	}
	if p.At = at; rule != "" {
		p.Every = rule
	}
	return p, nil
}

// withoutLead takes away what is said to Solo aloud: "me to".
func withoutLead(text string) string {
	for _, lead := range []string{"remind me ", "me ", "to ", "that "} {
		if len(text) > len(lead) && strings.EqualFold(text[:len(lead)], lead) {
			text = text[len(lead):]
		}
	}
	return text
}

// lengthOf reads "20m" or "half an hour".
func lengthOf(text string, now time.Time) (time.Duration, bool) {
	if d, err := time.ParseDuration(strings.ReplaceAll(text, " ", "")); err == nil {
		return d, true
	}
	v, ok := when.Parse(text, now)
	if !ok || v.Kind != when.Duration || v.Span[0] != 0 || v.Span[1] != len(text) {
		return 0, false
	}
	d, err := when.ParseISO(v.Duration)
	return d, err == nil
}

func (s *assistant) remindList(ctx context.Context, o cli.Remind, tell func(any) error) error {
	all, err := s.standing(ctx)
	if err != nil {
		return err
	}
	for _, p := range all {
		if o.Kind != "" && o.Kind != string(p.Kind) {
			continue
		}
		if err := tell(promiseLine{Promise: s.promiseLine(p, "")}); err != nil {
			return err
		}
	}
	return nil
}

// standing is what rings and what is to come, the soonest first.
func (s *assistant) standing(ctx context.Context) ([]schedule.Promise, error) {
	waiting, err := s.book.Waiting(ctx)
	return slices.Concat(s.book.Ringing(), waiting), err
}

func (s *assistant) remindCancel(ctx context.Context, o cli.Remind, tell func(any) error) error {
	return s.each(ctx, o, tell, "cancelled", func(p schedule.Promise) (schedule.Promise, error) {
		was, err := s.book.Cancel(ctx, p.Kind, p.ID)
		was.State = schedule.Cancelled
		return was, err
	})
}

func (s *assistant) remindDone(ctx context.Context, o cli.Remind, tell func(any) error) error {
	return s.each(ctx, o, tell, "done", func(p schedule.Promise) (schedule.Promise, error) {
		if _, err := s.book.Finish(ctx, p.Kind, p.ID); err != nil {
			return p, err
		}
		return s.book.Find(ctx, p.ID)
	})
}

func (s *assistant) remindSnooze(ctx context.Context, o cli.Remind, tell func(any) error) error {
	d, ok := lengthOf(o.For, s.app.now())
	if !ok || d < time.Second || d > 366*24*time.Hour {
		return mendable("duration", `such as: solo remind snooze --for "half an hour"`, "%q is no length of time from a second to a year", o.For)
	}
	return s.each(ctx, o, tell, "snoozed", func(p schedule.Promise) (schedule.Promise, error) {
		_, is, err := s.book.Postpone(ctx, p.Kind, p.ID, d)
		return is, err
	})
}

func (s *assistant) remindRestore(ctx context.Context, o cli.Remind, tell func(any) error) error {
	for _, w := range o.Which {
		id, err := strconv.ParseInt(w, 10, 64)
		if err != nil {
			return mendable("unknown", "solo remind history tells the numbers", "%q is no number of a promise", w)
		}
		p, err := s.book.Find(ctx, id)
		if err != nil {
			return mendable("unknown", "solo remind history tells the numbers", "there is no promise %d", id)
		}
		if p.State != schedule.Cancelled && p.State != schedule.Done || !p.At.After(s.app.now()) {
			return mendable("past", "solo remind snooze "+w+" lets it ring again", "promise %d is not over, or its time is past", id)
		}
		p.State = schedule.Waiting
		if err := s.book.Restore(ctx, p); err != nil {
			return err
		}
		if err := tell(promiseLine{Promise: s.promiseLine(p, "restored")}); err != nil {
			return err
		}
	}
	return nil
}

// each does something to all the promises that are meant, and reads each back.
func (s *assistant) each(ctx context.Context, o cli.Remind, tell func(any) error, did string, do func(schedule.Promise) (schedule.Promise, error)) error {
	all, err := s.which(ctx, o)
	if err != nil {
		return err
	}
	for _, p := range all {
		p, err := do(p)
		if errors.Is(err, schedule.ErrUnknown) {
			return mendable("unknown", "solo remind list tells what there is", "that one is over already")
		}
		if err != nil {
			return err
		}
		if err := tell(promiseLine{Promise: s.promiseLine(p, did)}); err != nil {
			return err
		}
	}
	return nil
}

// which finds the promises that are meant: by their numbers, by words that one of them has, or what rings.
func (s *assistant) which(ctx context.Context, o cli.Remind) ([]schedule.Promise, error) {
	const hint = "solo remind list tells the numbers"
	if len(o.Which) == 0 {
		if rings := s.book.Ringing(); len(rings) > 0 {
			return rings, nil
		}
		if p, ok := s.book.Faded(); ok && o.Do == "snooze" {
			return []schedule.Promise{p}, nil
		}
		return nil, mendable("silent", hint, "nothing rings")
	}
	var out []schedule.Promise
	for _, w := range o.Which {
		id, err := strconv.ParseInt(w, 10, 64)
		if err != nil {
			return s.byWords(ctx, strings.Join(o.Which, " "))
		}
		p, err := s.book.Find(ctx, id)
		if errors.Is(err, schedule.ErrUnknown) {
			return nil, mendable("unknown", hint, "there is no promise %d", id)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// byWords finds the one promise that words mean.
func (s *assistant) byWords(ctx context.Context, said string) ([]schedule.Promise, error) {
	all, err := s.standing(ctx)
	if err != nil {
		return nil, err
	}
	labels := make([]string, len(all))
	for i, p := range all {
		labels[i] = p.Text + " " + string(p.Kind)
	}
	found := tool.Pick(said, labels)
	switch len(found) {
	case 0:
		return nil, mendable("unknown", "solo remind list tells what there is", "no promise is about %q", said)
	case 1:
		return []schedule.Promise{all[found[0]]}, nil
	}
	var some []string
	for _, i := range found[:min(len(found), 5)] {
		some = append(some, fmt.Sprintf("%d (%s)", all[i].ID, all[i].Text))
	}
	return nil, mendable("several", "name one by its number", "%q may be %s", said, tool.Either(some))
}

func (s *assistant) remindHistory(ctx context.Context, o cli.Remind, tell func(any) error) error {
	list, err := s.book.History(ctx, o.Last, 0)
	if err != nil {
		return err
	}
	zone := s.app.now().Location()
	for _, d := range list {
		line := cli.Delivery{ID: d.ID, At: d.Made.In(zone), Step: string(d.Step), Channel: d.Channel, Promise: d.Promise, Kind: string(d.Kind), Text: d.Text,
			For: d.Receipt.At.In(zone), Late: cli.Millis(d.Late), Again: d.Again, Note: d.Note}
		if err := tell(promiseLine{Delivery: &line}); err != nil {
			return err
		}
	}
	return nil
}

// line is a promise as the command line shows it.
func (s *assistant) promiseLine(p schedule.Promise, did string) *cli.Promise {
	return &cli.Promise{Did: did, ID: p.ID, Kind: string(p.Kind), Text: p.Text, At: p.At, When: s.saidWhen(p), Every: p.Every, Zone: p.Zone, State: string(p.State)}
}

// saidWhen is "every weekday at 9 AM, next tomorrow at 9 AM", and for who has travelled what the clock shows there.
func (s *assistant) saidWhen(p schedule.Promise) string {
	now := s.app.now()
	said := when.Say(p.At, now)
	if p.Every != "" {
		said = tool.Every(p.Every, p.At) + ", next " + said
	}
	_, here := p.At.In(now.Location()).Zone()
	if _, there := p.At.Zone(); there != here {
		said += " (" + when.SayClock(p.At) + " in " + p.Zone + ")"
	}
	return said
}
