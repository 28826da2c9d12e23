package think_test

import (
	"context"
	"errors"
	"iter"
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
	"github.com/solo-assistant/solo/core/tool/think"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/router"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// engine answers everything alike and writes down what it was asked.
type engine struct {
	name  string
	cloud bool
	slow  time.Duration
	fail  error
	asked [][]models.Message
}

func (e *engine) Name() string      { return e.name }
func (e *engine) Cloud(string) bool { return e.cloud }
func (e *engine) Models(context.Context) ([]models.Info, error) {
	return []models.Info{{ID: "m", Engine: e.name, Cloud: e.cloud}}, nil
}
func (e *engine) Embed(context.Context, string, []string) ([][]float32, error) {
	return nil, models.ErrUnable
}
func (e *engine) Stream(ctx context.Context, r models.Request) iter.Seq2[models.Delta, error] {
	return func(yield func(models.Delta, error) bool) {
		e.asked = append(e.asked, r.Messages)
		if e.fail != nil {
			yield(models.Delta{}, e.fail)
			return
		}
		for _, piece := range []string{"Forty", "-two. ", "Surely."} {
			select {
			case <-time.After(e.slow):
			case <-ctx.Done():
				yield(models.Delta{}, ctx.Err())
				return
			}
			if !yield(models.Delta{Text: piece}, nil) {
				return
			}
		}
		yield(models.Delta{Usage: &models.Usage{Engine: e.name}}, nil)
	}
}

// deep gathers the question and a fact.
type deep struct{ err error }

func (d deep) Deep(_ context.Context, about string) ([]models.Message, error) {
	return []models.Message{{Role: models.System, Text: "Think."}, {Role: models.User, Text: about + "\n\nWhat I know:\n- you have a dog"}}, d.err
}

type house struct {
	box  *tool.Box
	book *consent.Book
}

func build(t *testing.T, c router.Config, a think.Agent) *house {
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
	h := &house{book: consent.New(consent.Config{Rows: store.New(db, user).Consent()})}
	c.Consent = h.book
	models, err := router.New(c)
	if err != nil {
		t.Fatal(err)
	}
	h.box = tool.New(tool.Config{Consent: h.book, Spend: h.book.Spend})
	if err := h.box.Add(append(think.Tools(think.Config{Agent: a, Model: models, Book: h.book}), approvals.Tools(approvals.Config{Book: h.book, Box: h.box})...)...); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *house) think(t *testing.T, about string) (models.Result, error) {
	t.Helper()
	return h.box.Call(t.Context(), *tool.CallOf("think.deeply", map[string]string{"about": about}))
}

func (h *house) ledger(t *testing.T) []consent.Entry {
	t.Helper()
	list, err := h.book.Ledger(t.Context(), 9)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestALocalModelThinksAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &engine{name: "llama", slow: 14 * time.Second}
		h := build(t, router.Config{Engines: []router.Engine{e}}, deep{})
		r, err := h.think(t, "what is the answer?")
		if err != nil || r.Say != "Forty-two. Surely." || r.Ask != nil || !strings.Contains(string(r.Data), `"provider":"llama"`) {
			t.Errorf("said %q, %s, %v", r.Say, r.Data, err)
		}
		if len(h.ledger(t)) != 0 || len(e.asked) != 1 {
			t.Errorf("ledger %v, asked %v", h.ledger(t), e.asked)
		}
	})
}

func TestACloudIsAskedOnlyWithTheUsersWord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cloud, local := &engine{name: "openai:groq", cloud: true}, &engine{name: "llama"}
		h := build(t, router.Config{Engines: []router.Engine{local, cloud}, Deep: "openai:groq/big", Default: "llama"}, deep{})
		r, err := h.think(t, "should I get a second dog?")
		if err != nil || r.Say != "I would send your question, 1 fact and 1 word of instructions to Groq: 'should I get a second dog'. The fact is 'you have a dog'. Shall I?" {
			t.Fatalf("said %q, %v", r.Say, err)
		}
		if !strings.Contains(string(r.Data), "What I know") || !strings.Contains(string(r.Data), `"model":"big"`) || strings.Contains(string(r.Data), r.Ask.Approval) {
			t.Errorf("shown %s", r.Data)
		}
		model := models.WithOrigin(t.Context(), models.Origin{Model: true})
		if _, err := h.box.Call(model, r.Ask.Call); !errors.Is(err, tool.ErrUnknown) || len(cloud.asked) != 0 {
			t.Fatalf("a model said yes: %v, asked %v", err, cloud.asked)
		}
		got, err := h.box.Call(t.Context(), r.Ask.Call)
		if err != nil || got.Say != "Forty-two. Surely." || len(cloud.asked) != 1 || len(local.asked) != 0 {
			t.Fatalf("said %q, %v, asked %v", got.Say, err, cloud.asked)
		}
		list := h.ledger(t)
		if len(list) != 1 || list[0].Approval != r.Ask.Approval || list[0].Provider != "openai:groq" || list[0].Model != "big" || list[0].Purpose != "deep" || list[0].Digest != models.Digest(cloud.asked[0]) {
			t.Errorf("ledger %+v", list)
		}
		if _, err := h.box.Call(t.Context(), r.Ask.Call); !errors.Is(err, tool.ErrUnknown) || len(cloud.asked) != 1 {
			t.Errorf("a second yes: %v, asked %v", err, cloud.asked)
		}
	})
}

func TestNoSendsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cloud := &engine{name: "anthropic", cloud: true}
		h := build(t, router.Config{Engines: []router.Engine{cloud}}, deep{})
		r, err := h.think(t, "why?")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := h.box.Call(t.Context(), *r.Ask.No); err != nil || got.Say != "Okay, nothing was sent." {
			t.Errorf("said %q, %v", got.Say, err)
		}
		if got, err := h.box.Call(t.Context(), r.Ask.Call); err == nil || got.Say != "You said no to that." {
			t.Errorf("yes after no: said %q, %v", got.Say, err)
		}
		late, err := h.think(t, "why then?")
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if got, err := h.box.Call(t.Context(), late.Ask.Call); err == nil || got.Say != "That was too long ago. Please ask me again." {
			t.Errorf("too late: said %q, %v", got.Say, err)
		}
		if len(cloud.asked) != 0 || len(h.ledger(t)) != 0 {
			t.Errorf("asked %v, ledger %v", cloud.asked, h.ledger(t))
		}
	})
}

func TestAPermittedCloudIsAskedAtOnceAndWrittenDown(t *testing.T) {
	cloud := &engine{name: "anthropic", cloud: true}
	h := build(t, router.Config{Engines: []router.Engine{cloud}}, deep{})
	if err := h.book.Permit(t.Context(), "anthropic"); err != nil {
		t.Fatal(err)
	}
	if r, err := h.think(t, "why?"); err != nil || r.Say != "Forty-two. Surely." {
		t.Errorf("said %q, %v", r.Say, err)
	}
	if list := h.ledger(t); len(list) != 1 || list[0].Approval != consent.Standing {
		t.Errorf("ledger %+v", list)
	}
}

func TestWhatCannotBeThought(t *testing.T) {
	h := build(t, router.Config{}, deep{})
	for about, want := range map[string]string{"why?": "I have no language model to think with.", " ": "What should I think about?"} {
		if r, err := h.think(t, about); err != nil || r.Say != want || (r.Ask != nil) != strings.HasSuffix(want, "?") {
			t.Errorf("%q: said %q, %v", about, r.Say, err)
		}
	}
	for name, tt := range map[string]struct {
		e    *engine
		a    deep
		say  string
		cont error
	}{
		"it does not answer":  {&engine{name: "llama", fail: models.ErrUnreachable}, deep{}, models.Excuse(models.ErrUnreachable), models.ErrUnreachable},
		"nothing to be asked": {&engine{name: "llama"}, deep{models.ErrTooLong}, models.Excuse(models.ErrTooLong), models.ErrTooLong},
	} {
		h := build(t, router.Config{Engines: []router.Engine{tt.e}}, tt.a)
		if r, err := h.think(t, "why?"); !errors.Is(err, tt.cont) || r.Say != tt.say {
			t.Errorf("%s: said %q, %v", name, r.Say, err)
		}
	}
	bare := tool.New(tool.Config{})
	if err := bare.Add(think.Tools(think.Config{})...); err != nil {
		t.Fatal(err)
	}
	if r, err := bare.Call(t.Context(), *tool.CallOf("think.deeply", map[string]string{"about": "why?"})); err != nil || r.Say != "I have no language model to think with." {
		t.Errorf("standing on nothing it said %q, %v", r.Say, err)
	}
}

func TestThinkingCanBeBrokenOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := build(t, router.Config{Engines: []router.Engine{&engine{name: "llama", slow: time.Second}}}, deep{})
		ctx, cancel := context.WithCancelCause(t.Context())
		barge := errors.New("the user spoke")
		time.AfterFunc(1500*time.Millisecond, func() { cancel(barge) })
		start := time.Now()
		if _, err := h.box.Call(ctx, *tool.CallOf("think.deeply", map[string]string{"about": "why?"})); !errors.Is(err, barge) || time.Since(start) > 2*time.Second {
			t.Errorf("broke off with %v after %v", err, time.Since(start))
		}
	})
}
