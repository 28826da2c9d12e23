package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/voices"
	"github.com/solo-assistant/solo/voices/espeak"
	"github.com/solo-assistant/solo/voices/flite"
)

func withVoices(t *testing.T) {
	t.Helper()
	if _, err := flite.New(); err != nil {
		t.Skip("skipped: " + err.Error())
	}
	if _, err := espeak.New(); err != nil {
		t.Skip("skipped: " + err.Error())
	}
}

func TestVoicesAreListed(t *testing.T) {
	withVoices(t)
	code, lines := solo(t, t.TempDir(), "", "voices", "list", "--lang", "en")
	used, engines := 0, map[string]bool{}
	for _, l := range only(lines, "voice") {
		engines[l.text("engine")] = true
		if l["used"] == true {
			used++
		}
		if !strings.HasPrefix(strings.ToLower(l.text("lang")), "en") || l.text("from") == "" {
			t.Errorf("got %v", l)
		}
	}
	if code != 0 || !engines["flite"] || !engines["espeak"] || used > 1 {
		t.Errorf("exit %d, %v, %d used", code, engines, used)
	}
}

func TestVoiceIsChosenAndTakenBack(t *testing.T) {
	withVoices(t)
	home := t.TempDir()
	use := func(name string) lineOf {
		t.Helper()
		code, lines := solo(t, home, "", "voices", "use", name)
		if code != 0 || len(only(lines, "voice_used")) != 1 {
			t.Fatalf("use %s: exit %d, %v", name, code, lines)
		}
		return only(lines, "voice_used")[0]
	}
	marked := func() (name string) {
		_, lines := solo(t, home, "", "voices", "list")
		for _, l := range only(lines, "voice") {
			if l["used"] == true {
				name += l.text("voice")
			}
		}
		return name
	}
	if got := use("rms"); got.text("voice") != "flite/rms" || got.text("before") != "flite" || marked() != "flite/rms" {
		t.Errorf("got %v, %q is marked", got, marked())
	}
	if got := use("espeak/de"); got.text("voice") != "espeak/de" || got.text("before") != "flite/rms" || marked() != "espeak/de" {
		t.Errorf("got %v, %q is marked", got, marked())
	}
	use("flite/rms")
	if got := use("flite"); got.text("before") != "flite/rms" { // as it was at the beginning
		t.Errorf("got %v", got)
	}
	code, lines := solo(t, home, "", "--set", "voice.name=slt", "voices", "use", "flite/awb")
	if notes := only(lines, "note"); code != 0 || len(notes) != 1 || !strings.Contains(notes[0].text("text"), "stronger") {
		t.Errorf("exit %d, %v", code, lines)
	}
}

func TestVoiceIsTried(t *testing.T) {
	withVoices(t)
	home := t.TempDir()
	for _, name := range []string{"rms", "espeak/en-us", "flite"} {
		out := filepath.Join(t.TempDir(), "tried.wav")
		if code, lines := solo(t, home, "", "voices", "try", name, "--out", out); code != 0 {
			t.Errorf("%s: exit %d, %v", name, code, lines)
		}
		if info, err := os.Stat(out); err != nil || info.Size() < 50000 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	for _, args := range [][]string{{"try", "nobody"}, {"use", "nobody"}, {"use", "flite/nobody"}, {"use", "piper/x"}, {"use", "no/such/thing"}} {
		code, lines := solo(t, home, "", append([]string{"voices"}, args...)...)
		if errs := only(lines, "error"); code != 1 || len(errs) != 1 || errs[0].text("hint") == "" {
			t.Errorf("%v: exit %d, %v", args, code, lines)
		}
	}
	for _, args := range [][]string{{"use"}, {"use", "a", "b"}, {"try"}, {"list", "x"}, {"sing"}} {
		if code, _ := solo(t, home, "", append([]string{"voices"}, args...)...); code == 0 {
			t.Errorf("%v is taken", args)
		}
	}
}

// What is called fixed is what Solo really says, word by word.
func TestFixedPhrasesAreInTheSources(t *testing.T) {
	var sources strings.Builder
	for _, dir := range []string{"../../core", "."} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || filepath.Base(path) == "voices.go" {
				return err
			}
			text, err := os.ReadFile(path)
			sources.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range fixedPhrases {
		if p != trySentence && !strings.Contains(sources.String(), `"`+p+`"`) {
			t.Errorf("nobody says %q", p)
		}
		if spoken := voices.Plain(p); !fixed(spoken) && len(voices.Split(p)) == 1 {
			t.Errorf("%q is not known as it is spoken", p)
		}
	}
	if fixed("Your locker is number nine.") {
		t.Error("what is said to the user is fixed")
	}
}
