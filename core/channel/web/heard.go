package web

import (
	"context"
	"encoding/binary"
	"io"
	"slices"
	"sync"

	"github.com/solo-assistant/solo/audio"
)

// heard is what a browser sends, in its order: sound, and the button between the sounds.
type heard struct {
	mu     sync.Mutex
	queue  []heardPiece
	sounds int // pieces of sound in queue
	lost   int // pieces that nobody read in time
	left   bool
	bell   chan struct{} // room for one: there is something to read
	button func(down bool)

	rest []int16 // of Read alone
	at   int64
}

// heardPiece is sound, or where pcm is nil the button.
type heardPiece struct {
	pcm  []int16
	down bool
}

// take keeps what the microphone heard; the oldest is lost where nobody reads.
func (h *heard) take(raw []byte) {
	pcm := make([]int16, len(raw)/sampleSize)
	for i := range pcm {
		pcm[i] = int16(binary.LittleEndian.Uint16(raw[i*sampleSize:]))
	}
	h.mu.Lock()
	if h.sounds == lineQueue {
		oldest := slices.IndexFunc(h.queue, func(p heardPiece) bool { return p.pcm != nil })
		h.queue = slices.Delete(h.queue, oldest, oldest+1)
		h.sounds--
		h.lost++
	}
	h.sounds++
	h.queue = append(h.queue, heardPiece{pcm: pcm})
	h.mu.Unlock()
	h.ring()
}

// press tells that the button was pressed or let go.
func (h *heard) press(down bool) {
	h.mu.Lock()
	if len(h.queue)-h.sounds < heldQueue { // nobody presses so fast who means it
		h.queue = append(h.queue, heardPiece{down: down})
	}
	h.mu.Unlock()
	h.ring()
}

// leave says that the browser is gone.
func (h *heard) leave() {
	h.mu.Lock()
	h.left = true
	h.mu.Unlock()
	h.ring()
}

func (h *heard) ring() {
	select {
	case h.bell <- struct{}{}:
	default:
	}
}

// Button has f told of each press (true) and release of the button in the page: from within Read, before the sound that
// followed it. It must be set before the first Read.
func (h *heard) Button(f func(down bool)) { h.button = f }

// Read gives the next frame of the microphone; io.EOF when the browser has left. It is for one goroutine.
func (h *heard) Read(ctx context.Context) (audio.Frame, error) {
	for len(h.rest) < audio.FrameLen {
		p, ok, over := h.next()
		switch {
		case over:
			return audio.Frame{}, io.EOF
		case !ok:
			select {
			case <-h.bell:
			case <-ctx.Done():
				return audio.Frame{}, context.Cause(ctx)
			}
		case p.pcm != nil:
			h.rest = append(h.rest, p.pcm...)
		case h.button != nil:
			h.button(p.down)
		}
	}
	f := audio.Frame{At: h.at, PCM: append([]int16(nil), h.rest[:audio.FrameLen]...)}
	h.rest = append(h.rest[:0], h.rest[audio.FrameLen:]...)
	h.at += audio.FrameLen
	return f, nil
}

func (h *heard) next() (p heardPiece, ok, over bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.queue) == 0 {
		return p, false, h.left
	}
	p = h.queue[0]
	h.queue = h.queue[1:]
	if p.pcm != nil {
		h.sounds--
	}
	return p, true, false
}
