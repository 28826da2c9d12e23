package intent_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/solo-assistant/solo/core/intent"
)

//go:generate go test -run TestDocs -update .
var update = flag.Bool("update", false, "write docs/intents.md anew")

func TestDocs(t *testing.T) {
	examples := map[string][]string{}
	for _, s := range positives(t) {
		if len(examples[s.name]) < 8 {
			examples[s.name] = append(examples[s.name], s.text)
		}
	}
	path := filepath.Join("..", "..", "docs", "intents.md")
	want := intent.English().Markdown(examples)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("docs/intents.md is stale (%v): run go generate ./core/intent", err)
	}
}
