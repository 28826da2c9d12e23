package audio

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// ErrWAV is wrapped by every error about a WAV file that cannot be read; the text says why.
var ErrWAV = errors.New("not a readable WAV")

// unsized marks a data chunk whose writer did not know its size.
const unsized = int64(-1)

// WAVReader reads the samples of a WAV piece by piece, so that hours of sound need no memory.
type WAVReader struct {
	r       *bufio.Reader
	format  Format
	enc     encoding
	left    int64 // bytes of sound still to come, or unsized
	lenient bool  // the size is a guess of the writer: an early end is no fault
	short   bool
	frames  int64
	raw     []byte
}

// OpenWAV reads the headers of a WAV and leaves the samples to Read.
//
// It takes PCM of 8, 16, 24 and 32 bits and float of 32 and 64, plain or WAVE_FORMAT_EXTENSIBLE,
// in RIFF or RF64. Every error wraps ErrWAV or the reader's own error.
func OpenWAV(r io.Reader) (*WAVReader, error) {
	h, br, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	w := &WAVReader{r: br, format: h.format, enc: h.enc, left: h.size, lenient: h.lenient, frames: -1}
	if h.size != unsized && !h.lenient {
		w.frames = h.size / int64(w.block())
	}
	return w, nil
}

// Format is the rate and number of channels of the samples that Read gives.
func (w *WAVReader) Format() Format { return w.format }

// Len is the number of samples of one channel that the header promises, -1 where it does not say.
func (w *WAVReader) Len() int64 { return w.frames }

// Truncated reports, once Read gave io.EOF, that the file ended before the sound it promises.
func (w *WAVReader) Truncated() bool { return w.short }

// Read fills pcm with interleaved samples, whole blocks of all channels only.
// It gives io.EOF at the end of the sound, also where the file is cut short: see Truncated.
func (w *WAVReader) Read(pcm []int16) (int, error) {
	block := w.block()
	blocks := len(pcm) / w.format.Channels
	if blocks == 0 {
		if len(pcm) == 0 {
			return 0, nil
		}
		return 0, io.ErrShortBuffer
	}
	want := min(blocks*block, 1<<16/block*block)
	if w.left != unsized {
		want = int(min(int64(want), w.left/int64(block)*int64(block)))
	}
	if want == 0 {
		w.short = w.short || w.left > 0 // a piece of a block can not have been meant
		return 0, io.EOF
	}
	if cap(w.raw) < want {
		w.raw = make([]byte, want)
	}
	got, err := io.ReadFull(w.r, w.raw[:want])
	return w.take(pcm, got, err)
}

// take converts the got bytes in raw and books them off.
func (w *WAVReader) take(pcm []int16, got int, err error) (int, error) {
	ended := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	if err != nil && !ended {
		return 0, fmt.Errorf("reading WAV samples: %w", err)
	}
	whole := got / w.block() * w.block()
	n := w.enc.decode(pcm, w.raw[:whole])
	if w.left != unsized {
		w.left -= int64(got)
	}
	if ended {
		w.short = got != whole || (w.left > 0 && !w.lenient)
		w.left = 0
		if n == 0 {
			return 0, io.EOF
		}
	}
	return n, nil
}

func (w *WAVReader) block() int { return w.format.Channels * w.enc.bytes() }

// ReadWAV reads a whole WAV into memory. A file that ends before the sound it promises
// gives what there is.
func ReadWAV(r io.Reader) (Clip, error) {
	w, err := OpenWAV(r)
	if err != nil {
		return Clip{}, err
	}
	clip := Clip{Format: w.Format()}
	buf := make([]int16, 1<<15/w.format.Channels*w.format.Channels)
	for {
		n, err := w.Read(buf)
		clip.PCM = append(clip.PCM, buf[:n]...)
		if errors.Is(err, io.EOF) {
			return clip, nil
		}
		if err != nil {
			return clip, err
		}
	}
}
