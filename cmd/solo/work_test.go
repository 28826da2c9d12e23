package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// says asks Solo in words, in a home of its own, and gives the reply.
func says(t *testing.T, home, text string) string {
	t.Helper()
	code, lines := solo(t, home, "", "understand", "--do", text)
	if code != 0 || len(lines) == 0 {
		t.Fatalf("%q: exit %d, %v", text, code, lines)
	}
	return lines[0].text("reply")
}

// One day of work, by command line and by words.
func TestWork(t *testing.T) {
	home := t.TempDir()
	run := func(want int, args ...string) []lineOf {
		t.Helper()
		code, lines := solo(t, home, "", args...)
		if code != want {
			t.Fatalf("solo %v: exit %d, %v", args, code, lines)
		}
		return lines
	}
	run(0, "projects", "add", "Career", "--priority", "1")
	run(0, "projects", "add", "Job Applications", "--under", "career", "--progress", "20", "--status", "paused")
	for text, want := range map[string]string{
		"how is the career project going": "Career is active, at 20 percent.",
		"what is on my list":              "Your list is empty.",
	} {
		if got := says(t, home, text); !strings.HasPrefix(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := says(t, home, "set career to forty percent"); got != "Career is now at 40 percent." {
		t.Errorf("said %q", got)
	}
	if got := says(t, home, "add call the bank to the career project"); got != "I put call the bank on your list, for Career." {
		t.Errorf("said %q", got)
	}
	tree := run(0, "projects", "tree")
	if len(tree) != 2 || tree[0]["progress"] != 40.0 || tree[1].text("path") != "Career / Job Applications" || tree[0]["open_tasks"] != 1.0 {
		t.Errorf("tree: %v", tree)
	}
	for _, args := range [][]string{{"projects", "move", "Career", "--under", "Job Applications"}, {"projects", "set", "nowhere", "--progress", "4"},
		{"projects", "set", "Career", "--progress", "400"}, {"tasks", "done", "4711"}, {"tasks", "add", "x", "--due", "the day the music died"},
		{"routines", "add", "x", "--do", "dim the lights"}, {"projects", "remove", "Career"}, {"brief", "--at", "soon"}} {
		lines := run(1, args...)
		if errs := only(lines, "error"); len(errs) != 1 || errs[0].text("message") == "" || errs[0].text("hint") == "" {
			t.Errorf("solo %v: %v", args, lines)
		}
	}
	due := run(0, "tasks", "add", "pay", "the", "rent", "--due", "in two hours", "--tag", "Money")
	if due[0].text("due") == "" || due[0].text("did") != "added" {
		t.Errorf("added %v", due)
	}
	if b := run(0, "brief", "week"); !strings.Contains(b[0].text("text"), "pay the rent") || !strings.Contains(b[0].text("page"), "## ") {
		t.Errorf("briefing: %v", b)
	}
	run(0, "tasks", "done", "pay", "the", "rent")
	if done := run(0, "tasks", "list", "--done"); len(done) != 1 || done[0].text("status") != "done" {
		t.Errorf("done: %v", done)
	}
	if b := says(t, home, "give me my weekly review"); !strings.Contains(b, "You finished 1 task in the last 7 days: pay the rent.") {
		t.Errorf("review: %q", b)
	}

	run(0, "routines", "add", "movie time", "--do", "set a timer for two hours and say enjoy the film", "--every", "every friday at 8pm")
	if got := says(t, home, "movie time"); got != "2 hours, starting now. Enjoy the film." {
		t.Errorf("said %q", got)
	}
	if l := run(0, "routines", "list"); len(l) != 1 || l[0]["every"] == nil {
		t.Errorf("routines: %v", l)
	}
	if got := says(t, home, "brief me every weekday at 7:30"); got != "I'll give you your morning briefing every weekday at 7:30 AM." {
		t.Errorf("said %q", got)
	}
	if l := only(run(0, "remind", "list", "--kind", "briefing"), "promise"); len(l) != 1 {
		t.Errorf("planned: %v", l)
	}

	// What is removed is put back by what was printed.
	for _, what := range [][]string{{"projects", "remove", "Career", "--yes"}, {"routines", "remove", "movie time"}, {"tasks", "remove", "call", "the", "bank"}} {
		gone := run(0, what...)
		text, err := json.Marshal(gone[0])
		if err != nil {
			t.Fatal(err)
		}
		if left := run(0, what[0], "list"); len(left) != 0 {
			t.Errorf("left after %v: %v", what, left)
		}
		if code, lines := solo(t, home, string(text), what[0], "restore"); code != 0 {
			t.Fatalf("restoring %v: exit %d, %v", what, code, lines)
		}
		if back := run(0, what[0], "list"); len(back) == 0 {
			t.Errorf("nothing came back after %v", what)
		}
	}
	if again := run(0, "projects", "tree"); len(again) != 2 || again[0]["open_tasks"] != 1.0 {
		t.Errorf("restored tree: %v", again)
	}

	file := filepath.Join(t.TempDir(), "projects.txt")
	if err := os.WriteFile(file, []byte("[ACTIVE] Health [50%]\n  [DONE] Swim [100%]\n  [ACTIVE] Run [0%]\n[ACTIVE] Career [40%]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if l := run(0, "projects", "import", file); l[0]["added"] != 3.0 || l[0]["same"] != 1.0 {
		t.Errorf("imported: %v", l)
	}
	if l := run(1, "projects", "import", filepath.Join(t.TempDir(), "none")); only(l, "error")[0].text("hint") == "" {
		t.Errorf("no file: %v", l)
	}
}
