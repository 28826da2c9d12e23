package tests

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/proc"
	"github.com/solo-assistant/solo/core/supervise"
	"go.uber.org/goleak"
)

// TestChaosChild is no test: it is the engine that TestChaos runs as a child and kills.
func TestChaosChild(t *testing.T) {
	if os.Getenv("SOLO_CHAOS_CHILD") == "" {
		t.Skip("skipped: runs only as a child of TestChaos")
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		fmt.Println(strings.ToUpper(in.Text()))
	}
	os.Exit(0)
}

// One child program is killed again and again while turns run, one service panics twenty times:
// the next turn succeeds, the siblings are not delayed, and nothing is left behind.
func TestChaos(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	const kills, panics = 10, 20
	h := newHouse(panics)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- h.tree.Serve(ctx) }()

	for i := range kills {
		want := fmt.Sprintf("TURN %d", i)
		if got := h.turn(t, fmt.Sprintf("turn %d", i)); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
		pid := h.engine.child.Pid()
		kill(t, pid)
		if got := h.turn(t, "after"); got != "AFTER" {
			t.Fatalf("after kill %d: %q", i, got)
		}
		if now := h.engine.child.Pid(); now == pid {
			t.Fatal("the killed child still serves")
		}
	}
	for end := time.Now().Add(20 * time.Second); h.panicked.Load() < panics; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("only %d panics", h.panicked.Load())
		}
	}
	last := h.engine.child.Pid()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if worst := time.Duration(h.worst.Load()); worst > time.Second {
		t.Errorf("a sibling was held up for %v", worst)
	}
	for _, s := range h.tree.States() {
		if s.State != supervise.Stopped || s.Name == "pulse" && s.Restarts != 0 {
			t.Errorf("%s: %s, %d restarts", s.Name, s.State, s.Restarts)
		}
	}
	if last != 0 && running(last) {
		t.Errorf("child %d is left", last)
	}
}

// house is Solo in small: an engine in a child, a mind that asks it, a sibling with a pulse, and a flappy one.
type house struct {
	bus      bus.Bus
	heard    bus.Pub[event.Heard]
	replied  *bus.Sub[event.Replied]
	engine   *engine
	tree     *supervise.Tree
	panicked atomic.Int64
	worst    atomic.Int64 // the longest pause between two beats of the pulse, in ns
}

func newHouse(panics int64) *house {
	h := &house{engine: newEngine()}
	h.heard = bus.Publisher[event.Heard](&h.bus, "ears")
	h.replied = bus.Subscribe[event.Replied](&h.bus, "test", 8, bus.DropOldest)
	flappy := service{"flappy", func(context.Context) error {
		if h.panicked.Add(1) <= panics {
			panic("ouch")
		}
		return errors.New("still bad")
	}}
	patient := supervise.Keep{Service: flappy, Pause: time.Millisecond, Longest: 10 * time.Millisecond}
	h.tree = supervise.New(supervise.Config{Name: "house", Pause: time.Millisecond},
		h.engine.child, service{"mind", h.mind}, patient, service{"pulse", h.pulse})
	return h
}

// mind answers each utterance with what the engine says to it.
func (h *house) mind(ctx context.Context) error {
	heard := bus.Subscribe[event.Heard](&h.bus, "mind", 8, bus.Block)
	defer heard.Close()
	replied := bus.Publisher[event.Replied](&h.bus, "mind")
	supervise.Ready(ctx)
	for ctx, e := range heard.All(ctx) {
		text, err := h.engine.ask(ctx, e.Val.Text)
		if err != nil {
			return err
		}
		if err := replied.Publish(ctx, event.Replied{Text: text}); err != nil {
			return err
		}
	}
	return nil
}

func (h *house) pulse(ctx context.Context) error {
	supervise.Ready(ctx)
	for last := time.Now(); ; {
		select {
		case <-time.After(time.Millisecond):
			h.worst.Store(max(h.worst.Load(), int64(time.Since(last))))
			last = time.Now()
		case <-ctx.Done():
			return nil
		}
	}
}

// turn says something and waits for the answer of this very turn.
func (h *house) turn(t *testing.T, text string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for len(h.bus.Stats().Subs) < 2 { // until the mind listens
		time.Sleep(time.Millisecond)
	}
	ctx, id := bus.NewTurn(ctx)
	if err := h.heard.Publish(ctx, event.Heard{Text: text}); err != nil {
		t.Fatal(err)
	}
	for _, e := range h.replied.All(ctx) {
		if e.Turn == id {
			return e.Val.Text
		}
	}
	t.Fatalf("no answer to %q: %v", text, h.tree.States())
	return ""
}

// engine keeps a child that answers line by line; a question lost with its child is asked again.
type engine struct {
	child *proc.Child
	asked chan question
}

type question struct {
	text   string
	answer chan string
}

func newEngine() *engine {
	e := &engine{asked: make(chan question)}
	e.child = proc.New(proc.Config{
		Name: "engine", Path: os.Args[0], Args: []string{"-test.run=^TestChaosChild$"},
		Env: []string{"SOLO_CHAOS_CHILD=1"}, Talk: e.talk, Ready: supervise.Ready,
	})
	return e
}

func (e *engine) talk(ctx context.Context, in io.WriteCloser, out io.Reader) error {
	answers := bufio.NewScanner(out)
	for {
		select {
		case q := <-e.asked:
			if _, err := fmt.Fprintln(in, q.text); err != nil || !answers.Scan() {
				close(q.answer)
				return errors.Join(err, answers.Err(), io.ErrUnexpectedEOF)
			}
			q.answer <- answers.Text()
		case <-ctx.Done():
			return nil
		}
	}
}

func (e *engine) ask(ctx context.Context, text string) (string, error) {
	for {
		q := question{text, make(chan string, 1)}
		select {
		case e.asked <- q:
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
		select {
		case answer, ok := <-q.answer:
			if ok {
				return answer, nil
			}
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}

type service struct {
	name  string
	serve func(context.Context) error
}

func (s service) String() string                  { return s.name }
func (s service) Serve(ctx context.Context) error { return s.serve(ctx) }

func kill(t *testing.T, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		t.Fatal(pid, err)
	}
}

// running is false for a child that was waited for.
func running(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && p.Signal(os.Interrupt) == nil
}
