package web_test

import (
	"bytes"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/event"
)

// Many readers at many events a second have every event, and cost a bounded amount of memory that is given back.
func TestManyReaders(t *testing.T) {
	readers, events := 100, 100
	if os.Getenv("SOLO_SOAK") == "1" {
		readers, events = 500, 1500
	}
	var b bus.Bus
	h := openDoor(t, func(c *web.Config) { c.Bus = &b })
	heap := func() int64 {
		runtime.GC()
		runtime.GC() // what pools hold goes with the second
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc + m.StackInuse)
	}
	before := heap()
	var all sync.WaitGroup
	var told atomic.Int64
	for range readers {
		r := h.socket("")
		r.next()
		all.Go(func() {
			_ = r.SetReadDeadline(time.Now().Add(2 * time.Minute))
			for n := 0; n < events; {
				_, text, err := r.ReadMessage()
				if err != nil || bytes.HasPrefix(text, []byte(`{"type":"gap"`)) {
					t.Errorf("after %d events: %s %v", n, text, err)
					return
				}
				n++
				told.Add(1)
			}
		})
	}
	tick := time.NewTicker(20 * time.Millisecond) // 50 a second
	defer tick.Stop()
	for range events {
		say(t, &b, t.Context(), event.Replied{Text: "It is a quarter past nine."})
		<-tick.C
	}
	all.Wait()
	grown := (heap() - before) / int64(readers)
	t.Logf("%d readers had %d events; %d bytes a reader, its own end included", readers, told.Load(), grown)
	if told.Load() != int64(readers*events) || grown > 100<<10 {
		t.Error("events were lost, or memory grew")
	}
}
