package tool_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type none struct{}

// saying is a tool that says one sentence.
func saying(name, say string, class models.Class) tool.Tool {
	return tool.Of(name, "Says "+say, class, func(context.Context, none) (models.Result, error) {
		return models.Result{Say: say}, nil
	})
}

func box(t *testing.T, c tool.Config, tools ...tool.Tool) *tool.Box {
	t.Helper()
	b := tool.New(c)
	if err := b.Add(tools...); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestCallRunsTheNamedTool(t *testing.T) {
	b := box(t, tool.Config{}, saying("a.one", "One.", models.Read), saying("a.two", "Two.", models.Write))
	r, err := b.Call(t.Context(), models.Call{Tool: "a.two"})
	if err != nil || r.Say != "Two." {
		t.Errorf("said %q, error %v", r.Say, err)
	}
	r, err = b.Call(t.Context(), models.Call{Tool: "a.three"})
	if !errors.Is(err, tool.ErrUnknown) || r.Say == "" {
		t.Errorf("unknown tool: said %q, error %v", r.Say, err)
	}
}

func TestAddRefuses(t *testing.T) {
	for name, bad := range map[string]tool.Tool{
		"a name without a theme": saying("time", "x", models.Read),
		"a name without a verb":  saying("clock.", "x", models.Read),
		"a name twice":           saying("a.one", "x", models.Read),
		"arguments of no struct": tool.Of("a.n", "", models.Read, func(context.Context, int) (models.Result, error) { return models.Result{}, nil }),
		"a field of no JSON": tool.Of("a.c", "", models.Read, func(context.Context, struct {
			C chan int `json:"c"`
		}) (models.Result, error) {
			return models.Result{}, nil
		}),
		"bad limits, within Internal": tool.Internal(tool.Of("a.l", "", models.Read, func(context.Context, struct {
			N int `json:"n" limits:"many"`
		}) (models.Result, error) {
			return models.Result{}, nil
		})),
	} {
		t.Run(name, func(t *testing.T) {
			b := box(t, tool.Config{}, saying("a.one", "One.", models.Read))
			if err := b.Add(bad); err == nil || !strings.Contains(err.Error(), bad.Spec().Name) {
				t.Errorf("error is %v", err)
			}
			if n := len(b.Specs()); n != 1 {
				t.Errorf("%d tools in the box", n)
			}
		})
	}
}

func TestPolicy(t *testing.T) {
	asked := 0
	asks := asking(func(c models.Call) (models.Result, error) {
		asked++
		return models.Result{Say: "May I?", Undo: &c, Ask: &models.Ask{Call: c, Approval: "a1"}}, nil
	})
	broken := asking(func(models.Call) (models.Result, error) { return models.Result{}, errors.New("line is cut") })
	silent := asking(func(models.Call) (models.Result, error) { return models.Result{Say: "Did it."}, nil })
	never := func(context.Context, models.Spec, models.Call) tool.Decision { return tool.Deny }
	for name, tt := range map[string]struct {
		class  models.Class
		conf   tool.Config
		status string
		asked  int
	}{
		"read":                         {models.Read, tool.Config{}, "ok", 0},
		"write":                        {models.Write, tool.Config{}, "ok", 0},
		"outward, nobody to ask":       {models.Outward, tool.Config{}, "denied", 0},
		"dangerous, nobody to ask":     {models.Dangerous, tool.Config{}, "denied", 0},
		"write, to ask, nobody to":     {models.Write, tool.Config{Rules: tool.Rules{Ask: []string{"x"}}}, "denied", 0},
		"unheard-of class":             {models.Class("odd"), tool.Config{Consent: asks}, "denied", 0},
		"outward":                      {models.Outward, tool.Config{Consent: asks}, "asked", 1},
		"dangerous":                    {models.Dangerous, tool.Config{Consent: asks}, "asked", 1},
		"dangerous, asking broke":      {models.Dangerous, tool.Config{Consent: broken}, "failed", 0},
		"dangerous, asking asked none": {models.Dangerous, tool.Config{Consent: silent}, "failed", 0},
		"read, under a stern policy":   {models.Read, tool.Config{Policy: never, Consent: asks}, "denied", 0},
	} {
		t.Run(name, func(t *testing.T) {
			asked = 0
			tt.conf.Bus = &bus.Bus{}
			sub := bus.Subscribe[event.Acted](tt.conf.Bus, "test", 4, bus.DropOldest)
			defer sub.Close()
			b := box(t, tt.conf, saying("x.do", "Did it.", tt.class))
			r, err := b.Call(t.Context(), models.Call{Tool: "x.do", Arguments: []byte(`{}`)})
			got := (<-sub.C).Val
			if got.Tool != "x.do" || got.Status != tt.status || string(got.Arguments) != "{}" {
				t.Errorf("published %+v, want status %s (%v)", got, tt.status, err)
			}
			if (r.Say == "Did it.") != (tt.status == "ok") || (r.Say == "May I?") != (tt.status == "asked") || r.Say == "" || r.Undo != nil {
				t.Errorf("said %q, undo %v", r.Say, r.Undo)
			}
			if errors.Is(err, tool.ErrDenied) != (tt.status == "denied") || asked != tt.asked {
				t.Errorf("error %v, asked %d times", err, asked)
			}
		})
	}
}

type asking func(c models.Call) (models.Result, error)

func (c asking) Ask(_ context.Context, _ models.Spec, call models.Call) (models.Result, error) {
	return c(call)
}

func TestPanicBecomesAnError(t *testing.T) {
	b := box(t, tool.Config{}, tool.Of("x.break", "", models.Read, func(context.Context, none) (models.Result, error) {
		panic("out of cheese")
	}))
	r, err := b.Call(t.Context(), models.Call{Tool: "x.break"})
	if !errors.Is(err, tool.ErrPanic) || !strings.Contains(err.Error(), "out of cheese") || r.Say == "" {
		t.Errorf("said %q, error %v", r.Say, err)
	}
}

func TestTimeLimit(t *testing.T) {
	patient := func(ctx context.Context, _ none) (models.Result, error) {
		<-ctx.Done()
		return models.Result{Say: "half"}, ctx.Err()
	}
	deaf := func(context.Context, none) (models.Result, error) {
		time.Sleep(time.Minute)
		return models.Result{Say: "late", Undo: &models.Call{Tool: "x.deaf"}}, nil
	}
	synctest.Test(t, func(t *testing.T) {
		b := box(t, tool.Config{Limit: 3 * time.Second}, tool.Of("x.patient", "", models.Read, patient), tool.Of("x.deaf", "", models.Write, deaf))
		for _, name := range []string{"x.patient", "x.deaf"} {
			start := time.Now()
			r, err := b.Call(t.Context(), models.Call{Tool: name})
			if took := time.Since(start); took < 3*time.Second || took > 3500*time.Millisecond {
				t.Errorf("%s was given %v", name, took)
			}
			if !errors.Is(err, tool.ErrLate) || r.Say != "Sorry, that took too long." {
				t.Errorf("%s said %q, error %v", name, r.Say, err)
			}
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		barge := errors.New("user spoke")
		time.AfterFunc(time.Second, func() { cancel(barge) })
		if _, err := b.Call(ctx, models.Call{Tool: "x.patient"}); !errors.Is(err, barge) {
			t.Errorf("interrupted call gave %v", err)
		}
		if err := b.Wait(ctx); !errors.Is(err, barge) {
			t.Errorf("waiting while a call hangs: %v", err)
		}
		if err := b.Wait(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestUndo(t *testing.T) {
	n := 0
	type by struct {
		By int `json:"by"`
	}
	add := func(name string) tool.Tool {
		return tool.Of(name, "Counts.", models.Write, func(_ context.Context, a by) (models.Result, error) {
			if a.By == 13 {
				return models.Result{}, errors.New("unlucky")
			}
			n += a.By
			return models.Result{Say: "Counted.", Undo: tool.CallOf("n.back", by{-a.By})}, nil
		})
	}
	b := box(t, tool.Config{Undos: 3}, add("n.add"), tool.Internal(add("n.back")), saying("n.read", "Many.", models.Read))
	if _, err := b.Undo(t.Context()); !errors.Is(err, tool.ErrNothing) {
		t.Errorf("undo of nothing: %v", err)
	}
	for _, args := range []string{`{"by":1}`, `{"by":10}`, `{"by":100}`, `{"by":1000}`, `{"by":13}`} {
		_, _ = b.Call(t.Context(), models.Call{Tool: "n.add", Arguments: []byte(args)})
		if _, err := b.Call(t.Context(), models.Call{Tool: "n.read"}); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []int{111, 11, 1} {
		if r, err := b.Undo(t.Context()); err != nil || n != want || r.Undo != nil {
			t.Fatalf("after undo there are %d, want %d (error %v, undo %v)", n, want, err, r.Undo)
		}
	}
	if _, err := b.Undo(t.Context()); !errors.Is(err, tool.ErrNothing) || n != 1 {
		t.Errorf("more was undone than is kept: %d, %v", n, err)
	}
}

func TestFailedUndoIsSaidAndGone(t *testing.T) {
	b := box(t, tool.Config{},
		tool.Of("x.do", "", models.Write, func(context.Context, none) (models.Result, error) {
			return models.Result{Say: "Done.", Undo: tool.CallOf("x.undo", nil)}, nil
		}),
		tool.Internal(tool.Of("x.undo", "", models.Write, func(context.Context, none) (models.Result, error) {
			return models.Result{}, errors.New("it is gone")
		})))
	if _, err := b.Call(t.Context(), models.Call{Tool: "x.do"}); err != nil {
		t.Fatal(err)
	}
	r, err := b.Undo(t.Context())
	if err == nil || !strings.Contains(err.Error(), "it is gone") || r.Say != "I couldn't undo that." {
		t.Errorf("said %q, error %v", r.Say, err)
	}
	if _, err := b.Undo(t.Context()); !errors.Is(err, tool.ErrNothing) {
		t.Errorf("tried again: %v", err)
	}
}

func TestInternalToolsRunOnlyAsAnAnswer(t *testing.T) {
	type args struct {
		IDs []int `json:"ids"`
	}
	ask := tool.Of("x.ask", "", models.Read, func(context.Context, none) (models.Result, error) {
		return models.Result{Say: "Sure?", Ask: &models.Ask{Call: *tool.CallOf("x.wipe", args{[]int{1, 2}})}}, nil
	})
	wipe := tool.Internal(tool.Of("x.wipe", "", models.Write, func(context.Context, args) (models.Result, error) {
		return models.Result{Say: "Gone."}, nil
	}))
	synctest.Test(t, func(t *testing.T) {
		b := box(t, tool.Config{}, ask, wipe)
		if specs := b.Specs(); len(specs) != 1 || specs[0].Name != "x.ask" {
			t.Errorf("shown to a model: %v", specs)
		}
		call := func(args string) error {
			_, err := b.Call(t.Context(), models.Call{Tool: "x.wipe", Arguments: []byte(args)})
			return err
		}
		question := func() {
			if _, err := b.Call(t.Context(), models.Call{Tool: "x.ask"}); err != nil {
				t.Fatal(err)
			}
		}
		if err := call(`{"ids":[1,2]}`); !errors.Is(err, tool.ErrUnknown) {
			t.Errorf("unasked: %v", err)
		}
		question()
		if err := call(`{"ids":[1,2,3]}`); !errors.Is(err, tool.ErrUnknown) {
			t.Errorf("more than was asked: %v", err)
		}
		if err := call(` { "ids" : [1, 2] } `); err != nil {
			t.Errorf("as asked: %v", err)
		}
		if err := call(`{"ids":[1,2]}`); !errors.Is(err, tool.ErrUnknown) {
			t.Errorf("a second time: %v", err)
		}
		question()
		time.Sleep(5 * time.Minute)
		if err := call(`{"ids":[1,2]}`); !errors.Is(err, tool.ErrUnknown) {
			t.Errorf("much later: %v", err)
		}
	})
}

func TestLogKeepsWordsAtDebug(t *testing.T) {
	type secret struct {
		Text string `json:"text" limits:"1..40"`
	}
	run := func(level zerolog.Level, args string) string {
		var out bytes.Buffer
		b := box(t, tool.Config{Log: zerolog.New(&out).Level(level)}, tool.Of("x.keep", "", models.Write,
			func(_ context.Context, s secret) (models.Result, error) { return models.Result{Say: s.Text}, nil }))
		_, _ = b.Call(t.Context(), models.Call{Tool: "x.keep", Arguments: []byte(args)})
		return out.String()
	}
	for name, args := range map[string]string{"good": `{"text":"honeycomb"}`, "unfit": `{"text":5,"honeycomb":"honeycomb"}`} {
		if log := run(zerolog.InfoLevel, args); strings.Contains(log, "honeycomb") || !strings.Contains(log, "x.keep") {
			t.Errorf("%s, at info: %s", name, log)
		}
		if log := run(zerolog.DebugLevel, args); !strings.Contains(log, "honeycomb") {
			t.Errorf("%s, at debug: %s", name, log)
		}
	}
}

func TestManyAtOnce(t *testing.T) {
	b := box(t, tool.Config{Bus: &bus.Bus{}}, tool.Of("x.do", "", models.Write, func(context.Context, none) (models.Result, error) {
		return models.Result{Say: "Done.", Undo: &models.Call{Tool: "x.do"}, Ask: &models.Ask{Call: models.Call{Tool: "x.do"}}}, nil
	}))
	done := make(chan error)
	for range 8 {
		go func() {
			for range 200 {
				if _, err := b.Call(t.Context(), models.Call{Tool: "x.do"}); err != nil {
					done <- err
					return
				}
				if _, err := b.Undo(t.Context()); err != nil && !errors.Is(err, tool.ErrNothing) {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
