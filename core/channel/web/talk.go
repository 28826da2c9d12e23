package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/gofiber/contrib/websocket"
	"github.com/gofiber/fiber/v2"

	"github.com/solo-assistant/solo/audio"
)

func (d *Door) talkRoutes() []route {
	if d.c.Talk == nil {
		return nil
	}
	return []route{{method: http.MethodGet, path: "/ws/audio", does: "a WebSocket that carries sound, 16-bit 16 kHz mono, to and from the assistant", status: http.StatusSwitchingProtocols,
		query: []param{{name: "session_id", does: "the talk that it belongs to, as in POST /chat", is: "string"}}, handle: d.line}}
}

func (d *Door) line(c *fiber.Ctx) error {
	ctx, _, err := d.allowed(c.UserContext(), "", c.Query("session_id"))
	if err != nil {
		return err
	}
	c.SetUserContext(ctx)
	return d.socket(c, d.talk)
}

// lineHello is the first message of a line.
type lineHello struct {
	Type string `json:"type"`
	Rate int    `json:"rate"`
}

// talk runs one line until the browser leaves, Config.Talk returns, or ctx ends.
func (d *Door) talk(ctx context.Context, conn *websocket.Conn) {
	ctx, cancel := context.WithCancel(ctx)
	s := &socket{conn: conn}
	if !s.sendAll([]any{lineHello{"hello", audio.Rate}}) {
		cancel()
		return
	}
	l := newLine(conn.WriteMessage)
	var working sync.WaitGroup
	defer working.Wait()
	defer l.leave()
	defer cancel()
	working.Go(func() { s.ping(ctx) })
	working.Go(func() {
		defer conn.Close() // frees the reading below
		err := d.talking(ctx, l)
		if err != nil && ctx.Err() == nil {
			l.writing.Lock()
			s.sendAll([]any{lineFault{"error", faultOf(err)}})
			l.writing.Unlock()
		}
		s.bye(websocket.CloseGoingAway, "the line is closed")
	})
	s.hear(l)
}

// lineFault tells why a line ends.
type lineFault struct {
	Type  string `json:"type"`
	Error *Fault `json:"error"`
}

// talking runs Config.Talk; its panic ends the line alone.
func (d *Door) talking(ctx context.Context, l *Line) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("a line broke: %v", v)
			d.c.Log.Error().Any("panic", v).Msg("a line of the web door broke")
		}
	}()
	return d.c.Talk(ctx, l)
}

// ping asks now and then whether the reader is still there.
func (s *socket) ping(ctx context.Context) {
	t := time.NewTicker(pingEvery)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			if s.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(pongWithin)) != nil {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// hear gives a line what the browser sends, until that leaves.
func (s *socket) hear(l *Line) {
	s.attend(lineSaid, func(kind int, data []byte) {
		if kind == websocket.BinaryMessage {
			l.take(data)
			return
		}
		var m struct{ Type string }
		if json.Unmarshal(data, &m) == nil && (m.Type == lineHeld || m.Type == lineLetGo) {
			l.press(m.Type == lineHeld)
		}
	})
}
