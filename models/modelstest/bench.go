package modelstest

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
)

const benchTokens = 2000

// Benchmark measures what an engine costs for each token: a whole answer of 2,000 tokens lies ready on a loopback
// server, so that the server costs next to nothing. The function makes the engine for the server's address, which
// takes what the Server's methods of the same protocol give.
func Benchmark(b *testing.B, protocol string, engine func(url string) Engine) {
	stream := Played(protocol, Turn{Text: strings.Repeat(" tok", benchTokens)})
	kind := dialectOf(protocol).kind()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/show") {
			reply(w, map[string]any{"model_info": map[string]any{}})
			return
		}
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(stream) // a client that goes is the benchmark's own
	}))
	defer srv.Close()
	e := engine(srv.URL)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := cpuTime()
	for b.Loop() {
		tokens := 0
		for d, err := range e.Stream(b.Context(), ask("Go on.")) {
			if err != nil {
				b.Fatal(err)
			}
			if d.Text != "" {
				tokens++
			}
		}
		if tokens != benchTokens {
			b.Fatalf("%d tokens", tokens)
		}
	}
	each := float64(b.N * benchTokens)
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/each, "ns/token")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/each, "allocs/token")
	if used := cpuTime() - began; used > 0 {
		b.ReportMetric(float64(used.Nanoseconds())/each, "cpu-ns/token")
	}
}
