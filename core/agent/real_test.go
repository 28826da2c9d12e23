package agent

import (
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/models/llama/llamatest"
	"github.com/solo-assistant/solo/models/modelstest"
	"github.com/solo-assistant/solo/models/openai"
)

// A real llama-server, with a model that knows nothing but stories, keeps to the schema: every turn ends with words, and
// whatever it calls was checked.
func TestALlamaServerKeepsToTheSchema(t *testing.T) {
	url := modelstest.LlamaServer(t, llamatest.Program(t), llamatest.Model(t))
	engine, err := openai.New(openai.Config{BaseURL: url, Key: config.NewSecret(modelstest.RealKey)})
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for i, words := range []string{"tell me of Lily", "set a timer, and sing", "was there a cat", "is it late"} {
		b := toolbox()
		a := New(Config{Model: engine, Tools: b, MaxTokens: 128, Temperature: 1.2, Now: func() time.Time { return monday }})
		got := hear(t.Context(), a, words)
		if !sayable(got.text) || got.err != nil || len(b.faults) > 0 {
			t.Errorf("turn %d: %q, %v, %v", i, got.text, got.err, b.faults)
		}
		t.Logf("%q: %s: %.80q", words, b.calls(), got.text)
		calls += len(b.called)
	}
	if calls == 0 {
		t.Error("the schema lets no call through")
	}
}
