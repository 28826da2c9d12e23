package reminders

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/when"
	"github.com/solo-assistant/solo/models"
)

// ahead is how far off what is coming up may be.
const ahead = 7 * 24 * time.Hour

// upcoming tells what is due in the next days: timers, alarms, reminders and briefings, the soonest first.
func (r reminders) upcoming(ctx context.Context, _ none) (models.Result, error) {
	all, err := r.Book.Waiting(ctx)
	if err != nil {
		return models.Result{}, err
	}
	now := r.Now()
	later := len(all)
	all = slices.DeleteFunc(all, func(p schedule.Promise) bool { return p.At.Sub(now) > ahead })
	later -= len(all)
	var lines []string
	for _, p := range all {
		lines = append(lines, r.upcomingLine(p))
	}
	out := models.Result{Say: "Coming up: " + tool.Some(lines, 5) + "."}
	switch {
	case len(all) == 0 && later > 0:
		out.Say = fmt.Sprintf("Nothing in the next 7 days, and %s later.", tool.Count(later, "thing"))
	case len(all) == 0:
		out.Say = "Nothing is coming up."
	}
	return tool.With(out, kinds(all...)), nil
}

// upcomingLine is "the pasta timer in 5 minutes", "an alarm tomorrow at 7 AM", "call Anna at 5 PM".
func (r reminders) upcomingLine(p schedule.Promise) string {
	at := when.Say(p.At, r.Now())
	if left := p.At.Sub(r.Now()).Round(time.Second); left < time.Hour && p.Kind == schedule.Timer {
		at = "in " + when.Length(left)
	}
	switch {
	case p.Kind == schedule.Reminder:
		return tool.Mirror(p.Text) + " " + at
	case p.Text == "" && p.Kind == schedule.Alarm:
		return "an alarm " + at
	case p.Text == "":
		return strings.TrimSpace("a " + string(p.Kind) + " " + at)
	}
	return "the " + p.Text + " " + string(p.Kind) + " " + at
}

type kindRow struct {
	Kind string `json:"kind"`
	row
}

func kinds(all ...schedule.Promise) []kindRow {
	out := []kindRow{}
	for _, p := range all {
		out = append(out, kindRow{string(p.Kind), row{p.Text, p.At, p.Every}})
	}
	return out
}
