package mind

import (
	"time"

	"github.com/solo-assistant/solo/models"
)

// Due reads by when something is to be done: a day means its end.
func Due(phrase string, now time.Time) (time.Time, bool) {
	m := &Mind{c: Config{Now: func() time.Time { return now }}}
	t, ok := m.moment(phrase, times["due_time"])
	return t.at, ok && t.rule == ""
}

// Read makes the call of a command without running it, with the times in it as they are meant now; false for words that
// are no command, or whose time is not understood.
func Read(intents Intents, text string, now time.Time) (models.Call, bool) {
	name, slots, ok := intents.Understand(text)
	if !ok {
		return models.Call{}, false
	}
	m := &Mind{c: Config{Now: func() time.Time { return now }}}
	args, _, sorry := m.arguments(name, m.apart(name, slots))
	return models.Call{Tool: name, Arguments: args}, sorry == ""
}
