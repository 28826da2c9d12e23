package web

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/event"
)

// diary keeps the last events, written once for all readers. A reader holds only its place, so a slow one costs nothing
// and delays no one; one that falls too far behind is told that it missed some.
type diary struct {
	run     string // names this run of the program: its numbers begin anew
	more    func(any) (string, any)
	inbox   chan entry
	dropped atomic.Uint64
	readers atomic.Int64 // that follow now

	mu    sync.Mutex
	lines [][]byte // a ring
	next  uint64   // number of the next line; the first is 1
	level []byte   // the last loudness, which is not kept in the ring
	loud  uint64   // how many loudnesses there were
	grown chan struct{}
}

type entry struct {
	meta bus.Meta
	val  any
}

// inboxSize is how many events may wait to be written; a burst of more is dropped rather than delay a turn.
const inboxSize = 2048

func newDiary(size int, more func(any) (string, any)) *diary {
	return &diary{run: random(8), more: more, inbox: make(chan entry, inboxSize), lines: make([][]byte, size), next: 1, grown: make(chan struct{})}
}

// hear is the bus's tap: it runs inside of Publish.
func (d *diary) hear(m bus.Meta, v any) {
	if _, ok := v.(event.Level); ok && d.readers.Load() == 0 {
		return // it comes twenty times a second, and nobody reads it later
	}
	select {
	case d.inbox <- entry{m, v}:
	default:
		d.dropped.Add(1)
	}
}

// write takes down what was heard until ctx ends.
func (d *diary) write(ctx context.Context) {
	for {
		select {
		case e := <-d.inbox:
			d.take(e)
		case <-ctx.Done():
			return
		}
	}
}

// line is an event as readers get it.
type line struct {
	Type  string    `json:"type"`
	Seq   uint64    `json:"seq"`
	At    time.Time `json:"at"`
	Turn  uint64    `json:"turn,omitempty"`
	Event uint64    `json:"event"`           // number on the bus
	Cause uint64    `json:"cause,omitempty"` // number on the bus of what led to it
	From  string    `json:"from"`
	Data  any       `json:"data"`
}

func (d *diary) take(e entry) {
	if l, ok := e.val.(event.Level); ok {
		d.hush(l)
		return
	}
	kind, data := d.named(e.val)
	if kind == "" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	text, err := json.Marshal(line{Type: kind, Seq: d.next, At: e.meta.At, Turn: e.meta.Turn, Event: e.meta.Seq, Cause: e.meta.Cause, From: e.meta.From, Data: data})
	if err != nil {
		d.dropped.Add(1)
		return
	}
	d.lines[d.next%uint64(len(d.lines))] = text
	d.next++
	d.wake()
}

func (d *diary) named(v any) (string, any) {
	if kind, f := factOf(v); kind != "" {
		return kind, f
	}
	if d.more == nil {
		return "", nil
	}
	return d.more(v)
}

// hush notes the loudness of the microphone; only the last one counts.
func (d *diary) hush(l event.Level) {
	text, err := json.Marshal(map[string]any{"type": "level", "dbfs": finite(l.DBFS)})
	if err != nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.level = text
	d.loud++
	d.wake()
}

func (d *diary) wake() {
	close(d.grown)
	d.grown = make(chan struct{})
}

// place is how far a reader is.
type place struct {
	seq  uint64 // last line read
	loud uint64
}

// begin gives the place of a reader who read up to after in the run that it names; false where lines are missing between.
func (d *diary) begin(run string, after uint64, knows bool) (p place, all bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case !knows:
		return place{seq: d.next - 1, loud: d.loud}, true
	case run != d.run || after >= d.next:
		return place{seq: d.oldest() - 1}, false
	}
	return place{seq: after}, true
}

func (d *diary) oldest() uint64 {
	if size := uint64(len(d.lines)); d.next > size {
		return d.next - size
	}
	return 1
}

// batch is how many lines a reader is given at once.
const batch = 64

// read gives what there is behind a place, how many lines are gone for ever, and what is closed when there is more.
func (d *diary) read(p place) (lines [][]byte, now place, gone uint64, grown <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if first := d.oldest(); p.seq+1 < first {
		gone = first - 1 - p.seq
		p.seq = first - 1
	}
	for ; p.seq+1 < d.next && len(lines) < batch; p.seq++ {
		lines = append(lines, d.lines[(p.seq+1)%uint64(len(d.lines))])
	}
	if p.loud != d.loud {
		lines, p.loud = append(lines, d.level), d.loud
	}
	return lines, p, gone, d.grown
}

func (d *diary) last() uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.next - 1
}
