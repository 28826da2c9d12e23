package anthropic_test

import (
	"errors"
	"testing"

	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/anthropic"
	"github.com/solo-assistant/solo/models/llama/llamatest"
	"github.com/solo-assistant/solo/models/modelstest"
)

// A real llama-server answers this API too.
func TestLlamaServer(t *testing.T) {
	url := modelstest.LlamaServer(t, llamatest.Program(t), llamatest.Model(t))
	e, err := anthropic.New(anthropic.Config{BaseURL: url, Key: config.NewSecret(modelstest.RealKey), Model: "any"})
	if err != nil {
		t.Fatal(err)
	}
	modelstest.Real(t, e)
	if e, err = anthropic.New(anthropic.Config{BaseURL: url, Key: config.NewSecret("wrong"), Model: "x"}); err != nil {
		t.Fatal(err)
	}
	for _, err := range e.Stream(t.Context(), models.Request{Messages: []models.Message{{Role: models.User, Text: "x"}}}) {
		if !errors.Is(err, models.ErrKey) {
			t.Errorf("a wrong key: %v", err)
		}
	}
}
