package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
)

const eventStream = "text/event-stream"

// beat is how often a stream that is silent says that it lives. By its failing the server learns that the reader has left.
const beat = time.Second

// streamer writes server-sent events. It may be used by several goroutines.
type streamer struct {
	mu     sync.Mutex
	w      *bufio.Writer
	plain  bool // without names of events, as the OpenAI API streams
	cancel context.CancelFunc
}

// stream answers with what work sends. done runs at the end, whether or not work ran. Work ends with the answer, at the
// latest when its reader leaves.
func stream(c *fiber.Ctx, ctx context.Context, done func(), work func(ctx context.Context, s *streamer) error) error {
	return streamAs(c, ctx, false, done, work)
}

func streamAs(c *fiber.Ctx, ctx context.Context, plain bool, done func(), work func(ctx context.Context, s *streamer) error) error {
	c.Set(fiber.HeaderContentType, eventStream)
	c.Set("X-Accel-Buffering", "no")
	c.Context().SetBodyStreamWriter(func(w *bufio.Writer) {
		defer done()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		s := &streamer{w: w, plain: plain, cancel: cancel}
		s.raw(": hello\n\n")
		var beating sync.WaitGroup
		beating.Go(func() { s.beat(ctx) })
		if err := safely(ctx, s, work); err != nil {
			s.fail(err)
		}
		cancel()
		beating.Wait()
	})
	return nil
}

// safely runs work; a panic of it would end the program, because no handler stands behind a stream any more.
func safely(ctx context.Context, s *streamer, work func(ctx context.Context, s *streamer) error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("a stream broke: %v", v)
		}
	}()
	return work(ctx, s)
}

func (s *streamer) beat(ctx context.Context) {
	t := time.NewTicker(beat)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			s.raw(": beat\n\n")
		case <-ctx.Done():
			return
		}
	}
}

// send sends one event; its data is JSON, which holds no line breaks.
func (s *streamer) send(event string, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		text, event = []byte(`{"error":{"code":"internal","message":"Something went wrong inside Solo."}}`), "error"
	}
	if s.plain {
		s.raw("data: " + string(text) + "\n\n")
		return
	}
	s.raw("event: " + event + "\ndata: " + string(text) + "\n\n")
}

func (s *streamer) fail(err error) {
	f := *faultOf(err)
	if s.plain {
		f.Type = "server_error"
		if f.Status < http.StatusInternalServerError {
			f.Type = "invalid_request_error"
		}
	}
	s.send("error", refusal{&f})
}

// raw sends text at once. A reader who has left ends the work.
func (s *streamer) raw(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.w.WriteString(text); err != nil {
		s.cancel()
		return
	}
	if err := s.w.Flush(); err != nil {
		s.cancel()
	}
}
