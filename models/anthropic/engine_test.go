package anthropic_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/anthropic"
	"github.com/solo-assistant/solo/models/modelstest"
)

func ask(messages ...models.Message) models.Request { return models.Request{Messages: messages} }

func says(r models.Role, text string) models.Message { return models.Message{Role: r, Text: text} }

func TestCloud(t *testing.T) {
	for url, cloud := range map[string]bool{"": true, "https://api.anthropic.com": true, "http://127.0.0.1:8080": false, "http://localhost:1": false, "http://[::1]:1": false,
		"http://192.168.1.4:8080": true, "http://gpu.local": true} {
		e, err := anthropic.New(anthropic.Config{BaseURL: url})
		if err != nil || e.Cloud("any") != cloud || e.Name() != "anthropic" {
			t.Errorf("%q: %v", url, err)
		}
	}
	if _, err := anthropic.New(anthropic.Config{BaseURL: "nonsense"}); err == nil {
		t.Error("no error for an address that is none")
	}
	var c anthropic.Config
	if _, err := config.Load(&c, config.Sources{}); err != nil || c.MaxTokens != 4096 || !strings.HasPrefix(c.BaseURL, "https://") {
		t.Errorf("settings %+v, %v", c, err)
	}
}

// What the two sides said becomes turns as the API wants them.
func TestTurns(t *testing.T) {
	call := models.ToolCall{ID: "a", Call: models.Call{Tool: "clock.time"}}
	other := models.ToolCall{ID: "b", Call: models.Call{Tool: "timers.list", Arguments: json.RawMessage(`[1]`)}}
	for name, tt := range map[string]struct {
		talk []models.Message
		want string // roles with their kinds of blocks
	}{
		"system between":    {[]models.Message{says(models.System, "a"), says(models.User, "b"), says(models.System, "c"), says(models.User, "d")}, "system:text user:text,text"},
		"only system":       {[]models.Message{says(models.System, "a")}, "user:text"},
		"empty":             {[]models.Message{says(models.User, "a"), says(models.Assistant, " "), says(models.User, "b")}, "user:text,text"},
		"results together":  {[]models.Message{says(models.User, "a"), {Role: models.Assistant, Text: "b", Calls: []models.ToolCall{call, other}}, {Role: models.Tool, For: "a", Text: "1"}, {Role: models.Tool, For: "b"}}, "user:text assistant:text,tool_use,tool_use user:tool_result,tool_result"},
		"a result of words": {[]models.Message{says(models.User, "a"), says(models.Assistant, "b"), says(models.Tool, "it is noon")}, "user:text assistant:text user:text"},
	} {
		t.Run(name, func(t *testing.T) {
			srv := modelstest.New(t, modelstest.Script{Turns: []modelstest.Turn{{Text: "x"}}})
			if h := modelstest.Hear(engine(t, srv).Stream(t.Context(), ask(tt.talk...))); h.Err != nil {
				t.Fatal(h.Err)
			}
			var sent struct {
				System   []struct{ Type string }
				Messages []struct {
					Role    string
					Content []struct{ Type string }
				}
			}
			if err := json.Unmarshal(srv.Requests()[0].Raw, &sent); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, b := range sent.System {
				got = append(got, "system:"+b.Type)
			}
			for _, m := range sent.Messages {
				var kinds []string
				for _, b := range m.Content {
					kinds = append(kinds, b.Type)
				}
				got = append(got, m.Role+":"+strings.Join(kinds, ","))
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("sent %s, want %s", s, tt.want)
			}
		})
	}
}

// The API's limits are kept, whatever is asked for; the system's words can lie in the provider's cache.
func TestLimits(t *testing.T) {
	srv := modelstest.New(t, modelstest.Script{Turns: []modelstest.Turn{{Text: "x"}}})
	r := ask(says(models.System, "Rules."), says(models.User, "a"))
	r.Temperature, r.Stop = 1.7, []string{"\n", "END", " "}
	if h := modelstest.Hear(engine(t, srv).Stream(t.Context(), r)); h.Err != nil {
		t.Fatal(h.Err)
	}
	got := srv.Requests()[0]
	if got.Temperature != 1 || !slices.Equal(got.Stop, []string{"END"}) || got.MaxTokens != 4096 || !strings.Contains(string(got.Raw), `"cache_control":{"type":"ephemeral"}`) {
		t.Errorf("asked %s", got.Raw)
	}
}

// What a model does not take is left out, and remembered.
func TestRefused(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","minimum":3}}}`)
	srv := modelstest.New(t, modelstest.Script{Answer: func(r modelstest.Request) modelstest.Turn {
		switch {
		case r.Fields["temperature"] != nil:
			return modelstest.Turn{Status: http.StatusBadRequest, Body: "temperature is deprecated for this model"}
		case r.Schema != nil:
			return modelstest.Turn{Status: http.StatusBadRequest, Body: "output_config.format.schema: For 'integer' type, property 'minimum' is not supported"}
		}
		return modelstest.Turn{Text: `{"n":4}`}
	}})
	e := engine(t, srv)
	for range 2 {
		r := ask(says(models.User, "a"))
		r.Schema = schema
		if h := modelstest.Hear(e.Stream(t.Context(), r)); h.Err != nil || h.Text != `{"n":4}` {
			t.Fatalf("%+v", h)
		}
	}
	all := srv.Requests()
	if len(all) != 4 || !strings.Contains(all[3].Messages[0].Text, `"minimum":3`) {
		t.Errorf("%d requests, the last %+v", len(all), all[len(all)-1].Messages)
	}
}

func TestNoEmbeddings(t *testing.T) {
	e, err := anthropic.New(anthropic.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := e.Embed(t.Context(), "", []string{"a"}); v != nil || !errors.Is(err, models.ErrUnable) {
		t.Errorf("%v, %v", v, err)
	}
}
