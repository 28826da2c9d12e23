package main

import "testing"

// Every call of a tool can be looked up later, with what it was called with.
func TestToolsHistory(t *testing.T) {
	home := t.TempDir()
	if code, lines := solo(t, home, "", "tools", "call", "tasks.create", `{"description":"buy stamps"}`); code != 0 {
		t.Fatalf("call: %d %v", code, lines)
	}
	code, lines := solo(t, home, "", "tools", "history", "-n", "5")
	if code != 0 || len(lines) != 1 || lines[0]["event"] != "execution" || lines[0]["tool"] != "tasks.create" || lines[0]["status"] != "ok" {
		t.Fatalf("history: %d %v", code, lines)
	}
	if got := lines[0]["arguments"].(map[string]any)["description"]; got != "buy stamps" {
		t.Errorf("called with %v", got)
	}
}
