package whisper

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/solo-assistant/solo/audio"
)

// TestMain also plays whisper-server: linked as DIR/whisper-server, the test binary behaves as DIR's name says.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "whisper-server" {
		os.Exit(play(strings.Split(filepath.Base(filepath.Dir(os.Args[0])), ","), os.Args[1:]))
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // the race detector makes every program that ends wait a second
	goleak.VerifyTestMain(m)
}

// newFake makes a program of that behaviour.
func newFake(t testing.TB, behaviour string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), behaviour)
	self, err := os.Executable()
	if err == nil {
		err = os.Mkdir(dir, 0o700)
	}
	if err == nil {
		err = os.Symlink(self, filepath.Join(dir, "whisper-server"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "whisper-server")
}

// tongue is a language of tones: each word is one.
var tongue = strings.Fields("Set a timer for ten minutes What is the weather in Paris tomorrow Thank you")

const (
	toneLen = 12 * audio.FrameLen // 240 ms
	gapLen  = 8 * audio.FrameLen
)

// spoken says words in tones.
func spoken(text string) (pcm []int16) {
	pcm = make([]int16, gapLen)
	for w := range strings.FieldsSeq(text) {
		pitch := 300 + 100*float64(slices.Index(tongue, w))
		for i := range toneLen {
			pcm = append(pcm, int16(9000*math.Sin(2*math.Pi*pitch*float64(i)/audio.Rate)))
		}
		pcm = append(pcm, make([]int16, gapLen)...)
	}
	return pcm
}

// tone is a word that the fake found.
type tone struct {
	word     string
	from, to int
}

// understood finds the tones again, by their crossings of zero.
func understood(pcm []int16) (words []tone) {
	from := -1
	for n := 0; n+audio.FrameLen <= len(pcm); n += audio.FrameLen {
		loud := audio.Level(pcm[n:n+audio.FrameLen]) > -40
		if loud && from < 0 {
			from = n
		}
		if !loud && from >= 0 {
			words = append(words, named(pcm, from, n)...)
			from = -1
		}
	}
	if from >= 0 && len(pcm)-from > toneLen/2 {
		words = append(words, named(pcm, from, len(pcm))...)
	}
	return words
}

func named(pcm []int16, from, to int) []tone {
	crossings := 0
	for i := from + 1; i < to; i++ {
		if (pcm[i] < 0) != (pcm[i-1] < 0) {
			crossings++
		}
	}
	pitch := float64(crossings) / 2 * audio.Rate / float64(to-from)
	if i := int(math.Round((pitch - 300) / 100)); i >= 0 && i < len(tongue) {
		return []tone{{tongue[i], from, to}}
	}
	return nil
}

const fakeHelp = `
usage: whisper-server [options]
  -h,        --help                      [default] show this help message and exit
  -t N,      --threads N                 [4      ] number of threads
  -bs N,     --beam-size N               [-1     ] beam size
  -l LANG,   --language LANG             [en     ] spoken language
  -m FNAME,  --model FNAME               [models/ggml-base.en.bin] model path
  --host HOST,                           [127.0.0.1] Hostname
  --port PORT,                           [8080   ] Port number
  --request-path PATH,                   [       ] Request path
  -ng,       --no-gpu                    [false  ] do not use gpu
  -dev N,    --device N                  [0      ] GPU device ID
`

// server is one fake at work.
type server struct {
	behaviour []string
	args      []string
	one       sync.Mutex // it decodes one thing at a time
	mu        sync.Mutex
	asked     int
}

func (s *server) is(what string) bool { return slices.Contains(s.behaviour, what) }

func (s *server) arg(name string) string {
	if i := slices.Index(s.args, name); i >= 0 && i+1 < len(s.args) {
		return s.args[i+1]
	}
	return ""
}

func play(behaviour, args []string) int {
	s := &server{behaviour: behaviour, args: args}
	switch {
	case slices.Contains(args, "--help"):
		fmt.Fprint(os.Stderr, fakeHelp)
		return 0
	case s.is("nogpu") && !slices.Contains(args, "--no-gpu"):
		fmt.Fprintln(os.Stderr, "CUDA error: no kernel image is available for execution on the device")
		return 1
	case s.is("broken"):
		fmt.Fprintln(os.Stderr, "error: failed to initialize whisper context")
		return 3
	}
	if s.is("slow") {
		time.Sleep(500 * time.Millisecond)
	}
	root := s.arg("--request-path")
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+root+"/inference", s.infer)
	if !s.is("old") {
		mux.HandleFunc("GET "+root+"/health", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"status":"ok"}`) })
	}
	mux.HandleFunc("GET "+root+"/{$}", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "<title>Whisper.cpp Server</title>")
	})
	err := http.ListenAndServe("127.0.0.1:"+s.arg("--port"), mux)
	fmt.Fprintln(os.Stderr, err)
	return 1
}

func (s *server) infer(w http.ResponseWriter, r *http.Request) {
	s.one.Lock()
	defer s.one.Unlock()
	s.mu.Lock()
	s.asked++
	n := s.asked
	s.mu.Unlock()
	switch {
	case s.is("dies") && n == 2:
		fmt.Fprintln(os.Stderr, "GGML_ASSERT: out of memory")
		os.Exit(134)
	case s.is("hangs"):
		<-r.Context().Done()
		return
	case s.is("refuses"):
		http.Error(w, `{"error":"failed to process audio"}`, http.StatusInternalServerError)
		return
	case s.is("garbage"):
		io.WriteString(w, `{"segments":[{"text":`)
		return
	case s.is("lazy"):
		time.Sleep(100 * time.Millisecond)
	}
	file, _, err := r.FormFile("file")
	if err != nil {
		http.Error(w, `{"error":"no 'file' field in the request"}`, http.StatusBadRequest)
		return
	}
	clip, err := audio.ReadWAV(file)
	if err != nil || clip.Format != audio.Mono16k || r.FormValue("response_format") != "verbose_json" {
		http.Error(w, `{"error":"failed to read audio data"}`, http.StatusBadRequest)
		return
	}
	if ctx, _ := strconv.Atoi(r.FormValue("audio_ctx")); ctx > 0 && ctx*step < len(clip.PCM) {
		clip.PCM = clip.PCM[:ctx*step] // what does not fit is not heard
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(s.answer(clip.PCM, r.FormValue("prompt")))
}

type object = map[string]any

// answer is what Whisper would write. Of sound without speech it makes what it always makes.
func (s *server) answer(pcm []int16, prompt string) object {
	found := understood(pcm)
	if len(found) == 0 || s.is("phantom") {
		return object{"language": "english", "segments": []object{{"text": " Thank you.", "start": 0, "end": float64(len(pcm)) / audio.Rate, "avg_logprob": -0.6, "no_speech_prob": 0.7}}}
	}
	text, words := "", []object{{"word": "[_BEG_]", "start": 0, "end": 0}}
	for i, t := range found {
		text += " " + t.word
		from, to := float64(t.from)/audio.Rate, float64(t.to)/audio.Rate
		head, tail := " "+t.word[:1], t.word[1:] // a word is more than one token
		words = append(words, object{"word": head, "start": from, "end": from + 0.01, "probability": 0.9})
		if i == len(found)-1 {
			tail += "."
		}
		if tail != "" {
			words = append(words, object{"word": tail, "start": from + 0.01, "end": to, "probability": 0.9})
		}
	}
	if s.is("prompted") {
		text = " " + prompt
		words = nil
	}
	return object{"language": "english", "segments": []object{{
		"text": text + ".", "start": float64(found[0].from) / audio.Rate, "end": float64(found[len(found)-1].to) / audio.Rate,
		"words": words, "avg_logprob": -0.2, "no_speech_prob": 0.01,
	}}}
}

// model is a file that begins as a model does.
func model(t testing.TB, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "models", "whisper", "ggml-fake.en.bin")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append([]byte("lmgg"), bytes.Repeat([]byte{0}, smallest)...), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
