package web_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/fasthttp/websocket"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/channel/web"
)

// talked sends bytes as they are and gives the status of every answer to them, in order.
func talked(t testing.TB, addr, text string) (all []int) {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
	_, _ = io.WriteString(conn, text)
	for in := bufio.NewReader(conn); ; {
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			return all
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		all = append(all, resp.StatusCode)
		if resp.Close {
			return all
		}
	}
}

// Heads that two readers could read differently are refused, and nothing behind them is taken for a request.
func TestHeadsWithTwoMeanings(t *testing.T) {
	h := openDoor(t, func(c *web.Config) { c.Status, c.Head, c.Idle = status, time.Second, time.Second })
	host, auth := "Host: "+h.addr+"\r\n", "Authorization: Bearer "+h.token+"\r\n"
	hidden := "GET /status HTTP/1.1\r\n" + host + auth + "\r\n"
	if got := talked(t, h.addr, "GET /status HTTP/1.1\r\n"+host+auth+"\r\nGET /healthz HTTP/1.1\r\n"+host+"Connection: close\r\n\r\n"); fmt.Sprint(got) != "[200 200]" {
		t.Fatalf("two plain requests got %v", got)
	}
	for name, text := range map[string]string{
		"two lengths":                "POST /links HTTP/1.1\r\n" + host + auth + "Content-Length: 0\r\nContent-Length: 5\r\n\r\n" + hidden,
		"the same length twice":      "POST /links HTTP/1.1\r\n" + host + auth + "Content-Length: 0\r\nContent-Length: 0\r\n\r\n" + hidden,
		"length and chunks":          "POST /links HTTP/1.1\r\n" + host + auth + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
		"chunks and length":          "POST /links HTTP/1.1\r\n" + host + auth + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n" + hidden,
		"chunks twice":               "POST /links HTTP/1.1\r\n" + host + auth + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + hidden,
		"unknown coding":             "POST /links HTTP/1.1\r\n" + host + auth + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + hidden,
		"a list of codings":          "POST /links HTTP/1.1\r\n" + host + auth + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + hidden,
		"a space before the colon":   "POST /links HTTP/1.1\r\n" + host + auth + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + hidden,
		"a folded line":              "GET /status HTTP/1.1\r\n" + host + auth + "X-A: b\r\n c\r\n\r\n" + hidden,
		"a folded host":              "GET /status HTTP/1.1\r\nHost:\r\n " + h.addr + "\r\n" + auth + "\r\n" + hidden,
		"bare line ends":             "GET /status HTTP/1.1\n" + strings.ReplaceAll(host+auth, "\r\n", "\n") + "\n" + hidden,
		"one bare line end":          "GET /status HTTP/1.1\r\n" + host + "X-A: b\n" + auth + "\r\n" + hidden,
		"a bare carriage return":     "GET /status HTTP/1.1\r\n" + host + auth + "X-A: b\rHost: evil.example\r\n\r\n" + hidden,
		"NUL in a value":             "GET /status HTTP/1.1\r\n" + host + auth + "X-A: \x00\r\n\r\n" + hidden,
		"NUL in a name":              "GET /status HTTP/1.1\r\n" + host + auth + "X\x00A: b\r\n\r\n" + hidden,
		"no name":                    "GET /status HTTP/1.1\r\n" + host + auth + ": b\r\n\r\n" + hidden,
		"no colon":                   "GET /status HTTP/1.1\r\n" + host + auth + "X-A\r\n\r\n" + hidden,
		"two hosts, ours last":       "GET /status HTTP/1.1\r\nHost: evil.example\r\n" + host + auth + "\r\n" + hidden,
		"two hosts, ours first":      "GET /status HTTP/1.1\r\n" + host + "Host: evil.example\r\n" + auth + "\r\n" + hidden,
		"our host twice":             "GET /status HTTP/1.1\r\n" + host + host + auth + "\r\n" + hidden,
		"two keys, ours last":        "GET /status HTTP/1.1\r\n" + host + "Authorization: Bearer x\r\n" + auth + "\r\n" + hidden,
		"two keys, ours first":       "GET /status HTTP/1.1\r\n" + host + auth + "authorization: Bearer x\r\n\r\n" + hidden,
		"two origins":                "GET /status HTTP/1.1\r\n" + host + auth + "Origin: " + h.url + "\r\nOrigin: https://evil.example\r\n\r\n" + hidden,
		"two cookies lines":          "GET /status HTTP/1.1\r\n" + host + "Cookie: solo=a\r\nCookie: solo=b\r\n\r\n" + hidden,
		"two kinds of body":          "POST /links HTTP/1.1\r\n" + host + auth + "Content-Type: application/json\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n" + hidden,
		"a length with a sign":       "POST /links HTTP/1.1\r\n" + host + auth + "Content-Length: +0\r\n\r\n" + hidden,
		"a length in hexadecimal":    "POST /links HTTP/1.1\r\n" + host + auth + "Content-Length: 0x0\r\n\r\n" + hidden,
		"a length without end":       "POST /links HTTP/1.1\r\n" + host + auth + "Content-Length: 99999999999999999999\r\n\r\n" + hidden,
		"a chunk of no size":         "POST /links HTTP/1.1\r\n" + host + auth + "Transfer-Encoding: chunked\r\n\r\nzz\r\n" + hidden,
		"a chunk of negative size":   "POST /links HTTP/1.1\r\n" + host + auth + "Transfer-Encoding: chunked\r\n\r\n-1\r\n" + hidden,
		"a chunk too large to count": "POST /links HTTP/1.1\r\n" + host + auth + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n" + hidden,
		"another protocol":           "GET /status HTTP/3.0\r\n" + auth + "\r\n" + hidden,
		"HTTP/2 unasked":             "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + hidden,
	} {
		t.Run(name, func(t *testing.T) {
			got := talked(t, h.addr, text)
			if len(got) > 1 || len(got) == 1 && (got[0] < 400 || got[0] >= 500) {
				t.Errorf("got %v", got)
			}
		})
	}
	h.wants(200, "", "GET", "/status", "", nil)
}

// A body that says it is longer or shorter than it is must not let its rest pass for a request of another's.
func TestTheRestOfABodyIsNoRequest(t *testing.T) {
	t.Parallel()
	h := openDoor(t, func(c *web.Config) { c.Status, c.Head, c.Idle = status, 500*time.Millisecond, 500*time.Millisecond })
	host, auth := "Host: "+h.addr+"\r\n", "Authorization: Bearer "+h.token+"\r\n"
	hidden := "POST /links HTTP/1.1\r\n" + host + auth + "Content-Length: 0\r\n\r\n"
	for name, text := range map[string]string{
		"a GET with a body": fmt.Sprintf("GET /status HTTP/1.1\r\n%s%sContent-Length: %d\r\n\r\n%s", host, auth, len(hidden), hidden),
		"a refused body":    fmt.Sprintf("POST /links HTTP/1.1\r\n%sContent-Length: %d\r\n\r\n%s", host, len(hidden), hidden),
		"in chunks":         fmt.Sprintf("POST /nowhere HTTP/1.1\r\n%s%sTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", host, auth, len(hidden), hidden),
		"too short":         "POST /links HTTP/1.1\r\n" + host + auth + "Content-Length: 1000\r\n\r\n" + hidden,
	} {
		if got := talked(t, h.addr, text); len(got) > 1 {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

// What browsers send for a form, a picture, a script or a fetch on another's page, with our cookie where they would send it.
func TestPagesOfOthersDoNothing(t *testing.T) {
	p := &parrot{left: make(chan string, 8)}
	rooms := newHouse()
	h := openDoor(t, func(c *web.Config) {
		c.Assistant, c.Hear, c.Voice, c.Status, c.Rooms = p, scribe{}, scribe{}, status, rooms.rooms()
	})
	cookie := h.cookie()
	body, kind := form("file", "hello", nil)
	sites := map[string]header{
		"another site":     {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
		"another port":     {"Origin": "http://127.0.0.1:8000", "Sec-Fetch-Site": "same-site"},
		"another scheme":   {"Origin": "https://" + h.addr, "Sec-Fetch-Site": "cross-site"},
		"a sandbox":        {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
		"a file":           {"Origin": "null"},
		"an old browser":   {"Origin": "http://127.0.0.1:8000"},
		"a hidden origin":  {"Sec-Fetch-Site": "same-site"},
		"no word at all":   {},
		"a lying fetch":    {"Origin": "http://127.0.0.1:8000", "Sec-Fetch-Site": "same-origin"},
		"another's iframe": {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
	}
	for name, site := range sites {
		for _, try := range []struct{ method, path, kind, body string }{
			{"POST", "/chat", "text/plain", `{"message":"delete everything"}`},
			{"POST", "/chat", "application/x-www-form-urlencoded", `{"message":"delete everything","a":"=`},
			{"POST", "/chat", "application/json", `{"message":"delete everything"}`},
			{"POST", "/command", "text/plain", `{"tool":"echo"}`},
			{"POST", "/transcribe", kind, body},
			{"POST", "/documents", kind, body},
			{"POST", "/v1/audio/transcriptions", kind, body},
			{"POST", "/approvals/ab12", "text/plain", `{"granted":true}`},
			{"POST", "/services/restart", "text/plain", `{"name":"speak"}`},
			{"POST", "/links", "text/plain", " "},
			{"POST", "/logout", "text/plain", " "},
			{"DELETE", "/memories/7", "", ""},
			{"DELETE", "/documents/a", "", ""},
			{"PUT", "/documents", kind, body},
		} {
			more := header{"Authorization": "", "Cookie": cookie, "Content-Type": try.kind}
			for k, v := range site {
				more[k] = v
			}
			if resp, text := h.ask(try.method, try.path, try.body, more); resp.StatusCode != 403 || codeOf(text) != "wrong_origin" || resp.Header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s: %s %s as %s: got %d %s", name, try.method, try.path, try.kind, resp.StatusCode, text)
			}
		}
	}
	if len(p.asked)+len(rooms.gone)+len(rooms.granted)+len(rooms.kept) != 0 {
		t.Errorf("done: %v %+v", p.asked, rooms)
	}
	// A form's kinds of body are no JSON, even from our own page.
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "text/plain; a=application/json"} {
		h.wants(415, "not_json", "POST", "/chat", `{"message":"a"}`, header{"Content-Type": kind})
	}
}

// Bodies that come a byte at a time end with the time for a request, whoever sends them.
func TestSlowBodies(t *testing.T) {
	t.Parallel()
	h := openDoor(t, func(c *web.Config) { c.Head, c.Status, c.Hear = 400*time.Millisecond, status, scribe{} })
	auth := "Authorization: Bearer " + h.token + "\r\n"
	for name, head := range map[string]string{
		"a stranger":           "POST /transcribe HTTP/1.1\r\nHost: " + h.addr + "\r\nContent-Length: 60000\r\n\r\n",
		"a stranger in chunks": "POST /transcribe HTTP/1.1\r\nHost: " + h.addr + "\r\nTransfer-Encoding: chunked\r\n\r\n",
		"an extension":         "POST /links HTTP/1.1\r\nHost: " + h.addr + "\r\n" + auth + "Transfer-Encoding: chunked\r\n\r\n1;",
		"a trailer":            "POST /links HTTP/1.1\r\nHost: " + h.addr + "\r\n" + auth + "Transfer-Encoding: chunked\r\n\r\n0\r\nX: ",
		"a body":               "POST /links HTTP/1.1\r\nHost: " + h.addr + "\r\n" + auth + "Content-Length: 1000\r\n\r\n",
		"a first line":         "GET /",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, err := net.Dial("tcp", h.addr)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_, _ = io.WriteString(conn, head)
			gone := make(chan struct{})
			go func() { defer close(gone); _, _ = io.Copy(io.Discard, conn) }()
			tick := time.NewTicker(20 * time.Millisecond)
			defer tick.Stop()
			for range 500 {
				select {
				case <-gone:
					return
				case <-tick.C:
					_, _ = io.WriteString(conn, "a")
				}
			}
			t.Error("it is still there")
		})
	}
}

// The page's files are read by their own names only, whole, and HEAD tells of them without their text.
func TestFilesOfThePage(t *testing.T) {
	text := strings.Repeat("abcdefghij", 100)
	h := openDoor(t, func(c *web.Config) {
		c.Page = fstest.MapFS{"index.html": {Data: []byte("<p>hello")}, "assets/x.js": {Data: []byte(text)}, "assets/.hidden": {Data: []byte("h")}, "secret.txt": {Data: []byte("no")}}
	})
	for _, path := range []string{"/assets/../secret.txt", "/assets/./../secret.txt", "/assets/%2e%2e/secret.txt", "/assets/%2E%2E%2Fsecret.txt", "/assets/..%2fsecret.txt", "/assets/..%5csecret.txt",
		"/assets/%252e%252e/secret.txt", "/assets/..;/secret.txt", "/assets/%c0%ae%c0%ae/secret.txt", "/assets/x.js%00.txt", "/assets/x.js\x00", "/assets//x.js", "/assets/x.js/..", "/assets/./x.js",
		"/%2e%2e/secret.txt", "//secret.txt", "/assets/%2fetc/passwd", "/assets//etc/passwd", "/assets/C:/x", "/assets/x.js:stream", "/assets/%", "/assets/*", "/index.html", "/assets?x=../secret.txt"} {
		for _, method := range []string{"GET", "HEAD"} {
			status, body := h.raw(method + " " + path + " HTTP/1.1\r\nHost: " + h.addr + "\r\nAuthorization: Bearer " + h.token + "\r\nConnection: close\r\n\r\n")
			if status == 200 && body != text || status >= 500 || strings.Contains(body, "root:") {
				t.Errorf("%s %s: got %d %.100q", method, path, status, body)
			}
		}
	}
	for _, tt := range []string{"bytes=0-1", "bytes=0-,0-,0-,0-", "bytes=" + strings.Repeat("0-999,", 1000), "bytes=-1", "bytes=99999999999999999999-", "bytes=5-1", "lines=1-2"} {
		resp, got := h.ask("GET", "/assets/x.js", "", header{"Range": tt})
		if resp.StatusCode != 200 || got != text {
			t.Errorf("%.40s: got %d, %d bytes", tt, resp.StatusCode, len(got))
		}
	}
	resp, got := h.ask("HEAD", "/assets/x.js", "", nil)
	if resp.StatusCode != 200 || got != "" || resp.ContentLength != int64(len(text)) || !strings.Contains(resp.Header.Get("Content-Type"), "javascript") {
		t.Errorf("got %d %q %v", resp.StatusCode, got, resp.Header)
	}
	for _, path := range []string{"/", "/healthz", "/openapi.json", "/docs"} {
		if resp, got := h.ask("HEAD", path, "", nil); resp.StatusCode != 200 || got != "" || resp.ContentLength <= 0 {
			t.Errorf("%s: got %d %q %d", path, resp.StatusCode, got, resp.ContentLength)
		}
	}
	h.wants(405, "method_not_allowed", "TRACE", "/", "", nil)
}

// Messages on a socket are not unpacked, whatever a client offers.
func TestSocketsAreNotPacked(t *testing.T) {
	var b bus.Bus
	h := openDoor(t, func(c *web.Config) { c.Bus = &b })
	packed := websocket.Dialer{HandshakeTimeout: 10 * time.Second, EnableCompression: true}
	conn, resp, err := packed.Dial("ws://"+h.addr+"/ws", http.Header{"Authorization": {"Bearer " + h.token}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if got := resp.Header.Get("Sec-WebSocket-Extensions"); got != "" {
		t.Errorf("the door takes %s", got)
	}
}

// Whoever guesses tokens gets no further than the strangers' rate, also over many connections, and never learns more.
func TestGuessing(t *testing.T) {
	h := openDoor(t, func(c *web.Config) {
		c.Strangers, c.Status, c.Now = 30, status, func() time.Time { return time.Unix(1e9, 0) }
	})
	counts := map[int]int{}
	for i := range 100 {
		one := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
		r, _ := http.NewRequest("GET", h.url+"/status", nil)
		r.Header.Set("Authorization", fmt.Sprintf("Bearer %064x", i))
		if i%2 == 0 {
			r.Header.Del("Authorization")
			r.Header.Set("Cookie", fmt.Sprintf("solo=2000000000.%032x.%064x", i, i))
		}
		resp, err := one.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		counts[resp.StatusCode]++
	}
	if counts[401] != 30 || counts[429] != 70 {
		t.Errorf("got %v", counts)
	}
	h.wants(200, "", "GET", "/status", "", nil)
}
