package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/store/rows/pgtest"
)

// reminded is what a home's rows promise.
func reminded(t *testing.T, home string, args ...string) string {
	t.Helper()
	code, lines := solo(t, home, "", append([]string{"remind", "list"}, args...)...)
	if code != 0 {
		t.Fatalf("exit %d, %v", code, lines)
	}
	var out []string
	for _, l := range only(lines, "promise") {
		out = append(out, l.text("text"))
	}
	return strings.Join(out, ", ")
}

func keepReminder(t *testing.T, home, text string) {
	t.Helper()
	if code, lines := solo(t, home, "", "remind", "add", text, "--at", "tomorrow at five"); code != 0 {
		t.Fatalf("exit %d, %v", code, lines)
	}
}

// A backup is made, listed, tried, and restored beside and in place by what a user types.
func TestBackupsByCommand(t *testing.T) {
	home := t.TempDir()
	if code, lines := solo(t, home, "", "db", "status"); code != 1 || lines[0].text("code") != "none" {
		t.Errorf("without rows: exit %d, %v", code, lines)
	}
	keepReminder(t, home, "call Anna")
	code, lines := solo(t, home, "", "backup", "now")
	made := only(lines, "backup")
	if code != 0 || len(made) != 1 || len(only(lines, "note")) != 1 {
		t.Fatalf("exit %d, %v", code, lines)
	}
	if note := only(lines, "note")[0].text("text"); !strings.Contains(note, filepath.Join(home, "backup.key")) {
		t.Errorf("of the key: %s", note)
	}
	keepReminder(t, home, "water the plants")
	if code, lines = solo(t, home, "", "db", "backups"); code != 0 || len(only(lines, "backup")) != 1 {
		t.Errorf("exit %d, %v", code, lines)
	}
	if code, lines = solo(t, home, "", "backup", "verify"); code != 0 || only(lines, "restored")[0].text("place") != "" {
		t.Errorf("exit %d, %v", code, lines)
	}
	beside := filepath.Join(t.TempDir(), "beside")
	if code, lines = solo(t, home, "", "backup", "restore", "--into", beside); code != 0 {
		t.Errorf("exit %d, %v", code, lines)
	}
	if got := reminded(t, home, "--set", "store.path="+filepath.Join(beside, "solo.db")); got != "call Anna" {
		t.Errorf("beside is %q", got)
	}
	if code, lines = solo(t, home, "", "backup", "restore", "--into", beside); code != 1 || lines[0].text("code") != "occupied" {
		t.Errorf("over it: exit %d, %v", code, lines)
	}
	if code, lines = solo(t, home, "", "db", "restore", made[0].text("name"), "--replace"); code != 0 {
		t.Fatalf("exit %d, %v", code, lines)
	}
	if aside := only(lines, "restored")[0].text("aside"); reminded(t, home) != "call Anna" || reminded(t, home, "--set", "store.path="+aside) != "call Anna, water the plants" {
		t.Errorf("put aside at %s", aside)
	}
	for name, args := range map[string][]string{"nowhere": {"backup", "restore"}, "two ways": {"backup", "restore", "--replace", "--into", "x"}, "no target": {"db", "move"}} {
		if code, lines = solo(t, home, "", args...); code != 2 {
			t.Errorf("%s: exit %d, %v", name, code, lines)
		}
	}
	data, err := os.ReadFile(made[0].text("path"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(made[0].text("path"), data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if code, lines = solo(t, home, "", "backup", "verify"); code != 1 || lines[0].text("code") != "cut" {
		t.Errorf("a cut one: exit %d, %v", code, lines)
	}
}

// The tables go back a version and come again, and the rows move to another engine and are used there.
func TestTheDatabaseByCommand(t *testing.T) {
	home := t.TempDir()
	keepReminder(t, home, "call Anna")
	_, lines := solo(t, home, "", "db", "status")
	version := lines[0]["version"].(float64)
	if lines[0].text("engine") != "sqlite" || version != lines[0]["known"] {
		t.Errorf("status: %v", lines)
	}
	if code, lines := solo(t, home, "", "db", "rollback"); code != 0 || only(lines, "db_version")[0]["to"] != version-1 || len(only(lines, "backup")) != 1 {
		t.Errorf("back: exit %d, %v", code, lines)
	}
	if code, lines := solo(t, home, "", "db", "migrate"); code != 0 || only(lines, "db_version")[0]["to"] != version {
		t.Errorf("up: exit %d, %v", code, lines)
	}
	for _, args := range [][]string{{"db", "check"}, {"db", "prune"}} {
		if code, lines := solo(t, home, "", args...); code != 0 {
			t.Errorf("%v: exit %d, %v", args, code, lines)
		}
	}
	if code, lines := solo(t, home, "", "db", "migrate", "--version", "99"); code != 2 {
		t.Errorf("too far: exit %d, %v", code, lines)
	}
	file := filepath.Join(t.TempDir(), "moved.db")
	if code, lines := solo(t, home, file+"\n", "db", "move", "--to", "-"); code != 0 || reminded(t, home, "--set", "store.path="+file) != "call Anna" {
		t.Errorf("to a file: exit %d, %v", code, lines)
	}
	server, ok := pgtest.Maybe(t)
	if !ok {
		t.Skip("skipped: the half on PostgreSQL, which is not here (scripts/setup.sh test installs it)")
	}
	dsn := server.Database(t)
	if code, lines := solo(t, home, "", "db", "move", "--to", dsn); code != 0 {
		t.Fatalf("to a server: exit %d, %v", code, lines)
	}
	if code, lines := solo(t, home, "", "db", "move", "--to", dsn); code != 1 || lines[0].text("code") != "occupied" {
		t.Errorf("over rows: exit %d, %v", code, lines)
	}
	t.Setenv("SOLO_DATABASE_DSN", dsn)
	keepReminder(t, home, "on the server")
	if got := reminded(t, home); got != "call Anna, on the server" {
		t.Errorf("the server has %q", got)
	}
	if code, lines := solo(t, home, "", "backup", "now"); code != 0 {
		t.Errorf("backup of a server: exit %d, %v", code, lines)
	}
	if code, lines := solo(t, home, "", "backup", "restore", "--to", server.Database(t)); code != 0 {
		t.Errorf("restore to a server: exit %d, %v", code, lines)
	}
	if code, lines := solo(t, home, "", "db", "status"); code != 0 || lines[0].text("engine") != "postgres" {
		t.Errorf("status: exit %d, %v", code, lines)
	}
	if code, lines := solo(t, home, "", "understand", "what time is it"); code != 0 {
		t.Errorf("a dry run: exit %d, %v", code, lines)
	}
	t.Setenv("SOLO_DATABASE_DSN", "")
	if got := reminded(t, home); got != "call Anna" {
		t.Errorf("the file has %q", got)
	}
}

// A damaged database does not keep Solo from starting: it is named and put aside, and what could be read is there.
func TestADamagedDatabaseIsSavedAtTheStart(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, "data", "solo.db")
	keepReminder(t, home, "call Anna")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data[:len(data)-8192], 0o600); err != nil { // its head says more than there is
		t.Fatal(err)
	}
	if code, lines := solo(t, home, "", "db", "check"); code != 1 || lines[0].text("code") != "corrupt" {
		t.Errorf("check: exit %d, %v", code, lines)
	}
	cmd, out := process(t, home, "run", "--no-input")
	await(t, out, `"event":"ready"`)
	said := out.String()
	_ = cmd.Process.Signal(os.Interrupt)
	_ = cmd.Wait() // it was interrupted
	if !strings.Contains(said, "solo.db.damaged-") || !strings.Contains(said, "could be read") {
		t.Errorf("said %s", said)
	}
	if left, _ := filepath.Glob(path + ".damaged-*"); len(left) == 0 {
		t.Error("nothing was put aside")
	}
	if code, lines := solo(t, home, "", "db", "check"); code != 0 {
		t.Errorf("then: exit %d, %v", code, lines)
	}
}

// Solo starts without its server, says so, tells the time, promises nothing, and promises again when the server is there.
func TestARunOutlivesItsServer(t *testing.T) {
	server := pgtest.NewServer(t)
	home := t.TempDir()
	t.Setenv("SOLO_DATABASE_DSN", server.Database(t))
	server.Stop(t)
	cmd, out := process(t, home, "run", "--no-input")
	await(t, out, `"event":"ready"`)
	if !strings.Contains(out.String(), "does not answer") {
		t.Errorf("said %s", out.String())
	}
	if code, lines := solo(t, home, "", "understand", "--do", "what time is it"); code != 0 || !strings.Contains(lines[0].text("reply"), "It's") {
		t.Errorf("the time: exit %d, %v", code, lines)
	}
	if code, lines := solo(t, home, "", "remind", "add", "call Anna", "--at", "tomorrow at five"); code == 0 {
		t.Errorf("promised without rows: %v", lines)
	}
	server.Start(t)
	await(t, out, "database is back")
	keepReminder(t, home, "call Ben")
	if got := reminded(t, home); got != "call Ben" {
		t.Errorf("promised %q", got)
	}
	_ = cmd.Process.Signal(os.Interrupt)
	_ = cmd.Wait() // it was interrupted
}
