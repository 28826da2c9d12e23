package timers

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

// all lists what rings and what runs, the soonest first.
func (t timers) all(ctx context.Context) ([]schedule.Promise, error) {
	waiting, err := t.Book.Waiting(ctx, schedule.Timer)
	if err != nil {
		return nil, err
	}
	ringing := slices.DeleteFunc(t.Book.Ringing(), func(p schedule.Promise) bool { return p.Kind != schedule.Timer })
	return append(ringing, waiting...), nil
}

// named is a timer's name without the word timer: "the pasta timer" is "pasta".
func named(name string) string {
	name = tool.Trim(name, "the", "my", "a")
	if strings.EqualFold(name, "timer") {
		return ""
	}
	return strings.TrimSpace(strings.TrimSuffix(name, " timer"))
}

// title is "pasta timer" or "10 minute timer".
func title(p schedule.Promise) string {
	if p.Text != "" {
		return p.Text + " timer"
	}
	return sized(p.Length) + " timer"
}

// sized is a length as it stands before a noun: "1 hour 30 minute".
func sized(d time.Duration) string {
	return strings.NewReplacer(" and ", " ", ",", "", "days", "day", "hours", "hour", "minutes", "minute", "seconds", "second").Replace(when.Length(d))
}

func titles(all []schedule.Promise) []string {
	var out []string
	for _, p := range all {
		out = append(out, title(p))
	}
	return out
}

// over tells whether a timer rings.
func (t timers) over(p schedule.Promise) bool { return !p.At.After(t.Now()) }

// remaining is the time left, begun seconds counting as whole: "3 minutes and 20 seconds".
func (t timers) remaining(p schedule.Promise) string {
	left := p.At.Sub(t.Now())
	if left <= 0 {
		return "no time"
	}
	return when.Length((left + time.Second - time.Millisecond).Truncate(time.Second))
}

// standing is "pasta with 3 minutes left".
func (t timers) standing(p schedule.Promise) string {
	name := p.Text
	if name == "" {
		name = "a " + title(p)
		if strings.HasPrefix(name, "a 8") || strings.HasPrefix(name, "a 11 ") || strings.HasPrefix(name, "a 18 ") {
			name = "an" + name[1:]
		}
	}
	if t.over(p) {
		return name + " ringing now"
	}
	return name + " with " + t.remaining(p) + " left"
}

// choose finds the timer that is meant. Where several may be it gives the question to ask; where none is and only one
// runs, neither.
func (t timers) choose(all []schedule.Promise, name string, d tool.Duration) (found []schedule.Promise, question string) {
	if everything[strings.ToLower(strings.Trim(name, " .!"))] {
		return all, ""
	}
	if name == "" && d == 0 {
		found = all
	} else {
		found = pick(all, name, time.Duration(d), t.Now())
	}
	switch {
	case len(found) == 1 || len(found) == 0 && len(all) == 1:
		return found, ""
	case len(found) == 0:
		return nil, fmt.Sprintf("%s There's %s. Which one?", absent(name, d), the(all))
	}
	return nil, fmt.Sprintf("You have %d %s: %s. Which one?", len(found), kinds(found), the(found))
}

// kinds is what several timers are called: those of one name by it.
func kinds(all []schedule.Promise) string {
	for _, p := range all {
		if p.Text == "" || !strings.EqualFold(p.Text, all[0].Text) {
			return "timers"
		}
	}
	return all[0].Text + " timers"
}

// the tells timers apart, those of one name by their length.
func the(all []schedule.Promise) string {
	var out []string
	for _, p := range all {
		name := p.Text
		if name == "" || kinds(all) != "timers" {
			name = "the " + sized(p.Length) + " one"
		}
		out = append(out, name)
	}
	return tool.Some(out, 5)
}

var everything = map[string]bool{"all": true, "all of them": true, "all timers": true, "both": true, "both of them": true, "everything": true, "every one": true}

var places = map[string]int{"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "1st": 0, "2nd": 1, "3rd": 2, "4th": 3, "5th": 4}

// pick finds timers by name, by their whole length, or by their place in the list that was read out.
func pick(all []schedule.Promise, name string, d time.Duration, now time.Time) []schedule.Promise {
	if d > 0 {
		all = slices.DeleteFunc(slices.Clone(all), func(p schedule.Promise) bool { return p.Length != d })
	}
	name = named(name)
	if name == "" {
		return all
	}
	labels := make([]string, len(all))
	for i, p := range all {
		labels[i] = p.Text + " " + sized(p.Length)
	}
	var found []schedule.Promise
	for _, i := range tool.Pick(name, labels) {
		found = append(found, all[i])
	}
	if len(found) > 0 {
		return found
	}
	if v, ok := when.Parse(name, now); ok && v.Kind == when.Duration {
		if length, err := when.ParseISO(v.Duration); err == nil && d == 0 {
			return pick(all, "", length, now)
		}
	}
	word, _, _ := strings.Cut(strings.ToLower(name), " ")
	if i, ok := places[word]; ok && i < len(all) {
		return all[i : i+1]
	}
	if word == "last" && len(all) > 0 {
		return all[len(all)-1:]
	}
	return nil
}

func absent(name string, d tool.Duration) string {
	switch {
	case name != "":
		return fmt.Sprintf("I can't find a %s timer.", named(name))
	case d > 0:
		return fmt.Sprintf("I can't find a %s timer.", sized(time.Duration(d)))
	}
	return "I can't find that timer."
}

func ask(question, slot, call string, args any) models.Result {
	return models.Result{Say: question, Ask: &models.Ask{Slot: slot, Call: *tool.CallOf(call, args)}}
}

type row struct {
	Name string        `json:"name,omitempty"`
	Set  tool.Duration `json:"set"`
	Left tool.Duration `json:"left"`
	At   time.Time     `json:"at"`
}

func (t timers) data(all ...schedule.Promise) []row {
	out := []row{}
	for _, p := range all {
		out = append(out, row{p.Text, tool.Duration(p.Length), tool.Duration(max(0, p.At.Sub(t.Now()))), p.At})
	}
	return out
}
