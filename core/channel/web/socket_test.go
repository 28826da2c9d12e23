package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/fasthttp/websocket"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/consent"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/job"
	"github.com/solo-assistant/solo/models"
)

// told is one message of the door.
type told struct {
	Type    string         `json:"type"`
	Run     string         `json:"run"`
	Seq     uint64         `json:"seq"`
	Event   uint64         `json:"event"`
	Cause   uint64         `json:"cause"`
	Turn    uint64         `json:"turn"`
	From    string         `json:"from"`
	Missed  uint64         `json:"missed"`
	Version string         `json:"version"`
	DBFS    float64        `json:"dbfs"`
	Data    map[string]any `json:"data"`
}

// reader is one open WebSocket.
type reader struct {
	t testing.TB
	*websocket.Conn
}

var dialer = websocket.Dialer{HandshakeTimeout: 10 * time.Second}

func (h *home) dial(query string, more http.Header) (*websocket.Conn, *http.Response, error) {
	head := http.Header{"Authorization": {"Bearer " + h.token}}
	for k, v := range more {
		head[k] = v
	}
	return dialer.Dial("ws://"+h.addr+"/ws"+query, head)
}

func (h *home) socket(query string) *reader {
	h.t.Helper()
	conn, _, err := h.dial(query, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = conn.Close() })
	return &reader{h.t, conn}
}

func (r *reader) next() (m told) {
	r.t.Helper()
	_ = r.SetReadDeadline(time.Now().Add(10 * time.Second))
	_, text, err := r.ReadMessage()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		r.t.Fatalf("%s: %v", text, err)
	}
	return m
}

func TestEventsAreTold(t *testing.T) {
	var b bus.Bus
	type odd struct{ N int }
	h := openDoor(t, func(c *web.Config) {
		c.Bus = &b
		c.More = func(v any) (string, any) {
			if o, ok := v.(odd); ok {
				return "odd", map[string]int{"n": o.N}
			}
			return "", nil
		}
	})
	r := h.socket("")
	if m := r.next(); m.Type != "hello" || m.Run == "" || m.Version != "1.2.3" || m.Seq != 0 {
		t.Fatalf("%+v", m)
	}
	ctx, turn := bus.NewTurn(bus.With(t.Context(), &bus.Meta{Seq: 41}))
	say(t, &b, ctx, struct{}{}) // nobody's business
	for i, tt := range []struct {
		publish func()
		want    string
	}{
		{func() { say(t, &b, ctx, event.StateChanged{State: event.Listening}) }, `state map[state:listening]`},
		{func() { say(t, &b, ctx, event.Woke{Word: "solo", Score: math.NaN(), At: time.Second}) }, `woke map[at_ms:1000 score:<nil> word:solo]`},
		{func() { say(t, &b, ctx, event.Partial{Text: "what", Stable: true}) }, `partial map[stable:true text:what]`},
		{func() {
			say(t, &b, ctx, event.Heard{Text: "what time is it", Sure: 0.5, Engine: "typed", End: time.Second})
		},
			`heard map[end_ms:1000 engine:typed start_ms:0 sure:0.5 text:what time is it]`},
		{func() { say(t, &b, ctx, event.Misheard{Why: "no words"}) }, `misheard map[why:no words]`},
		{func() {
			say(t, &b, ctx, event.Understood{Intent: "clock.time", Slots: map[string]string{"zone": "here"}})
		}, `understood map[intent:clock.time slots:map[zone:here]]`},
		{func() {
			say(t, &b, ctx, event.Acted{Tool: "t", Arguments: json.RawMessage(`{"a":1}`), Status: "ok", Source: "bees.pdf"})
		}, `acted map[arguments:map[a:1] source:bees.pdf status:ok took_ms:0 tool:t]`},
		{func() {
			say(t, &b, ctx, event.Acted{Tool: "t", Arguments: json.RawMessage(`{broken`), Status: "failed"})
		}, `acted map[arguments:<nil> source: status:failed took_ms:0 tool:t]`},
		{func() { say(t, &b, ctx, event.Replied{Text: "It is nine."}) }, `replied map[text:It is nine.]`},
		{func() { say(t, &b, ctx, event.Interrupted{Spoken: "It"}) }, `interrupted map[spoken:It]`},
		{func() { say(t, &b, ctx, event.Turned{Outcome: "answered", STT: 7 * time.Millisecond}) },
			`turned map[endpoint_ms:0 first_audio_ms:0 heard: outcome:answered spoken: stt_ms:7 think_ms:0 total_ms:7]`},
		{func() { say(t, &b, ctx, event.Due{Kind: "timer", ID: 3, Text: "tea"}) }, `due map[at:0001-01-01T00:00:00Z how: id:3 kind:timer late_ms:0 text:tea]`},
		{func() {
			say(t, &b, ctx, job.Changed{Job: job.Job{ID: 4, Title: "x", State: job.Running, Progress: 0.5}})
		},
			`job map[doing: id:4 kind: progress:0.5 state:running title:x why:]`},
		{func() { say(t, &b, ctx, job.Ended{Job: job.Job{ID: 4, State: job.Failed, Why: "no"}}) }, `job map[doing: id:4 kind: progress:0 state:failed title: why:no]`},
		{func() {
			say(t, &b, ctx, consent.Wanted{Approval: consent.Approval{ID: "a", Say: "Send it?", Messages: []models.Message{{Role: models.User, Text: "hi"}}}})
		}, `approval map[arguments:<nil> id:a messages:[map[role:user text:hi]] model: provider: say:Send it? tool: until:0001-01-01T00:00:00Z]`},
		{func() { say(t, &b, ctx, consent.Decided{ID: "a", Granted: true}) }, `decided map[granted:true id:a]`},
		{func() { say(t, &b, ctx, odd{3}) }, `odd map[n:3]`},
	} {
		tt.publish()
		m := r.next()
		if got := fmt.Sprintf("%s %v", m.Type, m.Data); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
		if m.Seq != uint64(i+1) || m.Event != uint64(i+2) || m.Turn != turn || m.Cause != 41 || m.From != "test" {
			t.Errorf("%d: %+v", i, m)
		}
	}
	say(t, &b, ctx, event.Level{DBFS: -40})
	if m := r.next(); m.Type != "level" || m.DBFS != -40 || m.Seq != 0 {
		t.Errorf("%+v", m)
	}
}

func say[T any](t testing.TB, b *bus.Bus, ctx context.Context, v T) {
	t.Helper()
	if err := bus.Publisher[T](b, "test").Publish(ctx, v); err != nil {
		t.Fatal(err)
	}
}

func TestReadersComeBack(t *testing.T) {
	var b bus.Bus
	h := openDoor(t, func(c *web.Config) { c.Bus, c.Kept = &b, 64 })
	first := h.socket("")
	run := first.next().Run
	number := func(from, to int) {
		for i := from; i <= to; i++ {
			say(t, &b, t.Context(), event.Replied{Text: fmt.Sprint(i)})
			if m := first.next(); m.Seq != uint64(i) || m.Data["text"] != fmt.Sprint(i) {
				t.Fatalf("%d: %+v", i, m)
			}
		}
	}
	number(1, 40)
	// expect reads events from .. to.
	expect := func(r *reader, from, to int) {
		t.Helper()
		for i := from; i <= to; i++ {
			if m := r.next(); m.Seq != uint64(i) || m.Type != "replied" {
				t.Fatalf("got %+v, want %d", m, i)
			}
		}
	}
	back := h.socket("?run=" + run + "&after=25")
	if m := back.next(); m.Seq != 40 {
		t.Errorf("%+v", m)
	}
	expect(back, 26, 40)
	number(41, 100)
	expect(back, 41, 100)
	late := h.socket("?run=" + run + "&after=10") // only the last 64 are kept
	late.next()
	if m := late.next(); m.Type != "gap" || m.Missed != 26 {
		t.Errorf("%+v", m)
	}
	expect(late, 37, 100)
	for _, query := range []string{"?run=another&after=90", "?after=90", "?run=" + run + "&after=5000"} { // from before a restart
		r := h.socket(query)
		r.next()
		if m := r.next(); m.Type != "gap" || m.Missed != 0 {
			t.Errorf("%s: %+v", query, m)
		}
		expect(r, 37, 100)
	}
	h.wants(400, "invalid", "GET", "/ws?after=-1", "", nil)
	h.wants(426, "upgrade_required", "GET", "/ws", "", nil)
}

func TestWhoMayOpenASocket(t *testing.T) {
	var b bus.Bus
	h := openDoor(t, func(c *web.Config) { c.Bus, c.Sockets = &b, 4 })
	cookie := h.cookie()
	for name, tt := range map[string]struct {
		head http.Header
		want int
	}{
		"token":                {http.Header{}, 101},
		"token, own page":      {http.Header{"Origin": {h.url}}, 101},
		"cookie, own page":     {http.Header{"Authorization": nil, "Cookie": {cookie}, "Origin": {h.url}}, 101},
		"nothing":              {http.Header{"Authorization": nil}, 401},
		"own page, nothing":    {http.Header{"Authorization": nil, "Origin": {h.url}}, 401},
		"cookie, no page":      {http.Header{"Authorization": nil, "Cookie": {cookie}}, 403},
		"cookie, other page":   {http.Header{"Authorization": nil, "Cookie": {cookie}, "Origin": {"https://evil.example"}}, 403},
		"cookie, other port":   {http.Header{"Authorization": nil, "Cookie": {cookie}, "Origin": {"http://127.0.0.1:1"}}, 403},
		"cookie, sandbox":      {http.Header{"Authorization": nil, "Cookie": {cookie}, "Origin": {"null"}}, 403},
		"token, other page":    {http.Header{"Origin": {"https://evil.example"}}, 403},
		"rebound name":         {http.Header{"Host": {"evil.example"}}, 421},
		"rebound name, origin": {http.Header{"Host": {"evil.example"}, "Origin": {"http://evil.example"}}, 421},
	} {
		t.Run(name, func(t *testing.T) {
			conn, resp, err := h.dial("", tt.head)
			if err == nil {
				conn.Close()
			}
			if resp == nil || resp.StatusCode != tt.want {
				t.Errorf("got %v, %v", resp, err)
			}
		})
	}
	for range 50 { // those that have left make room
		if conn, _, err := h.dial("", nil); err == nil {
			conn.Close()
		}
	}
	var open []*websocket.Conn
	var last int
	for range 10 {
		conn, resp, err := h.dial("", nil)
		if err == nil {
			defer conn.Close()
			_ = conn.SetReadDeadline(time.Now().Add(5 * time.Second))
			if _, _, err := conn.ReadMessage(); err != nil {
				continue // many came at once: this one is let in and sent away
			}
			open = append(open, conn)
		} else if resp != nil {
			last = resp.StatusCode
		}
	}
	if len(open) > 4 || len(open) == 0 || last != 503 {
		t.Errorf("%d are open, then %d", len(open), last)
	}
}

// What a reader says is not listened to, and too long a message ends it.
func TestASocketIsOnlyToldTo(t *testing.T) {
	var b bus.Bus
	h := openDoor(t, func(c *web.Config) { c.Bus = &b })
	r := h.socket("")
	r.next()
	for _, text := range bodies[:20] {
		if err := r.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	say(t, &b, t.Context(), event.Replied{Text: "still here"})
	if m := r.next(); m.Type != "replied" {
		t.Errorf("%+v", m)
	}
	_ = r.WriteMessage(websocket.BinaryMessage, make([]byte, 1<<20)) // may be cut already
	if _, _, err := r.ReadMessage(); err == nil {
		t.Error("a message without end was read")
	}
	for _, frame := range []string{"\xff\xff\xff", "\x81\x00", "\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00", "\x80\x80\x00\x00\x00\x00", "\x89\xfe\x01\x00\x00\x00\x00\x00"} {
		r := h.socket("")
		r.next()
		_, _ = r.NetConn().Write([]byte(frame))
		_ = r.SetReadDeadline(time.Now().Add(5 * time.Second))
		if _, _, err := r.ReadMessage(); err == nil || strings.Contains(err.Error(), "timeout") {
			t.Errorf("%q: %v", frame, err)
		}
	}
}

// Readers who take nothing make nobody wait, and cost a bounded amount of memory.
func TestStalledReaders(t *testing.T) {
	var b bus.Bus
	h := openDoor(t, func(c *web.Config) { c.Bus, c.Stall = &b, 300*time.Millisecond })
	for range 20 {
		h.socket("")
	}
	good := h.socket("")
	good.next()
	done := make(chan uint64, 1)
	go func() {
		_ = good.SetReadDeadline(time.Now().Add(20 * time.Second))
		var seen uint64
		for {
			_, text, err := good.ReadMessage()
			var m told
			if err != nil || json.Unmarshal(text, &m) != nil || m.Type == "misheard" {
				done <- seen
				return
			}
			if m.Type == "replied" {
				seen++
			}
		}
	}()
	text := strings.Repeat("x", 1000)
	var worst time.Duration
	for i := range 20000 {
		began := time.Now()
		say(t, &b, t.Context(), event.Replied{Text: text})
		worst = max(worst, time.Since(began))
		if i%100 == 0 {
			time.Sleep(time.Millisecond) // nobody speaks without end
		}
	}
	for {
		say(t, &b, t.Context(), event.Misheard{Why: "the end"})
		select {
		case seen := <-done:
			t.Logf("of 20000 events the good reader had %d; the slowest took %v to publish", seen, worst)
			if seen < 4000 || worst > time.Second {
				t.Error("the stalled readers were felt")
			}
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func TestAThousandIdleSockets(t *testing.T) {
	var b bus.Bus
	h := openDoor(t, func(c *web.Config) { c.Bus, c.Status = &b, status })
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var all []*reader
	for range 1000 {
		all = append(all, h.socket(""))
	}
	for _, r := range all {
		r.next()
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	per := (int64(after.HeapInuse+after.StackInuse) - int64(before.HeapInuse+before.StackInuse)) / 1000
	t.Logf("%d bytes a socket, the reader's end included", per)
	if per > 100<<10 {
		t.Errorf("%d bytes a socket", per)
	}
	began := time.Now()
	h.wants(200, "", "GET", "/status", "", nil)
	if took := time.Since(began); took > time.Second {
		t.Errorf("/status took %v", took)
	}
	say(t, &b, t.Context(), event.Replied{Text: "all"})
	for _, r := range all {
		if m := r.next(); m.Type != "replied" {
			t.Fatalf("%+v", m)
		}
	}
}

func TestTheEndOfTheDoorIsTold(t *testing.T) {
	var r *reader
	t.Run("open", func(t *testing.T) {
		var b bus.Bus
		h := openDoor(t, func(c *web.Config) { c.Bus = &b })
		conn, _, err := h.dial("", nil)
		if err != nil {
			t.Fatal(err)
		}
		r = &reader{t, conn}
		r.next()
	})
	defer r.Close()
	began := time.Now()
	if _, _, err := r.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseGoingAway) || time.Since(began) > time.Second {
		t.Error(err)
	}
}
