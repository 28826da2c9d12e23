//go:build linux

package browser

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The harness finds what a screen reader finds, and misses no complaint of the browser.
func TestTheHarnessSeesWhatItShould(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'self'")
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/page.js" {
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte(`document.querySelector("button").onclick = (e) => { e.target.textContent = "Went"; console.error("a fault"); };`))
			return
		}
		_, _ = w.Write([]byte(`<!doctype html><title>x</title><main><button aria-label="Go">x</button><p aria-hidden=true>none</p></main><script src=page.js></script><script>alert(1)</script>`))
	}))
	defer srv.Close()
	b := open(t, "")
	b.visit(srv.URL)
	b.the("button", "go").click()
	b.shows("went")
	if n := len(b.all("button", "")); n != 1 || len(b.all("button", "G")) != 0 {
		t.Errorf("%d buttons", n)
	}
	if v := eval[[]string](b, "window.soloTest.violations"); len(v) != 1 || !strings.HasPrefix(v[0], "script-src") {
		t.Errorf("violations: %q", v)
	}
	b.mu.Lock()
	seen := strings.Join(b.problems, "\n")
	b.problems = nil
	b.mu.Unlock()
	if !strings.Contains(seen, "a fault") || !strings.Contains(seen, "Content Security Policy") {
		t.Errorf("the browser's complaints: %s", seen)
	}
}
