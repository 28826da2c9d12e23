package tasks_test

import (
	"testing"

	"github.com/solo-assistant/solo/core/task"
	"github.com/solo-assistant/solo/core/tool/tasks"
	"github.com/solo-assistant/solo/core/tool/tooltest"
)

func TestTalks(t *testing.T) {
	for name, script := range map[string]string{
		"one": `
tasks.list
  Your list is empty.
tasks.complete {"description":"milk"}
  Your list is empty.
tasks.delete {"all":true}
  Your list is empty.
tasks.create {"description":"to buy milk"}
  I put buy milk on your list.
tasks.create {"description":"Buy milk"}
  Buy milk is on your list already.
tasks.list
  You have one task: buy milk.
tasks.complete {"description":"the milk"}
  Done: buy milk. That was the last one.
undo
  Okay, buy milk is open again.
tasks.complete {"description":"bread"}
  I can't find that on your list. There's only buy milk.
tasks.delete {"description":"milk"}
  Okay, I took buy milk off your list.
undo
  Okay, buy milk is back on your list.
tasks.delete {"all":true}
  Shall I delete your one task, buy milk?
no
  -
undo
  Okay, I took buy milk off your list.
tasks.list
  Your list is empty.`,

		"due": `
tasks.create {"description":"pay the rent","due_time":"2026-11-23T09:00:00+01:00"}
  I put pay the rent on your list, due Monday, November 23 at 9 AM.
tasks.create {"description":"eggs","tags":["shopping"]}
  I put eggs on your shopping list.
tasks.create {"description":"call my sister","due_time":"2026-11-21T23:59:59+01:00"}
  I put call your sister on your list, due today.
tasks.create {"description":"late","due_time":"2026-11-20T09:00:00+01:00"}
  That time has already passed. When is it due?
> 2026-12-06T00:00:00+01:00
  I put late on your list, due Sunday, December 6.
tasks.create
  What should I put on your list?
> sleep
  I put sleep on your list.
+24h
tasks.list
  You have 5 tasks: call your sister overdue since yesterday, pay the rent due tomorrow at 9 AM, late due Sunday, December 6, eggs and sleep.
tasks.complete {"description":"sister"}
  Done: call your sister. 4 left.`,

		"which one": `
tasks.create {"description":"buy milk"}
  I put buy milk on your list.
tasks.create {"description":"buy oat milk"}
  I put buy oat milk on your list.
tasks.create {"description":"water the plants"}
  I put water the plants on your list.
tasks.complete {"description":"milk"}
  There's buy milk and buy oat milk. Which one did you do?
> the oat one
  Done: buy oat milk. 2 left.
tasks.delete {"description":"bananas"}
  I can't find that on your list. There's buy milk and water the plants. Which one should I delete?
> plants
  Okay, I took water the plants off your list.
undo
  Okay, water the plants is back on your list.
tasks.delete
  You have buy milk and water the plants. Which one should I delete?
> buy milk
  Okay, I took buy milk off your list.
tasks.complete
  Done: water the plants. That was the last one.`,

		"many": `
tasks.create {"description":"apples"}
  I put apples on your list.
tasks.create {"description":"bread"}
  I put bread on your list.
tasks.create {"description":"cheese"}
  I put cheese on your list.
tasks.create {"description":"dates"}
  I put dates on your list.
tasks.create {"description":"eggs"}
  I put eggs on your list.
tasks.create {"description":"flour"}
  I put flour on your list.
tasks.create {"description":"grapes"}
  I put grapes on your list.
tasks.list
  You have 7 tasks: apples, bread, cheese, dates, eggs and 2 more.
tasks.delete {"all":true}
  Shall I delete all 7 tasks?
yes
  Okay, I deleted 7 tasks.
undo
  Okay, 7 tasks are back on your list.
tasks.list
  You have 7 tasks: apples, bread, cheese, dates, eggs and 2 more.`,
	} {
		t.Run(name, func(t *testing.T) {
			clock := tooltest.At(t, "2026-11-21 16:20", "Europe/Berlin")
			list := task.New(task.Config{Rows: open(t).Tasks(), Now: clock.Now})
			box := tooltest.Box(t, tasks.Tools(tasks.Config{List: list, Now: clock.Now})...)
			tooltest.Play(t, box, clock, script)
		})
	}
}
