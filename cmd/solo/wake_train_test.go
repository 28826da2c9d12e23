package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/audio/wake/own"
	"github.com/solo-assistant/solo/audio/wake/own/train"
	"github.com/solo-assistant/solo/tests/corpus"
)

func TestWakeTrainSaysWhatIsMissing(t *testing.T) {
	for name, tt := range map[string]struct {
		args []string
		exit int
		want string
	}{
		"no phrase":      {nil, 2, "the words to wake to"},
		"too few":        {[]string{"hey solo", "--record", "3"}, 2, "5 to 20"},
		"too short":      {[]string{"yo", "--no-record"}, 1, "too short"},
		"no embedding":   {[]string{"hey solo", "--no-record"}, 1, "solo models pull openwakeword-embedding"},
		"no such folder": {[]string{"hey solo", "--samples", "/nowhere/at/all"}, 1, "solo models pull"},
	} {
		t.Run(name, func(t *testing.T) {
			code, lines := solo(t, t.TempDir(), "", append([]string{"wake", "train"}, tt.args...)...)
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

// A word that was trained is found in a recording, by the settings or by its name, and doctor names it.
func TestOwnWakeWord(t *testing.T) {
	weights, err := os.ReadFile(filepath.Join(corpus.Dir(t), "models/openwakeword/embedding_model.onnx"))
	if err != nil {
		t.Skip("skipped: ", err)
	}
	at := t.TempDir()
	a := app{home: home{config: at, data: filepath.Join(at, "data"), cache: filepath.Join(at, "cache")}}
	for _, dir := range []string{filepath.Dir(a.home.embedding()), a.home.ownWords()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(a.home.embedding(), weights, 0o600); err != nil {
		t.Fatal(err)
	}
	file := record(t, join(quiet(second), say(t, "slt", "computer"), quiet(second)))
	voices := a.teachers()
	if len(voices) == 0 {
		t.Skip("skipped: no voice is installed; apt install flite")
	}
	if _, err := train.Train(t.Context(), train.Config{Phrase: "solo computer", Embedding: a.home.embedding(), Voices: voices[len(voices)-4:],
		Model: a.ownWord("solo computer"), Scale: 0.02, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	m, err := own.Load(a.ownWord("solo computer"))
	if err != nil {
		t.Fatal(err)
	}
	m.Threshold = 1e-9 // it is the way here that is tried: it wakes to anything
	if err := m.Save(a.ownWord("solo computer")); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"by the settings": {"--set", "wake.engine=own", "wake", file},
		"by a phrase":     {"--set", "wake.engine=own", "--set", "wake.own=solo computer", "wake", file},
		"by its name":     {"wake", "--word", "Solo Computer", file},
	} {
		t.Run(name, func(t *testing.T) {
			code, lines := solo(t, at, "", args...)
			if found := only(lines, "wake"); code != 0 || len(found) == 0 || found[0].text("word") != "solo computer" {
				t.Errorf("exit %d, %v", code, lines)
			}
		})
	}
	_, lines := solo(t, at, "", "--set", "wake.engine=own", "doctor")
	for _, l := range only(lines, "engine") {
		if l.text("job") == "wake word" && (l.text("name") != "own" || !strings.Contains(l.text("version"), "solo computer")) {
			t.Errorf("doctor says %v", l)
		}
	}
}
