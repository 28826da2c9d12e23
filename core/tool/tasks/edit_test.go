package tasks_test

import (
	"testing"

	"github.com/solo-assistant/solo/core/project"
	"github.com/solo-assistant/solo/core/task"
	"github.com/solo-assistant/solo/core/tool/tasks"
	"github.com/solo-assistant/solo/core/tool/tooltest"
)

func TestChanges(t *testing.T) {
	clock := tooltest.At(t, "2026-11-21 16:20", "Europe/Berlin")
	st := open(t)
	list := task.New(task.Config{Rows: st.Tasks(), Now: clock.Now})
	book := project.New(project.Config{Rows: st.Projects(), Now: clock.Now})
	if _, err := book.Add(t.Context(), project.Project{Name: "Taxes"}); err != nil {
		t.Fatal(err)
	}
	box := tooltest.Box(t, tasks.Tools(tasks.Config{List: list, Projects: book, Now: clock.Now})...)
	tooltest.Play(t, box, clock, `
tasks.resume {"description":"the letter"}
  Nothing was done in the last month.
tasks.change {"description":"the letter","status":"doing"}
  Your list is empty.
tasks.create {"description":"find the receipts","project":"boats"}
  I can't find a project called boats.
tasks.create {"description":"find the receipts","project":"taxes"}
  I put find the receipts on your list, for Taxes.
tasks.create {"description":"write to my landlord"}
  I put write to your landlord on your list.
tasks.change {"description":"landlord","status":"doing"}
  Okay, write to your landlord is under way.
tasks.change {"description":"landlord","status":"asleep"}
  A task is open, doing or blocked; say that it is done to complete it.
tasks.change {"description":"landlord"}
  Tell me what to change: its words, when it is due, its project or its state.
tasks.change {"description":"receipts","stuck":"my accountant"}
  Okay, find the receipts is stuck on your accountant.
tasks.change {"description":"receipts","due_time":"2026-11-20T09:00:00+01:00"}
  That time has already passed. When is it due?
> 2026-11-23T09:00:00+01:00
  Okay, find the receipts is due Monday, November 23 at 9 AM.
tasks.list {"status":"blocked"}
  You have 1 task stuck: find the receipts due Monday, November 23 at 9 AM, stuck on your accountant.
tasks.change {"description":"receipts","to":"find the old receipts","status":"open"}
  Okay, find the receipts is now find the old receipts and is open.
undo
  Okay, find the receipts is as it was.
tasks.list {"project":"taxes"}
  You have 1 task for Taxes: find the receipts due Monday, November 23 at 9 AM, stuck on your accountant.
tasks.list {"tag":"shopping"}
  You have no tasks on your shopping list.
tasks.create {"description":"eggs","tags":["shopping"]}
  I put eggs on your shopping list.
tasks.list {"tag":"Shopping"}
  You have 1 task on your shopping list: eggs.
tasks.complete {"description":"eggs"}
  Done: eggs. 2 left.
tasks.complete {"description":"landlord"}
  Done: write to your landlord. 1 left.
tasks.list {"status":"done"}
  You have 2 tasks done in the last week: eggs and write to your landlord.
tasks.resume {"description":"the moon"}
  I can't find that among what you did lately: eggs and write to your landlord. Which one should I open again?
> landlord
  Okay, write to your landlord is open again.
undo
  Okay, write to your landlord is as it was.
tasks.list {"project":"nothing of the kind"}
  I can't find a project called nothing of the kind.`)
}
