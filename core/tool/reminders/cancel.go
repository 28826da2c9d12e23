package reminders

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/when"
	"github.com/solo-assistant/solo/models"
)

type cancelArgs struct {
	Text string `json:"text,omitempty" jsonschema:"what the reminder is about" limits:"0..500"`
	All  bool   `json:"all,omitempty" jsonschema:"cancel all reminders"`
}

func (r reminders) cancel(ctx context.Context, in cancelArgs) (models.Result, error) {
	all, err := r.Book.Waiting(ctx, schedule.Reminder)
	if err != nil {
		return models.Result{}, err
	}
	if len(all) == 0 {
		return tool.Said("You have no reminders."), nil
	}
	in.All = in.All || everything[strings.ToLower(tool.Trim(in.Text))]
	found := r.meant(all, in)
	switch {
	case in.All || len(found) == 1:
	case len(found) > 1:
		return ask(fmt.Sprintf("You have %d reminders: %s. Which one?", len(found), r.some(found)), "text", "reminders.cancel", none{}), nil
	case len(all) == 1:
		return tool.Said("I can't find that reminder. There's only one: %s.", r.some(all)), nil
	default:
		return ask(fmt.Sprintf("I can't find that reminder. You have: %s. Which one?", r.some(all)), "text", "reminders.cancel", none{}), nil
	}
	return r.gone(ctx, found)
}

var (
	everything = map[string]bool{"all": true, "all of them": true, "all reminders": true, "both": true, "both of them": true, "everything": true}
	places     = map[string]int{"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4}
)

// meant finds reminders by what they are about, by their time, or by their place in the list that was read out.
func (r reminders) meant(all []schedule.Promise, in cancelArgs) []schedule.Promise {
	said := tool.Trim(in.Text, "the", "my", "to", "about")
	if said == "" || in.All {
		return all
	}
	labels := make([]string, len(all))
	for i, p := range all {
		labels[i] = p.Text + " " + r.at(p)
	}
	var found []schedule.Promise
	for _, i := range tool.Pick(said, labels) {
		found = append(found, all[i])
	}
	if len(found) > 0 {
		return found
	}
	word, _, _ := strings.Cut(strings.ToLower(said), " ")
	if i, ok := places[word]; ok && i < len(all) {
		return all[i : i+1]
	}
	if word == "last" {
		return all[len(all)-1:]
	}
	return nil
}

// gone cancels reminders and reads them back.
func (r reminders) gone(ctx context.Context, all []schedule.Promise) (models.Result, error) {
	var was []schedule.Promise
	for _, p := range all {
		got, err := r.Book.Cancel(ctx, schedule.Reminder, p.ID)
		if err != nil {
			return models.Result{}, err
		}
		was = append(was, got)
	}
	say := fmt.Sprintf("Okay, I won't remind you %s.", of(was[0].Text))
	if len(was) > 1 {
		say = fmt.Sprintf("I cancelled %d reminders: %s.", len(was), r.some(was))
	}
	return models.Result{Say: say, Undo: tool.CallOf("reminders.restore", restoreArgs{was})}, nil
}

// leads are first words that want no "to" before them.
var leads = map[string]string{
	"about": "", "of": "", "that": "", "when": "", "how": "", "where": "", "what": "", "why": "", "who": "", "not": "", "to": "",
	"the": "about ", "my": "about ", "a": "about ", "an": "about ", "our": "about ", "his": "about ", "her": "about ",
	"their": "about ", "your": "about ", "i": "that ", "we": "that ", "it": "that ", "it's": "that ", "i'm": "that ",
	"he": "that ", "she": "that ", "they": "that ", "there": "that ", "there's": "that ",
}

// of leads over to what the user is reminded of: "to call Anna", "about your dentist", "that it is cold".
func of(text string) string {
	word, _, _ := strings.Cut(strings.ToLower(text), " ")
	lead, ok := leads[word]
	if !ok {
		lead = "to "
	}
	return lead + tool.Mirror(text)
}

// at is when a reminder is due: "in 10 minutes", "tomorrow at 9 AM", "every Monday at 9 AM".
func (r reminders) at(p schedule.Promise) string {
	if p.Every != "" {
		return tool.Every(p.Every, p.At)
	}
	now := r.Now()
	if left := p.At.Sub(now).Round(time.Second); p.At.Second() != 0 && left > 0 && left < time.Hour {
		return "in " + when.Length(left) // a time with odd seconds was said from now on
	}
	return when.Say(p.At, now)
}

func (r reminders) some(all []schedule.Promise) string {
	var out []string
	for _, p := range all {
		out = append(out, tool.Mirror(p.Text)+" "+r.at(p))
	}
	return tool.Some(out, 5)
}

type dropArgs struct {
	ID int64 `json:"id"`
}

func (r reminders) drop(ctx context.Context, in dropArgs) (models.Result, error) {
	p, err := r.Book.Cancel(ctx, schedule.Reminder, in.ID)
	if err != nil {
		return models.Result{}, err
	}
	return tool.Said("Okay, I won't remind you %s.", of(p.Text)), nil
}

type restoreArgs struct {
	Promises []schedule.Promise `json:"promises"`
}

func (r reminders) restore(ctx context.Context, in restoreArgs) (models.Result, error) {
	for _, p := range in.Promises {
		if err := r.Book.Restore(ctx, p); err != nil {
			return models.Result{}, err
		}
	}
	if len(in.Promises) == 1 {
		return tool.Said("Okay, I'll remind you %s %s after all.", of(in.Promises[0].Text), r.at(in.Promises[0])), nil
	}
	return tool.Said("Okay, %d reminders are back.", len(in.Promises)), nil
}
