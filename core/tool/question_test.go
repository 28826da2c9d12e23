package tool_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/consent"
	"github.com/solo-assistant/solo/core/job"
	"github.com/solo-assistant/solo/core/memory"
	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/task"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/tool/alarms"
	"github.com/solo-assistant/solo/core/tool/approvals"
	"github.com/solo-assistant/solo/core/tool/calc"
	"github.com/solo-assistant/solo/core/tool/clock"
	"github.com/solo-assistant/solo/core/tool/help"
	"github.com/solo-assistant/solo/core/tool/jobs"
	remember "github.com/solo-assistant/solo/core/tool/memory"
	"github.com/solo-assistant/solo/core/tool/profile"
	"github.com/solo-assistant/solo/core/tool/reminders"
	"github.com/solo-assistant/solo/core/tool/talk"
	"github.com/solo-assistant/solo/core/tool/tasks"
	"github.com/solo-assistant/solo/core/tool/timers"
	"github.com/solo-assistant/solo/models"
)

// A question never changes state: tools of the class read leave the rows as they are, whatever they are asked.
func TestReadingChangesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "solo.db")
	db, err := rows.Open(t.Context(), rows.Config{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	user, err := db.User(t.Context(), "owner")
	if err != nil {
		t.Fatal(err)
	}
	s := store.New(db, user)
	book, list, mem := schedule.New(schedule.Config{Rows: s.Schedule()}), task.New(task.Config{Rows: s.Tasks()}), memory.New(memory.Config{Rows: s.Memory()})
	word, work := consent.New(consent.Config{Rows: s.Consent()}), job.New(job.Config{Rows: s.Jobs()})
	b := tool.New(tool.Config{Consent: word})
	for _, tools := range [][]tool.Tool{timers.Tools(timers.Config{Book: book}), alarms.Tools(alarms.Config{Book: book}), reminders.Tools(reminders.Config{Book: book}),
		tasks.Tools(tasks.Config{List: list}), remember.Tools(remember.Config{Memory: mem}), profile.Tools(mem), jobs.Tools(work), calc.Tools(), help.Tools(),
		clock.Tools(clock.Config{}), talk.Tools(talk.Config{Preferences: mem}), approvals.Tools(approvals.Config{Book: word, Box: b})} {
		if err := b.Add(tools...); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []string{`timers.set {"duration":"PT5M","name":"pasta"}`, `timers.set {"duration":"PT9M"}`, `tasks.create {"description":"buy milk"}`,
		`memory.remember {"text":"the spare key is under the blue pot"}`, `reminders.create {"text":"call mom","time":"` + time.Now().Add(time.Hour).Format(time.RFC3339) + `"}`} {
		name, args, _ := strings.Cut(c, " ")
		if r, err := b.Call(t.Context(), models.Call{Tool: name, Arguments: []byte(args)}); err != nil {
			t.Fatalf("%s said %q, %v", name, r.Say, err)
		}
	}
	if _, err := word.Ask(t.Context(), models.Spec{Name: "mail.send"}, models.Call{Tool: "mail.send"}); err != nil {
		t.Fatal(err)
	}
	before, asked := dump(t, path), 0
	for _, spec := range b.Specs() {
		if spec.Class != models.Read {
			continue
		}
		for _, text := range []string{"pasta", "milk", "all", "12 + 30", "Berlin"} {
			// Many of these make no sense to a tool; it may refuse, but must not change anything.
			_, _ = b.Call(t.Context(), models.Call{Tool: spec.Name, Arguments: guess(t, spec, text)})
			asked++
		}
		if after := dump(t, path); after != before {
			t.Fatalf("%s changed the rows from\n%s\nto\n%s", spec.Name, before, after)
		}
	}
	if asked < 50 || strings.Count(before, "\n") < 7 {
		t.Errorf("only %d questions over %s", asked, before)
	}
}

// guess fills every argument with something of its type.
func guess(t *testing.T, s models.Spec, text string) json.RawMessage {
	t.Helper()
	var schema struct {
		Properties map[string]struct {
			Type   any // a name, or a list of them
			Format string
		}
	}
	if err := json.Unmarshal(s.Schema, &schema); err != nil {
		t.Fatal(err)
	}
	args := map[string]any{}
	for name, p := range schema.Properties {
		switch {
		case p.Format == "duration":
			args[name] = "PT5M"
		case p.Format == "date-time":
			args[name] = time.Now().Format(time.RFC3339)
		case p.Type == "string":
			args[name] = text
		case p.Type == "boolean":
			args[name] = true
		case p.Type == "integer", p.Type == "number":
			args[name] = 1
		}
	}
	return tool.CallOf(s.Name, args).Arguments
}

// dump is all that is in the database, as text.
func dump(t *testing.T, path string) string {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	out := map[string]bool{}
	for _, table := range column(t, db, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'goose%'") {
		names := column(t, db, "SELECT name FROM pragma_table_info('"+table+"')")
		for _, row := range column(t, db, "SELECT quote("+strings.Join(names, ")||','||quote(")+") FROM "+table) {
			out[table+" "+row] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(out)), "\n") + "\n"
}

func column(t *testing.T, db *sql.DB, query string) []string {
	t.Helper()
	list, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", query, err))
	}
	defer list.Close()
	var out []string
	for list.Next() {
		var s string
		if err := list.Scan(&s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
