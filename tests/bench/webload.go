package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/solo-assistant/solo/audio"
)

// pressed is what came of pressing a server.
type pressed struct {
	took   []float64 // ms, of each request
	length time.Duration
}

func (l pressed) rate() float64 { return float64(len(l.took)) / l.length.Seconds() }

// request is what is asked again and again.
type request struct {
	method, path, kind string
	body               func(caller int) []byte // nil for none
}

// press asks as fast as the callers can, each over its own connection, for a time. Every answer must be 200.
func press(url, token string, q request, callers int, length time.Duration) (pressed, error) {
	addr := bytes.TrimPrefix([]byte(url), []byte("http://"))
	c := &fasthttp.HostClient{Addr: string(addr), MaxConns: callers, MaxIdleConnDuration: time.Minute}
	defer c.CloseIdleConnections()
	all, errs := make([][]float64, callers), make([]error, callers)
	var wg sync.WaitGroup
	began := time.Now()
	for i := range callers {
		wg.Go(func() { all[i], errs[i] = call(c, url, token, q, i, began.Add(length)) })
	}
	wg.Wait()
	l := pressed{length: time.Since(began)}
	for _, t := range all {
		l.took = append(l.took, t...)
	}
	return l, errors.Join(errs...)
}

func call(c *fasthttp.HostClient, url, token string, q request, caller int, end time.Time) (took []float64, err error) {
	r, a := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(r)
	defer fasthttp.ReleaseResponse(a)
	r.Header.SetMethod(q.method)
	r.SetRequestURI(url + q.path)
	r.Header.Set(fasthttp.HeaderAuthorization, "Bearer "+token)
	if q.body != nil {
		r.Header.SetContentType(q.kind)
		r.SetBody(q.body(caller))
	}
	for {
		began := time.Now()
		if !began.Before(end) {
			return took, nil
		}
		if err := c.Do(r, a); err != nil {
			return took, fmt.Errorf("%s %s: %w", q.method, q.path, err)
		}
		if a.StatusCode() != fasthttp.StatusOK {
			return took, fmt.Errorf("%s %s: %d %.200s", q.method, q.path, a.StatusCode(), a.Body())
		}
		took = append(took, time.Since(began).Seconds()*1000)
	}
}

// competitor is one server in the comparison.
type competitor struct {
	name, url, path string // path replaces the request's, "" for the same
}

// pace is what several rounds came to.
type pace struct{ rates, p99 []float64 }

// rounds are pressed one after the other, each server in each, so that what else the machine does meets all alike.
const rounds = 5

// race presses each server in turn and gives the medians of the rounds.
func race(ctx context.Context, all []competitor, token string, q request, callers int, length time.Duration) (map[string]pace, error) {
	out := map[string]pace{}
	for round := range rounds + 1 {
		for _, c := range all {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			ask := q
			if c.path != "" {
				ask.path = c.path
			}
			l, err := press(c.url, token, ask, callers, length)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			if round > 0 { // the first warms up
				p := out[c.name]
				out[c.name] = pace{append(p.rates, l.rate()), append(p.p99, percentile(l.took, 0.99))}
			}
		}
	}
	return out, nil
}

// callersOf is how many ask at the same time.
const callersOf = 4

func measureRequests(ctx context.Context, b *bench) (section, error) {
	d, err := b.door(ctx, "web-requests", unlimited...)
	if err != nil {
		return section{}, err
	}
	defer d.end()
	sound, err := b.orderFile(ctx)
	if err != nil {
		return section{}, err
	}
	bodies, err := d.answers(ctx, sound, filepath.Join(b.dir, "web-bodies.json"))
	if err != nil {
		return section{}, err
	}
	all := []competitor{{"Solo", d.url, ""}}
	for _, kind := range []string{"fiber", "net/http"} {
		url, end, err := beside(ctx, kind, bodies)
		if err != nil {
			return section{}, err
		}
		defer end()
		all = append(all, competitor{"bare " + kind, url, ""})
		if kind == "fiber" {
			all = append(all, competitor{"bare fiber, written before", url, "/raw"})
		}
	}
	t := newTable("", "server", "requests a second", "p99, ms")
	var s section
	for _, part := range []struct {
		what    string
		q       request
		callers int
		length  time.Duration
	}{
		{"GET /status", request{method: "GET", path: "/status"}, callersOf, time.Second},
		{"POST /chat by intent", request{"POST", "/chat", "application/json", chatBody}, callersOf, time.Second},
		{"POST /transcribe", request{"POST", "/transcribe", "audio/wav", func(int) []byte { return sound }}, 2, 2 * time.Second},
	} {
		say("web: %s", part.what)
		servers := all
		if part.q.path != "/status" {
			servers = []competitor{all[0], all[1], all[3]}
		}
		got, err := race(ctx, servers, d.token, part.q, part.callers, part.length)
		if err != nil {
			return s, err
		}
		for _, c := range servers {
			t.row(part.what, c.name, figure(percentile(got[c.name].rates, 0.5)), figure(percentile(got[c.name].p99, 0.5)))
		}
		if part.q.path == "/status" {
			share := 100 * percentile(got["Solo"].rates, 0.5) / percentile(got["bare fiber"].rates, 0.5)
			s.goals = append(s.goals, goal{"requests a second of /status beside a bare Fiber handler's", figure(share) + " %", "at least 50 %", share >= 50})
		}
	}
	s.text = fmt.Sprintf("Each server is a process of its own; %d callers (2 for /transcribe) ask over connections that stay open, for 1 s (2 s) in each of %d rounds, in turn; medians of the rounds. "+
		"The bare handlers read the same body and send the same JSON, written anew from the same struct for each request; \"written before\" sends its %d bytes as they are. "+
		"Solo checks host, origin, token and rate before each (`web.rate=0` lets all through). An order by intent goes through the whole conversation and into the history; "+
		"a recording of %s s is decoded and recognised, one at a time.\n\n", callersOf, rounds, d.statusLen, figure(float64(len(sound)-44)/2/audio.Rate)) + t.String()
	return s, nil
}

// chatBody gives each caller a conversation of its own.
func chatBody(caller int) []byte {
	return fmt.Appendf(nil, `{"message":"what time is it","session_id":"bench-%d"}`, caller)
}

// orderFile is a spoken order as a WAV.
func (b *bench) orderFile(ctx context.Context) ([]byte, error) {
	all, err := people()
	if err != nil {
		return nil, err
	}
	pcm, err := all[0].speak(ctx, "what time is it")
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	pad := make([]int16, audio.Rate/4)
	err = audio.WriteWAV(&file, audio.Clip{Format: audio.Mono16k, PCM: append(append(pad, pcm...), pad...)})
	return file.Bytes(), err
}

// answers asks Solo for each answer once and keeps them for the bare servers.
func (d *doorway) answers(ctx context.Context, sound []byte, path string) (string, error) {
	var a answers
	status, err := d.ask(ctx, "GET", "/status", "")
	if err != nil {
		return "", err
	}
	d.statusLen, a.Raw = len(status), string(status)
	chat, err := d.ask(ctx, "POST", "/chat", string(chatBody(0)))
	if err != nil {
		return "", err
	}
	heard, err := d.ask(ctx, "POST", "/transcribe", string(sound))
	if err != nil {
		return "", err
	}
	var text heardText
	if err := errors.Join(json.Unmarshal(status, &a.Status), json.Unmarshal(chat, &a.Chat), json.Unmarshal(heard, &text)); err != nil {
		return "", fmt.Errorf("read Solo's answers: %w", err)
	}
	a.Text = text.Text
	say("web: the recording says %q", a.Text)
	raw, err := json.Marshal(a)
	if err == nil {
		err = os.WriteFile(path, raw, 0o600)
	}
	return path, err
}
