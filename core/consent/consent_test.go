package consent_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/consent"
	"github.com/solo-assistant/solo/models"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var mail = models.Spec{Name: "mail.send", Class: models.Outward, Ask: "Send {text|quote} to {to}"}

func call(args string) models.Call {
	return models.Call{Tool: "mail.send", Arguments: json.RawMessage(args)}
}

const toAnna = `{"to":"Anna","text":"running late"}`

// asked asks for a call and gives the approval's id.
func asked(t testing.TB, b *consent.Book, c models.Call) string {
	t.Helper()
	r, err := b.Ask(t.Context(), mail, c)
	if err != nil {
		t.Fatal(err)
	}
	return r.Ask.Approval
}

func granted(t testing.TB, b *consent.Book, c models.Call) string {
	t.Helper()
	id := asked(t, b, c)
	if err := b.Grant(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	return id
}

func TestAnApprovedCallIsUsedOnce(t *testing.T) {
	rows, events := &slate{}, &bus.Bus{}
	wanted := bus.Subscribe[consent.Wanted](events, "test", 4, bus.DropOldest)
	defer wanted.Close()
	decided := bus.Subscribe[consent.Decided](events, "test", 4, bus.DropOldest)
	defer decided.Close()
	b := consent.New(consent.Config{Rows: rows, Bus: events})
	r, err := b.Ask(t.Context(), mail, call(toAnna))
	if err != nil || r.Say != "Send 'running late' to Anna. Yes or no?" {
		t.Fatalf("said %q, %v", r.Say, err)
	}
	id := r.Ask.Approval
	if len(id) != 32 || r.Ask.Slot != "" || r.Ask.Call.Tool != consent.GrantTool || r.Ask.No.Tool != consent.RefuseTool || string(r.Ask.Call.Arguments) != `{"id":"`+id+`"}` {
		t.Errorf("asks %+v", r.Ask)
	}
	if strings.Contains(string(r.Data), id) {
		t.Errorf("a model is shown the approval's id: %s", r.Data)
	}
	if got := (<-wanted.C).Val.Approval; got.ID != id || got.Say != r.Say || got.Until.Sub(got.Asked) != time.Minute {
		t.Errorf("wanted %+v", got)
	}
	if err := b.Spend(t.Context(), id, call(toAnna)); !errors.Is(err, consent.ErrOpen) {
		t.Errorf("before the answer: %v", err)
	}
	if err := b.Grant(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if got := (<-decided.C).Val; got != (consent.Decided{ID: id, Granted: true}) {
		t.Errorf("decided %+v", got)
	}
	if err := b.Grant(t.Context(), id); !errors.Is(err, consent.ErrGranted) {
		t.Errorf("granted twice: %v", err)
	}
	for name, other := range map[string]models.Call{
		"another recipient": call(`{"to":"Eve","text":"running late"}`),
		"one more":          call(`{"to":"Anna","text":"running late","bcc":"eve"}`),
		"one less":          call(`{"to":"Anna"}`),
		"another tool":      {Tool: "mail.delete", Arguments: json.RawMessage(toAnna)},
		"another type":      call(`{"to":["Anna"],"text":"running late"}`),
	} {
		if err := b.Spend(t.Context(), id, other); !errors.Is(err, consent.ErrOther) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(rows.entries) != 0 {
		t.Fatalf("in the ledger before it was sent: %+v", rows.entries)
	}
	if err := b.Spend(t.Context(), id, call("{ \"text\" : \"running late\",\n\"to\":\"Anna\" }")); err != nil {
		t.Fatal(err)
	}
	if err := b.Spend(t.Context(), id, call(toAnna)); !errors.Is(err, consent.ErrSpent) {
		t.Errorf("used twice: %v", err)
	}
	list, err := b.Ledger(t.Context(), 5)
	if err != nil || len(list) != 1 || list[0].Provider != "mail.send" || list[0].Approval != id || !strings.Contains(string(list[0].Content), "running late") {
		t.Errorf("ledger %+v, %v", list, err)
	}
}

func TestRefusing(t *testing.T) {
	b := consent.New(consent.Config{Rows: &slate{}})
	open, yes := asked(t, b, call(toAnna)), granted(t, b, call(toAnna))
	for _, id := range []string{open, yes} { // what was granted can be taken back until it is used
		if err := b.Refuse(t.Context(), id); err != nil {
			t.Error(err)
		}
		if err := b.Spend(t.Context(), id, call(toAnna)); !errors.Is(err, consent.ErrRefused) {
			t.Errorf("using: %v", err)
		}
		if err := b.Grant(t.Context(), id); !errors.Is(err, consent.ErrRefused) {
			t.Errorf("granting: %v", err)
		}
		if err := b.Refuse(t.Context(), id); !errors.Is(err, consent.ErrRefused) {
			t.Errorf("refusing again: %v", err)
		}
	}
	for name, err := range map[string]error{"granting": b.Grant(t.Context(), "x"), "refusing": b.Refuse(t.Context(), ""), "using": b.Spend(t.Context(), "x", call(toAnna))} {
		if !errors.Is(err, consent.ErrUnknown) {
			t.Errorf("%s what never was: %v", name, err)
		}
	}
}

func TestAModelCannotGrant(t *testing.T) {
	b := consent.New(consent.Config{Rows: &slate{}})
	id := asked(t, b, call(toAnna))
	model := models.WithOrigin(t.Context(), models.Origin{Model: true})
	if err := b.Grant(model, id); !errors.Is(err, consent.ErrNotUser) {
		t.Errorf("granting: %v", err)
	}
	if err := b.Permit(model, "openai"); !errors.Is(err, consent.ErrNotUser) {
		t.Errorf("permitting: %v", err)
	}
	if err := b.Spend(t.Context(), id, call(toAnna)); !errors.Is(err, consent.ErrOpen) {
		t.Errorf("using: %v", err)
	}
}

func TestApprovalsExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := consent.New(consent.Config{Rows: &slate{}})
		late, last := asked(t, b, call(toAnna)), asked(t, b, call(toAnna))
		time.Sleep(time.Minute - time.Millisecond)
		if open, err := b.Open(t.Context()); err != nil || len(open) != 2 {
			t.Errorf("open are %v, %v", open, err)
		}
		if err := b.Grant(t.Context(), last); err != nil {
			t.Errorf("at the last moment: %v", err)
		}
		time.Sleep(time.Millisecond)
		if err := b.Grant(t.Context(), late); !errors.Is(err, consent.ErrExpired) {
			t.Errorf("granting too late: %v", err)
		}
		if err := b.Refuse(t.Context(), late); !errors.Is(err, consent.ErrExpired) {
			t.Errorf("refusing too late: %v", err)
		}
		if open, err := b.Open(t.Context()); err != nil || len(open) != 0 {
			t.Errorf("open are %v, %v", open, err)
		}
		time.Sleep(time.Minute - time.Millisecond) // between yes and use
		if err := b.Spend(t.Context(), last, call(toAnna)); !errors.Is(err, consent.ErrExpired) {
			t.Errorf("using too late: %v", err)
		}
	})
}

func TestManyAtOnceUseItOnce(t *testing.T) {
	b := consent.New(consent.Config{Rows: &slate{}})
	id := granted(t, b, call(toAnna))
	var wg sync.WaitGroup
	var used atomic.Int32
	for range 50 {
		wg.Go(func() {
			if err := b.Spend(t.Context(), id, call(toAnna)); err == nil {
				used.Add(1)
			} else if !errors.Is(err, consent.ErrSpent) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if used.Load() != 1 {
		t.Errorf("used %d times", used.Load())
	}
}

func TestArgumentsThatTwoReadersTakeDifferently(t *testing.T) {
	b := consent.New(consent.Config{Rows: &slate{}})
	for name, args := range map[string]string{
		"a name twice":             `{"to":"Anna","to":"Eve"}`,
		"a name in another case":   `{"to":"Anna","TO":"Eve"}`,
		"a name that folds":        `{"is":"Anna","iſ":"Eve"}`,
		"a name twice, deep":       `{"a":[{"b":{"c":1,"C":2}}]}`,
		"two objects":              `{"to":"Anna"}{"to":"Eve"}`,
		"no object":                `["Anna"]`,
		"no JSON":                  `to Anna`,
		"cut off":                  `{"to":"Anna"`,
		"broken text":              "{\"to\":\"\xff\"}",
		"too deep to be looked at": strings.Repeat(`{"a":`, 500) + "1" + strings.Repeat("}", 500),
	} {
		if r, err := b.Ask(t.Context(), mail, call(args)); err == nil {
			t.Errorf("%s: asked %q", name, r.Say)
		}
	}
	big := granted(t, b, call(`{"to":"Anna","n":9007199254740993}`))
	if err := b.Spend(t.Context(), big, call(`{"to":"Anna","n":9007199254740992}`)); !errors.Is(err, consent.ErrOther) {
		t.Errorf("a number that floats cannot tell apart: %v", err)
	}
	for _, none := range []string{"", " ", "null", "{}"} {
		id := granted(t, b, call(none))
		if err := b.Spend(t.Context(), id, call("{ }")); err != nil {
			t.Errorf("%q: %v", none, err)
		}
	}
}

func TestQuestionsDoNotPileUp(t *testing.T) {
	b := consent.New(consent.Config{Rows: &slate{}})
	for range 16 {
		asked(t, b, call(toAnna))
	}
	var fault *consent.Fault
	if _, err := b.Ask(t.Context(), mail, call(toAnna)); !errors.Is(err, consent.ErrMany) || !errors.As(err, &fault) || fault.Say() == "" {
		t.Errorf("the seventeenth: %v", err)
	}
}

func TestWhatIsNotKeptIsNotAsked(t *testing.T) {
	rows := &slate{broken: errors.New("disk is gone")}
	b := consent.New(consent.Config{Rows: rows})
	if _, err := b.Ask(t.Context(), mail, call(toAnna)); err == nil {
		t.Error("asked")
	}
	rows.broken = nil
	id := granted(t, b, call(toAnna))
	rows.broken = errors.New("disk is gone")
	if err := b.Spend(t.Context(), id, call(toAnna)); err == nil || len(rows.entries) != 0 {
		t.Errorf("used, %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rows.broken = nil
	if err := b.Spend(ctx, id, call(toAnna)); err != nil {
		t.Errorf("the slate knows no ctx: %v", err)
	}
}
