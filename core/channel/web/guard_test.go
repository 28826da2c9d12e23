package web_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/core/channel/web"
)

func TestHostNamesOfOthers(t *testing.T) {
	h := openDoor(t, func(c *web.Config) { c.Status, c.Names = status, []string{"solo.internal"} })
	_, port, _ := net.SplitHostPort(h.addr)
	for _, host := range []string{"127.0.0.1:" + port, "localhost:" + port, "LOCALHOST:" + port, "[::1]:" + port, "solo.internal:" + port} {
		h.wants(200, "", "GET", "/status", "", header{"Host": host})
	}
	for _, host := range []string{"evil.example", "evil.example:" + port, "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:" + port, "127.0.0.1.evil.example:" + port,
		"127.0.0.1:" + port + ".evil.example", "0.0.0.0:" + port, "[::]:" + port, "2130706433:" + port, "evil.example@127.0.0.1:" + port} {
		for _, path := range []string{"/status", "/healthz", "/login", "/nowhere"} {
			resp, text := h.ask("GET", path, "", header{"Host": host})
			if resp.StatusCode != 421 && resp.StatusCode != 400 || codeOf(text) == "" {
				t.Errorf("%s %s: got %d %s", host, path, resp.StatusCode, text)
			}
		}
	}
	auth := "Authorization: Bearer " + h.token + "\r\nConnection: close\r\n"
	for name, head := range map[string]string{
		"whole address":    "GET http://evil.example/status HTTP/1.1\r\nHost: " + h.addr + "\r\n",
		"address and host": "GET http://" + h.addr + "/status HTTP/1.1\r\nHost: evil.example\r\n",
		"two hosts":        "GET /status HTTP/1.1\r\nHost: " + h.addr + "\r\nHost: evil.example\r\n",
		"no host":          "GET /status HTTP/1.0\r\n",
		"forwarded":        "GET /status HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: " + h.addr + "\r\n",
	} {
		if status, text := h.raw(head + auth + "\r\n"); status == 200 {
			t.Errorf("%s: got %d %s", name, status, text)
		}
	}
}

func TestPagesOfOthers(t *testing.T) {
	h := openDoor(t, func(c *web.Config) { c.Status = status })
	_, port, _ := net.SplitHostPort(h.addr)
	for _, origin := range []string{h.url, "http://localhost:" + port, "HTTP://LOCALHOST:" + port} {
		h.wants(200, "", "GET", "/status", "", header{"Origin": origin})
	}
	for _, origin := range []string{"null", "https://evil.example", "http://127.0.0.1", "http://127.0.0.1:1", "https://127.0.0.1:" + port, "file://",
		"http://x@127.0.0.1:" + port, h.url + "/x", h.url + ".evil.example", "chrome-extension://abc", "http://", "%"} {
		resp, text := h.ask("GET", "/status", "", header{"Origin": origin})
		if resp.StatusCode != 403 || codeOf(text) != "wrong_origin" || resp.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: got %d %s", origin, resp.StatusCode, text)
		}
	}
	if resp, _ := h.ask("OPTIONS", "/links", "", header{"Origin": "https://evil.example", "Authorization": "", "Access-Control-Request-Method": "POST"}); resp.StatusCode < 400 {
		t.Errorf("a preflight got %d", resp.StatusCode)
	}
}

func TestHeadersOfEveryAnswer(t *testing.T) {
	h := openDoor(t, func(c *web.Config) {
		c.Page = fstest.MapFS{"index.html": {Data: []byte("<p>hello")}, "assets/x.js": {Data: []byte("1")}, "secret.txt": {Data: []byte("no")}}
	})
	for _, path := range []string{"/", "/assets/x.js", "/healthz", "/nowhere", "/status"} {
		resp, _ := h.ask("GET", path, "", nil)
		csp := resp.Header.Get("Content-Security-Policy")
		if !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") || !strings.Contains(csp, "frame-ancestors 'none'") {
			t.Errorf("%s: policy %q", path, csp)
		}
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
			"Cross-Origin-Resource-Policy": "same-origin", "Server": "", "Access-Control-Allow-Origin": ""} {
			if got := resp.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
	}
	for _, path := range []string{"/secret.txt", "/assets/../secret.txt", "/assets/%2e%2e/secret.txt", "/assets/..%2fsecret.txt", "/assets//", "/assets", "/assets/", "/assets/..", "/assets/x.js/", `/assets/..\secret.txt`} {
		h.wants(404, "not_found", "GET", path, "", nil)
	}
	locked, text := h.ask("GET", "/", "", header{"Authorization": "", "Accept": "text/html,*/*"})
	if locked.StatusCode != 401 || !strings.Contains(text, "solo dashboard") || strings.Contains(text, "<script") {
		t.Errorf("got %d %s", locked.StatusCode, text)
	}
	h.wants(405, "method_not_allowed", "DELETE", "/healthz", "", nil)
}

func TestBodiesAreBounded(t *testing.T) {
	t.Parallel()
	h := openDoor(t, func(c *web.Config) { c.Body, c.Head = 200<<10, 300*time.Millisecond })
	big := strings.Repeat("x", 300<<10)
	auth := "Authorization: Bearer " + h.token + "\r\n"
	for name, tt := range map[string]struct {
		head, body string
		want       int
	}{
		"said":            {auth + fmt.Sprintf("Content-Length: %d\r\n", len(big)), big, 413},
		"said, not sent":  {auth + "Content-Length: 9999999999\r\n", "x", 413},
		"in chunks":       {auth + "Transfer-Encoding: chunked\r\n", fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(big), big), 413},
		"of a stranger":   {fmt.Sprintf("Content-Length: %d\r\n", 100<<10), big[:100<<10], 413},
		"small stranger":  {"Content-Length: 3\r\n", "{} ", 401},
		"negative":        {auth + "Content-Length: -1\r\n", "x", 400},
		"no number":       {auth + "Content-Length: 1e3\r\n", "x", 400},
		"a huge header":   {auth + "X: " + big + "\r\n", "", 431},
		"many headers":    {auth + strings.Repeat("A: b\r\n", 5000), "", 431},
		"no HTTP at all":  {"\x16\x03\x01", "\x00", 408},
		"a broken header": {auth + "no colon here\r\n", "", 408},
	} {
		t.Run(name, func(t *testing.T) {
			got, text := h.raw("POST /links HTTP/1.1\r\nHost: " + h.addr + "\r\nConnection: close\r\n" + tt.head + "\r\n" + tt.body)
			if got != tt.want && got != 0 || got == 200 { // 0: the connection was cut while the body was still being sent
				t.Errorf("got %d %.200s, want %d", got, text, tt.want)
			}
		})
	}
	h.wants(200, "", "GET", "/healthz", "", nil)
}

// A small body that would unpack to a huge one.
func TestNothingIsUnpacked(t *testing.T) {
	h := openDoor(t, nil)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = io.CopyN(w, zeros{}, 16<<20)
	_ = w.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, how := range []string{"gzip", "deflate", "br", "identity", "gzip, gzip"} {
		h.wants(415, "content_encoding", "POST", "/links", packed.String(), header{"Content-Encoding": how})
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 8<<20 {
		t.Errorf("%d bytes were taken", after.TotalAlloc-before.TotalAlloc)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func TestTooManyRequests(t *testing.T) {
	h := openDoor(t, func(c *web.Config) { c.Rate, c.Strangers, c.Status = 20, 20, status })
	refused := 0
	for range 60 {
		resp, text := h.ask("GET", "/status", "", nil)
		if resp.StatusCode == 429 {
			refused++
			if resp.Header.Get("Retry-After") == "" || codeOf(text) != "too_often" {
				t.Fatal(text)
			}
		}
	}
	if refused < 20 {
		t.Errorf("%d of 60 were refused", refused)
	}
	time.Sleep(200 * time.Millisecond) // the server's clock is the wall clock
	// What strangers do costs the owner nothing.
	stopped := 0
	for range 300 {
		if resp, _ := h.ask("GET", "/status", "", header{"Authorization": "Bearer x"}); resp.StatusCode == 429 {
			stopped++
		}
	}
	if stopped == 0 {
		t.Error("strangers may guess as fast as they like")
	}
	h.wants(200, "", "GET", "/status", "", nil)
}

// Connections that send their request a byte at a time, or nothing, or take no answer.
func TestSlowVisitors(t *testing.T) {
	t.Parallel()
	h := openDoor(t, func(c *web.Config) { c.Head, c.Status = 300*time.Millisecond, status })
	var slow []net.Conn
	for i := range 200 {
		conn, err := net.Dial("tcp", h.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		slow = append(slow, conn)
		if i%3 > 0 {
			_, _ = io.WriteString(conn, "POST /links HTTP/1.1\r\nHost: "+h.addr+"\r\nX-A: ")
		}
		if i%3 == 2 {
			_, _ = io.WriteString(conn, "b\r\nAuthorization: Bearer "+h.token+"\r\nContent-Length: 1000\r\n\r\n")
		}
	}
	stop := time.After(900 * time.Millisecond)
	tick := time.NewTicker(30 * time.Millisecond)
	defer tick.Stop()
	for open := true; open; {
		select {
		case <-tick.C:
			for _, conn := range slow {
				_, _ = io.WriteString(conn, "a")
			}
			h.wants(200, "", "GET", "/status", "", nil)
		case <-stop:
			open = false
		}
	}
	for i, conn := range slow {
		_ = conn.SetReadDeadline(time.Now().Add(2 * time.Second))
		if _, err := io.Copy(io.Discard, conn); err != nil && strings.Contains(err.Error(), "timeout") {
			t.Fatalf("slow visitor %d is still there", i)
		}
	}
}

func TestConnectionsAreBounded(t *testing.T) {
	h := openDoor(t, func(c *web.Config) { c.Conns = 20 })
	for range 100 {
		conn, err := net.Dial("tcp", h.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	time.Sleep(50 * time.Millisecond)
	conn, err := net.Dial("tcp", h.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetReadDeadline(time.Now().Add(5 * time.Second))
	if n, err := conn.Read(make([]byte, 1)); n > 0 || err == nil {
		t.Error("a visitor too many was let in")
	}
}

func TestTheLogNeverHoldsTheToken(t *testing.T) {
	var log bytes.Buffer
	h := openDoor(t, func(c *web.Config) { c.Log = zerolog.New(zerolog.SyncWriter(&log)).Level(zerolog.TraceLevel) })
	cookie := h.cookie()
	h.ask("GET", "/status", "", nil)
	h.ask("GET", "/nowhere?x="+h.token, "", header{"Cookie": cookie})
	if text := log.String(); strings.Contains(text, h.token) || strings.Contains(text, strings.TrimPrefix(cookie, "solo=")) {
		t.Error(text)
	}
	if s := fmt.Sprintf("%+v %#v", h.Door, h.Door); strings.Contains(s, h.token) {
		t.Error("the door prints its token")
	}
}
