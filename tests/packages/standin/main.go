// Command standin plays the programs that Solo starts, by the name that it is started under: piper, whisper-server,
// llama-server, llama-quantize. It shows that they are found and spoken with where the real ones cannot be had.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(os.Args[0])), ".exe")
	play, ok := map[string]func([]string) error{
		"piper": piper, "whisper-server": whisper, "llama-server": llama, "llama-quantize": quantize,
	}[name]
	if !ok {
		fmt.Fprintln(os.Stderr, "standin: nothing is called", name)
		os.Exit(2)
	}
	if err := play(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}

func value(args []string, name string) string {
	if i := slices.Index(args, name); i >= 0 && i+1 < len(args) {
		return args[i+1]
	}
	return ""
}

// piper answers each line with a WAV: a tone of 60 ms a letter.
func piper(args []string) error {
	if slices.Contains(args, "--help") {
		fmt.Fprint(os.Stderr, "usage: piper [options]\n  -m FILE --model FILE\n  -f FILE --output_file FILE\n  -d DIR --output_dir DIR\n  --output_raw\n  -s NUM --speaker NUM\n  --sentence_silence NUM\n  --json-input\n")
		return nil
	}
	if _, err := os.Stat(value(args, "--model")); err != nil {
		return err
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		if err := speak(tone(960*len(in.Text())), value(args, "--output_dir")); err != nil {
			return err
		}
	}
	return in.Err()
}

// speak writes a WAV to stdout, or into a folder and its path to stdout.
func speak(wav []byte, folder string) error {
	if folder == "" {
		_, err := os.Stdout.Write(wav)
		return err
	}
	path := filepath.Join(folder, fmt.Sprint(time.Now().UnixNano(), ".wav"))
	if err := os.WriteFile(path, wav, 0o600); err != nil {
		return err
	}
	_, err := fmt.Println(path)
	return err
}

func tone(samples int) []byte {
	le := binary.LittleEndian
	size := uint32(2 * samples) //nolint:gosec // a line has at most a million letters
	b := append([]byte("RIFF"), le.AppendUint32(nil, size+36)...)
	b = append(b, "WAVEfmt "...)
	for _, v := range []uint32{16, 1 | 1<<16, 16000, 32000, 2 | 16<<16} {
		b = le.AppendUint32(b, v)
	}
	b = le.AppendUint32(append(b, "data"...), size)
	for i := range samples {
		b = le.AppendUint16(b, uint16(int16(9000*math.Sin(2*math.Pi*330*float64(i)/16000)))) //nolint:gosec // two's complement is meant
	}
	return b
}

const whisperHelp = `
usage: whisper-server [options]
  -h,        --help                      [default] show this help message and exit
  -t N,      --threads N                 [4      ] number of threads
  -m FNAME,  --model FNAME               [models/ggml-base.en.bin] model path
  -l LANG,   --language LANG             [en     ] spoken language
  --host HOST,                           [127.0.0.1] Hostname
  --port PORT,                           [8080   ] Port number
  --request-path PATH,                   [       ] Request path
  -ng,       --no-gpu                    [false  ] do not use gpu
`

// whisper hears what the file beside it, hears.txt, says.
func whisper(args []string) error {
	if slices.Contains(args, "--help") {
		fmt.Fprint(os.Stderr, whisperHelp)
		return nil
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(os.Args[0]), "hears.txt"))
	if err != nil {
		return err
	}
	root := value(args, "--request-path")
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+root+"/health", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"status":"ok"}`) })
	mux.HandleFunc("POST "+root+"/inference", func(w http.ResponseWriter, r *http.Request) {
		file, head, err := r.FormFile("file")
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		_ = file.Close()
		end := float64(head.Size-44) / 32000
		_ = json.NewEncoder(w).Encode(map[string]any{"language": "english", "segments": []map[string]any{
			{"text": " " + strings.TrimSpace(string(text)) + ".", "start": 0.1, "end": end, "avg_logprob": -0.2, "no_speech_prob": 0.01}}})
	})
	return http.ListenAndServe("127.0.0.1:"+value(args, "--port"), mux) //nolint:gosec // a stand-in in a test
}

// llama answers everything with one sentence that names the last question's length.
func llama(args []string) error {
	switch {
	case slices.Contains(args, "--version"):
		fmt.Fprintln(os.Stderr, "version: 11146 (standin)")
		return nil
	case slices.Contains(args, "--list-devices"):
		fmt.Println("Available devices:\n  (none)")
		return nil
	case slices.Contains(args, "--help"):
		fmt.Println("-m,    --model FNAME                    model path\n--host HOST                             address\n--port PORT                             port\n--api-key KEY                           key (env: LLAMA_API_KEY)\n--list-devices                          cards\n-c,    --ctx-size N                     context")
		return nil
	}
	key := os.Getenv("LLAMA_API_KEY")
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"status":"ok"}`) })
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"standin","object":"model"}]}`)
	})
	known := func(w http.ResponseWriter, r *http.Request) bool {
		ok := r.Header.Get("Authorization") == "Bearer "+key
		if !ok {
			http.Error(w, `{"error":{"code":401,"message":"Invalid API Key"}}`, http.StatusUnauthorized)
		}
		return ok
	}
	mux.HandleFunc("GET /props", func(w http.ResponseWriter, r *http.Request) {
		if known(w, r) {
			_ = json.NewEncoder(w).Encode(map[string]any{"model_path": value(args, "--model"), "total_slots": 1})
		}
	})
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		if !known(w, r) {
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, piece := range []string{"Because light ", "is scattered ", "by the air."} {
			text, _ := json.Marshal(piece)
			fmt.Fprintf(w, `data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":%s},"finish_reason":null}]}`+"\n\n", text)
		}
		_, _ = io.WriteString(w, `data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
	})
	return http.ListenAndServe("127.0.0.1:"+value(args, "--port"), mux) //nolint:gosec // a stand-in in a test
}

// quantize copies half of the file, and writes the kind behind it.
func quantize(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("usage: llama-quantize IN OUT KIND, not %q", args)
	}
	in, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	return os.WriteFile(args[1], append(in[:len(in)/2], args[2]...), 0o600)
}
