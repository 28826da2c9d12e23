package rows

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

func say(t testing.TB, o *Own, session string, words ...string) []Message {
	t.Helper()
	var list []Message
	for i, w := range words {
		list = append(list, Message{Role: "user", Text: w, At: int64(i + 1), Outside: i%2 == 1})
	}
	out, err := o.AddMessages(t.Context(), session, list...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func heard(list []Message) []string {
	var out []string
	for _, m := range list {
		out = append(out, m.Text)
	}
	return out
}

func TestASessionFoldsAndLosesNothing(t *testing.T) {
	o := owner(t, fresh(t))
	if s, list, err := o.Session(t.Context(), "never"); err != nil || s.Name != "never" || len(list) != 0 {
		t.Errorf("a session that was never used: %+v, %v, %v", s, list, err)
	}
	long := strings.Repeat("é\n", 350_000)
	kept := say(t, o, "", "one", "two\x00\x1b[2J", long, "four")
	say(t, o, "web", "elsewhere")
	if _, list, err := o.Session(t.Context(), ""); err != nil || !slices.Equal(heard(list), []string{"one", "two[2J", long, "four"}) || !list[1].Outside || list[2].Outside {
		t.Errorf("kept %d messages, %v", len(list), err)
	}
	if err := o.Fold(t.Context(), "", kept[1].ID, "they counted"); err != nil {
		t.Fatal(err)
	}
	s, list, err := o.Session(t.Context(), "")
	if err != nil || s.Summary != "they counted" || !slices.Equal(heard(list), []string{long, "four"}) {
		t.Errorf("folded to %q and %d messages, %v", s.Summary, len(list), err)
	}
	all, err := o.Messages(t.Context(), "", 3)
	if err != nil || !slices.Equal(heard(all), []string{"four", long, "two[2J"}) {
		t.Errorf("history holds %d messages, %v", len(all), err)
	}
	for name, err := range map[string]error{
		"an unknown message":   o.Fold(t.Context(), "", 999, "x"),
		"another's message":    o.Fold(t.Context(), "web", kept[3].ID, "x"),
		"less than is folded":  o.Fold(t.Context(), "", kept[0].ID, "x"),
		"in an unknown talk":   o.Fold(t.Context(), "never", kept[0].ID, "x"),
		"an unknown session":   o.RemoveSession(t.Context(), "never"),
		"a role that is not":   wrongRole(t, o),
		"nothing left of this": o.RemoveSession(t.Context(), "web"),
	} {
		if (err == nil) != (name == "nothing left of this") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if list, err := o.Sessions(t.Context(), 9); err != nil || len(list) != 1 || list[0].Summary != "they counted" {
		t.Errorf("sessions %+v, %v", list, err)
	}
	if list, err := o.Messages(t.Context(), "web", 9); err != nil || len(list) != 0 {
		t.Errorf("a removed session has %v, %v", list, err)
	}
}

func wrongRole(t *testing.T, o *Own) error {
	_, err := o.AddMessages(t.Context(), "new", Message{Role: "user", Text: "a"}, Message{Role: "god", Text: "b"})
	if _, list, _ := o.Session(t.Context(), "new"); len(list) != 0 {
		t.Errorf("half of it was kept: %v", list)
	}
	return err
}

func TestUsersDoNotSeeEachOthersTalkAndWord(t *testing.T) {
	db := fresh(t)
	var own [2]*Own
	for i, name := range []string{"anna", "ben"} {
		id, err := db.User(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		own[i] = db.Of(id)
		say(t, own[i], "", name)
		if err := own[i].AddApproval(t.Context(), Approval{ID: "same", State: "open", Tool: name, Until: 10}); err != nil {
			t.Fatal(err)
		}
		if _, err := own[i].PutJob(t.Context(), Job{Kind: name, State: "queued"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := own[0].MoveApproval(t.Context(), Step{ID: "same", Before: "open", After: "granted", At: 1, Until: 9}); err != nil {
		t.Fatal(err)
	}
	if a, err := own[1].Approval(t.Context(), "same"); err != nil || a.State != "open" || a.Tool != "ben" {
		t.Errorf("ben's approval is %+v, %v", a, err)
	}
	if _, list, err := own[1].Session(t.Context(), ""); err != nil || !slices.Equal(heard(list), []string{"ben"}) {
		t.Errorf("ben's talk is %v, %v", list, err)
	}
	if list, err := own[1].Jobs(t.Context(), 9); err != nil || len(list) != 1 || list[0].Kind != "ben" {
		t.Errorf("ben's jobs are %v, %v", list, err)
	}
}

func TestAnApprovalTakesAStepOnce(t *testing.T) {
	o := owner(t, fresh(t))
	add := func(id, state string) {
		if err := o.AddApproval(t.Context(), Approval{ID: id, State: state, Arguments: "{\"a\":\"\u009b\"}", Asked: 1, Until: 60}); err != nil {
			t.Fatal(err)
		}
	}
	add("a", "open")
	if err := o.AddApproval(t.Context(), Approval{ID: "a", State: "open"}); err == nil {
		t.Error("an id was used twice")
	}
	for name, s := range map[string]Step{
		"unknown":     {ID: "b", Before: "open", After: "granted", At: 2},
		"not granted": {ID: "a", Before: "granted", After: "spent", At: 2},
		"too late":    {ID: "a", Before: "open", After: "granted", At: 60},
	} {
		s.Entry = &Entry{Provider: "p", Content: "[]"}
		if err := o.MoveApproval(t.Context(), s); !errors.Is(err, ErrNone) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if list, err := o.Entries(t.Context(), 9); err != nil || len(list) != 0 {
		t.Errorf("a step that was not taken is in the ledger: %v, %v", list, err)
	}
	add("g", "granted")
	var wg sync.WaitGroup
	var mu sync.Mutex
	took := 0
	for i := range 50 {
		wg.Go(func() {
			err := o.MoveApproval(t.Context(), Step{ID: "g", Before: "granted", After: "spent", At: 3, Until: 60, Entry: &Entry{Provider: fmt.Sprint(i), Content: "[]"}})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				took++
			case !errors.Is(err, ErrNone):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	list, err := o.Entries(t.Context(), 9)
	if err != nil || took != 1 || len(list) != 1 {
		t.Errorf("spent %d times, ledger %v, %v", took, list, err)
	}
	if a, err := o.Approval(t.Context(), "g"); err != nil || a.State != "spent" || a.Decided.Int64 != 3 || a.Arguments != "{\"a\":\"\u009b\"}" {
		t.Errorf("became %+v, %v", a, err)
	}
	if list, err := o.Approvals(t.Context(), "open", 59); err != nil || len(list) != 1 || list[0].ID != "a" {
		t.Errorf("open are %v, %v", list, err)
	}
	if list, err := o.Approvals(t.Context(), "open", 60); err != nil || len(list) != 0 {
		t.Errorf("open at the end are %v, %v", list, err)
	}
}

func TestPermissionsAndJobsAreKept(t *testing.T) {
	o := owner(t, fresh(t))
	for _, p := range []string{"zeta", "alpha", "zeta"} {
		if err := o.PutPermission(t.Context(), p, 5); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := o.Permissions(t.Context()); err != nil || len(list) != 2 || list[0].Provider != "alpha" {
		t.Errorf("permitted are %v, %v", list, err)
	}
	if err := o.RemovePermission(t.Context(), "zeta"); err != nil {
		t.Fatal(err)
	}
	if err := o.RemovePermission(t.Context(), "zeta"); !errors.Is(err, ErrNone) {
		t.Errorf("taken back twice: %v", err)
	}
	j, err := o.PutJob(t.Context(), Job{Kind: "task", Title: "read\x07 it", State: "queued", Input: "{}", Progress: 0.25})
	if err != nil || j.ID == 0 || j.Title != "read it" {
		t.Fatalf("kept %+v, %v", j, err)
	}
	j.State, j.Progress = "running", 0.5
	if _, err := o.PutJob(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	if got, err := o.Job(t.Context(), j.ID); err != nil || got != j {
		t.Errorf("found %+v, want %+v, %v", got, j, err)
	}
	if _, err := o.Job(t.Context(), 999); !errors.Is(err, ErrNone) {
		t.Errorf("an unknown job: %v", err)
	}
	if list, err := o.JobsIn(t.Context(), "running"); err != nil || len(list) != 1 {
		t.Errorf("running are %v, %v", list, err)
	}
	if _, err := o.PutJob(t.Context(), Job{Kind: "task", State: "dreaming"}); err == nil {
		t.Error("kept a state that is none")
	}
}
