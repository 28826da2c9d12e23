package device

import (
	"context"
	"sync"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// waiting is how much sound may wait to be played before Play blocks.
const waiting = 200 * time.Millisecond

// queue holds the samples that wait to be played.
type queue struct {
	limit int

	mu      sync.Mutex
	buf     []int16
	hushes  int           // counts the calls of hush, so that a put under way notices
	drains  int           // callers waiting in drain
	ended   error         // why nothing will be taken any more
	changed chan struct{} // closed at the next change; nil while nobody waits
}

func newQueue(rate int) *queue {
	limit := int(audio.Samples(waiting, rate))
	return &queue{limit: limit, buf: make([]int16, 0, limit)}
}

// put appends pcm, waiting for room. A hush drops also what has not found room yet.
func (q *queue) put(ctx context.Context, pcm []int16) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	hushes := q.hushes
	for len(pcm) > 0 {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if q.ended != nil {
			return q.ended
		}
		if q.hushes != hushes {
			return nil
		}
		if room := q.limit - len(q.buf); room > 0 {
			n := min(room, len(pcm))
			q.buf, pcm = append(q.buf, pcm[:n]...), pcm[n:]
			q.broadcast()
			continue
		}
		q.wait(ctx)
	}
	return nil
}

// take moves samples into out and gives their number.
func (q *queue) take(out []int16) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := copy(out, q.buf)
	if n > 0 {
		q.buf = q.buf[:copy(q.buf, q.buf[n:])]
		q.broadcast()
	}
	return n
}

// drain returns when nothing waits any more.
func (q *queue) drain(ctx context.Context) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.drains++
	defer func() { q.drains-- }()
	q.broadcast()
	for len(q.buf) > 0 {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if q.ended != nil {
			return q.ended
		}
		q.wait(ctx)
	}
	return nil
}

// hush drops all but the first keep samples, which fade to silence.
func (q *queue) hush(keep int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.hushes++
	q.buf = q.buf[:min(keep, len(q.buf))]
	for i := range q.buf {
		q.buf[i] = int16(int(q.buf[i]) * (len(q.buf) - i) / (len(q.buf) + 1))
	}
	q.broadcast()
}

// end makes every put and drain give err; nil opens the queue again.
func (q *queue) end(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ended = err
	q.broadcast()
}

// state tells how many samples wait, whether someone drains, and gives a channel that the next change closes.
func (q *queue) state() (n int, draining bool, changed <-chan struct{}) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.buf), q.drains > 0, q.change()
}

// wait gives up the lock until something changes or ctx ends.
func (q *queue) wait(ctx context.Context) {
	changed := q.change()
	q.mu.Unlock()
	defer q.mu.Lock()
	select {
	case <-changed:
	case <-ctx.Done():
	}
}

func (q *queue) change() chan struct{} {
	if q.changed == nil {
		q.changed = make(chan struct{})
	}
	return q.changed
}

func (q *queue) broadcast() {
	if q.changed != nil {
		close(q.changed)
		q.changed = nil
	}
}
