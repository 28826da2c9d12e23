package reminders_test

import (
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/tool/reminders"
	"github.com/solo-assistant/solo/core/tool/tooltest"
)

// What is coming up is of every kind, the soonest first.
func TestAllThatIsComingUp(t *testing.T) {
	clock := tooltest.At(t, "2026-11-21 16:20", "Europe/Berlin")
	book := schedule.New(schedule.Config{Rows: open(t).Schedule(), Now: clock.Now})
	now := clock.Now()
	for _, p := range []schedule.Promise{
		{Kind: schedule.Timer, Text: "pasta", Length: 9 * time.Minute},
		{Kind: schedule.Timer, Length: 30 * time.Minute},
		{Kind: schedule.Alarm, At: now.Add(15 * time.Hour)},
		{Kind: schedule.Reminder, Text: "call Anna", At: now.Add(40 * time.Minute)},
		{Kind: schedule.Briefing, Text: "morning", Every: "FREQ=DAILY;BYHOUR=8;BYMINUTE=0"},
		{Kind: schedule.Reminder, Text: "next year", At: now.AddDate(1, 0, 0)},
	} {
		if _, err := book.Add(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	tooltest.Play(t, tooltest.Box(t, reminders.Tools(reminders.Config{Book: book, Now: clock.Now})...), clock, `
reminders.upcoming
  Coming up: the pasta timer in 9 minutes, a timer in 30 minutes, call Anna today at 5 PM, an alarm tomorrow at 7:20 AM and the morning briefing tomorrow at 8 AM.
`)
}
