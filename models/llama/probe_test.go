package llama

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

// A server is trusted only when it is the one that was started.
func TestStrangersAreNotTrusted(t *testing.T) {
	const key = "0123456789abcdef0123456789abcdef"
	page := func(code int, text string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code); fmt.Fprint(w, text) }
	}
	health := page(200, `{"status":"ok"}`)
	keyed := func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+key {
			page(401, "{}")(w, r)
			return
		}
		page(200, `{"model_path":"/m/ours.gguf"}`)(w, r)
	}
	for name, tt := range map[string]struct {
		health, props http.HandlerFunc
		path          string
		want          string
	}{
		"ours":                    {health, keyed, "/m/ours.gguf", ""},
		"still loading":           {page(503, "{}"), keyed, "/m/ours.gguf", "still loading (503)"},
		"lets everybody in":       {health, page(200, "{}"), "/m/ours.gguf", "answers a wrong key with 200"},
		"lets nobody in":          {health, page(401, "{}"), "/m/ours.gguf", "does not know Solo's key"},
		"another page altogether": {page(200, "<html>"), page(404, "<html>"), "/m/ours.gguf", "answers a wrong key with 404"},
		"another model":           {health, keyed, "/m/other.gguf", `runs the model "/m/ours.gguf"`},
	} {
		t.Run(name, func(t *testing.T) {
			mux := http.NewServeMux()
			mux.HandleFunc("/health", tt.health)
			mux.HandleFunc("/props", tt.props)
			server := httptest.NewServer(mux)
			defer server.Close()
			at, _ := url.Parse(server.URL)
			port, _ := strconv.Atoi(at.Port())
			l := &launch{port: port, key: key, path: tt.path}
			err := l.probe()(t.Context())
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), key) {
				t.Error("the key is told")
			}
		})
	}
}

func TestTelling(t *testing.T) {
	for name, tt := range map[string]struct {
		lines []string
		want  string
	}{
		"of this build": {[]string{"0.00.000.889 I srv  llama_server: initializing ...", "0.00.118.087 E srv    load_model: failed to load model", "0.00.200.000 I srv  cleaning up"}, "load_model: failed to load model"},
		"of an old one": {[]string{"main: loading model", "error loading model: unknown model architecture: 'x'", "main: exiting"}, "error loading model: unknown model architecture: 'x'"},
		"no reason":     {[]string{"one", "two", "three"}, "two|three"},
		"many":          {[]string{"error 1", "error 2", "error 3", "error 4", "error 5"}, "error 1|error 2|error 3|error 4"},
		"silent":        {nil, ""},
	} {
		if got := strings.Join(telling(tt.lines), "|"); got != tt.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
