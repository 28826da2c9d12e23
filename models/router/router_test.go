package router_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/router"
)

func TestSettingsAreSettings(t *testing.T) {
	var c router.Config
	if _, err := config.Load(&c, config.Sources{Flags: []string{"default=ollama/x", "fallback=llama,openai:groq/a/b", "first_token=5s"}}); err != nil {
		t.Fatal(err)
	}
	if c.Default != "ollama/x" || len(c.Fallback) != 2 || c.FirstToken != 5*time.Second || c.Silence != 15*time.Second || c.Parallel != 1 || c.Cache != 64 {
		t.Errorf("got %+v", c)
	}
}

func TestEachKindOfWorkHasItsEngine(t *testing.T) {
	a, b := &engine{name: "llama", play: saying(0, "a")}, &engine{name: "openai:groq", play: saying(0, "b"), cloud: always}
	c := router.Config{Engines: []router.Engine{a, b}, Consent: &consent{approval: "standing"}, Default: "llama/small", Planning: "llama/big", Deep: "openai:groq/org/huge"}
	r, _ := made(t, c)
	for w, want := range map[models.Work]string{
		"": "llama small false", models.Quick: "llama small false", models.Planning: "llama big false", models.Summarizing: "llama small false",
		models.Coding: "llama small false", models.Deep: "openai:groq org/huge true", "odd": "llama small false",
	} {
		name, model, cloud := r.Provider(w)
		if got := fmt.Sprintln(name, model, cloud); got != want+"\n" {
			t.Errorf("%q is done by %s", w, got)
		}
	}
	for model, want := range map[string]string{"": "small", "other": "other", "llama/tiny": "tiny", "org/name": "org/name", "llama": ""} {
		q := words("hello")
		q.Model = model
		if _, _, err := read(t.Context(), r, q); err != nil || a.asked[len(a.asked)-1].Model != want {
			t.Errorf("model %q was asked as %q, error %v", model, a.asked[len(a.asked)-1].Model, err)
		}
	}
	q := words("hello")
	q.Model = "openai:groq/x/y"
	if text, u, err := read(t.Context(), r, q); err != nil || text != "b" || u.Engine != "openai:groq" || u.Model != "x/y" {
		t.Errorf("said %q, used %+v, error %v", text, u, err)
	}
}

func TestUnknownNamesAreListed(t *testing.T) {
	e := []router.Engine{&engine{name: "llama"}, &engine{name: "ollama"}}
	_, err := router.New(router.Config{Engines: e, Default: "lama", Quick: "ollama/x", Planning: "gpt", Fallback: []string{"llama", "groq/x"}})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{`default is "lama"`, `planning is "gpt"`, `fallback is "groq/x"`, "there are llama, ollama"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not tell %s", err, want)
		}
	}
	if _, err := router.New(router.Config{Default: "llama"}); err == nil || !strings.Contains(err.Error(), "none is set up") {
		t.Errorf("got %v", err)
	}
	if _, err := router.New(router.Config{Engines: []router.Engine{e[0], e[0]}}); err == nil {
		t.Error("two engines of one name")
	}
}

func TestNoEngine(t *testing.T) {
	r, event := made(t, router.Config{})
	if _, _, err := read(t.Context(), r, words("hello")); !errors.Is(err, models.ErrAbsent) {
		t.Errorf("got %v", err)
	}
	if e := event(); e.Err != models.ErrAbsent.Error() || e.Work != models.Quick {
		t.Errorf("published %+v", e)
	}
	if _, err := r.Embed(t.Context(), "", []string{"x"}); !errors.Is(err, models.ErrAbsent) {
		t.Errorf("got %v", err)
	}
	if err := r.Ready(t.Context()); !errors.Is(err, models.ErrAbsent) {
		t.Errorf("got %v", err)
	}
	if name, _, _ := r.Provider(models.Quick); name != "" {
		t.Errorf("got %s", name)
	}
}

func TestUsageIsCompleted(t *testing.T) {
	told := func(u models.Usage) play {
		return func(_ context.Context, _ models.Request, yield func(models.Delta, error) bool) {
			_ = yield(models.Delta{}, nil) && yield(models.Delta{Text: "Yes"}, nil) && yield(models.Delta{Text: ".", Usage: &u}, nil)
		}
	}
	for name, tt := range map[string]struct {
		play play
		want models.Usage
	}{
		"none told":   {saying(0, "Yes", "."), models.Usage{Engine: "e", Model: "m", Prompt: 3, Generated: 2}},
		"all told":    {told(models.Usage{Engine: "E", Model: "M", Prompt: 9, Generated: 8, Finish: "stop"}), models.Usage{Engine: "E", Model: "M", Prompt: 9, Generated: 8, Finish: "stop"}},
		"counts told": {told(models.Usage{Prompt: 9, Generated: 8}), models.Usage{Engine: "e", Model: "m", Prompt: 9, Generated: 8}},
	} {
		t.Run(name, func(t *testing.T) {
			r, event := made(t, router.Config{Engines: []router.Engine{&engine{name: "e", play: tt.play}}, Default: "e/m"})
			text, u, err := read(t.Context(), r, words("eleven byte"))
			if err != nil || text != "Yes." || u == nil || *u != tt.want {
				t.Errorf("said %q, used %+v, error %v", text, u, err)
			}
			if e := event(); e.Usage != tt.want || e.Err != "" || e.Work != models.Quick {
				t.Errorf("published %+v", e)
			}
		})
	}
}

func TestFallback(t *testing.T) {
	broke := errors.New("broke")
	for name, tt := range map[string]struct {
		first play
		say   string
		want  error // nil where the second answers
	}{
		"absent":            {failing(models.ErrAbsent), "two", nil},
		"unreachable":       {failing(fmt.Errorf("dial: %w", models.ErrUnreachable)), "two", nil},
		"no model":          {failing(models.ErrNoModel), "two", nil},
		"too large":         {failing(models.ErrTooLarge), "two", nil},
		"busy":              {failing(models.ErrBusy), "two", nil},
		"key":               {failing(models.ErrKey), "two", nil},
		"too long":          {failing(models.ErrTooLong), "", models.ErrTooLong},
		"nonsense":          {failing(models.ErrNonsense), "", models.ErrNonsense},
		"unheard-of":        {failing(broke), "", broke},
		"after a word":      {failing(models.ErrUnreachable, "One"), "One", models.ErrUnreachable},
		"says it's private": {failing(models.ErrPrivate), "", models.ErrPrivate},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := &engine{name: "a", play: tt.first}, &engine{name: "b", play: saying(0, "two")}
			r, event := made(t, router.Config{Engines: []router.Engine{a, b}, Fallback: []string{"a", "b/x"}})
			text, u, err := read(t.Context(), r, words("hello"))
			if text != tt.say || !errors.Is(err, tt.want) || (tt.want == nil) != (err == nil) {
				t.Errorf("said %q, error %v", text, err)
			}
			e := event()
			if tt.want == nil && (u.Engine != "b" || u.Model != "x" || fmt.Sprint(e.Tried) != "[a]" || e.Err != "") {
				t.Errorf("used %+v, published %+v", u, e)
			}
			if tt.want != nil && (e.Err == "" || b.count() > 0) {
				t.Errorf("published %+v, the second was asked %d times", e, b.count())
			}
			q := words("hello")
			q.Model = "a/y"
			if _, _, err := read(t.Context(), r, q); err == nil && tt.say == "two" {
				t.Error("a request for one model was answered by another")
			}
		})
	}
}

func TestAllFail(t *testing.T) {
	r, event := made(t, router.Config{Engines: []router.Engine{
		&engine{name: "a", play: failing(models.ErrAbsent)}, &engine{name: "b", play: failing(models.ErrUnreachable)},
		&engine{name: "c", play: saying(0, "c"), cloud: always},
	}, Fallback: []string{"b", "c"}})
	_, _, err := read(t.Context(), r, words("hello"))
	if !errors.Is(err, models.ErrAbsent) || !strings.Contains(err.Error(), "asking a") {
		t.Errorf("got %v", err)
	}
	if e := event(); fmt.Sprint(e.Tried) != "[a b c]" || e.Err != models.ErrAbsent.Error() {
		t.Errorf("published %+v", e)
	}
}

// hung answers some words and then nothing until its ctx ends, as an engine that waits on a socket does.
func hung(life bool, words ...string) play {
	return func(ctx context.Context, q models.Request, yield func(models.Delta, error) bool) {
		for _, w := range words {
			if !yield(models.Delta{Text: w}, nil) {
				return
			}
		}
		for life && sleep(ctx, time.Second) {
			if !yield(models.Delta{}, nil) {
				return
			}
		}
		<-ctx.Done()
		yield(models.Delta{}, fmt.Errorf("reading: %w", models.ErrBroken))
	}
}

func TestTimeouts(t *testing.T) {
	conf := func(e ...router.Engine) router.Config {
		return router.Config{Engines: e, FirstToken: 20 * time.Second, Silence: 5 * time.Second}
	}
	t.Run("before the first word", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r, event := made(t, conf(&engine{name: "a", play: hung(false)}))
			begun := time.Now()
			_, _, err := read(t.Context(), r, words("hello"))
			if !errors.Is(err, models.ErrLate) || errors.Is(err, models.ErrBroken) || time.Since(begun) != 20*time.Second {
				t.Errorf("after %v: %v", time.Since(begun), err)
			}
			if e := event(); e.Err != models.ErrLate.Error() || e.Took != 20*time.Second || e.FirstToken != 0 {
				t.Errorf("published %+v", e)
			}
		})
	})
	t.Run("within the answer", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r, event := made(t, conf(&engine{name: "a", play: hung(false, "One", "two")}, &engine{name: "b", play: saying(0, "b")}))
			begun := time.Now()
			text, _, err := read(t.Context(), r, words("hello"))
			if text != "Onetwo" || !errors.Is(err, models.ErrLate) || time.Since(begun) != 5*time.Second {
				t.Errorf("after %v: %q, %v", time.Since(begun), text, err)
			}
			if e := event(); e.Usage.Generated != 2 || e.Usage.Engine != "a" {
				t.Errorf("published %+v", e)
			}
		})
	})
	t.Run("then the next", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c := conf(&engine{name: "a", play: hung(false)}, &engine{name: "b", play: saying(15*time.Second, "b")})
			c.Fallback = []string{"b"}
			r, event := made(t, c)
			if text, _, err := read(t.Context(), r, words("hello")); text != "b" || err != nil {
				t.Errorf("said %q, error %v", text, err)
			}
			if e := event(); e.FirstToken != 35*time.Second {
				t.Errorf("published %+v", e)
			}
		})
	})
	t.Run("signs of life", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeoutCause(t.Context(), time.Hour, errors.New("enough"))
			defer cancel()
			r, _ := made(t, conf(&engine{name: "a", play: hung(true, "One")}))
			if _, _, err := read(ctx, r, words("hello")); err == nil || !strings.HasSuffix(err.Error(), "enough") {
				t.Errorf("got %v", err)
			}
		})
	})
	t.Run("a slow reader is no slow model", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r, event := made(t, conf(&engine{name: "a", play: saying(time.Second, "1", "2", "3")}))
			var said string
			for d, err := range r.Stream(t.Context(), words("hello")) {
				if err != nil {
					t.Fatal(err)
				}
				said += d.Text
				time.Sleep(time.Minute)
			}
			if e := event(); said != "123" || e.FirstToken != time.Second || e.Took != 4*time.Minute+3*time.Second {
				t.Errorf("said %q, published %+v", said, e)
			}
		})
	})
	t.Run("vectors", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r, event := made(t, conf(&engine{name: "a"}))
			if _, err := r.Embed(t.Context(), "hangs", []string{"x"}); !errors.Is(err, models.ErrLate) {
				t.Errorf("got %v", err)
			}
			if e := event(); e.Err != models.ErrLate.Error() || e.Work != "embedding" {
				t.Errorf("published %+v", e)
			}
		})
	})
}

func TestCancel(t *testing.T) {
	barge := errors.New("user spoke")
	synctest.Test(t, func(t *testing.T) {
		a := &engine{name: "a", play: hung(false, "One")}
		r, event := made(t, router.Config{Engines: []router.Engine{a, &engine{name: "b", play: saying(0, "b")}}, Fallback: []string{"b"}})
		for _, words1 := range [][]string{nil, {"One"}} {
			a.play = hung(false, words1...)
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Second, func() { cancel(barge) })
			begun := time.Now()
			if _, _, err := read(ctx, r, words("hello")); !errors.Is(err, barge) || time.Since(begun) != time.Second {
				t.Errorf("after %v: %v", time.Since(begun), err)
			}
			if e := event(); e.Err != "cancelled" || e.Took != time.Second {
				t.Errorf("published %+v", e)
			}
		}
		ended, cancel := context.WithCancelCause(t.Context())
		cancel(barge)
		if _, _, err := read(ended, r, words("hello")); !errors.Is(err, barge) || a.count() != 2 {
			t.Errorf("ended before: %v, asked %d times", err, a.count())
		}
		event()
		for d, err := range r.Stream(t.Context(), words("hello")) {
			if d.Text != "One" || err != nil {
				t.Errorf("got %v, %v", d, err)
			}
			break
		}
		if e := event(); e.Err != "broken off" || e.Usage.Generated != 1 || a.running != 0 {
			t.Errorf("published %+v", e)
		}
	})
}

// An engine that ends a cancelled stream without a word has not answered.
func TestSilentEndIsNoAnswer(t *testing.T) {
	barge := errors.New("user spoke")
	synctest.Test(t, func(t *testing.T) {
		r, _ := made(t, router.Config{Engines: []router.Engine{&engine{name: "a", play: func(ctx context.Context, _ models.Request, yield func(models.Delta, error) bool) {
			yield(models.Delta{Text: "Half"}, nil)
			<-ctx.Done()
		}}}, Cache: 8})
		for range 2 {
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Second, func() { cancel(barge) })
			q := words("hello")
			q.Temperature = 0
			if text, u, err := read(ctx, r, q); text != "Half" || u != nil || !errors.Is(err, barge) {
				t.Errorf("said %q, used %v, error %v", text, u, err)
			}
		}
	})
}

func TestModelsAndReady(t *testing.T) {
	a := &engine{name: "a", play: saying(0, "a")}
	dead := &engine{name: "dead"}
	cloud := &engine{name: "cloud", play: saying(0, "c"), cloud: always}
	all := []router.Engine{dead, a, cloud}
	r, _ := made(t, router.Config{Engines: all})
	if got, err := r.Models(t.Context()); len(got) != 2 || !errors.Is(err, models.ErrUnreachable) || !strings.Contains(err.Error(), "dead") {
		t.Errorf("got %v, %v", got, err)
	}
	if err := r.Ready(t.Context()); !errors.Is(err, models.ErrUnreachable) {
		t.Errorf("got %v", err)
	}
	r, _ = made(t, router.Config{Engines: all, LocalOnly: true, Fallback: []string{"a"}})
	if got, _ := r.Models(t.Context()); len(got) != 1 || got[0].Engine != "a" {
		t.Errorf("got %v", got)
	}
	if err := r.Ready(t.Context()); err != nil {
		t.Errorf("got %v", err)
	}
	for _, c := range []router.Config{{LocalOnly: true, Consent: &consent{}}, {}} {
		c.Engines = []router.Engine{cloud}
		if r, _ = made(t, c); !errors.Is(r.Ready(t.Context()), models.ErrPrivate) {
			t.Errorf("ready: %v", r.Ready(t.Context()))
		}
	}
	r, _ = made(t, router.Config{Engines: []router.Engine{cloud}, Consent: &consent{}})
	if err := r.Ready(t.Context()); err != nil || cloud.count() != 0 {
		t.Errorf("got %v", err)
	}
}
