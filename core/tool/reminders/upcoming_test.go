package reminders_test

import (
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/tool/reminders"
	"github.com/solo-assistant/solo/core/tool/tooltest"
)

func TestDoneAndPostponed(t *testing.T) {
	clock := tooltest.At(t, "2026-11-21 16:20", "Europe/Berlin")
	book := schedule.New(schedule.Config{Rows: open(t).Schedule(), Now: clock.Now})
	box := tooltest.Box(t, reminders.Tools(reminders.Config{Book: book, Now: clock.Now})...)
	tooltest.Play(t, box, clock, `
reminders.done
  You have no reminders.
`)
	for _, p := range []schedule.Promise{
		{Kind: schedule.Reminder, Text: "call my mom", At: clock.Now().Add(time.Hour)},
		{Kind: schedule.Reminder, Text: "take the pills", Every: "FREQ=DAILY;BYHOUR=20;BYMINUTE=0"},
		{Kind: schedule.Timer, Text: "pasta", Length: time.Hour},
	} {
		if _, err := book.Add(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	tooltest.Play(t, box, clock, `
reminders.postpone {"text":"mom","duration":"PT30M"}
  Okay, call your mom: today at 5:50 PM.
undo
  Okay, as it was.
reminders.done {"text":"pills"}
  Okay, done: take the pills.
undo
  Okay, as it was.
reminders.done
  Which one: call your mom today at 5:20 PM and take the pills every day at 8 PM?
reminders.postpone {"id":3}
  Okay, the pasta timer: today at 5:30 PM.
reminders.done {"id":3}
  Okay, done: the pasta timer.
reminders.done {"id":3}
  That one is over already.
reminders.done {"id":99}
  There is no such promise.
reminders.done {"text":"penguins"}
  I can't find that reminder.
reminders.postpone {"text":"mom","duration":"P900D"}
  I can put it off for a year at most.
`)
}

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
