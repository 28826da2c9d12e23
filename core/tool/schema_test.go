package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

type order struct {
	What  string        `json:"what" jsonschema:"what to bring" limits:"1..10"`
	Many  int           `json:"many,omitempty" limits:"1..5"`
	When  time.Time     `json:"when,omitzero"`
	Wait  tool.Duration `json:"wait,omitempty"`
	Tags  []string      `json:"tags,omitempty"`
	Price float64       `json:"price,omitempty"`
	Hot   bool          `json:"hot,omitempty"`
}

func orders(got *order) tool.Tool {
	return tool.Of("x.order", " Brings things. \n", models.Write, func(_ context.Context, o order) (models.Result, error) {
		*got = o
		return models.Result{Say: "Coming."}, nil
	})
}

func TestSchema(t *testing.T) {
	spec := orders(nil).Spec()
	if spec.Description != "Brings things." {
		t.Errorf("description %q", spec.Description)
	}
	want := `{"type":"object","properties":{"what":{"type":"string","description":"what to bring","minLength":1,"maxLength":10},` +
		`"many":{"type":"integer","minimum":1,"maximum":5},"when":{"type":"string","format":"date-time"},` +
		`"wait":{"type":"string","format":"duration"},"tags":{"type":["null","array"],"items":{"type":"string"}},` +
		`"price":{"type":"number"},"hot":{"type":"boolean"}},"required":["what"],"additionalProperties":false}`
	var a, b any
	if err := json.Unmarshal(spec.Schema, &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &b); err != nil {
		t.Fatal(err)
	}
	if x, y := mustJSON(t, a), mustJSON(t, b); x != y {
		t.Errorf("schema is\n%s\nwant\n%s", x, y)
	}
	if strings.Index(string(spec.Schema), `"what"`) > strings.Index(string(spec.Schema), `"hot"`) {
		t.Errorf("fields are out of order: %s", spec.Schema)
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestArgumentsReachTheFunction(t *testing.T) {
	var got order
	_, err := orders(&got).Run(t.Context(), []byte(`{"what":"tea","many":2,"when":"2026-11-21T16:20:00Z","wait":"PT1H30M",
		"tags":["green"],"price":2.5,"hot":true}`))
	if err != nil {
		t.Fatal(err)
	}
	if got.What != "tea" || got.Many != 2 || got.When.Hour() != 16 || time.Duration(got.Wait) != 90*time.Minute ||
		!slices.Equal(got.Tags, []string{"green"}) || got.Price != 2.5 || !got.Hot {
		t.Errorf("got %+v", got)
	}
	if _, err := orders(&got).Run(t.Context(), []byte(`{"what":"tea","many":null,"when":null,"tags":null}`)); err != nil || got.Many != 0 {
		t.Errorf("null is not as good as absent: %v", err)
	}
}

func TestUnfitArgumentsAreAllNamed(t *testing.T) {
	for args, wants := range map[string][]string{
		``:                              {"what: is missing"},
		`null`:                          {"what: is missing"},
		`{}`:                            {"what: is missing"},
		`{"what":""}`:                   {"what: "},
		`{"what":"a very long tea"}`:    {"what: ", "10"},
		`{"what":5}`:                    {"what: ", "string"},
		`{"what":"tea","many":9}`:       {"many: ", "5"},
		`{"what":"tea","many":1.5}`:     {"many: ", "integer"},
		`{"what":"tea","tags":"x"}`:     {"tags: "},
		`{"what":"tea","tags":["x",5]}`: {"tags[1]: "},
		`{"what":"tea","when":"soon"}`:  {"when: ", "date-time"},
		`{"what":"tea","wait":"soon"}`:  {"wait: ", "duration"},
		`{"what":"tea","wait":"P200Y"}`: {"wait: ", "duration"},
		`{"WHAT":"tea"}`:                {"what: is missing", "WHAT: is unknown", "known are what, many"},
		`{"many":9,"hot":"yes","when":"soon","sugar":1}`: {"what: is missing", "many: ", "hot: ", "when: ", "sugar: is unknown"},
		`[]`:                          {"not a JSON object"},
		`"tea"`:                       {"not a JSON object"},
		`{"what":"tea"`:               {"not a JSON object"},
		`{"what":"tea"}{"what":"no"}`: {"more than one"},
	} {
		var got order
		_, err := orders(&got).Run(t.Context(), []byte(args))
		if !errors.Is(err, tool.ErrArguments) {
			t.Errorf("%s: error %v", args, err)
			continue
		}
		for _, want := range wants {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not name %q", args, err, want)
			}
		}
		if got.What != "" {
			t.Errorf("%s: was run with %+v", args, got)
		}
	}
}

func FuzzArguments(f *testing.F) {
	for _, s := range []string{``, `{}`, `{"what":"tea","many":2}`, `{"what":"tea","wait":"PT5M","when":"2026-11-21T16:20:00Z"}`, `[1]`, `{"tags":[null]}`, `{"what":"tea","price":1e400}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, args []byte) {
		var got order
		_, err := orders(&got).Run(t.Context(), args)
		if err != nil && !errors.Is(err, tool.ErrArguments) {
			t.Errorf("%q: %v", args, err)
		}
		if err == nil && (got.What == "" || len([]rune(got.What)) > 10 || got.Many < 0 || got.Many > 5) {
			t.Errorf("%q let %+v pass", args, got)
		}
	})
}
