package modelstest

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
)

// Benchmark measures what an engine costs: for each token of a long answer, and for a whole answer of one token. The
// answer lies ready on a loopback server, which therefore costs next to nothing itself. The function makes the engine
// for the server's address, which takes what the Server's methods of the same protocol give.
func Benchmark(b *testing.B, protocol string, engine func(url string) Engine) {
	b.Run("token", func(b *testing.B) { benchmark(b, protocol, engine, 2000) })
	b.Run("request", func(b *testing.B) { benchmark(b, protocol, engine, 1) })
}

func benchmark(b *testing.B, protocol string, engine func(url string) Engine, tokens int) {
	srv := ready(protocol, Turn{Text: strings.Repeat(" tok", tokens)})
	defer srv.Close()
	e := engine(srv.URL)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := cpuTime()
	for b.Loop() {
		heard := 0
		for d, err := range e.Stream(b.Context(), ask("Go on.")) {
			if err != nil {
				b.Fatal(err)
			}
			if d.Text != "" {
				heard++
			}
		}
		if heard != tokens {
			b.Fatalf("%d tokens", heard)
		}
	}
	each := float64(b.N * tokens)
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/each, "ns/token")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/each, "allocs/token")
	if used := cpuTime() - began; used > 0 {
		b.ReportMetric(float64(used.Nanoseconds())/each, "cpu-ns/token")
	}
}

// ready is a server that has one answer, worded already.
func ready(protocol string, t Turn) *httptest.Server {
	stream, kind := Played(protocol, t), dialectOf(protocol).kind()
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/show") {
			reply(w, map[string]any{"model_info": map[string]any{}})
			return
		}
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(stream) // a client that goes is the benchmark's own
	}))
}
