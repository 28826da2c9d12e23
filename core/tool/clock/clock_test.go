package clock_test

import (
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/tool/clock"
	"github.com/solo-assistant/solo/models"
)

func TestSays(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ now, tool, args, want string }{
		"afternoon":             {"2026-11-21 16:20", "clock.time", ``, "It's 4:20 PM."},
		"on the hour":           {"2026-11-21 09:00", "clock.time", `{}`, "It's 9 AM."},
		"noon":                  {"2026-11-21 12:00", "clock.time", `{}`, "It's noon."},
		"midnight":              {"2026-11-21 00:00", "clock.time", `{}`, "It's midnight."},
		"minute past":           {"2026-11-21 00:01", "clock.time", `{}`, "It's 12:01 AM."},
		"today's date":          {"2026-11-21 16:20", "clock.date", `{}`, "It's Saturday, November 21st, 2026."},
		"date given as today":   {"2026-11-21 16:20", "clock.date", `{"day":"2026-11-21T00:00:00+01:00"}`, "It's Saturday, November 21st, 2026."},
		"next friday":           {"2026-11-21 16:20", "clock.date", `{"day":"2026-11-27T00:00:00+01:00"}`, "That's Friday, November 27th."},
		"in another year":       {"2026-11-21 16:20", "clock.date", `{"day":"2027-01-01T00:00:00+01:00"}`, "That's Friday, January 1st, 2027."},
		"tomorrow":              {"2026-12-31 23:59", "clock.date", `{"day":"2027-01-01T00:00:00+01:00"}`, "Tomorrow is Friday, January 1st, 2027."},
		"yesterday":             {"2026-11-23 16:20", "clock.date", `{"day":"2026-11-22T00:00:00+01:00"}`, "Yesterday was Sunday, November 22nd."},
		"last week":             {"2026-11-21 16:20", "clock.date", `{"day":"2026-11-13T00:00:00+01:00"}`, "That was Friday, November 13th."},
		"day in the user's own": {"2026-11-21 16:20", "clock.date", `{"day":"2026-11-26T23:00:00Z"}`, "That's Friday, November 27th."},
		"over summer time":      {"2026-03-28 16:20", "clock.date", `{"day":"2026-03-29T00:00:00+01:00"}`, "Tomorrow is Sunday, March 29th."},
		"what day":              {"2026-11-21 16:20", "clock.day", `{}`, "It's Saturday."},
		"day tomorrow":          {"2026-11-21 16:20", "clock.day", `{"day":"2026-11-22T00:00:00+01:00"}`, "Tomorrow is Sunday."},
		"day next year":         {"2026-11-21 16:20", "clock.day", `{"day":"2027-07-04T00:00:00+02:00"}`, "July 4th, 2027 is a Sunday."},
		"day before":            {"2026-11-21 16:20", "clock.day", `{"day":"2026-07-04T00:00:00+02:00"}`, "July 4th was a Saturday."},
		"null is today":         {"2026-11-21 16:20", "clock.day", `{"day":null}`, "It's Saturday."},
	} {
		t.Run(name, func(t *testing.T) {
			now, err := time.ParseInLocation("2006-01-02 15:04", tt.now, zone)
			if err != nil {
				t.Fatal(err)
			}
			box := tool.New(tool.Config{})
			if err := box.Add(clock.Tools(clock.Config{Now: func() time.Time { return now }})...); err != nil {
				t.Fatal(err)
			}
			r, err := box.Call(t.Context(), models.Call{Tool: tt.tool, Arguments: []byte(tt.args)})
			if err != nil || r.Say != tt.want {
				t.Errorf("said %q, want %q (error %v)", r.Say, tt.want, err)
			}
			if len(r.Data) == 0 {
				t.Error("nothing for a program to read")
			}
		})
	}
}
