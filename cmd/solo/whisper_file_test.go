package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/core/channel/web"
)

// playWhisper is a whisper-server that hears always the same. One that lies in a folder named "broken" answers nothing.
func playWhisper(args []string) int {
	arg := func(name string) string {
		if i := slices.Index(args, name); i >= 0 && i+1 < len(args) {
			return args[i+1]
		}
		return ""
	}
	if slices.Contains(args, "--help") {
		fmt.Println("  -m FNAME,  --model FNAME  x\n  --port PORT,  x")
		return 0
	}
	http.HandleFunc(arg("--request-path")+"/health", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"status":"ok"}`) })
	http.HandleFunc(arg("--request-path")+"/inference", func(w http.ResponseWriter, _ *http.Request) {
		if strings.Contains(os.Args[0], "broken") {
			http.Error(w, "out of memory", http.StatusInternalServerError)
			return
		}
		fmt.Fprint(w, `{"language":"english","segments":[{"text":" The parrot is green.","start":0.3,"end":1.5,"avg_logprob":-0.1,"no_speech_prob":0.01}]}`)
	})
	fmt.Fprintln(os.Stderr, http.ListenAndServe("127.0.0.1:"+arg("--port"), nil))
	return 1
}

// whisperHome is a home with a whisper-server and something like a model.
func whisperHome(t *testing.T, kind string) (home string, set []string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped: links to the test binary need rights there")
	}
	home = t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(home, kind)
	models := filepath.Join(home, "data", "models", "whisper")
	for _, d := range []string{dir, models} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(self, filepath.Join(dir, "whisper-server")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(models, "ggml-parrot.en.bin"), append([]byte("lmgg"), bytes.Repeat([]byte{0}, 1<<17)...), 0o600); err != nil {
		t.Fatal(err)
	}
	return home, []string{"--set", "whisper.server=" + filepath.Join(dir, "whisper-server")}
}

// Recordings are Whisper's where it is there, unless another engine is named.
func TestTranscribeByWhisper(t *testing.T) {
	home, set := whisperHome(t, "fine")
	file := record(t, quiet(second/2), say(t, "slt", "hello there"), quiet(second/2))
	for name, tt := range map[string]struct {
		args   []string
		engine string
	}{
		"by itself": {nil, "whisper"}, "named": {[]string{"--engine", "whisper"}, "whisper"},
		"the other": {[]string{"--engine", "pocketsphinx"}, "pocketsphinx"}, "switched off": {[]string{"--set", "whisper.use=off"}, "pocketsphinx"},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.engine == "pocketsphinx" {
				listens(t)
			}
			code, lines := solo(t, home, "", slices.Concat(set, []string{"transcribe", file}, tt.args)...)
			got := only(lines, "transcript")
			if code != 0 || len(got) != 1 || !strings.HasPrefix(got[0].text("engine"), tt.engine) || (tt.engine == "whisper") != (got[0].text("text") == "The parrot is green.") {
				t.Errorf("exit %d, %v", code, lines)
			}
		})
	}
	code, lines := solo(t, home, "", "transcribe", file, "--engine", "parrot")
	if code != 2 {
		t.Errorf("exit %d, %v", code, lines)
	}
}

// The scribe of the web door has Whisper write down, and pocketsphinx where that fails.
func TestScribeByWhisper(t *testing.T) {
	listens(t)
	for kind, engine := range map[string]string{"fine": "whisper", "broken": "pocketsphinx"} {
		t.Run(kind, func(t *testing.T) {
			at, set := whisperHome(t, kind)
			h := home{config: at, data: filepath.Join(at, "data"), cache: filepath.Join(at, "cache")}
			s, _, err := loadSettings(h, set[1:])
			if err != nil {
				t.Fatal(err)
			}
			w := &scribe{app: &app{home: h, settings: s}}
			var wav bytes.Buffer
			if err := audio.WriteWAV(&wav, audio.Clip{Format: audio.Mono16k, PCM: join(quiet(second/2), say(t, "slt", "open the window"), quiet(second/2))}); err != nil {
				t.Fatal(err)
			}
			var pieces []web.Segment
			if pieces, err = w.Transcribe(t.Context(), bytes.NewReader(wav.Bytes()), func(float64) {}); err != nil {
				t.Fatal(err)
			}
			if len(pieces) != 1 || !strings.HasPrefix(pieces[0].Engine, engine) {
				t.Errorf("%+v", pieces)
			}
			if err := w.pen.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
