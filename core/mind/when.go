package mind

import (
	"slices"
	"time"

	"github.com/solo-assistant/solo/core/when"
)

// When reads a phrase about time as the commands read theirs: "tomorrow at five", "every weekday at 9", "on Friday" (in
// the morning then). Rule is an RRULE, "" for once; at is zero where the rule alone decides. ok is false for a phrase that
// is not wholly about time, or that is past.
func When(phrase string, now time.Time) (at time.Time, rule string, ok bool) {
	m := &Mind{c: Config{Now: func() time.Time { return now }}}
	t, ok := m.moment(phrase, times["time"])
	return t.at, t.rule, ok
}

// Apart takes a phrase about time out of a text that says what and when: of "call Anna tomorrow at five" it gives "call
// Anna" and "tomorrow at five".
func Apart(text string, now time.Time) (rest, phrase string, ok bool) {
	for _, v := range slices.Backward(when.ParseAll(text, now)) {
		if rest, phrase, ok := cut(text, v); ok {
			return rest, phrase, true
		}
	}
	return text, "", false
}
