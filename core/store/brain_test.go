package store_test

import (
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/core/agent"
	"github.com/solo-assistant/solo/core/consent"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/models"
)

func TestTalksAreKeptWholeOverARestart(t *testing.T) {
	path, ctx := filepath.Join(t.TempDir(), "solo.db"), t.Context()
	db := must[*rows.DB](t)(rows.Open(ctx, rows.Config{Path: path}))
	s := lend(t, db, "owner").Sessions()
	at := time.Date(2026, 11, 21, 16, 20, 0, 5_000_000, time.UTC)
	mega := strings.Repeat("one megabyte of words. ", 1<<20/23)
	all := []agent.Line{{Role: models.User, Text: "what does the page say", At: at}, {Role: models.Tool, Text: mega, At: at, Outside: true},
		{Role: models.Assistant, Text: "It says\ta lot.\nReally.", At: at, Outside: true}}
	if err := s.Add(ctx, "", all...); err != nil {
		t.Fatal(err)
	}
	if err := s.Add(ctx, "web:7", agent.Line{Role: models.User, Text: "hello\x00\x1b[2J", At: at}); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	s = lend(t, open(t, path), "owner").Sessions()
	talk := must[agent.Talk](t)(s.Lines(ctx, ""))
	for i := range talk.Lines {
		all[i].ID = talk.Lines[i].ID
	}
	same(t, "lines", talk, agent.Talk{Lines: all})
	if talk.Lines[0].ID == 0 || talk.Lines[0].ID >= talk.Lines[1].ID {
		t.Errorf("ids do not rise: %d, %d", talk.Lines[0].ID, talk.Lines[1].ID)
	}
	if err := s.Fold(ctx, "", talk.Lines[1].ID, "They read a page."); err != nil {
		t.Fatal(err)
	}
	same(t, "folded", must[agent.Talk](t)(s.Lines(ctx, "")), agent.Talk{Summary: "They read a page.", Lines: all[2:]})
	same(t, "history", must[[]agent.Line](t)(s.History(ctx, "", 2)), all[1:])
	same(t, "another talk", must[agent.Talk](t)(s.Lines(ctx, "web:7")).Lines[0].Text, "hello[2J")
	same(t, "a talk that never was", must[agent.Talk](t)(s.Lines(ctx, "never")), agent.Talk{})
	same(t, "nothing to add", s.Add(ctx, "empty"), nil)
	if list := must[[]store.Session](t)(s.List(ctx, 9)); len(list) != 2 {
		t.Errorf("sessions %+v", list)
	}
}

func TestWhatATalkRefuses(t *testing.T) {
	s, ctx := lend(t, open(t, filepath.Join(t.TempDir(), "solo.db")), "owner").Sessions(), t.Context()
	if err := s.Add(ctx, "", agent.Line{Role: models.User, Text: "hi"}); err != nil {
		t.Fatal(err)
	}
	id := must[agent.Talk](t)(s.Lines(ctx, "")).Lines[0].ID
	for name, err := range map[string]error{
		"an unknown line":    s.Fold(ctx, "", id+1, "x"),
		"an unknown session": s.Fold(ctx, "web", id, "x"),
		"no line":            s.Fold(ctx, "", 0, "x"),
		"forgetting nothing": s.Forget(ctx, "web"),
	} {
		if !errors.Is(err, store.ErrNoLine) {
			t.Errorf("%s: %v", name, err)
		}
	}
	huge := strings.Repeat("x", store.MaxText+1)
	if err := s.Add(ctx, "", agent.Line{Role: models.User, Text: "before"}, agent.Line{Role: models.User, Text: huge}); !errors.Is(err, store.ErrLong) {
		t.Errorf("a huge line: %v", err)
	}
	if err := s.Fold(ctx, "", id, huge); !errors.Is(err, store.ErrLong) {
		t.Errorf("a huge summary: %v", err)
	}
	if err := s.Add(ctx, "", agent.Line{Role: "narrator", Text: "x"}); err == nil || !strings.Contains(err.Error(), "narrator") {
		t.Errorf("a role that is none: %v", err)
	}
	if talk := must[agent.Talk](t)(s.Lines(ctx, "")); len(talk.Lines) != 1 || talk.Summary != "" {
		t.Errorf("kept %+v", talk)
	}
	if err := s.Forget(ctx, ""); err != nil {
		t.Fatal(err)
	}
	if talk := must[agent.Talk](t)(s.Lines(ctx, "")); len(talk.Lines) != 0 {
		t.Errorf("forgotten, and yet %+v", talk)
	}
}

var mail = models.Spec{Name: "mail.send", Class: models.Outward, Ask: "Send {text|quote} to {to}"}

// An approval outlives Solo, but not its use and not its minute.
func TestApprovalsOutliveSolo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "solo.db")
	synctest.Test(t, func(t *testing.T) {
		life := func(do func(b *consent.Book)) {
			db := must[*rows.DB](t)(rows.Open(t.Context(), rows.Config{Path: path}))
			do(consent.New(consent.Config{Rows: lend(t, db, "owner").Consent()}))
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		}
		call := models.Call{Tool: "mail.send", Arguments: []byte(`{"to":"Anna","text":"late\u0000\u009b \u2028 <b>"}`)}
		var used, old, open string
		ask := func(b *consent.Book) string {
			return must[models.Result](t)(b.Ask(t.Context(), mail, call)).Ask.Approval
		}
		life(func(b *consent.Book) {
			used, old, open = ask(b), ask(b), ask(b)
			for _, id := range []string{used, old} {
				if err := b.Grant(t.Context(), id); err != nil {
					t.Fatal(err)
				}
			}
			if err := b.Spend(t.Context(), used, call); err != nil {
				t.Fatal(err)
			}
		})
		life(func(b *consent.Book) { // it crashed between the use and the sending: better unsent than sent twice
			if err := b.Spend(t.Context(), used, call); !errors.Is(err, consent.ErrSpent) {
				t.Errorf("used in two lives: %v", err)
			}
			if list := must[[]consent.Entry](t)(b.Ledger(t.Context(), 9)); len(list) != 1 || list[0].Approval != used || !strings.Contains(string(list[0].Content), `\u0000`) {
				t.Errorf("ledger %+v", list)
			}
			if list := must[[]consent.Approval](t)(b.Open(t.Context())); len(list) != 1 || list[0].ID != open || list[0].Tool != "mail.send" {
				t.Errorf("open %+v", list)
			}
		})
		time.Sleep(time.Minute)
		life(func(b *consent.Book) {
			if err := b.Spend(t.Context(), old, call); !errors.Is(err, consent.ErrExpired) {
				t.Errorf("used a minute after the yes: %v", err)
			}
			if err := b.Grant(t.Context(), open); !errors.Is(err, consent.ErrExpired) {
				t.Errorf("granted after a minute: %v", err)
			}
		})
	})
}

func TestFiftyAtOnceUseARealApprovalOnce(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "solo.db"))
	b := consent.New(consent.Config{Rows: lend(t, db, "owner").Consent()})
	call := models.Call{Tool: "mail.send", Arguments: []byte(`{"to":"Anna"}`)}
	id := must[models.Result](t)(b.Ask(t.Context(), mail, call)).Ask.Approval
	if err := b.Grant(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var used atomic.Int32
	for range 50 {
		wg.Go(func() {
			if err := b.Spend(t.Context(), id, call); err == nil {
				used.Add(1)
			} else if !errors.Is(err, consent.ErrSpent) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if list := must[[]consent.Entry](t)(b.Ledger(t.Context(), 99)); used.Load() != 1 || len(list) != 1 {
		t.Errorf("used %d times, %d in the ledger", used.Load(), len(list))
	}
}

// The very messages come back from the rows, to the last character, so that their digest still fits.
func TestMessagesComeBackToTheLetter(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "solo.db"))
	b := consent.New(consent.Config{Rows: lend(t, db, "owner").Consent()})
	m := []models.Message{{Role: models.System, Text: strings.Repeat("fact\n", 200_000)}, {Role: models.User, Text: "nul\x00 del\x7f c1\u009b \u202e \u2028 <&> \\ 🙂 \xff"},
		{Role: models.Assistant, Calls: []models.ToolCall{{ID: "1", Call: models.Call{Tool: "a.b", Arguments: []byte(`{"x": 1}`)}}}}, {Role: models.Tool, For: "1", Text: "out"}}
	id, _, err := b.Propose(t.Context(), "anthropic", "", models.Deep, m)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Grant(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	leave, got, err := b.Leave(t.Context(), id)
	if err != nil || models.Digest(got) != leave.Digest || len(got) != 4 || got[0].Text != m[0].Text || got[1].Text != strings.ToValidUTF8(m[1].Text, "\uFFFD") {
		t.Fatalf("came back as another text, %v", err)
	}
	if by, err := b.May(models.WithLeave(t.Context(), leave), "anthropic", got); err != nil || by != id {
		t.Errorf("may by %q, %v", by, err)
	}
	if err := b.Sent(t.Context(), models.Sending{Provider: "anthropic", Approval: id, Messages: got}); err != nil {
		t.Error(err)
	}
	if list := must[[]consent.Entry](t)(b.Ledger(t.Context(), 1)); list[0].Digest != leave.Digest {
		t.Errorf("the ledger has %s", list[0].Digest)
	}
	_, _, err = b.Propose(t.Context(), "anthropic", "", models.Deep, []models.Message{{Role: models.User, Text: strings.Repeat("x", store.MaxText)}})
	if !errors.Is(err, store.ErrLong) {
		t.Errorf("a huge text: %v", err)
	}
	if err := b.Permit(t.Context(), "anthropic"); err != nil {
		t.Fatal(err)
	}
	if all := must[[]consent.Permission](t)(b.Permissions(t.Context())); len(all) != 1 || all[0].Provider != "anthropic" {
		t.Errorf("permitted %+v", all)
	}
	if err := b.Revoke(t.Context(), "anthropic"); err != nil {
		t.Fatal(err)
	}
	if err := b.Revoke(t.Context(), "anthropic"); !errors.Is(err, consent.ErrUnknown) {
		t.Errorf("taken back twice: %v", err)
	}
}
