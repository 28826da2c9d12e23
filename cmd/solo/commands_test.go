package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestUnderstandChangesNothingWithoutDo(t *testing.T) {
	home := t.TempDir()
	ask := func(text string, more ...string) lineOf {
		t.Helper()
		code, lines := solo(t, home, "", append(append([]string{"understand"}, more...), text)...)
		if code != 0 || len(lines) != 1 {
			t.Fatalf("exit %d, %v", code, lines)
		}
		return lines[0]
	}
	dry := ask("add milk to my tasks")
	if dry.text("intent") != "tasks.create" || dry.text("reply") == "" {
		t.Fatalf("got %v", dry)
	}
	if got := ask("what are my tasks"); strings.Contains(got.text("reply"), "milk") {
		t.Errorf("a dry run was kept: %v", got)
	}
	ask("add milk to my tasks", "--do")
	if got := ask("what are my tasks"); !strings.Contains(got.text("reply"), "milk") {
		t.Errorf("what was done is not kept: %v", got)
	}
	if got := ask("why is the sky blue"); got["intent"] != nil || got.text("reply") == "" {
		t.Errorf("no match: %v", got)
	}
}

func TestUnderstandReadsLines(t *testing.T) {
	_, lines := solo(t, t.TempDir(), "what time is it\n\nset a timer for 5 minutes\nstop\n", "understand")
	var names []string
	for _, l := range lines {
		names = append(names, l.text("intent"))
	}
	if got := strings.Join(names, ","); got != "clock.time,,timers.set,speech.stop" {
		t.Fatalf("got %q", got)
	}
}

func TestWhen(t *testing.T) {
	code, lines := solo(t, t.TempDir(), "tomorrow at 9\nnext tuesday\nbanana\nfor two hours\nevery weekday at 7\n", "when", "--now", "2026-11-21T12:00:00+01:00", "--tz", "Europe/Berlin")
	if code != 0 || len(lines) != 5 {
		t.Fatalf("exit %d, %v", code, lines)
	}
	for i, want := range []string{"2026-11-22T09:00:00+01:00", "2026-11-24T00:00:00+01:00", "", "", "2026-11-23T07:00:00+01:00"} {
		if got := lines[i].text("start"); got != want {
			t.Errorf("%s: starts %q, want %q", lines[i].text("text"), got, want)
		}
	}
	if lines[2]["kind"] != nil || lines[3].text("duration") != "PT2H" || lines[4].text("kind") != "recurrence" {
		t.Errorf("got %v", lines[2:])
	}
	for _, args := range [][]string{{"--now", "yesterday"}, {"--tz", "Mars/Base"}} {
		if code, lines := solo(t, t.TempDir(), "", append([]string{"when", "now"}, args...)...); code != 2 || only(lines, "error") == nil {
			t.Errorf("%v: exit %d, %v", args, code, lines)
		}
	}
}

func TestSayWritesAFile(t *testing.T) {
	say(t, "slt", "is there a voice")
	out := filepath.Join(t.TempDir(), "said.wav")
	if code, lines := solo(t, t.TempDir(), "", "say", "--out", out, "Dinner", "is", "ready."); code != 0 {
		t.Fatalf("exit %d, %v", code, lines)
	}
	if info, err := os.Stat(out); err != nil || info.Size() < 16000 {
		t.Fatalf("%v, %v", info, err)
	}
}

func TestAWrongCommandLineIsExplained(t *testing.T) {
	for name, args := range map[string][]string{
		"no such command": {"dance"}, "no such flag": {"when", "--louder"}, "no file": {"transcribe"}, "needless argument": {"doctor", "x"},
		"unknown setting": {"--set", "wake.wrods=jarvis", "config", "show"}, "bad value": {"--set", "voice.pace=fast", "config", "show"},
		"missing --in": {"talk"},
	} {
		t.Run(name, func(t *testing.T) {
			code, lines := solo(t, t.TempDir(), "", args...)
			if errs := only(lines, "error"); code != 2 || len(errs) != 1 || errs[0].text("message") == "" {
				t.Fatalf("exit %d, %v", code, lines)
			}
		})
	}
}

func TestConfigShowHidesSecrets(t *testing.T) {
	t.Setenv("HA_TOKEN", "abracadabra")
	t.Setenv("DB_PATH", filepath.Join(t.TempDir(), "x.db"))
	code, lines := solo(t, t.TempDir(), "", "config", "show")
	seen := map[string]lineOf{}
	for _, l := range lines {
		seen[l.text("key")] = l
		if strings.Contains(l.text("value"), "abracadabra") {
			t.Errorf("a secret is shown: %v", l)
		}
	}
	if code != 0 || seen["home.token"].text("from") != "env HA_TOKEN" || seen["store.path"].text("from") != "env DB_PATH" {
		t.Fatalf("exit %d, %v %v", code, seen["home.token"], seen["store.path"])
	}
}

func TestOneInstanceAHome(t *testing.T) {
	home := t.TempDir()
	first, out := process(t, home, "run")
	await(t, out, `"ready"`)
	code, lines := solo(t, home, "", "run")
	if code != 3 || !strings.Contains(only(lines, "error")[0].text("message"), "already runs") {
		t.Fatalf("exit %d, %v", code, lines)
	}
	// What is done on the command line is done by the instance, and outlives both.
	if code, lines = solo(t, home, "", "understand", "--do", "remember that my locker is number nine"); code != 0 {
		t.Fatalf("exit %d, %v", code, lines)
	}
	if err := first.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()
	second, out := process(t, home, "run")
	await(t, out, `"ready"`)
	if _, lines = solo(t, home, "", "understand", "what do you know about my locker"); !strings.Contains(lines[0].text("reply"), "locker") {
		t.Errorf("lost: %v", lines)
	}
	if err := second.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- second.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("asked to end, it ended with %v\n%s", err, out)
		}
	case <-time.After(10 * time.Second):
		t.Error("asked to end, it did not")
	}
}

func TestDoctorNamesEveryEngine(t *testing.T) {
	_, lines := solo(t, t.TempDir(), "", "doctor")
	engines := only(lines, "engine")
	if len(engines) < 8 {
		t.Fatalf("only %d engines: %v", len(engines), engines)
	}
	for _, e := range engines {
		if e["found"] == false && e.text("missing") == "" {
			t.Errorf("missing without a word: %v", e)
		}
	}
}

func TestLogs(t *testing.T) {
	home := t.TempDir()
	if code, lines := solo(t, home, "", "logs"); code != 1 || !strings.Contains(only(lines, "error")[0].text("message"), "no log yet") {
		t.Fatalf("exit %d, %v", code, lines)
	}
}
