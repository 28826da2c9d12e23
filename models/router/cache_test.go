package router_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/router"
)

func cold(text string) models.Request {
	q := words(text)
	q.Temperature = 0
	return q
}

func TestCache(t *testing.T) {
	call := models.Delta{Call: &models.ToolCall{ID: "1"}}
	for name, tt := range map[string]struct {
		first, second models.Request
		play          play
		cloud         func(string) bool
		asked         int
	}{
		"the same":         {cold("x"), cold("x"), nil, nil, 1},
		"other words":      {cold("x"), cold("y"), nil, nil, 2},
		"other work":       {cold("x"), models.Request{Work: models.Planning, Messages: cold("x").Messages}, nil, nil, 1},
		"other schema":     {cold("x"), models.Request{Schema: json.RawMessage(`{}`), Messages: cold("x").Messages}, nil, nil, 2},
		"other limit":      {cold("x"), models.Request{MaxTokens: 9, Messages: cold("x").Messages}, nil, nil, 2},
		"other stop":       {cold("x"), models.Request{Stop: []string{"."}, Messages: cold("x").Messages}, nil, nil, 2},
		"other model":      {cold("x"), models.Request{Model: "m", Messages: cold("x").Messages}, nil, nil, 2},
		"by chance":        {words("x"), words("x"), nil, nil, 2},
		"with tools":       {models.Request{Tools: []models.Spec{{}}}, models.Request{Tools: []models.Spec{{}}}, nil, nil, 2},
		"read ahead":       {models.Request{MaxTokens: -1}, models.Request{MaxTokens: -1}, nil, nil, 2},
		"a cloud's":        {cold("x"), cold("x"), nil, always, 2},
		"an error":         {cold("x"), cold("x"), failing(models.ErrBroken, "One"), nil, 2},
		"nothing":          {cold("x"), cold("x"), saying(0), nil, 2},
		"very long":        {cold("x"), cold("x"), saying(0, strings.Repeat("long ", 40000)), nil, 2},
		"a call of a tool": {cold("x"), cold("x"), func(_ context.Context, _ models.Request, yield func(models.Delta, error) bool) { yield(call, nil) }, nil, 2},
		"a call with words": {cold("x"), cold("x"), func(_ context.Context, _ models.Request, yield func(models.Delta, error) bool) {
			_ = yield(call, nil) && yield(models.Delta{Text: "x"}, nil)
		}, nil, 2},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.play == nil {
				tt.play = saying(0, "One ", "two.")
			}
			e := &engine{name: "a", play: tt.play, cloud: tt.cloud}
			r, event := made(t, router.Config{Engines: []router.Engine{e}, Cache: 8, Consent: &consent{approval: "standing"}})
			text1, u1, err1 := read(t.Context(), r, tt.first)
			event()
			text2, u2, err2 := read(t.Context(), r, tt.second)
			if text1 != text2 || (err1 == nil) != (err2 == nil) || e.count() != tt.asked {
				t.Errorf("said %q and %q, errors %v and %v, asked %d times", text1, text2, err1, err2, e.count())
			}
			a := event()
			if a.FromCache != (tt.asked == 1) {
				t.Errorf("published %+v", a)
			}
			if a.FromCache && (u1.Cached != 0 || u2.Cached != u1.Prompt || u2.Generated != u1.Generated || a.Usage != *u2) {
				t.Errorf("used %+v, then %+v", u1, u2)
			}
		})
	}
}

func TestCacheForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &engine{name: "a", play: saying(time.Second, "one", "two")}
		r, _ := made(t, router.Config{Engines: []router.Engine{e}, Cache: 2})
		asks := func(text string, want int) {
			t.Helper()
			before := e.count()
			if _, _, err := read(t.Context(), r, cold(text)); err != nil || e.count()-before != want {
				t.Errorf("%s was asked for %d times, error %v", text, e.count()-before, err)
			}
		}
		for range r.Stream(t.Context(), cold("x")) {
			break // and an answer that was not read is not kept
		}
		asks("x", 1)
		asks("x", 0)
		asks("y", 1)
		asks("x", 0)
		asks("z", 1) // y was used longest ago
		asks("x", 0)
		asks("y", 1)
		time.Sleep(11 * time.Minute)
		asks("y", 1)
	})
}

func TestCacheIsBounded(t *testing.T) {
	e := &engine{name: "a", play: saying(0, strings.Repeat("x", 100<<10))}
	r, _ := made(t, router.Config{Engines: []router.Engine{e}, Cache: 1000})
	for round := range 2 {
		for i := range 40 {
			if _, _, err := read(t.Context(), r, cold(strings.Repeat("y", i))); err != nil {
				t.Fatal(err)
			}
		}
		if want := 40 * (round + 1); e.count() != want {
			t.Errorf("asked %d times, want %d: 4 MB of answers are too many", e.count(), want)
		}
	}
}
