package device

import (
	"errors"
	"time"
)

// errHung says that the sound system did not answer. What was called still hangs in C.
var errHung = errors.New("the sound system does not answer")

// patient is how long a call into the sound system may take before it is given up.
const patient = 2 * time.Second

// within calls f and waits for it, at most for d. Afterwards f is left to itself, as C can not be
// interrupted: the goroutine ends when the call does, and hands what it made to late. Every tick
// of the waiting calls meanwhile. Both may be nil.
func within[T any](d time.Duration, f func() (T, error), late func(T), meanwhile func()) (T, error) {
	type result struct {
		v   T
		err error
	}
	done, given := make(chan result), make(chan struct{})
	go func() {
		v, err := f()
		select {
		case done <- result{v, err}:
		case <-given:
			if err == nil && late != nil {
				late(v)
			}
		}
	}()
	timer, beat := time.NewTimer(d), time.NewTicker(tick)
	defer timer.Stop()
	defer beat.Stop()
	for {
		select {
		case r := <-done:
			return r.v, r.err
		case <-timer.C:
			close(given)
			var none T
			return none, errHung
		case <-beat.C:
			if meanwhile != nil {
				meanwhile()
			}
		}
	}
}
