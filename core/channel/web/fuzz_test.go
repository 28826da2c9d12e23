package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/models"
)

// calm is an assistant that knows nothing and is never upset.
type calm struct{}

func (calm) Ask(_ context.Context, text string, tell func(web.Piece)) (web.Reply, error) {
	tell(web.Piece{Sentence: text})
	return web.Reply{Text: text, Turn: 1}, nil
}

func (calm) Call(_ context.Context, c models.Call) (models.Result, error) {
	return models.Result{Say: c.Tool, Data: c.Arguments}, nil
}

// target is a route, "{x}" in its path for what its caller fills in.
type target struct{ method, path string }

// targets are all routes, in an order that stays.
func targets(t testing.TB, h *home) (all []target) {
	t.Helper()
	text, err := h.OpenAPI()
	var doc document
	if err := errors.Join(err, json.Unmarshal(text, &doc)); err != nil {
		t.Fatal(err)
	}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(doc.Paths[path])) {
			all = append(all, target{strings.ToUpper(method), hole.ReplaceAllString(path, "{x}")})
		}
	}
	return all
}

var hole = regexp.MustCompile(`\{\w+\}`)

// No request of the owner's makes the server fail, and every refusal says why.
func FuzzHandlers(f *testing.F) {
	h := stocked(f)
	all := targets(f, h)
	if len(all) < 40 {
		f.Fatalf("only %d routes", len(all))
	}
	for i := range all {
		for k, body := range bodies {
			if len(body) < 1000 && (i+k)%5 == 0 {
				f.Add(byte(i), "7", body, "application/json", "format=srt&n=1&after=3&run=x&q=key&kind=timer&level=warn&before=9", "text/event-stream")
			}
		}
		f.Add(byte(i), "../x", "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"../a\"\r\n\r\nab\r\n--x--\r\n", "multipart/form-data; boundary=x", "n=-1&n=2&;%zz", "")
	}
	f.Fuzz(func(t *testing.T, which byte, rest, body, kind, query, accept string) {
		to := all[int(which)%len(all)]
		path := strings.ReplaceAll(to.path, "{x}", url.PathEscape(rest))
		resp, text, err := h.try(to.method, path+"?"+url.PathEscape(query), body, header{"Content-Type": kind, "Accept": accept})
		if err != nil {
			return // a header that HTTP cannot carry, or a form that was cut
		}
		if s := resp.StatusCode; s == 500 || s == 504 {
			t.Fatalf("%s %s: got %d %.300s", to.method, path, s, text)
		}
		if resp.StatusCode >= 400 && codeOf(text) == "" && resp.Header.Get("Content-Type") == "application/json" {
			t.Fatalf("%s %s: got %d %.300s", to.method, path, resp.StatusCode, text)
		}
	})
}

// No head of a request makes the server fail or answer twice, whoever sends it.
func FuzzHeads(f *testing.F) {
	h := stocked(f, func(c *web.Config) { c.Head, c.Idle = 300*time.Millisecond, 300*time.Millisecond })
	for _, head := range []string{"", "X: y\r\n", "Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n", "Host: x\r\n", "Cookie: solo=1.2.3\r\n", "Authorization: Basic x\r\n", "Upgrade: websocket\r\nConnection: Upgrade\r\n",
		" folded\r\n", "X : y\r\n", "Content-Encoding: gzip\r\n", "Expect: 100-continue\r\nContent-Length: 3\r\n", "Origin: null\r\n", "Range: bytes=0-\r\n", "Connection: close\r\n", "Trailer: Host\r\n", "Sec-Fetch-Site: cross-site\r\n"} {
		f.Add("GET", "/status", head, "")
		f.Add("POST", "/chat", head, "abc")
		f.Add("GET", "/ws/../status", head, "0\r\n\r\n")
	}
	f.Fuzz(func(t *testing.T, method, path, head, body string) {
		end := "GET /healthz HTTP/1.1\r\nHost: " + h.addr + "\r\nConnection: close\r\n\r\n"
		for _, status := range talked(t, h.addr, method+" "+path+" HTTP/1.1\r\nHost: "+h.addr+"\r\n"+head+"\r\n"+body+end) {
			if status >= 500 && status != 501 && status != 505 {
				t.Fatalf("got %d", status)
			}
		}
	})
}
