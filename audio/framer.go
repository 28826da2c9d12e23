package audio

import "iter"

// Framer cuts a stream of Mono16k samples, in pieces of any length, into frames. It is for one goroutine.
type Framer struct {
	at   int64
	rest []int16
}

// NewFramer begins a stream whose first sample has index at.
func NewFramer(at int64) *Framer { return &Framer{at: at} }

// Frames takes pcm and gives the frames that are full. Every frame has its own samples.
// A loop that breaks off keeps the frames it did not take for the next call.
func (f *Framer) Frames(pcm []int16) iter.Seq[Frame] {
	f.rest = append(f.rest, pcm...)
	return func(yield func(Frame) bool) {
		for len(f.rest) >= FrameLen {
			if !yield(f.cut(FrameLen)) {
				return
			}
		}
	}
}

// Flush gives the last frame, filled up with silence; false where nothing is left.
func (f *Framer) Flush() (Frame, bool) {
	if len(f.rest) == 0 {
		return Frame{}, false
	}
	return f.cut(min(len(f.rest), FrameLen)), true
}

func (f *Framer) cut(n int) Frame {
	out := Frame{At: f.at, PCM: make([]int16, FrameLen)}
	copy(out.PCM, f.rest[:n])
	f.rest = f.rest[:copy(f.rest, f.rest[n:])]
	f.at += FrameLen
	return out
}
