package mind

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/when"
)

// target says into which arguments a slot that names a time goes.
type target struct {
	repeat string // for an RRULE, "" where none is taken
	due    bool   // a day means its end
	day    bool   // only the day is asked for
}

// times are the slots that hold time phrases.
var times = map[string]target{"time": {repeat: "repeat"}, "due_time": {due: true}, "day": {day: true}}

// exact tools want an hour: to guess one would wake somebody.
var exact = map[string]bool{"alarms.set": true}

// arguments makes the JSON arguments of a call. Left is a time phrase that lacks an hour, which the tool asks for.
func (m *Mind) arguments(name string, slots map[string]string) (args json.RawMessage, left, sorry string) {
	out := map[string]any{}
	for slot, text := range slots {
		into, isTime := times[slot]
		if !isTime {
			if v, ok := m.value(name, slot, text); ok {
				out[slot] = v
			}
			continue
		}
		t, ok := m.moment(text, into)
		switch {
		case !ok && asksTime[name]:
			// the tool asks for it
		case !ok:
			return nil, "", "I did not understand the time \"" + text + "\"."
		case t.coarse && exact[name]:
			left = text
		case t.rule != "" && name == "alarms.cancel":
			out["name"] = text
		default:
			into.put(out, t, slot)
		}
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return nil, "", "Sorry, that did not work."
	}
	return raw, left, ""
}

// asksTime are the tools that ask for a time that they lack.
var asksTime = map[string]bool{"reminders.create": true, "alarms.set": true, "routines.plan": true, "brief.plan": true}

// put writes a moment as arguments.
func (t target) put(args map[string]any, at moment, slot string) {
	if !at.at.IsZero() {
		args[slot] = at.at.Format(time.RFC3339)
	}
	if at.rule != "" && t.repeat != "" {
		args[t.repeat] = at.rule
	}
}

// value gives a slot the type of its argument.
func (m *Mind) value(tool, slot, text string) (any, bool) {
	switch {
	case slot == "all" || slot == "last" || slot == "every" || slot == "sources":
		return text == "true", text != ""
	case slot == "by" || slot == "progress" || slot == "priority" || tool == "volume.set":
		f, err := strconv.ParseFloat(text, 64)
		return int(math.Round(f)), err == nil
	case slot == "amount":
		f, err := strconv.ParseFloat(text, 64)
		return f, err == nil
	case slot == "tags":
		return []string{strings.ToLower(text)}, true
	case slot == "duration":
		return m.length(text)
	case slot == "about" && text == "me":
		return "", false // all that is known
	}
	return text, text != ""
}

// length is an ISO 8601 duration, or what is said for one.
func (m *Mind) length(text string) (any, bool) {
	if _, err := when.ParseISO(text); err == nil {
		return text, true
	}
	v, ok := when.Parse(text, m.c.Now())
	if !ok {
		return nil, false
	}
	if v.Kind == when.Duration {
		return v.Duration, true
	}
	return nil, false
}

// moment is what a time phrase means for a tool.
type moment struct {
	at     time.Time // zero for a rule that needs none
	rule   string    // RRULE
	coarse bool      // a day or a part of one: the hour is Solo's guess
}

// moment resolves a phrase.
func (m *Mind) moment(phrase string, into target) (moment, bool) {
	now := m.c.Now()
	for _, text := range []string{phrase, "at " + phrase, "on " + phrase} {
		v, ok := when.Parse(text, now)
		if !ok || !covers(text, v.Span) {
			continue
		}
		if t, ok := place(v, now, into); ok {
			return t, true
		}
	}
	return moment{}, false
}

// answerTime resolves the answer to "when?", together with what was said before.
func (m *Mind) answerTime(before, text string) (moment, bool) {
	text = strings.Trim(strings.TrimSpace(text), ".!?")
	into := times["time"]
	if before != "" {
		for _, joint := range []string{" ", " at "} {
			if t, ok := m.moment(before+joint+text, into); ok && !t.coarse {
				return t, true
			}
		}
	}
	if t, ok := m.moment(text, into); ok {
		return t, true
	}
	v, ok := when.Parse(text, m.c.Now()) // "let's say tomorrow at nine"
	if !ok {
		return moment{}, false
	}
	return place(v, m.c.Now(), into)
}

// covers says that all of the phrase was understood, small words aside.
func covers(text string, span [2]int) bool {
	for w := range strings.FieldsSeq(text[:span[0]] + " " + text[span[1]:]) {
		if !small[strings.Trim(strings.ToLower(w), ".,!?")] {
			return false
		}
	}
	return true
}

var small = words("at on in for about around exactly like the sharp precisely roughly by please starting")

// Hours at which a day and its parts are kept when no hour was said.
const (
	morningHour   = 9
	noonHour      = 12
	afternoonHour = 15
	eveningHour   = 19
)

// place finds the moment of a value.
func place(v when.Value, now time.Time, into target) (moment, bool) {
	switch {
	case v.Kind == when.Recurrence:
		return again(v, now), v.Recurrence != ""
	case v.Kind == when.Point && into.day:
		return moment{at: v.Start}, true
	case v.Kind == when.Point && !wide(v.Grain):
		return moment{at: v.Start}, true
	case v.Kind == when.Point && into.due:
		return moment{at: lastMinute(v.Start), coarse: true}, true
	case v.Kind == when.Point:
		return hourOf(v.Start, now)
	case v.Kind == when.Interval && into.day:
		return moment{at: v.Start}, !v.Start.IsZero()
	case v.Kind == when.Interval:
		return within(v, now, into)
	}
	return moment{}, false
}

func wide(g when.Grain) bool { return g != when.Second && g != when.Minute && g != when.Hour }

// lastMinute of the day of t.
func lastMinute(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 23, 59, 0, 0, t.Location())
}

func atHour(t time.Time, hour int) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), hour, 0, 0, 0, t.Location())
}

// hourOf is the hour at which a day is kept: nine, or later today when that has passed.
func hourOf(day, now time.Time) (moment, bool) {
	for _, hour := range []int{morningHour, noonHour, afternoonHour, eveningHour, 21} {
		if t := atHour(day, hour); t.After(now) {
			return moment{at: t, coarse: true}, true
		}
	}
	return moment{}, false
}

// within is the moment of an interval: its beginning, its hour of the day, or for "by Friday" the last day.
func within(v when.Value, now time.Time, into target) (moment, bool) {
	start, end := v.Start, v.End
	switch {
	case into.due && !end.IsZero():
		if end.Hour() == 0 && end.Minute() == 0 {
			end = end.Add(-time.Minute)
		}
		return moment{at: end, coarse: true}, true
	case start.IsZero():
		return moment{}, false
	case !start.After(now) && !end.IsZero() && end.Sub(start) > 12*time.Hour:
		return hourOf(end.Add(-time.Second), now)
	case end.IsZero() || start.Minute() != 0 || v.Grain == when.Minute:
		return moment{at: start}, true
	case end.Sub(start) > 24*time.Hour && start.Hour() != 0:
		return hourOf(start.AddDate(0, 0, 1), now) // a weekend begins on Friday evening
	}
	t := start
	switch h := start.Hour(); {
	case h == 0:
		t = atHour(start, morningHour)
	case h == 12 && end.Sub(start) > 2*time.Hour:
		t = atHour(start, afternoonHour)
	case h == 18:
		t = atHour(start, eveningHour)
	}
	if !t.After(now) {
		if t = now.Add(time.Hour).Truncate(time.Minute); !end.After(t) {
			return moment{}, false
		}
	}
	return moment{at: t, coarse: true}, true
}

// again is a recurrence; one of days without an hour is kept in the morning.
func again(v when.Value, now time.Time) moment {
	rule := v.Recurrence
	short := strings.Contains(rule, "FREQ=HOURLY") || strings.Contains(rule, "FREQ=MINUTELY") || strings.Contains(rule, "FREQ=SECONDLY")
	t := moment{rule: rule}
	if !short && !strings.Contains(rule, "BYHOUR") {
		t.rule, t.coarse = rule+";BYHOUR="+strconv.Itoa(morningHour)+";BYMINUTE=0", true
		return t
	}
	if v.Start.After(now) {
		t.at = v.Start
	}
	return t
}
