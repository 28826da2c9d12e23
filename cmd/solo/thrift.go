package main

import (
	"context"
	"os"
	"runtime"
	"sync"
	"time"

	ps "github.com/shirou/gopsutil/v4/process"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/supervise"
)

// thrift keeps Go to one processor while Solo only listens. With more, every frame of the microphone wakes threads that
// look for work and find none, which takes more time than the listening. It is a supervise.Service.
type thrift struct {
	all int // processors that there are

	mu    sync.Mutex
	lean  bool
	woken time.Time // when there was last something to do
}

// Shares of a processor and times.
const (
	thriftLook  = time.Second
	thriftAfter = 5 * time.Second // so long after there was something to do
	thriftCalm  = 0.15            // used by what only listens, and some more
	thriftBusy  = 0.35            // used by what needs more than one
)

// newThrift is nil where there is nothing to save, or the user has chosen.
func newThrift(b *bus.Bus) *thrift {
	all := runtime.GOMAXPROCS(0)
	if all < 2 || os.Getenv("GOMAXPROCS") != "" {
		return nil
	}
	t := &thrift{all: all, woken: time.Now()}
	b.Tap(func(_ bus.Meta, v any) {
		if st, ok := v.(event.StateChanged); ok && st.State != event.Idle && st.State != event.Muted {
			t.rouse()
		}
	})
	return t
}

// giveThrift saves where a microphone is listened to for hours.
func (s *assistant) giveThrift() []supervise.Service {
	if s.levels != nil {
		s.thrift = newThrift(&s.bus)
	}
	if s.thrift == nil {
		return nil
	}
	return []supervise.Service{s.thrift}
}

func (*thrift) String() string { return "thrift" }

// rouse gives all processors back at once.
func (t *thrift) rouse() {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.woken = time.Now()
	if t.lean {
		t.lean = false
		runtime.GOMAXPROCS(t.all)
	}
}

// Serve looks now and then how much there is to do, until ctx ends.
func (t *thrift) Serve(ctx context.Context) error {
	supervise.Ready(ctx)
	defer t.rouse()
	own, err := ps.NewProcessWithContext(ctx, int32(os.Getpid()))
	if err != nil {
		return nil // a system that does not tell is left as it is
	}
	beat := time.NewTicker(thriftLook)
	defer beat.Stop()
	used, at := spent(ctx, own), time.Now()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-beat.C:
		}
		now, when := spent(ctx, own), time.Now()
		t.weigh((now - used) / when.Sub(at).Seconds())
		used, at = now, when
	}
}

// weigh decides by the share of a processor that was used lately.
func (t *thrift) weigh(share float64) {
	if share > thriftBusy {
		t.rouse()
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.lean && share < thriftCalm && time.Since(t.woken) > thriftAfter {
		t.lean = true
		runtime.GOMAXPROCS(1)
	}
}

// spent is the processor time of a process, in seconds.
func spent(ctx context.Context, p *ps.Process) float64 {
	t, err := p.TimesWithContext(ctx)
	if err != nil {
		return 0
	}
	return t.User + t.System
}
