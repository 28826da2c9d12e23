package router_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/router"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// play is what an engine does with a request. false ends the stream without a word.
type play func(ctx context.Context, q models.Request, yield func(models.Delta, error) bool)

// engine is an engine that plays.
type engine struct {
	name  string
	cloud func(model string) bool
	play  play

	mu      sync.Mutex
	asked   []models.Request
	texts   [][]string // embedded
	running int
	most    int // running at the same time
}

func (e *engine) Name() string { return e.name }

func (e *engine) Cloud(model string) bool { return e.cloud != nil && e.cloud(model) }

func (e *engine) Stream(ctx context.Context, q models.Request) iter.Seq2[models.Delta, error] {
	return func(yield func(models.Delta, error) bool) {
		e.mu.Lock()
		e.asked = append(e.asked, q)
		e.running++
		e.most = max(e.most, e.running)
		e.mu.Unlock()
		defer func() {
			e.mu.Lock()
			e.running--
			e.mu.Unlock()
		}()
		e.play(ctx, q, yield)
	}
}

func (e *engine) Embed(ctx context.Context, model string, texts []string) ([][]float32, error) {
	e.mu.Lock()
	e.texts = append(e.texts, texts)
	e.mu.Unlock()
	if model == "hangs" {
		<-ctx.Done()
		return nil, models.ErrUnreachable
	}
	if model == "odd" {
		return nil, nil
	}
	return make([][]float32, len(texts)), nil
}

func (e *engine) Models(context.Context) ([]models.Info, error) {
	if e.play == nil {
		return nil, models.ErrUnreachable
	}
	return []models.Info{{ID: "m", Engine: e.name, Cloud: e.Cloud("m")}}, nil
}

func (e *engine) count() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.asked)
}

func always(string) bool { return true }

// saying answers with words, each after a pause.
func saying(pause time.Duration, words ...string) play {
	return func(ctx context.Context, _ models.Request, yield func(models.Delta, error) bool) {
		for _, w := range words {
			if pause > 0 && !sleep(ctx, pause) {
				yield(models.Delta{}, fmt.Errorf("%w: %w", models.ErrUnreachable, ctx.Err()))
				return
			}
			if !yield(models.Delta{Text: w}, nil) {
				return
			}
		}
	}
}

// failing says words and then fails.
func failing(err error, words ...string) play {
	return func(_ context.Context, _ models.Request, yield func(models.Delta, error) bool) {
		for _, w := range words {
			if !yield(models.Delta{Text: w}, nil) {
				return
			}
		}
		yield(models.Delta{}, err)
	}
}

func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// consent is what the user lets go, and what went.
type consent struct {
	approval string
	err      error
	deaf     error // the ledger's

	mu   sync.Mutex
	sent []models.Sending
}

func (c *consent) May(context.Context, string, []models.Message) (string, error) {
	return c.approval, c.err
}

func (c *consent) Sent(_ context.Context, s models.Sending) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.deaf == nil {
		c.sent = append(c.sent, s)
	}
	return c.deaf
}

// made builds a router and listens to its events.
func made(t testing.TB, c router.Config) (*router.Router, func() router.Asked) {
	t.Helper()
	c.Bus = &bus.Bus{}
	r, err := router.New(c)
	if err != nil {
		t.Fatal(err)
	}
	sub := bus.Subscribe[router.Asked](c.Bus, "test", 1000, bus.DropOldest)
	t.Cleanup(sub.Close)
	return r, func() router.Asked {
		t.Helper()
		select {
		case e := <-sub.C:
			return e.Val
		default:
			t.Fatal("no event was published")
			return router.Asked{}
		}
	}
}

// read reads a stream to its end.
func read(ctx context.Context, r *router.Router, q models.Request) (text string, u *models.Usage, err error) {
	var said strings.Builder
	for d, e := range r.Stream(ctx, q) {
		if e != nil {
			err = e
			continue
		}
		if u != nil {
			err = errors.New("something came behind the usage")
		}
		said.WriteString(d.Text)
		u = d.Usage
	}
	return said.String(), u, err
}

func words(text string) models.Request {
	return models.Request{Temperature: 1, Messages: []models.Message{{Role: models.User, Text: text}}}
}
