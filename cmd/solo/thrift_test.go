package main

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/event"
)

// At rest one processor is enough; whatever there is to do has all of them at once.
func TestThrift(t *testing.T) {
	t.Setenv("GOMAXPROCS", "")
	all := runtime.GOMAXPROCS(0)
	if all < 2 {
		t.Skip("skipped: one processor only")
	}
	defer runtime.GOMAXPROCS(all)
	synctest.Test(t, func(t *testing.T) {
		var b bus.Bus
		th := newThrift(&b)
		procs := func(want int, when string) {
			t.Helper()
			if n := runtime.GOMAXPROCS(0); n != want {
				t.Errorf("%s: %d processors, want %d", when, n, want)
			}
		}
		th.weigh(0.02)
		procs(all, "just begun")
		time.Sleep(thriftAfter + time.Second)
		th.weigh(0.2)
		procs(all, "with something to do")
		th.weigh(0.03)
		procs(1, "at rest")
		th.weigh(0.2)
		procs(1, "with a little to do")
		th.weigh(0.9)
		procs(all, "with much to do")
		time.Sleep(thriftAfter + time.Second)
		th.weigh(0.03)
		procs(1, "at rest again")
		state := bus.Publisher[event.StateChanged](&b, "test")
		_ = state.Publish(t.Context(), event.StateChanged{State: event.Idle})
		procs(1, "still idle")
		_ = state.Publish(t.Context(), event.StateChanged{State: event.Listening})
		procs(all, "listening")
		th.weigh(0.03)
		procs(all, "during a turn")
	})
	t.Setenv("GOMAXPROCS", "2")
	if newThrift(new(bus.Bus)) != nil {
		t.Error("the user's choice is overruled")
	}
}
