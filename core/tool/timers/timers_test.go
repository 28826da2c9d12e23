package timers_test

import (
	"testing"

	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/tool/timers"
	"github.com/solo-assistant/solo/core/tool/tooltest"
)

// set makes the tools over a real book and real rows, at a clock that stands.
func set(t *testing.T) (*tool.Box, *tooltest.Clock) {
	t.Helper()
	clock := tooltest.At(t, "2026-11-21 16:20", "Europe/Berlin")
	book := schedule.New(schedule.Config{Rows: open(t).Schedule(), Now: clock.Now})
	return tooltest.Box(t, timers.Tools(timers.Config{Book: book, Now: clock.Now})...), clock
}

func TestTalks(t *testing.T) {
	for name, script := range map[string]string{
		"one named timer": `
timers.list
  You have no timers running.
timers.left
  You have no timers running.
timers.set {"duration":"PT10M","name":"pasta"}
  Pasta timer, 10 minutes, starting now.
timers.left {"name":"pasta"}
  10 minutes left on the pasta timer.
+6m40s
timers.left
  3 minutes and 20 seconds left on the pasta timer.
timers.list
  You have one timer: pasta with 3 minutes and 20 seconds left.
timers.extend {"duration":"PT5M"}
  I added 5 minutes to the pasta timer. It has 8 minutes and 20 seconds left.
undo
  Okay, the pasta timer has 3 minutes and 20 seconds left, as before.
timers.cancel
  Pasta timer cancelled.
timers.list
  You have no timers running.
undo
  Okay, the pasta timer is running again.
timers.left
  3 minutes and 20 seconds left on the pasta timer.
undo
  Okay, I cancelled the pasta timer.
undo
  There's nothing to undo.
timers.cancel
  There's no timer running.
timers.extend {"duration":"PT1M"}
  There's no timer running.`,

		"asks how long": `
timers.set {"name":"the tea timer"}
  How long should the timer run?
> PT3M
  Tea timer, 3 minutes, starting now.
timers.set {"duration":"PT0S"}
  How long should the timer run?
timers.set {"duration":"P60D"}
  A timer can run for 30 days at most. For longer, ask me for a reminder.
timers.set {"duration":"PT1H30M"}
  1 hour and 30 minutes, starting now.
timers.set {"duration":"PT5M","name":"tea"}
  Another tea timer, 5 minutes, starting now.`,

		"asks which": `
timers.set {"duration":"PT10M","name":"pasta"}
  Pasta timer, 10 minutes, starting now.
timers.set {"duration":"PT7M","name":"eggs"}
  Eggs timer, 7 minutes, starting now.
timers.set {"duration":"PT20M"}
  20 minutes, starting now.
timers.cancel
  You have 3 timers: eggs, pasta and the 20 minute one. Which one?
> the pasta one
  Pasta timer cancelled.
timers.extend {"duration":"PT2M"}
  You have 2 timers: eggs and the 20 minute one. Which one?
> the 20 minute one
  I added 2 minutes to the 20 minute timer. It has 22 minutes left.
timers.cancel {"name":"rice"}
  I can't find a rice timer. There's eggs and the 22 minute one. Which one?
> the first
  Eggs timer cancelled.
timers.cancel {"name":"rice"}
  I can't find a rice timer. There's only the 22 minute timer.
timers.cancel {"duration":"PT22M"}
  22 minute timer cancelled.
undo
  Okay, the 22 minute timer is running again.
undo
  Okay, the eggs timer is running again.
timers.cancel
  You have 2 timers: eggs and the 22 minute one. Which one?
> both of them
  I cancelled 2 timers: eggs timer and 22 minute timer.
undo
  Okay, the eggs timer and 22 minute timer are running again.
timers.left
  7 minutes left on the eggs timer and 22 minutes on the 22 minute timer.
timers.left {"name":"rice"}
  I can't find a rice timer. 7 minutes left on the eggs timer and 22 minutes on the 22 minute timer.
timers.left {"duration":"PT22M"}
  22 minutes left on the 22 minute timer.
timers.list
  You have 2 timers: eggs with 7 minutes left and a 22 minute timer with 22 minutes left.
timers.cancel {"all":true}
  I cancelled 2 timers: eggs timer and 22 minute timer.`,

		"two of one name": `
timers.set {"duration":"PT3M","name":"egg"}
  Egg timer, 3 minutes, starting now.
timers.set {"duration":"PT8M","name":"egg"}
  Another egg timer, 8 minutes, starting now.
timers.cancel {"name":"egg"}
  You have 2 egg timers: the 3 minute one and the 8 minute one. Which one?
> the last one
  Egg timer cancelled.
timers.left
  3 minutes left on the egg timer.`,

		"many": `
timers.set {"duration":"PT1M"}
  1 minute, starting now.
timers.set {"duration":"PT2M"}
  2 minutes, starting now.
timers.set {"duration":"PT3M"}
  3 minutes, starting now.
timers.set {"duration":"PT4M"}
  4 minutes, starting now.
timers.set {"duration":"PT5M"}
  5 minutes, starting now.
timers.set {"duration":"PT8M"}
  8 minutes, starting now.
timers.set {"duration":"PT11M"}
  11 minutes, starting now.
timers.cancel
  You have 7 timers: the 1 minute one, the 2 minute one, the 3 minute one, the 4 minute one, the 5 minute one and 2 more. Which one?
> eleven minutes
  11 minute timer cancelled.`,

		"snooze": `
timers.snooze
  Nothing is ringing.
timers.snooze {"duration":"P2D"}
  I can snooze for a day at most.`,
	} {
		t.Run(name, func(t *testing.T) {
			box, clock := set(t)
			tooltest.Play(t, box, clock, script)
		})
	}
}
