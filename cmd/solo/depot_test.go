package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/models/depot"
)

// shop serves a file and writes a catalogue that knows it as "ears" into the home folder.
func shop(t *testing.T, home string, b []byte, more string) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b))
	}))
	t.Cleanup(s.Close)
	text := fmt.Sprintf("[[model]]\nname = \"ears\"\ntask = \"stt\"\nlicence = \"MIT\"\n[[model.file]]\npath = \"ears.bin\"\nsize = %d\n%s\nurls = [%q]\n", len(b), more, s.URL+"/ears.bin")
	if err := os.WriteFile(filepath.Join(home, "models.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A model is fetched, listed, verified and removed by what a user types.
func TestModelsOfTheDepot(t *testing.T) {
	home := t.TempDir()
	b := bytes.Repeat([]byte("\xffsound"), 100_000)
	shop(t, home, b, "")
	code, lines := solo(t, home, "", "models", "pull", "ears")
	done := only(lines, "fetched")
	if code != 0 || len(done) != 1 || done[0]["bytes"] != float64(len(b)) || len(only(lines, "fetching")) < 2 {
		t.Fatalf("exit %d, %v", code, lines)
	}
	if note := fmt.Sprint(done[0]["notes"]); !strings.Contains(note, fmt.Sprintf("%x", sha256.Sum256(b))) || !strings.Contains(note, "unverified") {
		t.Errorf("notes: %s", note)
	}
	path := filepath.Join(home, "data", "models", "ears.bin")
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, b) {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	if code, lines = solo(t, home, "", "models", "pull", "ears"); code != 0 || only(lines, "fetched")[0]["already"] != true {
		t.Errorf("exit %d, %v", code, lines)
	}
	_, lines = solo(t, home, "", "models", "list", "--set", "llama.use=off", "--set", "ollama.use=off")
	if kept := only(lines, "stocked"); len(kept) != 1 || kept[0].text("name") != "ears" || kept[0].text("state") != "here" || kept[0].text("known") != "pinned" {
		t.Errorf("listed: %v", lines)
	}
	if code, lines = solo(t, home, "", "models", "list", "--catalogue"); code != 0 || len(only(lines, "stocked")) < 20 {
		t.Errorf("exit %d, %d lines", code, len(lines))
	}
	if code, lines = solo(t, home, "", "models", "verify"); code != 0 || len(only(lines, "checked")) != 1 {
		t.Errorf("exit %d, %v", code, lines)
	}
	if err := os.WriteFile(path, b[1:], 0o600); err != nil {
		t.Fatal(err)
	}
	if code, lines = solo(t, home, "", "models", "verify", "ears"); code != 1 || only(lines, "error")[0].text("code") != "unsound" {
		t.Errorf("exit %d, %v", code, lines)
	}
	// Nobody sits at this terminal: without --yes nothing goes.
	if code, lines = solo(t, home, "", "models", "rm", "ears"); code != 0 || only(lines, "removed")[0]["done"] != false {
		t.Errorf("exit %d, %v", code, lines)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatal("it was removed without a word")
	}
	if code, lines = solo(t, home, "", "models", "rm", "--yes", "ears"); code != 0 || only(lines, "removed")[0]["done"] != true {
		t.Errorf("exit %d, %v", code, lines)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("it is still there")
	}
	if code, lines = solo(t, home, "", "models", "prune", "--yes"); code != 0 {
		t.Errorf("exit %d, %v", code, lines)
	}
	for _, args := range [][]string{{"rm", "ears"}, {"verify", "ears"}, {"rm"}, {"pull"}} {
		if code, lines := solo(t, home, "", append([]string{"models"}, args...)...); code == 0 || len(only(lines, "error")) != 1 {
			t.Errorf("%v: exit %d, %v", args, code, lines)
		}
	}
}

// One model that cannot be had does not keep the others from coming.
func TestPullGoesOn(t *testing.T) {
	home := t.TempDir()
	shop(t, home, []byte("\xffsound"), "")
	empty := t.TempDir()
	code, lines := solo(t, home, "", "models", "pull", "silero-vad", "ears", "--set", "depot.folder="+empty)
	if code != 1 || len(only(lines, "error")) != 2 || only(lines, "error")[0].text("code") != "absent" {
		t.Errorf("exit %d, %v", code, lines)
	}
	code, lines = solo(t, home, "", "models", "pull", "silero", "ears", "--set", "ollama.host=127.0.0.1:1")
	if code != 1 || len(only(lines, "fetched")) != 1 || !strings.Contains(only(lines, "error")[0].text("message"), "did you mean silero-vad") {
		t.Errorf("exit %d, %v", code, lines)
	}
}

// What is wrong with the user's catalogue is told with its file, and with no stack of words.
func TestCatalogueOfTheUser(t *testing.T) {
	home := t.TempDir()
	shop(t, home, []byte("x"), "colour = 1")
	code, lines := solo(t, home, "", "models", "list", "--catalogue")
	if text := only(lines, "error")[0].text("message"); code != 2 || !strings.Contains(text, "models.toml") || !strings.Contains(text, `"colour"`) {
		t.Errorf("exit %d, %s", code, text)
	}
}

// Setup proposes by the size of the card, and fetches nothing that nobody said yes to.
func TestSetup(t *testing.T) {
	home := t.TempDir()
	empty := t.TempDir()
	for card, llm := range map[string]string{"6": "qwen3-4b", "8": "qwen3-4b-q8", "12": "qwen3-8b-q6", "24": "qwen3-30b-a3b"} {
		for _, flag := range []string{"--dry-run", "--language=de"} {
			code, lines := solo(t, home, "y\n", "setup", "--card", card, flag)
			p := only(lines, "proposal")
			if code != 0 || len(p) != 1 || !strings.Contains(fmt.Sprint(p[0]["models"]), "name:"+llm+" ") || p[0]["missing_bytes"].(float64) < 1e9 {
				t.Fatalf("%s GB: exit %d, %v", card, code, lines)
			}
			if len(only(lines, "fetching")) > 0 {
				t.Error("something was fetched")
			}
		}
	}
	code, lines := solo(t, home, "", "setup", "--card", "-1", "--yes", "--set", "depot.folder="+empty)
	if p := only(lines, "proposal"); len(p) != 1 || strings.Contains(fmt.Sprint(p[0]["models"]), "cuda") {
		t.Errorf("without a card: %v", p)
	}
	if failed := only(lines, "error"); code != 1 || len(failed) < 4 || failed[0].text("code") != "absent" {
		t.Errorf("exit %d, %v", code, lines)
	}
}

// The engines look where the depot lays their weights.
func TestEnginesFindTheDepotsWeights(t *testing.T) {
	data := t.TempDir()
	d, err := depot.New(depot.Config{Data: data})
	if err != nil {
		t.Fatal(err)
	}
	a := &app{home: home{data: data}}
	for _, m := range d.Models() {
		for _, f := range m.Files {
			path := filepath.Join(a.home.weights(), filepath.FromSlash(f.Path))
			switch {
			case m.Name == "silero-vad" && path != a.sileroWeights():
				t.Errorf("Silero's weights are wanted at %s, not at %s", a.sileroWeights(), path)
			case m.Task == depot.LLM:
				if in := filepath.Dir(path); in != a.home.weights() || !strings.HasSuffix(path, ".gguf") {
					t.Errorf("llama-server's models are not looked for at %s", path)
				}
			case m.Task == depot.TTS && filepath.Dir(path) != filepath.Join(a.home.weights(), "piper"):
				t.Errorf("Piper's voices are not looked for at %s", path)
			}
		}
	}
}

// The proxy of the environment is asked, and no one else.
func TestProxyOfTheEnvironment(t *testing.T) {
	asked := make(chan string, 20)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case asked <- r.Method + " " + r.Host:
		default:
		}
		http.Error(w, "closed", http.StatusForbidden)
	}))
	t.Cleanup(proxy.Close)
	t.Setenv("HTTPS_PROXY", proxy.URL)
	cmd, out := process(t, t.TempDir(), "models", "pull", "silero-vad", "--set", "depot.tries=1")
	err := cmd.Wait()
	select {
	case first := <-asked:
		if first != "CONNECT raw.githubusercontent.com:443" {
			t.Errorf("the proxy was asked: %s", first)
		}
	default:
		t.Errorf("the proxy was not asked (%v): %s", err, out)
	}
	if err == nil {
		t.Error("a file came through a proxy that is closed")
	}
}
