package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/memory"
)

// What is imported is found under its own IDs, kept once, corrected by the same ID, exported, and forgotten.
func TestMemoryByCommand(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "in.jsonl")
	text := `{"id":"a1","text":"Maren: we adopted a greyhound called Biscuit","session":"s1","at":"2023-05-03T10:00:00Z"}
{"id":7,"text":"the boiler was serviced in March","kind":"fact","at":1700000000}
not JSON
{"id":"x","text":"  "}
{"id":"y","text":"z","kind":"wish"}
{"id":"z","text":"z","at":"soon"}
{"text":"Robert'); DROP TABLE memories;-- lives next door"}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	code, lines := solo(t, home, "", "memory", "import", file)
	if got := only(lines, "imported"); code != 0 || len(got) != 1 || got[0]["added"] != 3.0 || got[0]["skipped"] != 4.0 {
		t.Fatalf("exit %d, %v", code, lines)
	}
	if bad := only(lines, "skipped"); len(bad) != 4 || bad[0]["line"] != 3.0 || bad[3]["line"] != 6.0 {
		t.Errorf("skipped %v", bad)
	}
	code, lines = solo(t, home, strings.ReplaceAll(text, "greyhound", "whippet"), "memory", "import", "-")
	if got := only(lines, "imported"); code != 0 || got[0]["added"] != 1.0 || got[0]["changed"] != 1.0 || got[0]["same"] != 1.0 {
		t.Errorf("exit %d, again: %v", code, got)
	}
	_, lines = solo(t, home, "", "memory", "search", "who adopted a whipet", "--k", "2")
	if got := only(lines, "memory"); len(got) == 0 || got[0].text("id") != "a1" || got[0]["score"].(float64) <= 0 || got[0].text("kind") != "note" || got[0].text("source") == "" {
		t.Errorf("found %v", lines)
	}
	_, lines = solo(t, home, "", "memory", "search", `boiler" OR NEAR(* -`)
	if got := only(lines, "memory"); len(got) == 0 || fmt.Sprint(got[0]["id"]) != "7" {
		t.Errorf("found %v", lines)
	}
	if code, lines = solo(t, home, "", "memory", "add", "my locker code is 4321"); code != 0 || len(only(lines, "memory")) != 1 {
		t.Errorf("exit %d, %v", code, lines)
	}
	if code, lines = solo(t, home, "", "memory", "forget", "--about", "biscuit"); code != 0 || len(only(lines, "forgotten")) != 1 || only(lines, "forgotten")[0]["done"] != false {
		t.Errorf("exit %d, %v", code, lines)
	}
	if code, lines = solo(t, home, "", "memory", "forget", "7"); code != 0 || only(lines, "forgotten")[0]["done"] != true {
		t.Errorf("exit %d, %v", code, lines)
	}
	if code, _ = solo(t, home, "", "memory", "forget", "nobody"); code != 1 {
		t.Errorf("forgetting what never was: exit %d", code)
	}
	if code, _ = solo(t, home, "", "memory", "forget"); code != 2 {
		t.Errorf("forgetting nothing: exit %d", code)
	}
	_, lines = solo(t, home, "", "memory", "list", "--last", "0")
	if all := fmt.Sprint(only(lines, "memory")); strings.Contains(all, "boiler") || !strings.Contains(all, "DROP TABLE") || !strings.Contains(all, "4321") {
		t.Errorf("listed %v", all)
	}
	if code, lines = solo(t, home, "", "memory", "search", "x", "--k", "0"); code != 2 {
		t.Errorf("exit %d, %v", code, lines)
	}
}

func FuzzImport(f *testing.F) {
	for _, s := range []string{`{"id":1,"text":"a"}`, `{"id":"a","text":"b","at":"2024-05-03","session":3}`, `{"at":1e300,"text":"x"}`, `[]`, `{"text":"\u0000"}`, `{"id":{},"text":"x"}`} {
		f.Add(s)
	}
	now := time.Now()
	f.Fuzz(func(t *testing.T, line string) {
		it, err := importOne([]byte(line), now)
		if err == nil && (strings.TrimSpace(it.Text) == "" || len(it.Text) > memory.MaxText) {
			t.Errorf("took %+v", it)
		}
	})
}
