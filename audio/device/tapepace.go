package device

import (
	"context"
	"time"

	"github.com/solo-assistant/solo/audio"
)

const (
	// poll is how often a standing tape asks whether Solo is still busy.
	poll = 300 * time.Microsecond
	// patience is how long a piece shorter than a frame may wait for what follows it.
	patience = 20 * time.Millisecond
)

// pace returns when the next frame may be read.
func (t *Tape) pace(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if t.c.Clocked {
		return t.tick(ctx)
	}
	return t.stand(ctx)
}

// tick waits for the wall clock to reach the end of the frame, as a microphone does.
func (t *Tape) tick(ctx context.Context) error {
	if t.start.IsZero() {
		t.start = time.Now()
	}
	t.mu.Lock()
	due := t.start.Add(audio.Time(t.at+audio.FrameLen, audio.Rate))
	t.mu.Unlock()
	return sleep(ctx, time.Until(due), nil)
}

// stand holds the tape while Solo is busy and there is nothing to play. A last piece shorter than
// a frame is played as soon as someone waits for the end or nothing followed it for a moment.
func (t *Tape) stand(ctx context.Context) error {
	frame := t.c.Rate / 50
	for began := time.Now(); t.c.Busy(); {
		n, draining, changed := t.q.state()
		if n >= frame || n > 0 && (draining || time.Since(began) > patience) {
			return nil
		}
		if err := sleep(ctx, poll, changed); err != nil {
			return err
		}
	}
	return nil
}

// sleep waits for d or until early is closed.
func sleep(ctx context.Context, d time.Duration, early <-chan struct{}) error {
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-early:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}
