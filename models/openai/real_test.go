package openai_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/llama/llamatest"
	"github.com/solo-assistant/solo/models/modelstest"
	"github.com/solo-assistant/solo/models/openai"
)

// A real llama-server, where there is one.
func TestLlamaServer(t *testing.T) {
	url := modelstest.LlamaServer(t, llamatest.Program(t), llamatest.Model(t))
	e, err := openai.New(openai.Config{BaseURL: url, Key: config.NewSecret(modelstest.RealKey)})
	if err != nil {
		t.Fatal(err)
	}
	modelstest.Real(t, e)
	r := ask("Choose.")
	r.Temperature, r.MaxTokens = 1.2, 200
	r.Schema = json.RawMessage(`{"type":"object","properties":{"tool":{"enum":["clock.time","timers.set"]},"n":{"type":"integer","minimum":0,"maximum":9}},"required":["tool","n"],"additionalProperties":false}`)
	for range 10 {
		var got struct {
			Tool string
			N    int
		}
		if h := modelstest.Hear(e.Stream(t.Context(), r)); h.Err != nil || json.Unmarshal([]byte(h.Text), &got) != nil || got.Tool == "" {
			t.Errorf("%q, %v", h.Text, h.Err)
		}
	}
	if _, err := e.Embed(t.Context(), "", []string{"x"}); !errors.Is(err, models.ErrUnable) {
		t.Errorf("embeddings: %v", err)
	}
	if list, err := e.Models(t.Context()); err != nil || len(list) != 1 || list[0].Context < 2048 || list[0].Bytes < 1<<20 {
		t.Errorf("%+v, %v", list, err)
	}
	if e, err = openai.New(openai.Config{BaseURL: url, Key: config.NewSecret("wrong"), Model: "x"}); err != nil {
		t.Fatal(err)
	}
	if h := modelstest.Hear(e.Stream(t.Context(), ask("x"))); !errors.Is(h.Err, models.ErrKey) {
		t.Errorf("a wrong key: %v", h.Err)
	}
}
