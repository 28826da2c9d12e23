package projects_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/solo-assistant/solo/core/project"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/task"
	"github.com/solo-assistant/solo/core/tool/projects"
	"github.com/solo-assistant/solo/core/tool/tasks"
	"github.com/solo-assistant/solo/core/tool/tooltest"
)

// open lends the rows of a new database.
func open(t *testing.T) *store.Store {
	t.Helper()
	db, err := rows.Open(t.Context(), rows.Config{Path: filepath.Join(t.TempDir(), "solo.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	user, err := db.User(t.Context(), "owner")
	if err != nil {
		t.Fatal(err)
	}
	return store.New(db, user)
}

func TestTalks(t *testing.T) {
	for name, script := range map[string]string{
		"a tree": `
projects.list
  You have no projects yet.
projects.show {"name":"career"}
  You have no projects yet.
projects.create
  What is the project called?
> career
  I added the project Career.
projects.create {"name":"the job hunt","parent":"career"}
  I added the project Job hunt as a part of Career.
projects.create {"name":"Career"}
  There is a project of that name already.
projects.update {"name":"the job hunt","progress":20,"status":"on hold"}
  Job hunt is now at 20 percent and paused.
projects.list
  You have 1 project: Career at 20 percent, and 1 project below.
projects.show {"name":"my career project"}
  Career is active, at 20 percent. Its parts are Job hunt, paused, at 20 percent. Nothing is open for it.
projects.update {"name":"career","progress":40}
  Career is now at 40 percent.
undo
  Okay, Career is as it was.
projects.show {"name":"carreer"}
  Career is active, at 20 percent. Its parts are Job hunt, paused, at 20 percent. Nothing is open for it.
projects.review {"name":"career"}
  Noted: you reviewed Career today.
+48h
projects.show {"name":"career"}
  Career is active, at 20 percent. Its parts are Job hunt, paused, at 20 percent. Nothing is open for it. You last reviewed it 2 days ago.
projects.move {"name":"career","parent":"job hunt"}
  A project can't be a part of itself.
projects.move {"name":"job hunt"}
  Job hunt now stands on its own.
undo
  Okay, Job hunt is as it was.
projects.rename {"name":"job hunt","to":"applications"}
  Job hunt is now called Applications.
projects.rename {"name":"applications"}
  What should Applications be called?
> letters
  Applications is now called Letters.
projects.delete {"name":"career"}
  Shall I remove Career with the 1 project below it?
no
  -
projects.delete {"name":"career"}
  Shall I remove Career with the 1 project below it?
yes
  Okay, I removed Career and 1 project below it.
projects.list
  You have no projects yet.
undo
  Okay, Career is back.
projects.list
  You have 1 project: Career at 20 percent, and 1 project below.
projects.update {"name":"letters","status":"done"}
  Letters is now done.
projects.list {"status":"done"}
  You have 1 done project: Letters, done, at 100 percent.
projects.list {"status":"dropped"}
  You have no dropped projects.`,

		"which one": `
projects.create {"name":"house"}
  I added the project House.
projects.create {"name":"flat"}
  I added the project Flat.
projects.create {"name":"kitchen","parent":"house"}
  I added the project Kitchen as a part of House.
projects.create {"name":"kitchen","parent":"flat"}
  I added the project Kitchen as a part of Flat.
projects.update {"name":"kitchen","progress":50}
  There's Kitchen of House and Kitchen of Flat. Which one do you mean?
> flat / kitchen
  Kitchen is now at 50 percent.
projects.delete {"name":"boat"}
  I can't find a project called boat. There's House, Kitchen, Flat and Kitchen. Which one should I remove?
> flat
  Shall I remove Flat with the 1 project below it?
no
  -
projects.create {"name":"tiles","parent":"bathroom"}
  I can't find a project called bathroom. There's House, Kitchen, Flat and Kitchen. Which project should it be a part of?
> house
  I added the project Tiles as a part of House.
projects.update {"name":"house"}
  Tell me what to change: how far it is, its state or its priority.
projects.update {"name":"house","status":"purple"}
  A project is active, paused, done or dropped.
projects.update {"name":"house","priority":1,"domain":"home"}
  House is now of priority 1 and in home.`,

		"tasks": `
projects.create {"name":"garden"}
  I added the project Garden.
tasks.create {"description":"buy seeds","project":"garden","due_time":"2026-11-23T09:00:00+01:00"}
  I put buy seeds on your list, for Garden, due Monday, November 23 at 9 AM.
projects.show {"name":"garden"}
  Garden is active, at 0 percent. There is 1 task open: buy seeds, due Monday, November 23 at 9 AM.
tasks.create {"description":"dig","project":"the garden project"}
  I put dig on your list, for Garden.
tasks.change {"description":"dig","stuck":"the frozen ground"}
  Okay, dig is stuck on the frozen ground.
projects.show {"name":"garden"}
  Garden is active, at 0 percent. There are 2 tasks open, first buy seeds, due Monday, November 23 at 9 AM. 1 of them is stuck.
tasks.complete {"description":"seeds"}
  Done: buy seeds. 1 left.
projects.show {"name":"garden"}
  Garden is active, at 50 percent. There is 1 task open: dig. 1 of them is stuck.
projects.delete {"name":"garden"}
  Okay, I removed the project Garden.
tasks.list
  You have one task: dig, stuck on the frozen ground.`,
	} {
		t.Run(name, func(t *testing.T) {
			clock := tooltest.At(t, "2026-11-21 16:20", "Europe/Berlin")
			st := open(t)
			list := task.New(task.Config{Rows: st.Tasks(), Now: clock.Now})
			book := project.New(project.Config{Rows: st.Projects(), Now: clock.Now, Tasks: func(ctx context.Context) (map[int64]project.Tally, error) {
				counts, err := list.Tally(ctx)
				out := map[int64]project.Tally{}
				for id, c := range counts {
					out[id] = project.Tally(c)
				}
				return out, err
			}})
			box := tooltest.Box(t, append(projects.Tools(projects.Config{Book: book, Tasks: list, Now: clock.Now}),
				tasks.Tools(tasks.Config{List: list, Projects: book, Now: clock.Now})...)...)
			tooltest.Play(t, box, clock, script)
		})
	}
}
