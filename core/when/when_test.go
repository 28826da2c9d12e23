package when_test

import (
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/when"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	l, err := time.LoadLocation(name)
	if err != nil {
		t.Skipf("skipped: this machine does not know the zone %s", name)
	}
	return l
}

func TestParseGivesSpanOfThePhrase(t *testing.T) {
	now := time.Date(2015, 5, 13, 10, 20, 30, 0, time.UTC)
	text := "remind me to call Anna tomorrow at 9, please"
	v, ok := when.Parse(text, now)
	if !ok || text[v.Span[0]:v.Span[1]] != "tomorrow at 9" || !v.Start.Equal(time.Date(2015, 5, 14, 9, 0, 0, 0, time.UTC)) {
		t.Fatalf("Parse(%q) = %+v, %v", text, v, ok)
	}
}
