package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
)

const second = time.Second

func TestTalkAnswersAQuestionInOneBreath(t *testing.T) {
	listens(t)
	for _, voice := range []string{"slt", "rms"} {
		t.Run(voice, func(t *testing.T) {
			question := join(quiet(second), say(t, voice, "jarvis"), say(t, voice, "what time is it"))
			asked := audio.Time(int64(len(question)), audio.Rate)
			in := record(t, question, quiet(2*second))
			out := filepath.Join(t.TempDir(), "out.wav")
			code, lines := solo(t, t.TempDir(), "", "talk", "--in", in, "--out", out)
			if code != 0 {
				t.Fatalf("exit %d: %v", code, lines)
			}
			order := ""
			for _, l := range lines {
				if e := l.text("event"); e != "partial" && !strings.HasSuffix(order, e) {
					order += " " + e
				}
			}
			if order != " wake heard intent reply turn" {
				t.Errorf("events:%s", order)
			}
			if heard := only(lines, "heard")[0].text("text"); heard != "what time is it" {
				t.Errorf("heard %q", heard)
			}
			if name := only(lines, "intent")[0].text("name"); name != "clock.time" {
				t.Errorf("understood %q", name)
			}
			checkAnswer(t, out, asked)
		})
	}
}

// checkAnswer wants silence until the question was asked, and then speech.
func checkAnswer(t *testing.T, path string, asked time.Duration) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := audio.ReadWAV(f)
	if err != nil {
		t.Fatal(err)
	}
	n := int(audio.Samples(asked-200*time.Millisecond, c.Format.Rate))
	if level := audio.Level(c.PCM[:n]); level > -90 {
		t.Errorf("the question is answered before it is asked: %.0f dBFS", level)
	}
	if level := audio.Level(c.PCM[n:]); level < -40 {
		t.Errorf("no answer is heard: %.0f dBFS", level)
	}
}

func TestTalkHoldsAConversation(t *testing.T) {
	listens(t)
	home := t.TempDir()
	speak := func(text string) []int16 { return join(say(t, "slt", text), quiet(5*second)) }
	in := record(t, quiet(second),
		say(t, "slt", "jarvis"), speak("set a timer for ten minutes"),
		say(t, "slt", "jarvis"), quiet(second/2), speak("how long is left on my timer"),
		say(t, "slt", "jarvis"), speak("what is twelve plus thirty"))
	code, lines := solo(t, home, "", "talk", "--in", in)
	var names []string
	for _, l := range only(lines, "intent") {
		names = append(names, l.text("name"))
	}
	if got := strings.Join(names, " "); code != 0 || got != "timers.set timers.left calc.compute" {
		t.Fatalf("exit %d, understood %q in\n%v", code, got, lines)
	}
	if _, lines = solo(t, home, "", "understand", "what timers do I have"); !strings.Contains(lines[0].text("reply"), "timer") {
		t.Errorf("the timer was not kept: %v", lines)
	}
}

func TestTalkOfNothing(t *testing.T) {
	listens(t)
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.wav")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	garbage := filepath.Join(dir, "garbage.mp3")
	if err := os.WriteFile(garbage, []byte(strings.Repeat("no sound at all ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		in   string
		exit int
		code string
	}{
		"silence":        {record(t, quiet(3*second)), 4, "silence"},
		"no wake word":   {record(t, quiet(second), say(t, "slt", "what time is it"), quiet(second)), 4, "silence"},
		"wake word only": {record(t, quiet(second), say(t, "slt", "jarvis"), quiet(8*second)), 4, "silence"},
		"0 bytes":        {empty, 1, "unreadable"},
		"no sound file":  {garbage, 1, "unreadable"},
		"no file":        {filepath.Join(dir, "absent.wav"), 1, "absent"},
	} {
		t.Run(name, func(t *testing.T) {
			code, lines := solo(t, t.TempDir(), "", "talk", "--in", tt.in)
			errs := only(lines, "error")
			if code != tt.exit || len(errs) != 1 || errs[0].text("code") != tt.code || errs[0].text("message") == "" {
				t.Fatalf("exit %d, %v", code, errs)
			}
		})
	}
}
