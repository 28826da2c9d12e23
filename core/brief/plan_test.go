package brief_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/brief"
)

func TestRule(t *testing.T) {
	for _, tt := range []struct {
		kind brief.Kind
		text string
		want string
	}{
		{brief.Morning, "07:30", "FREQ=DAILY;BYHOUR=7;BYMINUTE=30"},
		{brief.Morning, " 7:05 ", "FREQ=DAILY;BYHOUR=7;BYMINUTE=5"},
		{brief.Morning, "off", ""},
		{brief.Morning, "", ""},
		{brief.Week, "10:00", "FREQ=WEEKLY;BYDAY=SU;BYHOUR=10;BYMINUTE=0"},
		{brief.Month, "18:00", "FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=18;BYMINUTE=0"},
		{brief.Week, "every friday at 4pm", "FREQ=WEEKLY;BYDAY=FR;BYHOUR=16;BYMINUTE=0"},
		{brief.Week, "every friday", "FREQ=WEEKLY;BYDAY=FR;BYHOUR=10;BYMINUTE=0"},
		{brief.Morning, "freq=daily;byhour=6", "FREQ=DAILY;BYHOUR=6"},
		{brief.Morning, "8 am", "FREQ=DAILY;BYHOUR=8;BYMINUTE=0"},
	} {
		if got, err := brief.Rule(tt.kind, tt.text, at(21, 7, 0)); err != nil || got != tt.want {
			t.Errorf("%s %q: %q, %v, want %q", tt.kind, tt.text, got, err, tt.want)
		}
	}
	if got, err := brief.Rule(brief.Morning, "every weekday at 7:30", at(21, 7, 0)); err != nil || !strings.Contains(got, "BYDAY=MO,TU,WE,TH,FR") || !strings.Contains(got, "BYHOUR=7;BYMINUTE=30") {
		t.Errorf("weekdays: %q, %v", got, err)
	}
	for _, text := range []string{"25:00", "soon", "'; DROP TABLE", "every hour", "every five minutes", strings.Repeat("7", 1<<20), "ten minutes", "\x00"} {
		if got, err := brief.Rule(brief.Morning, text, at(21, 7, 0)); !errors.Is(err, brief.ErrTime) {
			t.Errorf("%.40q: %q, %v", text, got, err)
		}
	}
	if _, err := brief.Rule("year", "07:30", at(21, 7, 0)); !errors.Is(err, brief.ErrKind) {
		t.Errorf("a yearly one: %v", err)
	}
}
