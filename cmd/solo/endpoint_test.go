package main

import (
	"os"
	"path/filepath"
	"testing"
)

// Without its model nothing hears the end of a turn, and nothing is missed unless it was asked for.
func TestEndpointIsOffUntilItsModelIsThere(t *testing.T) {
	a := &app{home: home{data: t.TempDir()}}
	for use, fails := range map[string]bool{"auto": false, "off": false, "on": true} {
		a.settings.Listen.Endpoint = use
		if m, err := a.newTurns(); m != nil || (err != nil) != fails {
			t.Errorf("%s: %v, %v", use, m, err)
		}
	}
	s := &assistant{app: a}
	if s.giveTurns() != nil {
		t.Error("gave one that is none")
	}
	dir := filepath.Join(a.home.weights(), "smartturn")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"smart-turn-v3.0.onnx", "smart-turn-v3.2-cpu.onnx"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := filepath.Base(a.smartTurn()); got != "smart-turn-v3.2-cpu.onnx" {
		t.Errorf("takes %s", got)
	}
}
