// Package wire carries requests to language models over HTTP and reads the streams that they answer with.
//
// It knows no model's API. What it keeps for all of them: words for what went wrong, which address is the
// user's own, that no key is printed, that nobody sends a conversation on to another host, and that a
// server cannot fill the memory. A Peer may be used by any number of goroutines.
package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/config"
)

const (
	longestAnswer  = 32 << 20         // bytes of an answer that is no stream
	longestRefusal = 64 << 10         // bytes of an error's page that are read
	longestWait    = 2 * time.Second  // that a busy server may ask for before the one repetition
	reach          = 10 * time.Second // to connect
)

// Peer is a server that runs models.
type Peer struct {
	name    string
	base    *url.URL
	headers http.Header
	secret  string
	client  *http.Client
	cloud   bool
}

// Config says where a server is.
type Config struct {
	Name    string            // of the engine, begins every error
	URL     string            // "http://127.0.0.1:8080/v1"; paths are put behind it
	Key     config.Secret     // cut out of whatever the server says
	Headers map[string]string // sent with every request; may hold the key
	Cloud   string            // "yes" or "no" is the user's word on whether it is a stranger's; "" judges by the address
	Client  *http.Client      // nil is one that fits; its redirects are refused to other hosts either way
}

// New builds a Peer; the error tells what is wrong with the address.
func New(c Config) (*Peer, error) {
	base, err := url.Parse(strings.TrimSpace(c.URL))
	if err != nil || (base.Scheme != "http" && base.Scheme != "https") || base.Hostname() == "" {
		return nil, fmt.Errorf("%s: %q is no address of a server, such as http://127.0.0.1:8080", c.Name, Line(c.URL))
	}
	if base.Scheme == "http" && c.Cloud != "no" && !Home(base.Hostname()) && c.Key.Reveal() != "" {
		return nil, fmt.Errorf("%s: the key would be readable on its way to %s; use https", c.Name, base.Host)
	}
	base.Path = strings.TrimRight(base.Path, "/")
	p := &Peer{name: c.Name, base: base, headers: http.Header{}, secret: c.Key.Reveal()}
	p.cloud = c.Cloud == "yes" || c.Cloud != "no" && !Home(base.Hostname())
	for name, value := range c.Headers {
		p.headers.Set(name, value)
	}
	p.client = p.dress(c.Client, c.Cloud == "")
	return p, nil
}

// Cloud is true when the server is not on the user's own machines.
func (p *Peer) Cloud() bool { return p.cloud }

// Host is the server's name as in its address, without the port.
func (p *Peer) Host() string { return p.base.Hostname() }

// Get asks for a path and reads the JSON answer into the value that into points to.
func (p *Peer) Get(ctx context.Context, path string, into any) error {
	return p.exchange(ctx, http.MethodGet, path, nil, into)
}

// Post sends body as JSON and reads the JSON answer into the value that into points to; nil passes over it.
func (p *Peer) Post(ctx context.Context, path string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("%s: write the request: %w", p.name, err)
	}
	return p.exchange(ctx, http.MethodPost, path, text, into)
}

func (p *Peer) exchange(ctx context.Context, method, path string, body []byte, into any) error {
	reply, err := p.send(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(io.LimitReader(reply.Body, longestAnswer+1))
	switch {
	case err != nil:
		return p.Broken(ctx, err)
	case len(text) > longestAnswer:
		return p.Nonsense("an answer of over %d MiB", longestAnswer>>20)
	case into == nil:
		return nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return p.Nonsense("%v in %s", err, p.quote(text))
	}
	return nil
}

// Open posts body, which is JSON, and gives the answer's body to be read as a stream. Whoever opened it closes
// it, which ends the work that the server does for it. JSON is true when the server sent one whole JSON value
// instead of a stream.
func (p *Peer) Open(ctx context.Context, path string, body []byte) (stream io.ReadCloser, whole bool, err error) {
	reply, err := p.send(ctx, http.MethodPost, path, body)
	if err != nil {
		return nil, false, err
	}
	kind := reply.Header.Get("Content-Type")
	return reply.Body, strings.HasPrefix(kind, "application/json"), nil
}

// send gives the server's answer when it is one of success. A busy server that asks for a short wait is asked
// a second time, once.
func (p *Peer) send(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	for again := false; ; again = true {
		reply, err := p.do(ctx, method, path, body)
		if err != nil {
			return nil, err
		}
		if reply.StatusCode/100 == 2 {
			return p.answered(reply)
		}
		wait, asked := retryAfter(reply)
		err = p.refusal(reply)
		reply.Body.Close()
		if again || !asked || !p.pause(ctx, wait) {
			return nil, err
		}
	}
}

// answered refuses the web page that a hotel's network or a proxy puts in the place of an answer.
func (p *Peer) answered(reply *http.Response) (*http.Response, error) {
	if !strings.HasPrefix(reply.Header.Get("Content-Type"), "text/html") {
		return reply, nil
	}
	defer reply.Body.Close()
	page, _ := io.ReadAll(io.LimitReader(reply.Body, 200)) // what could be read of it will do
	return nil, p.Nonsense("a web page instead of an answer: %s", page)
}

func (p *Peer) do(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, p.base.String()+path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	for name, values := range p.headers {
		req.Header[name] = values
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	// Some servers close a connection that they promised to keep. The transport repeats a request that met one
	// if it carries this header; as an empty list it is never sent.
	req.Header["X-Idempotency-Key"] = []string{}
	reply, err := p.client.Do(req)
	if err != nil {
		return nil, p.unsent(ctx, err)
	}
	return reply, nil
}

// retryAfter tells how long a busy server wants to be left alone, false when it does not say or wants too much.
func retryAfter(reply *http.Response) (time.Duration, bool) {
	if reply.StatusCode != http.StatusTooManyRequests && reply.StatusCode != http.StatusServiceUnavailable {
		return 0, false
	}
	seconds, err := strconv.ParseFloat(reply.Header.Get("Retry-After"), 64)
	if err != nil || !(seconds >= 0 && seconds <= longestWait.Seconds()) {
		return 0, false
	}
	return time.Duration(seconds * float64(time.Second)), true
}

// pause waits; false when ctx ended first.
func (p *Peer) pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
