package when_test

import (
	"testing"

	"github.com/teambition/rrule-go"

	"github.com/solo-assistant/solo/core/when"
)

// A rule must be one that others can read, and its first time must be one of the rule's own.
func TestRulesAreReadByAnotherLibrary(t *testing.T) {
	read := 0
	for _, now := range moments(t)[:3] {
		for _, say := range sayings(t) {
			v, ok := when.Parse(say, now)
			if !ok || v.Kind != when.Recurrence {
				continue
			}
			option, err := rrule.StrToROption(v.Recurrence)
			if err != nil {
				t.Errorf("%q gives %s: %v", say, v.Recurrence, err)
				continue
			}
			option.Dtstart = v.Start
			rule, err := rrule.NewRRule(*option)
			if err != nil {
				t.Errorf("%q gives %s: %v", say, v.Recurrence, err)
				continue
			}
			if first := rule.After(v.Start, true); !first.Equal(v.Start) {
				t.Errorf("%q at %s gives %s from %s, but the rule begins %s", say, now, v.Recurrence, v.Start, first)
			}
			read++
		}
	}
	if read < 100 {
		t.Errorf("only %d rules were read", read)
	}
}
