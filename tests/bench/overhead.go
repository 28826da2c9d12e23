package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/llama"
	"github.com/solo-assistant/solo/models/router"
)

const (
	pairs       = 150 // of a bare call and one through Solo
	storyTokens = 256 // of each answer
	storyBegins = "Once upon a time there was a fox"
)

// door is where a running llama-server is asked.
type door struct{ url, key, model string }

// measureOverhead asks one llama-server in turn by a bare loop and through Solo.
func measureOverhead(ctx context.Context, b *bench) (section, error) {
	l, err := b.llama(ctx)
	if err != nil {
		return section{}, err
	}
	defer l.stop()
	d, err := l.door(ctx)
	if err != nil {
		return section{}, err
	}
	return compare(ctx, b.times(pairs), d, l.router)
}

// storyteller is a llama-server of Solo's with the story model.
type storyteller struct {
	server *llama.Server
	router *router.Router
	cancel context.CancelFunc
	served chan error
}

// llama starts one; the error is lacking where there is none to start.
func (b *bench) llama(ctx context.Context) (*storyteller, error) {
	program, model, err := b.storyModel()
	if err != nil {
		return nil, err
	}
	l := &storyteller{served: make(chan error, 1)}
	if l.server, err = llama.New(llama.Config{Settings: llama.Settings{Server: program, Model: model}, Data: b.dir}); err != nil {
		return nil, err
	}
	if l.router, err = router.New(router.Config{Engines: []router.Engine{l.server}}); err != nil {
		return nil, err
	}
	ctx, l.cancel = context.WithCancel(ctx)
	go func() { l.served <- l.server.Serve(ctx) }()
	return l, nil
}

// stop ends it before the next piece is measured.
func (l *storyteller) stop() {
	l.cancel()
	<-l.served
}

// door waits until the server answers, and learns its port and its key as only its parent can.
func (l *storyteller) door(ctx context.Context) (door, error) {
	for range 600 {
		if pid := l.server.Pid(); pid != 0 {
			args, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			if err != nil {
				return door{}, lacking("the port of llama-server is only found on Linux")
			}
			env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
			if err != nil {
				return door{}, fmt.Errorf("find the port of llama-server: %w", err)
			}
			return readDoor(string(args), string(env))
		}
		select {
		case err := <-l.served:
			l.served <- nil // for stop
			return door{}, fmt.Errorf("llama-server does not run: %w", err)
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return door{}, context.Cause(ctx)
		}
	}
	return door{}, errors.New("llama-server does not answer")
}

// readDoor reads a command line and an environment, each string ended by a zero byte.
func readDoor(cmdline, environ string) (d door, err error) {
	args := strings.Split(cmdline, "\x00")
	for i, a := range args[:len(args)-1] {
		switch a {
		case "--port":
			d.url = "http://127.0.0.1:" + args[i+1] + "/v1/chat/completions"
		case "--alias":
			d.model = args[i+1]
		case "--api-key":
			d.key = args[i+1]
		}
	}
	for v := range strings.SplitSeq(environ, "\x00") {
		if key, ok := strings.CutPrefix(v, "LLAMA_API_KEY="); ok {
			d.key = key
		}
	}
	if d.url == "" {
		return d, errors.New("llama-server was started without a port")
	}
	return d, nil
}

// reply is what one answer took.
type reply struct {
	took, first float64 // ms: the whole, and until the first piece
	tokens      int
	cpu         time.Duration // of this process
}

// side is all replies of one way of asking.
type side []reply

func (s side) column(of func(reply) float64) (v []float64) {
	for _, r := range s {
		v = append(v, of(r))
	}
	return v
}

func tookOf(r reply) float64  { return r.took }
func firstOf(r reply) float64 { return r.first }

// perToken is the processor's time for a token, in microseconds.
func (s side) perToken() float64 {
	var cpu time.Duration
	n := 0
	for _, r := range s {
		cpu, n = cpu+r.cpu, n+r.tokens
	}
	return float64(cpu.Nanoseconds()) / 1000 / float64(max(n, 1))
}

// compare asks n times either way, in turn, each time the other way first.
func compare(ctx context.Context, n int, d door, r *router.Router) (section, error) {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // llama-server keeps no connection
	messages := []models.Message{{Role: models.System, Text: "You tell stories."}, {Role: models.User, Text: storyBegins}}
	var bare, solo side
	ways := []func() error{
		func() error { return bare.timed(func(t *reply) error { return bareCall(ctx, client, d, messages, t) }) },
		func() error { return solo.timed(func(t *reply) error { return soloCall(ctx, r, messages, t) }) },
	}
	for i := range 2 * (n + 3) { // three of each to warm up
		if i == 6 {
			bare, solo = nil, nil
		}
		if err := ways[(i+i/2)%2](); err != nil {
			return section{}, err
		}
	}
	return overheadSection(bare, solo, wakeUp()), nil
}

// wakeUp is the processor's time that this machine takes to let a program sleep for a moment and to wake it, which is
// the least that a token costs whoever waits for it. In microseconds.
func wakeUp() float64 {
	const naps = 2000
	cpu := spent()
	for range naps {
		time.Sleep(400 * time.Microsecond)
	}
	return float64((spent() - cpu).Nanoseconds()) / 1000 / naps
}

// timed measures one call.
func (s *side) timed(call func(*reply) error) error {
	var t reply
	cpu, began := spent(), time.Now()
	err := call(&t)
	t.took, t.cpu = float64(time.Since(began).Microseconds())/1000, spent()-cpu
	*s = append(*s, t)
	return err
}

// bareCall reads an answer line by line and understands nothing of it.
func bareCall(ctx context.Context, client *http.Client, d door, m []models.Message, t *reply) error {
	began := time.Now()
	talk := []map[string]string{}
	for _, one := range m {
		talk = append(talk, map[string]string{"role": string(one.Role), "content": one.Text})
	}
	body, err := json.Marshal(map[string]any{"model": d.model, "messages": talk, "max_tokens": storyTokens, "temperature": 0, "stream": true,
		"stream_options": map[string]bool{"include_usage": true}})
	if err != nil {
		return fmt.Errorf("ask llama-server: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.url, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("ask llama-server: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+d.key)
	req.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("ask llama-server: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("ask llama-server: %s", answer.Status)
	}
	return readBare(answer.Body, began, t)
}

// readBare counts the events that bring a piece of the answer.
func readBare(body io.Reader, began time.Time, t *reply) error {
	in := bufio.NewReaderSize(body, 64<<10)
	for {
		line, err := in.ReadSlice('\n')
		if bytes.HasPrefix(line, []byte("data: ")) && bytes.Contains(line, []byte(`"content":"`)) {
			if t.tokens++; t.tokens == 1 {
				t.first = float64(time.Since(began).Microseconds()) / 1000
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read llama-server's answer: %w", err)
		}
	}
}

// soloCall asks through router and engine.
func soloCall(ctx context.Context, r *router.Router, m []models.Message, t *reply) error {
	began := time.Now()
	for d, err := range r.Stream(ctx, models.Request{Work: models.Quick, Messages: m, MaxTokens: storyTokens}) {
		if err != nil {
			return err
		}
		if d.Text == "" {
			continue
		}
		if t.tokens++; t.tokens == 1 {
			t.first = float64(time.Since(began).Microseconds()) / 1000
		}
	}
	return nil
}

// overheadSection is the report.
func overheadSection(bare, solo side, wake float64) section {
	var added []float64
	for i := range solo {
		added = append(added, solo[i].took-bare[i].took)
	}
	b50, s50 := percentile(bare.column(tookOf), 0.5), percentile(solo.column(tookOf), 0.5)
	t := newTable("ms", "replies", "p50", "p95", "longest")
	t.spread("bare call, whole reply", bare.column(tookOf))
	t.spread("through Solo, whole reply", solo.column(tookOf))
	t.spread("what Solo adds, pair by pair", added)
	t.spread("bare call, first token", bare.column(firstOf))
	t.spread("through Solo, first token", solo.column(firstOf))
	tokens := percentile(solo.column(func(r reply) float64 { return float64(r.tokens) }), 0.5)
	s := section{text: fmt.Sprintf("The same llama-server with a model of 260 thousand weights, asked in turn by net/http and a loop that splits the lines of the stream and reads nothing in them, "+
		"and through `models/llama` behind `models/router`: the same prompt, %s tokens a reply, a new connection for each. "+
		"Ratio of Solo's p50 to the bare one: %.3f. Processor time of the asking process for a token: bare %s us, through Solo %s us, so that Solo adds %s us; "+
		"to sleep and to be woken costs %s us on this machine whatever is done then.\n\n",
		figure(tokens), s50/b50, figure(bare.perToken()), figure(solo.perToken()), figure(solo.perToken()-bare.perToken()), figure(wake)) + t.String()}
	if cpu := solo.perToken(); cpu > 0 {
		s.goals = append(s.goals, atMost("processor time of Solo for a token from llama-server", cpu, 50, "us"))
	}
	return s
}
