package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func measureWeb(ctx context.Context, b *bench) (section, error) {
	return b.pieces(ctx, "web", []part{
		{"requests", "Requests beside a bare Fiber and a bare net/http handler", measureRequests},
		{"readers", "500 WebSocket readers at 50 events a second", measureReaders},
		{"stalled", "Turns while 20 dashboards take nothing", measureStalled},
		{"ready", "From the start to ready, and at rest", measureReady},
	})
}

// doorway is a solo run whose web door is open.
type doorway struct {
	*session
	url, token string
	statusLen  int // bytes of its status
}

// unlimited lets one caller ask as fast as it can.
var unlimited = []string{"web.rate=0", "web.at_once=64"}

// door runs solo with its web door on a free port.
func (b *bench) door(ctx context.Context, name string, settings ...string) (*doorway, error) {
	home := filepath.Join(b.dir, name)
	s, err := b.run(ctx, home, append([]string{"web.port=0"}, settings...)...)
	if err != nil {
		return nil, err
	}
	d := &doorway{session: s}
	if d.url, d.token, err = opened(ctx, home); err != nil {
		s.end()
		return nil, err
	}
	return d, nil
}

// opened reads where the door of a home is, in what solo printed there.
func opened(ctx context.Context, home string) (url, token string, err error) {
	for range 100 {
		text, err := os.ReadFile(home + ".jsonl")
		if err != nil {
			return "", "", fmt.Errorf("read what solo printed: %w", err)
		}
		for line := range bytes.Lines(text) {
			var l struct {
				Event, URL string
				TokenFile  string `json:"token_file"`
			}
			if json.Unmarshal(line, &l) != nil || l.Event != "listening" {
				continue
			}
			token, err := os.ReadFile(l.TokenFile)
			return l.URL, strings.TrimSpace(string(token)), err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return "", "", context.Cause(ctx)
		}
	}
	return "", "", errors.New("solo run does not say where its web door is")
}

// ask sends one request and gives the answer's body.
func (d *doorway) ask(ctx context.Context, method, path, body string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, d.url+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+d.token)
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: %s: %.200s", method, path, resp.Status, text)
	}
	return text, err
}

// turn is one typed turn that needs no language model. It gives the time it took in ms.
func (d *doorway) turn(ctx context.Context) (float64, error) {
	began := time.Now()
	_, err := d.ask(ctx, http.MethodPost, "/chat", `{"message":"what time is it"}`)
	return time.Since(began).Seconds() * 1000, err
}

const startsOfDoor = 7

// measureReady starts solo and asks its door whether it is ready, again and again.
func measureReady(ctx context.Context, b *bench) (section, error) {
	var opens, answers, readies []float64
	var rest float64
	for i := range startsOfDoor + 1 {
		up, err := b.readyOnce(ctx, i == startsOfDoor)
		if err != nil {
			return section{}, err
		}
		if i > 0 { // the first start builds what later ones find
			opens, answers, readies, rest = append(opens, up.open), append(answers, up.answer), append(readies, up.ready), up.rest
		}
	}
	t := newTable("", "p50", "longest")
	t.row("from the start of the program to the first answer of /healthz, ms", figure(percentile(opens, 0.5)), figure(percentile(opens, 1)))
	t.row("to the first typed question answered, ms", figure(percentile(answers, 0.5)), figure(percentile(answers, 1)))
	t.row("to /readyz, when microphone and engines are up too, ms", figure(percentile(readies, 0.5)), figure(percentile(readies, 1)))
	t.row("memory at rest, 5 s later, MB", figure(rest), "")
	return section{
		goals: []goal{atMost("start to a door that answers, p50", percentile(answers, 0.5), 150, "ms")},
		text: fmt.Sprintf("`solo run` on PulseAudio null sinks, %d starts with what the first has built. The door is asked every 2 ms, then what time it is; the engines come up behind it.\n\n",
			startsOfDoor) + t.String(),
	}, nil
}

// upTimes are times from the start of the program, in ms, until the door is open, a question is answered, and everything
// is up; rest is what a Solo at rest takes, in MB.
type upTimes struct{ open, answer, ready, rest float64 }

func (b *bench) readyOnce(ctx context.Context, rests bool) (up upTimes, err error) {
	sound, err := b.pulse(ctx)
	if err != nil {
		return up, err
	}
	home := filepath.Join(b.dir, "web-ready")
	if err := errors.Join(os.MkdirAll(home, 0o755), os.WriteFile(filepath.Join(home, "config.toml"), nil, 0o644)); err != nil {
		return up, fmt.Errorf("make a home for solo: %w", err)
	}
	port, err := freePort(ctx)
	if err != nil {
		return up, err
	}
	in, closeIn, err := terminal()
	if err != nil {
		return up, err
	}
	defer closeIn()
	began := time.Now()
	p, err := b.start(ctx, home, sound.env, in, "run", "--set", "web.rate=0", "--set", "web.strangers=0", "--port", fmt.Sprint(port))
	if err != nil {
		return up, err
	}
	defer func() { _ = p.stop() }() // how it ends is not measured
	url := fmt.Sprintf("http://127.0.0.1:%d", port)
	if up.open, err = until(ctx, began, url+"/healthz"); err == nil {
		up.answer, err = firstAnswer(ctx, began, url, home)
	}
	if err == nil {
		up.ready, err = until(ctx, began, url+"/readyz")
	}
	if err != nil {
		return up, fmt.Errorf("%w%s", err, p.lastWords())
	}
	if rests {
		time.Sleep(5 * time.Second)
		up.rest = resident(p.cmd.Process.Pid)
	}
	return up, nil
}

// firstAnswer asks what time it is, and gives the time since began, in ms.
func firstAnswer(ctx context.Context, began time.Time, url, home string) (float64, error) {
	token, err := os.ReadFile(filepath.Join(home, "data", "token"))
	if err != nil {
		return 0, fmt.Errorf("read the token: %w", err)
	}
	d := &doorway{url: url, token: strings.TrimSpace(string(token))}
	_, err = d.turn(ctx)
	return time.Since(began).Seconds() * 1000, err
}

// until asks an address every 2 ms until it answers well, and gives the time since began, in ms.
func until(ctx context.Context, began time.Time, url string) (float64, error) {
	for time.Since(began) < startLimit {
		if resp, err := http.Get(url); err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return time.Since(began).Seconds() * 1000, nil
			}
		}
		select {
		case <-time.After(2 * time.Millisecond):
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
	}
	return 0, fmt.Errorf("%s does not answer", url)
}

// freePort is a port that nobody listens on right now.
func freePort(ctx context.Context) (int, error) {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	defer ln.Close()
	return ln.Addr().(*net.TCPAddr).Port, nil
}
