package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/channel/cli"
)

// The words that a recogniser gets wrong are counted, for recordings of both forms of a manifest.
func TestBenchHearing(t *testing.T) {
	listens(t)
	dir := t.TempDir()
	move := func(name string, pcm []int16) {
		if err := os.Rename(record(t, quiet(second/2), pcm, quiet(second/2)), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	move("a.wav", say(t, "slt", "the weather is very good today"))
	move("b.wav", say(t, "rms", "please open the window and close the door"))
	move("silence.wav", quiet(second))
	line := func(audio, text string) string {
		b, err := json.Marshal(map[string]string{"audio": audio, "text": text})
		if err != nil {
			t.Fatal(err)
		}
		return string(b) + "\n"
	}
	for name, manifest := range map[string]string{
		"JSON lines": line("a.wav", "The weather is very good today.") + line("b.wav", "Please open the window, and close the door!") + line("gone.wav", "nothing") + line("silence.wav", "two words"),
		"columns":    "path\ttext\na.wav\tThe weather is very good today\nb.wav\tplease open the window and close the door\ngone.wav\tx\nsilence.wav\ttwo words\n",
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(dir, "manifest")
			if err := os.WriteFile(file, []byte(manifest), 0o600); err != nil {
				t.Fatal(err)
			}
			code, lines := solo(t, t.TempDir(), "", "bench", "stt", "--manifest", file, "--engine", "pocketsphinx")
			scored := only(lines, "scored")
			if code != 1 || len(scored) != 1 || len(only(lines, "judged")) != 3 {
				t.Fatalf("exit %d, %v", code, lines)
			}
			s := scored[0]
			if s.text("engine") != "pocketsphinx" || s["files"] != 3.0 || s["failed"] != 1.0 || s["silent"] != 1.0 || s["words"] != 16.0 {
				t.Errorf("%v", s)
			}
			if wer, _ := s["wer"].(float64); wer < 2.0/16 || wer > 0.6 || s["rtf_p50"].(float64) <= 0 {
				t.Errorf("%v", s)
			}
		})
	}
}

func TestBenchHearingSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, tt := range map[string]struct {
		args []string
		exit int
		want string
	}{
		"no manifest":    {nil, cli.ExitUsage, "manifest"},
		"no such file":   {[]string{"--manifest", filepath.Join(dir, "none")}, 1, "check the name"},
		"broken":         {[]string{"--manifest", write("broken", "{\"audio\":\"a.wav\",\"text\":\"x\"}\n{\"audio\":7}\n")}, cli.ExitUsage, "line 2"},
		"empty":          {[]string{"--manifest", write("empty", "\n")}, cli.ExitUsage, "no recording in it"},
		"no such engine": {[]string{"--manifest", write("fine", "a.wav\tx\n"), "--engine", "parrot"}, cli.ExitUsage, "whisper and pocketsphinx"},
		"no whisper":     {[]string{"--set", "whisper.server=/nowhere/whisper-server", "--manifest", write("good", "a.wav\tx\n"), "--engine", "whisper"}, 1, "whisper-server is not there"},
	} {
		t.Run(name, func(t *testing.T) {
			code, lines := solo(t, t.TempDir(), "", append([]string{"bench", "stt"}, tt.args...)...)
			text := ""
			for _, l := range lines {
				text += l.text("message") + " " + l.text("hint") + "\n"
			}
			if code != tt.exit || !strings.Contains(text, tt.want) {
				t.Errorf("exit %d, %s", code, text)
			}
		})
	}
}
