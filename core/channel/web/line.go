package web

import (
	"context"
	"sync"
	"time"

	"github.com/gofiber/contrib/websocket"

	"github.com/solo-assistant/solo/audio"
)

// Line is a browser as microphone and loudspeaker, 16 kHz mono both ways: a listen.Source and a speak.Sink.
type Line struct {
	heard
	send func(kind int, data []byte) error // may be called by one goroutine at a time

	writing sync.Mutex
	mu      sync.Mutex
	until   time.Time     // when the browser will have played what it was sent
	hushed  chan struct{} // closed by the next Hush
}

const (
	lineAhead  = 200 * time.Millisecond // how much the browser may hold unplayed
	linePiece  = audio.Rate / 10        // samples in one message
	lineQueue  = 100                    // pieces that wait to be read, of 20 ms as browsers send them
	lineSaid   = 64 << 10               // bytes of one message of the browser
	heldQueue  = 16
	lineHush   = `{"type":"hush"}`
	lineHeld   = "down"
	lineLetGo  = "up"
	sampleSize = 2
)

func newLine(send func(kind int, data []byte) error) *Line {
	return &Line{send: send, heard: heard{bell: make(chan struct{}, 1)}, hushed: make(chan struct{})}
}

// Rate is that of what Play takes, in Hz.
func (l *Line) Rate() int { return audio.Rate }

// Play sends sound to the browser and waits while that holds more than 200 ms. What Hush interrupts is dropped.
func (l *Line) Play(ctx context.Context, pcm []int16) error {
	l.mu.Lock()
	hushed := l.hushed
	l.mu.Unlock()
	for len(pcm) > 0 {
		piece := pcm[:min(len(pcm), linePiece)]
		pcm = pcm[len(piece):]
		if ok, err := l.wait(ctx, hushed, lineAhead); !ok {
			return err
		}
		if err := l.write(piece, hushed); err != nil {
			return err
		}
	}
	return nil
}

// write sends one piece, unless a Hush came since.
func (l *Line) write(piece []int16, hushed <-chan struct{}) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	select {
	case <-hushed:
		return nil
	default:
	}
	l.mu.Lock()
	if now := time.Now(); l.until.Before(now) {
		l.until = now
	}
	l.until = l.until.Add(audio.Time(int64(len(piece)), audio.Rate))
	l.mu.Unlock()
	return l.send(websocket.BinaryMessage, little(piece))
}

// wait lasts until no more than ahead is unplayed; false where a Hush or ctx's end came first.
func (l *Line) wait(ctx context.Context, hushed <-chan struct{}, ahead time.Duration) (bool, error) {
	l.mu.Lock()
	left := time.Until(l.until.Add(-ahead)) // far below 0 where nothing was sent
	l.mu.Unlock()
	t := time.NewTimer(max(left, 0))
	defer t.Stop()
	select {
	case <-hushed:
		return false, nil
	case <-ctx.Done():
		return false, context.Cause(ctx)
	case <-t.C:
		return true, nil
	}
}

// Drain returns when the browser has played everything, or a Hush came.
func (l *Line) Drain(ctx context.Context) error {
	l.mu.Lock()
	hushed := l.hushed
	l.mu.Unlock()
	_, err := l.wait(ctx, hushed, 0)
	return err
}

// Hush makes the browser drop what it has not played.
func (l *Line) Hush() {
	l.mu.Lock()
	close(l.hushed)
	l.hushed = make(chan struct{})
	l.until = time.Time{}
	l.mu.Unlock()
	l.writing.Lock()
	defer l.writing.Unlock()
	_ = l.send(websocket.TextMessage, []byte(lineHush)) // one who has left is silent
}
