package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fasthttp/websocket"
)

const (
	readers      = 500
	eventsASec   = 50
	readFor      = 20 * time.Second
	stalled      = 20
	stalledTurns = 300 // in each block
	blocks       = 8   // with and without, in turn
)

// socket opens a WebSocket to the events. room, where it is not 0, is how little the system may take for a reader who
// takes nothing itself, in bytes.
func (d *doorway) socket(room int) (*websocket.Conn, error) {
	dial := websocket.Dialer{HandshakeTimeout: 30 * time.Second, ReadBufferSize: 1024, WriteBufferSize: 256, NetDial: func(network, addr string) (net.Conn, error) {
		conn, err := net.Dial(network, addr)
		if tcp, ok := conn.(*net.TCPConn); ok && room > 0 {
			err = tcp.SetReadBuffer(room)
		}
		return conn, err
	}}
	conn, resp, err := dial.Dial("ws"+strings.TrimPrefix(d.url, "http")+"/ws", http.Header{"Authorization": {"Bearer " + d.token}})
	if resp != nil {
		_ = resp.Body.Close() // what a refusal says is in err
	}
	return conn, err
}

// crowd are readers of the events.
type crowd struct {
	conns        []*websocket.Conn
	wg           sync.WaitGroup
	events, gaps atomic.Int64
	broken       atomic.Int64
	leaving      atomic.Bool
	each         []atomic.Int64
}

// gather opens n readers, who read until they leave.
func (d *doorway) gather(n int) (*crowd, error) {
	c := &crowd{each: make([]atomic.Int64, n)}
	for i := range n {
		conn, err := d.socket(0)
		if err != nil {
			c.leave()
			return nil, fmt.Errorf("reader %d: %w", i, err)
		}
		c.conns = append(c.conns, conn)
		c.wg.Go(func() { c.read(conn, i) })
	}
	return c, nil
}

func (c *crowd) read(conn *websocket.Conn, i int) {
	for {
		_, text, err := conn.ReadMessage()
		switch {
		case err != nil:
			if !c.leaving.Load() {
				c.broken.Add(1)
			}
			return
		case bytes.HasPrefix(text, []byte(`{"type":"gap"`)):
			c.gaps.Add(1)
		case bytes.HasPrefix(text, []byte(`{"type":"level"`)), bytes.HasPrefix(text, []byte(`{"type":"hello"`)):
		default:
			c.events.Add(1)
			c.each[i].Add(1)
		}
	}
}

func (c *crowd) leave() {
	c.leaving.Store(true)
	for _, conn := range c.conns {
		_ = conn.Close()
	}
	c.wg.Wait()
}

// extremes are the fewest and the most events that one reader had.
func (c *crowd) extremes() (least, most int64) {
	least = c.each[0].Load()
	for i := range c.each {
		n := c.each[i].Load()
		least, most = min(least, n), max(most, n)
	}
	return least, most
}

func measureReaders(ctx context.Context, b *bench) (section, error) {
	d, err := b.door(ctx, "web-readers", unlimited...)
	if err != nil {
		return section{}, err
	}
	defer d.end()
	pid := d.cmd.Process.Pid
	one, err := d.gather(1)
	if err != nil {
		return section{}, err
	}
	defer one.leave()
	for range 20 { // until it has what it keeps
		if _, err := d.turn(ctx); err != nil {
			return section{}, err
		}
	}
	time.Sleep(2 * time.Second)
	perTurn := float64(one.events.Load()) / 20
	if perTurn == 0 {
		return section{}, fmt.Errorf("a turn tells no events")
	}
	before, most := resident(pid), watch(pid)
	all, err := d.gather(readers)
	if err != nil {
		most()
		return section{}, err
	}
	start := one.events.Load()
	err = d.chatter(ctx, time.Duration(perTurn*float64(time.Second)/eventsASec), readFor)
	time.Sleep(time.Second)
	made := one.events.Load() - start
	top := most()
	least, greatest := all.extremes()
	gaps, broken := all.gaps.Load(), all.broken.Load()
	all.leave()
	time.Sleep(3 * time.Second)
	after := resident(pid)
	t := newTable("", "")
	t.row("events a second", figure(float64(made)/readFor.Seconds()))
	t.row("events that happened; fewest and most that one reader had", fmt.Sprintf("%d; %d and %d", made, least, greatest))
	t.row("readers who were told of a gap; who were cut off", fmt.Sprintf("%d; %d", gaps, broken))
	t.row("memory before, MB", figure(before))
	t.row("most memory with them, MB", figure(top))
	t.row("memory 3 s after they left, MB", figure(after))
	t.row("memory a reader, KB", figure((top-before)*1000/readers))
	return section{
		goals: []goal{atMost(fmt.Sprintf("memory for %d WebSocket readers", readers), top-before, 50, "MB"), atLeast("readers who missed nothing", readers-int(min(gaps+broken, readers)), readers, readers)},
		text:  fmt.Sprintf("%d readers hang on `/ws` of a `solo run` for %v while typed turns make the events. Memory is the resident set.\n\n", readers, readFor) + t.String(),
	}, err
}

// chatter holds a turn every so often, for a time.
func (d *doorway) chatter(ctx context.Context, every, length time.Duration) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for end := time.Now().Add(length); time.Now().Before(end); {
		if _, err := d.turn(ctx); err != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// measureStalled holds typed turns in blocks, every other one while dashboards take nothing of what they are told.
func measureStalled(ctx context.Context, b *bench) (section, error) {
	d, err := b.door(ctx, "web-stalled", unlimited...)
	if err != nil {
		return section{}, err
	}
	defer d.end()
	if _, err := d.turns(ctx, 2*stalledTurns); err != nil { // warm
		return section{}, err
	}
	var free, hung []float64
	for i := range 2 * blocks {
		hang, into := 0, &free
		if i%4 == 1 || i%4 == 2 { // what drifts meets both alike
			hang, into = stalled, &hung
		}
		took, err := d.block(ctx, hang)
		if err != nil {
			return section{}, err
		}
		*into = append(*into, took...)
	}
	more := 100 * (percentile(hung, 0.95)/percentile(free, 0.95) - 1)
	t := newTable("a typed turn, ms", "p50", "p95", "p99")
	t.row("nobody looks on", figure(percentile(free, 0.5)), figure(percentile(free, 0.95)), figure(percentile(free, 0.99)))
	t.row(fmt.Sprintf("%d dashboards that take nothing", stalled), figure(percentile(hung, 0.5)), figure(percentile(hung, 0.95)), figure(percentile(hung, 0.99)))
	return section{
		goals: []goal{atMost(fmt.Sprintf("a turn's p95 with %d stalled dashboards, longer by", stalled), more, 5, "%")},
		text: fmt.Sprintf("%d turns of each kind in blocks of %d that take turns. A dashboard that takes nothing has a WebSocket whose buffers are full before the block begins.\n\n",
			len(free), stalledTurns) + t.String(),
	}, nil
}

func (d *doorway) turns(ctx context.Context, n int) (took []float64, err error) {
	for range n {
		ms, err := d.turn(ctx)
		if err != nil {
			return took, err
		}
		took = append(took, ms)
	}
	return took, nil
}

// longTurn is a turn whose events are long. It needs no language model either.
var longTurn = `{"message":"what time is it` + strings.Repeat(" please", 3000) + `"}`

// block holds some turns while so many readers take nothing. The long turns before them fill what the system holds for a
// reader, 4 MB and more; they come before every block, so that what they leave to do meets all alike.
func (d *doorway) block(ctx context.Context, hang int) ([]float64, error) {
	for range hang {
		conn, err := d.socket(2048)
		if err != nil {
			return nil, err
		}
		defer conn.Close()
	}
	for range 100 {
		if _, err := d.ask(ctx, http.MethodPost, "/chat", longTurn); err != nil {
			return nil, err
		}
	}
	return d.turns(ctx, stalledTurns)
}
