package agent

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/agent/internal/prompt"
	"github.com/solo-assistant/solo/core/agent/internal/wire"
	"github.com/solo-assistant/solo/models"
)

var update = flag.Bool("update", false, "renew the golden files")

// shown are real tools of Solo. They are a copy, so that a new tool elsewhere does not change what is measured here.
func shown(t *testing.T) []models.Spec {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "specs.json"))
	if err != nil {
		t.Fatal(err)
	}
	var specs []models.Spec
	if err := json.Unmarshal(raw, &specs); err != nil {
		t.Fatal(err)
	}
	return specs
}

func agentWith(t *testing.T, specs []models.Spec) *Agent {
	t.Helper()
	return newAgent(t, says(), &box{specs: specs})
}

const most = 1500 // tokens that the system prompt may cost with 20 tools

func TestThePromptIsShort(t *testing.T) {
	a := agentWith(t, shown(t))
	visible := a.visible()
	if len(visible) < 20 {
		t.Fatalf("only %d tools", len(visible))
	}
	a = agentWith(t, visible[:20])
	text := a.Prefix(t.Context())[0].Text
	n := prompt.Tokens(text)
	t.Logf("%d tokens, %d bytes; the schema is %d bytes", n, len(text), len(a.offering().schema))
	if n > most {
		t.Errorf("the system prompt with 20 tools is %d tokens, more than %d", n, most)
	}
	golden(t, "prompt.txt", text)
	golden(t, "schema.json", string(a.offering().schema))
	all := agentWith(t, shown(t))
	t.Logf("all %d tools: %d tokens, schema %d bytes", len(visible), prompt.Tokens(all.Prefix(t.Context())[0].Text), len(all.offering().schema))
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("%s changed; look at it and run go test -update\n%s", name, got)
	}
}

// What a grammar cannot hold is left out of the schema.
func TestTheSchemaIsSimple(t *testing.T) {
	odd := json.RawMessage(`{"type":"object","$defs":{"x":{"type":"string"}},"properties":{
		"when":{"type":"string","format":"date-time","description":"a time"},"for":{"type":"string","format":"duration"},
		"tags":{"type":["null","array"],"items":{"type":"string","maxLength":9}},"n":{"type":"integer","minimum":0,"maximum":9},
		"ref":{"$ref":"#/$defs/x"},"kind":{"enum":["a","b"]},"deep":{"type":"object","properties":{"a":{"type":"boolean"}},"required":["a"]},
		"any":true,"free":{"type":"object"},"f":{"type":"number","minimum":0.5}},"required":["when"],"additionalProperties":false}`)
	got := string(wire.Schema([]models.Spec{{Name: "a.b", Schema: odd}, {Name: "c.d", Schema: json.RawMessage(`not JSON`)}, {Name: "e.f", Schema: json.RawMessage(`{"type":"object"}`)}}))
	for _, bad := range []string{"$ref", "$defs", "description", "maxLength", "null", `"format":"duration"`} {
		if strings.Contains(got, bad) {
			t.Errorf("%s in %s", bad, got)
		}
	}
	for _, want := range []string{`"type":{"const":"tool_call"},"tool":{"const":"a.b"},"arguments":{"type":"object","properties":{"when":{"type":"string","format":"date-time"},"for":{"type":"string","pattern":`,
		`"tags":{"type":"array","items":{"type":"string"}}`, `"n":{"type":"integer","minimum":0,"maximum":9}`, `"ref":{}`, `"kind":{"enum":["a","b"]}`,
		`"deep":{"type":"object","properties":{"a":{"type":"boolean"}},"required":["a"],"additionalProperties":false}`, `"free":{"type":"object"}`,
		`"required":["when"]`, `"tool":{"const":"c.d"},"arguments":{"type":"object"}`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if !json.Valid([]byte(got)) {
		t.Error("no JSON")
	}
}
