package web

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/gofiber/contrib/websocket"
	"github.com/gofiber/fiber/v2"
)

const (
	pingEvery   = 25 * time.Second
	pongWithin  = 60 * time.Second
	longestSaid = 4 << 10 // bytes of one message of a reader
)

// crew counts the sockets that are open, and waits for them at the end.
type crew struct {
	mu     sync.Mutex
	n      int
	closed bool
	empty  chan struct{} // closed when closed and n is 0
}

func newCrew() *crew { return &crew{empty: make(chan struct{})} }

func (c *crew) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

func (c *crew) enter(most int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.n >= most {
		return false
	}
	c.n++
	return true
}

func (c *crew) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n--; c.closed && c.n == 0 {
		close(c.empty)
	}
}

// end lets no one in any more. empty tells when all have left.
func (c *crew) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.n == 0 {
		close(c.empty)
	}
}

func (d *Door) socketRoutes() []route {
	if d.c.Bus == nil {
		return nil
	}
	return []route{{method: http.MethodGet, path: "/ws", does: "a WebSocket that tells the events of the bus as they happen", status: http.StatusSwitchingProtocols, handle: d.upgrade,
		query: []param{
			{name: "run", does: "the run that the first message named", is: "string"},
			{name: "after", does: "the last seq that was read; what followed is told again. Without it only what is new is told", is: "integer"},
		}}}
}

// buffers lets idle sockets share what they write with.
var buffers sync.Pool

// upgrade opens a socket that tells events. Host, Origin and key were checked by then.
func (d *Door) upgrade(c *fiber.Ctx) error {
	after, err := strconv.ParseUint(c.Query("after", "0"), 10, 64)
	if err != nil {
		return invalid("after must be a number of an event.")
	}
	p, all := d.diary.begin(c.Query("run"), after, c.Query("after") != "")
	return d.socket(c, func(ctx context.Context, conn *websocket.Conn) { d.tell(ctx, conn, p, all) })
}

// socket makes a WebSocket of a request and has it served.
func (d *Door) socket(c *fiber.Ctx, serve func(ctx context.Context, conn *websocket.Conn)) error {
	crew := d.crewNow()
	if crew == nil || crew.count() >= d.c.Sockets {
		f := fault(http.StatusServiceUnavailable, "too_many_sockets", "web.sockets sets how many", "Too many WebSockets are open.")
		f.after = 5
		return f
	}
	ctx := c.UserContext()
	return websocket.New(func(conn *websocket.Conn) {
		if !crew.enter(d.c.Sockets) {
			return
		}
		defer crew.leave()
		serve(ctx, conn)
	}, websocket.Config{HandshakeTimeout: d.c.Head, ReadBufferSize: 512, WriteBufferSize: 4096, WriteBufferPool: &buffers, RecoverHandler: d.socketBroke})(c)
}

func (d *Door) socketBroke(*websocket.Conn) {
	if v := recover(); v != nil {
		d.c.Log.Error().Any("panic", v).Msg("a WebSocket broke")
	}
}

// hello is the first message. Run and seq are what a reader resumes from.
type hello struct {
	Type    string `json:"type"`
	Run     string `json:"run"`
	Seq     uint64 `json:"seq"`
	Version string `json:"version"`
}

// gap says that events are missing: as many as Missed, 0 where nobody knows.
type gap struct {
	Type   string `json:"type"`
	Missed uint64 `json:"missed"`
}

// tell runs one socket until its reader leaves or ctx ends.
func (d *Door) tell(ctx context.Context, conn *websocket.Conn, p place, all bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &socket{conn: conn}
	first := []any{hello{"hello", d.diary.run, d.diary.last(), d.c.Version}}
	if !all {
		first = append(first, gap{Type: "gap"})
	}
	var writing sync.WaitGroup
	defer writing.Wait()
	defer cancel()
	writing.Go(func() {
		defer conn.Close() // frees the reading below
		if s.sendAll(first) && s.follow(ctx, d.diary, p) {
			s.bye(websocket.CloseGoingAway, "Solo is closing")
		}
	})
	s.attend(longestSaid, func(int, []byte) {}) // it has nothing to say here
}

// socket is one WebSocket. One goroutine writes, another reads.
type socket struct{ conn *websocket.Conn }

// follow writes what the diary gets; true when ctx ended, false when the reader has left.
func (s *socket) follow(ctx context.Context, d *diary, p place) bool {
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	d.readers.Add(1)
	defer d.readers.Add(-1)
	for {
		lines, now, gone, grown := d.read(p)
		p = now
		if gone > 0 && !s.sendAll([]any{gap{"gap", gone}}) {
			return false
		}
		for _, l := range lines {
			if s.conn.WriteMessage(websocket.TextMessage, l) != nil {
				return false
			}
		}
		if len(lines) > 0 {
			if ctx.Err() != nil {
				return true
			}
			continue
		}
		select {
		case <-grown:
		case <-ping.C:
			if s.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(pongWithin)) != nil {
				return false
			}
		case <-ctx.Done():
			return true
		}
	}
}

func (s *socket) sendAll(messages []any) bool {
	for _, m := range messages {
		text, err := json.Marshal(m)
		if err != nil || s.conn.WriteMessage(websocket.TextMessage, text) != nil {
			return false
		}
	}
	return true
}

// attend hears what the reader sends, in messages of bounded size, until it leaves.
func (s *socket) attend(longest int64, take func(kind int, data []byte)) {
	s.conn.SetReadLimit(longest)
	again := func(string) error { return s.conn.SetReadDeadline(time.Now().Add(pongWithin)) }
	s.conn.SetPongHandler(again)
	_ = again("") // a dead connection shows at once below
	for {
		kind, data, err := s.conn.ReadMessage()
		if err != nil {
			return
		}
		_ = again("")
		take(kind, data)
	}
}

func (s *socket) bye(code int, why string) {
	_ = s.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, why), time.Now().Add(time.Second)) // it may have left
}
