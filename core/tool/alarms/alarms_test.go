package alarms_test

import (
	"testing"

	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/tool/alarms"
	"github.com/solo-assistant/solo/core/tool/tooltest"
)

func TestTalks(t *testing.T) {
	for name, script := range map[string]string{
		"one": `
alarms.list
  You have no alarms set.
alarms.cancel
  You have no alarms set.
alarms.set {"time":"2026-11-22T07:00:00+01:00"}
  Alarm set for tomorrow at 7 AM.
alarms.set {"time":"2026-11-22T06:00:00Z"}
  You already have an alarm for tomorrow at 7 AM.
alarms.list
  You have one alarm: tomorrow at 7 AM.
alarms.cancel
  Alarm for tomorrow at 7 AM cancelled.
undo
  Okay, the alarm for tomorrow at 7 AM is set again.
alarms.cancel {"name":"flight"}
  I can't find that alarm. There's only one, for tomorrow at 7 AM.
undo
  Okay, no alarm for tomorrow at 7 AM.
alarms.list
  You have no alarms set.`,

		"asks when": `
alarms.set
  When should the alarm ring?
> 2026-11-21T15:00:00+01:00
  That time has already passed. When should the alarm ring?
> 2026-11-21T22:30:00+01:00
  Alarm set for today at 10:30 PM.
alarms.set {"name":"my flight alarm"}
  When should the alarm ring?
> 2026-11-24T12:00:00+01:00
  Flight alarm set for Tuesday, November 24 at noon.
alarms.set {"time":"2726-11-24T12:00:00+01:00"}
  That's too far away. When should the alarm ring?
alarms.set {"repeat":"FREQ=SOMETIMES"}
  I can't set an alarm for that. When should it ring?
> 2027-08-01T05:05:00+02:00
  Alarm set for Sunday, August 1, 2027 at 5:05 AM.`,

		"recurring": `
alarms.set {"repeat":"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=7;BYMINUTE=0"}
  Alarm set for every weekday at 7 AM.
alarms.set {"time":"2026-11-21T10:00:00+01:00","repeat":"FREQ=WEEKLY;BYDAY=SA;BYHOUR=10;BYMINUTE=0"}
  Alarm set for every Saturday at 10 AM.
alarms.set {"time":"2026-12-01T08:15:00+01:00","repeat":"FREQ=MONTHLY;BYMONTHDAY=1"}
  Alarm set for the 1st of every month at 8:15 AM.
alarms.list
  You have 3 alarms: every weekday at 7 AM, every Saturday at 10 AM and the 1st of every month at 8:15 AM.
alarms.cancel
  You have 3 alarms: every weekday at 7 AM, every Saturday at 10 AM and the 1st of every month at 8:15 AM. Which one?
> the saturday one
  Alarm for every Saturday at 10 AM cancelled.
alarms.cancel {"all":true}
  I cancelled 2 alarms: every weekday at 7 AM and the 1st of every month at 8:15 AM.
undo
  Okay, 2 alarms are set again.
alarms.list
  You have 2 alarms: every weekday at 7 AM and the 1st of every month at 8:15 AM.`,

		"by time": `
alarms.set {"time":"2026-11-22T07:00:00+01:00"}
  Alarm set for tomorrow at 7 AM.
alarms.set {"time":"2026-11-22T08:30:00+01:00","name":"gym"}
  Gym alarm set for tomorrow at 8:30 AM.
alarms.set {"time":"2026-11-23T08:30:00+01:00"}
  Alarm set for Monday, November 23 at 8:30 AM.
# who says 7 in the afternoon gets the evening, and means the morning
alarms.cancel {"time":"2026-11-21T19:00:00+01:00"}
  Alarm for tomorrow at 7 AM cancelled.
alarms.cancel {"time":"2026-11-21T20:30:00+01:00"}
  You have 2 alarms: gym, tomorrow at 8:30 AM and Monday, November 23 at 8:30 AM. Which one?
> gym
  Gym alarm for tomorrow at 8:30 AM cancelled.
alarms.set {"time":"2026-11-22T09:00:00+01:00"}
  Alarm set for tomorrow at 9 AM.
alarms.cancel {"time":"2026-11-22T11:00:00+01:00"}
  I can't find that alarm. You have tomorrow at 9 AM and Monday, November 23 at 8:30 AM. Which one?
> both
  I cancelled 2 alarms: tomorrow at 9 AM and Monday, November 23 at 8:30 AM.`,
	} {
		t.Run(name, func(t *testing.T) {
			clock := tooltest.At(t, "2026-11-21 16:20", "Europe/Berlin")
			book := schedule.New(schedule.Config{Rows: open(t).Schedule(), Now: clock.Now})
			box := tooltest.Box(t, alarms.Tools(alarms.Config{Book: book, Now: clock.Now})...)
			tooltest.Play(t, box, clock, script)
		})
	}
}
