package web_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/solo-assistant/solo/core/channel/web"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.updateServerDate.func1"),    // one for the life of the program
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*workerPool).Start.func2"), // ends by itself some seconds after its server
	)
}

// home is an open door and what is needed to go through it.
type home struct {
	*web.Door
	t     testing.TB
	url   string
	addr  string
	file  string
	token string
	via   *http.Client
}

// over makes the home be asked through TLS at its address, whatever its certificate calls it.
func (h *home) over(trust *tls.Config) *home {
	to := h.addr
	way := &http.Transport{TLSClientConfig: trust, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", to)
	}}
	h.t.Cleanup(way.CloseIdleConnections)
	h.via = &http.Client{Timeout: client.Timeout, CheckRedirect: client.CheckRedirect, Transport: way}
	return h
}

// openDoor opens a door on a free port until the test ends.
func openDoor(t testing.TB, change func(*web.Config)) *home {
	t.Helper()
	told := make(chan web.Listening, 1)
	c := web.Config{TokenFile: filepath.Join(t.TempDir(), "run", "token"), Version: "1.2.3", Listening: func(l web.Listening) { told <- l }}
	if change != nil {
		change(&c)
	}
	d, err := web.New(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- d.Serve(ctx) }()
	t.Cleanup(func() {
		client.CloseIdleConnections()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	select {
	case l := <-told:
		text, err := os.ReadFile(l.TokenFile)
		if err != nil {
			t.Fatal(err)
		}
		_, addr, _ := strings.Cut(l.URL, "://")
		return &home{Door: d, t: t, url: l.URL, addr: addr, file: l.TokenFile, token: strings.TrimSpace(string(text)), via: client}
	case err := <-done:
		done <- nil
		t.Fatal(err)
	}
	return nil
}

// client follows no redirects.
var client = &http.Client{Timeout: 30 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

type header map[string]string

// ask sends one request, with the token unless the header says otherwise; an empty value takes a line out.
func (h *home) ask(method, path, body string, more header) (*http.Response, string) {
	h.t.Helper()
	resp, text, err := h.try(method, path, body, more)
	if err != nil {
		h.t.Fatal(err)
	}
	return resp, text
}

// try is ask for a request that may be cut.
func (h *home) try(method, path, body string, more header) (*http.Response, string, error) {
	r, err := http.NewRequest(method, h.url+path, strings.NewReader(body))
	if err != nil {
		return nil, "", err
	}
	r.Header.Set("Authorization", "Bearer "+h.token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for k, v := range more {
		if k == "Host" {
			r.Host = v
		} else if v == "" {
			r.Header.Del(k)
		} else {
			r.Header.Set(k, v)
		}
	}
	resp, err := h.via.Do(r)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp, string(text), err
}

// wants asks and checks the status and, of an error, the code.
func (h *home) wants(status int, code, method, path, body string, more header) string {
	h.t.Helper()
	resp, text := h.ask(method, path, body, more)
	if resp.StatusCode != status || codeOf(text) != code {
		h.t.Errorf("%s %s %.200s %v: got %d %.500s, want %d %s", method, path, body, more, resp.StatusCode, text, status, code)
	}
	return text
}

// codeOf is the code of an error, "" where the answer is none. An error must have a message too.
func codeOf(text string) string {
	var r struct {
		Error struct{ Code, Message string }
	}
	if json.Unmarshal([]byte(text), &r) != nil || r.Error.Message == "" {
		return ""
	}
	return r.Error.Code
}

// raw sends bytes as they are and gives the answer to them.
func (h *home) raw(text string) (status int, body string) {
	h.t.Helper()
	conn, err := net.Dial("tcp", h.addr)
	if err != nil {
		h.t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	_, _ = io.WriteString(conn, text)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0, ""
	}
	defer resp.Body.Close()
	got, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<16))
	return resp.StatusCode, string(got)
}
