package llama

import (
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/solo-assistant/solo/models"
)

func soak(t *testing.T) {
	t.Helper()
	if os.Getenv("SOLO_SOAK") == "" {
		t.Skip("skipped: a long proof (SOLO_SOAK=1 runs it)")
	}
}

// 100 answers with a kill -9 at a random moment of each: every one ends whole, or broken off with its reason, and
// the next one is answered.
func TestManyDeaths(t *testing.T) {
	soak(t)
	d := serve(t, build4k(t, config4k(t)))
	r := rand.New(rand.NewPCG(3, 4))
	whole, broken := 0, 0
	var waits []time.Duration
	for range 100 {
		fuse := time.AfterFunc(time.Duration(r.IntN(60))*time.Millisecond, func() {
			if pid := d.Pid(); pid > 0 {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		})
		ask := story("Once upon a time")
		ask.MaxTokens = 400
		_, _, err := told(t.Context(), d.Server, ask)
		fuse.Stop()
		switch {
		case err == nil:
			whole++
		case errors.Is(err, models.ErrBroken) || errors.Is(err, models.ErrUnreachable):
			broken++
		default:
			t.Error(err)
		}
		began := time.Now()
		if _, _, err := told(t.Context(), d.Server, story("Hello")); err != nil {
			t.Fatal("the next answer:", err)
		}
		waits = append(waits, time.Since(began))
		time.Sleep(time.Duration(r.IntN(2500)) * time.Millisecond)
	}
	m := median(waits)
	t.Logf("%d whole, %d broken off; the next answer after %v (median), %v (p95), %v (worst)", whole, broken, m, waits[95], waits[99])
	if waits[95] > 3*time.Second {
		t.Error("recovery takes too long")
	}
}

// A server that hangs without dying is noticed and replaced.
func TestHangs(t *testing.T) {
	soak(t)
	d := serve(t, build4k(t, config4k(t)))
	pid := d.life().pid()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for d.life() != nil && d.life().pid() == pid && time.Since(began) < 90*time.Second {
		time.Sleep(50 * time.Millisecond)
	}
	d.waitUp(t, 2)
	if st := d.tree.States()[0]; !gone(pid) || st.Err == nil || !strings.Contains(st.Err.Error(), "no longer healthy") {
		t.Errorf("after %v: %+v", time.Since(began), st)
	}
	t.Logf("replaced after %v", time.Since(began).Round(time.Millisecond))
}

// A model that sleeps wakes up for a question, and Solo's own watching does not keep it awake.
func TestSleepsAndWakes(t *testing.T) {
	soak(t)
	c := config4k(t)
	c.SleepIdle = 2 * time.Second
	d := serve(t, build4k(t, c))
	asleep := func() bool {
		_, page, err := get(t.Context(), plainClient, d.life().url("/props"), d.life().key)
		return err == nil && strings.Contains(string(page), `"is_sleeping":true`)
	}
	began := time.Now()
	for !asleep() && time.Since(began) < 15*time.Second {
		time.Sleep(100 * time.Millisecond)
	}
	if !asleep() {
		t.Fatal("it never sleeps")
	}
	time.Sleep(6 * time.Second) // Solo asks for its health meanwhile
	if !asleep() {
		t.Error("it was woken up by nobody")
	}
	if _, _, err := told(t.Context(), d.Server, story("Hello")); err != nil {
		t.Error(err)
	}
}
