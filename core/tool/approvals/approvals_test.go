package approvals_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/solo-assistant/solo/core/consent"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/tool/approvals"
	"github.com/solo-assistant/solo/models"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type mail struct {
	To   string `json:"to"`
	Text string `json:"text"`
}

// house is a box with a tool that sends mail, over real rows.
type house struct {
	book *consent.Book
	box  *tool.Box
	sent []mail
	jobs map[string]bool
}

func (h *house) Waits(_ context.Context, approval string) (bool, error) { return h.jobs[approval], nil }

func build(t *testing.T, r ...tool.Rules) *house {
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
	h := &house{jobs: map[string]bool{}, book: consent.New(consent.Config{Rows: store.New(db, user).Consent()})}
	h.box = tool.New(tool.Config{Consent: h.book, Spend: h.book.Spend, Rules: append(r, tool.Rules{})[0]})
	send := tool.Worded(tool.Of("mail.send", "Sends a mail.", models.Outward, func(_ context.Context, m mail) (models.Result, error) {
		h.sent = append(h.sent, m)
		return models.Result{Say: "Sent to " + m.To + ".", Undo: tool.CallOf("mail.recall", nil)}, nil
	}), "Send {text|quote} to {to}")
	recall := tool.Internal(tool.Of("mail.recall", "Takes it back.", models.Write, func(context.Context, struct{}) (models.Result, error) {
		return tool.Said("Taken back."), nil
	}))
	now := func() time.Time { return time.Now().UTC() }
	if err := h.box.Add(append(approvals.Tools(approvals.Config{Book: h.book, Box: h.box, Jobs: h, Now: now}), send, recall)...); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *house) call(t *testing.T, ctx context.Context, name, args string) models.Result {
	t.Helper()
	r, err := h.box.Call(ctx, models.Call{Tool: name, Arguments: []byte(args)})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r
}

// answer says yes or no to what a result asks.
func (h *house) answer(t *testing.T, r models.Result, yes bool) models.Result {
	t.Helper()
	c := r.Ask.Call
	if !yes {
		c = *r.Ask.No
	}
	return h.call(t, t.Context(), c.Tool, string(c.Arguments))
}

func TestYesSendsExactlyThatOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(16*time.Hour + 20*time.Minute)
		h := build(t)
		model := models.WithOrigin(t.Context(), models.Origin{Model: true, Outside: true})
		if r := h.call(t, t.Context(), "consent.list", ""); r.Say != "Nothing is waiting for your approval." || r.Ask != nil {
			t.Errorf("said %q", r.Say)
		}
		if r := h.call(t, t.Context(), "consent.ledger", ""); r.Say != "I have sent nothing out of this machine." {
			t.Errorf("said %q", r.Say)
		}
		r := h.call(t, model, "mail.send", `{"to":"Anna","text":"running late"}`)
		if r.Say != "Send 'running late' to Anna. Yes or no?" || len(h.sent) != 0 {
			t.Fatalf("said %q, sent %v", r.Say, h.sent)
		}
		if _, err := h.box.Call(model, r.Ask.Call); !errors.Is(err, tool.ErrUnknown) {
			t.Errorf("the model said yes: %v", err)
		}
		guest := models.WithOrigin(t.Context(), models.Origin{Channel: "guest"})
		if _, err := h.box.Call(guest, r.Ask.Call); err == nil || len(h.sent) != 0 {
			t.Errorf("a guest said yes: %v", err)
		}
		r = h.call(t, t.Context(), "consent.list", "") // and so the question is open again
		if r.Say != "Send 'running late' to Anna. Yes or no?" || r.Ask == nil {
			t.Fatalf("said %q", r.Say)
		}
		if got := h.answer(t, r, true); got.Say != "Sent to Anna." || len(h.sent) != 1 || h.sent[0] != (mail{"Anna", "running late"}) {
			t.Fatalf("said %q, sent %v", got.Say, h.sent)
		}
		if _, err := h.box.Call(t.Context(), r.Ask.Call); !errors.Is(err, tool.ErrUnknown) || len(h.sent) != 1 {
			t.Errorf("a second yes: %v, sent %v", err, h.sent)
		}
		if r, err := h.box.Undo(t.Context()); err != nil || r.Say != "Taken back." {
			t.Errorf("undoing said %q, %v", r.Say, err)
		}
		if _, err := h.box.Undo(t.Context()); !errors.Is(err, tool.ErrNothing) {
			t.Errorf("undone twice: %v", err)
		}
		r = h.call(t, t.Context(), "consent.ledger", "")
		if r.Say != "The last thing that I sent was mail send with text: 'running late' and to: 'Anna', today at 4:20 PM, by your word." || !strings.Contains(string(r.Data), `"to":"mail.send","purpose":"call","what":"mail send with text`) {
			t.Errorf("said %q, data %s", r.Say, r.Data)
		}
	})
}

// What a setting lets pass is in the ledger all the same, and is not sent where it cannot be.
func TestWhatPassesIsWrittenDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(9 * time.Hour)
		h := build(t, tool.Rules{Allow: []string{"mail"}})
		if r := h.call(t, t.Context(), "mail.send", `{"to":"Anna","text":"a"}`); r.Say != "Sent to Anna." {
			t.Errorf("said %q", r.Say)
		}
		for _, bad := range []string{`{"to":"Anna"}`, `{"to":"Anna","text":"a","to":"Eve"}`} {
			if r, err := h.box.Call(t.Context(), models.Call{Tool: "mail.send", Arguments: []byte(bad)}); err == nil {
				t.Errorf("%s: said %q", bad, r.Say)
			}
		}
		if r := h.call(t, t.Context(), "consent.ledger", ""); len(h.sent) != 1 || r.Say != "The last thing that I sent was mail send with text: 'a' and to: 'Anna', today at 9 AM, as you permitted once and for all." {
			t.Errorf("said %q, sent %v", r.Say, h.sent)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := h.box.Call(gone, models.Call{Tool: "mail.send", Arguments: []byte(`{"to":"Ben","text":"a"}`)}); err == nil || len(h.sent) != 1 {
			t.Errorf("not written down, and yet sent: %v, %v", h.sent, err)
		}
	})
}

func TestNoAndTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := build(t)
		r := h.call(t, t.Context(), "mail.send", `{"to":"Anna","text":"a"}`)
		if got := h.answer(t, r, false); got.Say != "Okay, I won't." {
			t.Errorf("said %q", got.Say)
		}
		if got := h.answer(t, r, true); got.Say != "You said no to that." {
			t.Errorf("said %q", got.Say)
		}
		r = h.call(t, t.Context(), "mail.send", `{"to":"Anna","text":"b"}`)
		time.Sleep(time.Minute)
		if got := h.answer(t, r, true); got.Say != "That was too long ago. Please ask me again." {
			t.Errorf("said %q", got.Say)
		}
		id, _, err := h.book.Propose(t.Context(), "anthropic", "", models.Deep, []models.Message{{Role: models.User, Text: "why?"}})
		if err != nil {
			t.Fatal(err)
		}
		r = h.call(t, t.Context(), "consent.list", "")
		if r.Say != "I would send your question to Anthropic: 'why'. Shall I?" || r.Ask.Call.Tool != consent.SendTool || r.Ask.Approval != id {
			t.Errorf("said %q, asks %+v", r.Say, r.Ask)
		}
		if got := h.answer(t, r, false); got.Say != "Okay, nothing was sent." {
			t.Errorf("said %q", got.Say)
		}
		if len(h.sent) != 0 {
			t.Errorf("sent %v", h.sent)
		}
	})
}

func TestSeveralWait(t *testing.T) {
	h := build(t)
	one := h.call(t, t.Context(), "mail.send", `{"to":"Anna","text":"a"}`)
	h.call(t, t.Context(), "mail.send", `{"to":"Ben","text":"b"}`)
	r := h.call(t, t.Context(), "consent.list", "")
	if r.Say != "2 things wait for your yes: Send 'a' to Anna; Send 'b' to Ben." || r.Ask != nil || strings.Contains(string(r.Data), one.Ask.Approval) {
		t.Errorf("said %q, data %s", r.Say, r.Data)
	}
}

// Where a job waits, the yes only wakes it: the call is the job's.
func TestAJobMakesItsOwnCall(t *testing.T) {
	h := build(t)
	r := h.call(t, t.Context(), "mail.send", `{"to":"Anna","text":"a"}`)
	h.jobs[r.Ask.Approval] = true
	if got := h.answer(t, r, true); got.Say != "Okay, I'll go on with it." || len(h.sent) != 0 {
		t.Errorf("said %q, sent %v", got.Say, h.sent)
	}
	if _, err := h.box.Approved(t.Context(), models.Call{Tool: "mail.send", Arguments: []byte(`{"text":"a","to":"Anna"}`)}, r.Ask.Approval); err != nil || len(h.sent) != 1 {
		t.Errorf("the job sent %v, %v", h.sent, err)
	}
}
