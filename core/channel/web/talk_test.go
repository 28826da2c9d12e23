package web_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/fasthttp/websocket"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen"
	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/voices/speak"
)

var (
	_ listen.Source = (*web.Line)(nil)
	_ speak.Sink    = (*web.Line)(nil)
)

// echo says each frame again until the button is let go, then hushes and breaks.
func echo(left chan<- error) func(context.Context, *web.Line) error {
	return func(ctx context.Context, l *web.Line) error {
		up := false
		l.Button(func(down bool) { up = !down })
		for {
			if up {
				l.Hush()
				return errors.New("the echo is tired")
			}
			short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
			f, err := l.Read(short)
			cancel()
			switch {
			case errors.Is(err, io.EOF) || ctx.Err() != nil:
				left <- err
				return err
			case err == nil:
				if err := l.Play(ctx, f.PCM); err != nil {
					return err
				}
			}
		}
	}
}

func (h *home) line() *websocket.Conn {
	h.t.Helper()
	conn, _, err := dialer.Dial("ws://"+h.addr+"/ws/audio", http.Header{"Authorization": {"Bearer " + h.token}})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, text, err := conn.ReadMessage(); err != nil || string(text) != `{"type":"hello","rate":16000}` {
		h.t.Fatalf("%s %v", text, err)
	}
	return conn
}

func TestSoundGoesBothWays(t *testing.T) {
	left := make(chan error, 4)
	h := openDoor(t, func(c *web.Config) { c.Talk = echo(left) })
	conn := h.line()
	frame := make([]byte, 2*audio.FrameLen)
	for i := range frame {
		frame[i] = byte(i)
	}
	_ = conn.WriteMessage(websocket.TextMessage, []byte(`{"type":"down"}`))
	_ = conn.WriteMessage(websocket.TextMessage, []byte(`{broken`))
	_ = conn.WriteMessage(websocket.BinaryMessage, frame[:100])
	_ = conn.WriteMessage(websocket.BinaryMessage, frame[100:])
	kind, got, err := conn.ReadMessage()
	if err != nil || kind != websocket.BinaryMessage || string(got) != string(frame) {
		t.Fatalf("got %d bytes, %v", len(got), err)
	}
	_ = conn.WriteMessage(websocket.TextMessage, []byte(`{"type":"up"}`))
	var texts []string
	for {
		_, text, err := conn.ReadMessage()
		if err != nil {
			if !websocket.IsCloseError(err, websocket.CloseGoingAway) {
				t.Error(err)
			}
			break
		}
		texts = append(texts, string(text))
	}
	if len(texts) != 2 || texts[0] != `{"type":"hush"}` || !strings.Contains(texts[1], `"code":"internal"`) || strings.Contains(texts[1], "tired") {
		t.Errorf("got %q", texts)
	}
	other := h.line()
	other.Close()
	select {
	case err := <-left:
		if !errors.Is(err, io.EOF) && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Error("a line lives on without its browser")
	}
	big := h.line()
	_ = big.WriteMessage(websocket.BinaryMessage, make([]byte, 1<<20)) // may be cut already
	if _, _, err := big.ReadMessage(); err == nil {
		t.Error("a message without end was taken")
	}
	if conn, resp, err := dialer.Dial("ws://"+h.addr+"/ws/audio", http.Header{"Cookie": {h.cookie()}, "Origin": {"http://127.0.0.1:1"}}); err == nil || resp.StatusCode != 403 {
		conn.Close()
		t.Error("another page took the microphone")
	}
	h.wants(401, "no_token", "GET", "/ws/audio", "", header{"Authorization": ""})
}

func TestALineThatBreaksEndsAlone(t *testing.T) {
	h := openDoor(t, func(c *web.Config) {
		c.Talk = func(context.Context, *web.Line) error { panic("crossed wires") }
	})
	conn := h.line()
	if _, text, err := conn.ReadMessage(); err != nil || codeOf(string(text)) != "internal" {
		t.Errorf("%s %v", text, err)
	}
	h.wants(200, "", "GET", "/healthz", "", nil)
}
