package reminders_test

import (
	"testing"

	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/tool/reminders"
	"github.com/solo-assistant/solo/core/tool/tooltest"
)

func TestTalks(t *testing.T) {
	for name, script := range map[string]string{
		"read back, yes": `
reminders.list
  You have no reminders.
reminders.create {"text":"call Anna","time":"2026-11-22T09:00:00+01:00"}
  I'll remind you to call Anna tomorrow at 9 AM. Right?
yes
  Okay.
reminders.list
  You have one reminder: call Anna tomorrow at 9 AM.
undo
  Okay, I won't remind you to call Anna.
reminders.list
  You have no reminders.`,

		"coming up": `
reminders.upcoming
  Nothing is coming up.
reminders.create {"text":"renew the passport","time":"2026-12-24T15:00:00+01:00"}
  I'll remind you to renew the passport on Thursday, December 24 at 3 PM. Right?
yes
  Okay.
reminders.upcoming
  Nothing in the next 7 days, and 1 thing later.
reminders.create {"text":"call my mom","time":"2026-11-22T09:00:00+01:00"}
  I'll remind you to call your mom tomorrow at 9 AM. Right?
yes
  Okay.
reminders.upcoming
  Coming up: call your mom tomorrow at 9 AM.`,

		"read back, no": `
reminders.create {"text":"to call Anna.","time":"2026-11-22T09:00:00+01:00"}
  I'll remind you to call Anna tomorrow at 9 AM. Right?
no
  Okay, I won't remind you to call Anna.
reminders.list
  You have no reminders.
reminders.cancel
  You have no reminders.`,

		"asks when": `
reminders.create {"text":"call my mom"}
  When should I remind you to call your mom?
> 2026-11-21T09:00:00+01:00
  That time has already passed. When should I remind you to call your mom?
> 2026-11-25T09:00:00+01:00
  I'll remind you to call your mom on Wednesday, November 25 at 9 AM. Right?
yes
  Okay.
reminders.create {"time":"2026-11-21T20:00:00+01:00"}
  What should I remind you of?
> the oven
  I'll remind you about the oven today at 8 PM. Right?
yes
  Okay.
reminders.create {"text":"stretch","repeat":"FREQ=SOMETIMES"}
  I can't keep that time. When should I remind you to stretch?
reminders.create {"text":"stretch","time":"2926-11-21T20:00:00+01:00"}
  That's too far away. When should I remind you to stretch?
> 2026-11-21T16:30:10+01:00
  I'll remind you to stretch in 10 minutes and 10 seconds. Right?
yes
  Okay.`,

		"ways to say it": `
reminders.create {"text":"about the meeting","time":"2026-12-24T15:00:00+01:00"}
  I'll remind you about the meeting on Thursday, December 24 at 3 PM. Right?
yes
  Okay.
reminders.create {"text":"that I owe Ben ten euros","time":"2026-11-22T12:00:00+01:00"}
  I'll remind you that you owe Ben ten euros tomorrow at noon. Right?
yes
  Okay.
reminders.create {"text":"my dentist appointment","time":"2026-11-22T12:00:00+01:00"}
  I'll remind you about your dentist appointment tomorrow at noon. Right?
yes
  Okay.
reminders.create {"text":"not to be late","time":"2026-11-22T12:00:00+01:00"}
  I'll remind you not to be late tomorrow at noon. Right?
yes
  Okay.`,

		"recurring": `
reminders.create {"text":"water the plants","repeat":"FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0"}
  I'll remind you to water the plants every Monday at 9 AM. Right?
yes
  Okay.
reminders.list
  You have one reminder: water the plants every Monday at 9 AM.
reminders.cancel {"text":"the plants"}
  Okay, I won't remind you to water the plants.
undo
  Okay, I'll remind you to water the plants every Monday at 9 AM after all.`,

		"which one": `
reminders.create {"text":"call Anna","time":"2026-11-22T09:00:00+01:00"}
  I'll remind you to call Anna tomorrow at 9 AM. Right?
reminders.create {"text":"call Ben","time":"2026-11-22T10:00:00+01:00"}
  I'll remind you to call Ben tomorrow at 10 AM. Right?
reminders.cancel
  You have 2 reminders: call Anna tomorrow at 9 AM and call Ben tomorrow at 10 AM. Which one?
> ben
  Okay, I won't remind you to call Ben.
undo
  Okay, I'll remind you to call Ben tomorrow at 10 AM after all.
reminders.cancel {"text":"call"}
  You have 2 reminders: call Anna tomorrow at 9 AM and call Ben tomorrow at 10 AM. Which one?
> the first one
  Okay, I won't remind you to call Anna.
reminders.cancel {"text":"the dentist"}
  I can't find that reminder. There's only one: call Ben tomorrow at 10 AM.
undo
  Okay, I'll remind you to call Anna tomorrow at 9 AM after all.
reminders.cancel {"text":"the dentist"}
  I can't find that reminder. You have: call Anna tomorrow at 9 AM and call Ben tomorrow at 10 AM. Which one?
> both of them
  I cancelled 2 reminders: call Anna tomorrow at 9 AM and call Ben tomorrow at 10 AM.
undo
  Okay, 2 reminders are back.
reminders.cancel {"all":true}
  I cancelled 2 reminders: call Anna tomorrow at 9 AM and call Ben tomorrow at 10 AM.`,
	} {
		t.Run(name, func(t *testing.T) {
			clock := tooltest.At(t, "2026-11-21 16:20", "Europe/Berlin")
			book := schedule.New(schedule.Config{Rows: open(t).Schedule(), Now: clock.Now})
			tools := append(reminders.Tools(reminders.Config{Book: book, Now: clock.Now}), tooltest.Fine())
			tooltest.Play(t, tooltest.Box(t, tools...), clock, script)
		})
	}
}
