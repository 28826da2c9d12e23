package piper

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/solo-assistant/solo/audio"
)

const (
	longestHeader = 1 << 12  // bytes before a WAV's samples
	longestSound  = 64 << 20 // bytes of samples of one line, 25 minutes
	vague         = 0x7ffff000
)

var errFrame = errors.New("what it wrote is no WAV of known length")

// readFrame reads exactly one WAV from a stream that goes on. Words before it are passed over.
func readFrame(r *bufio.Reader) (audio.Clip, error) {
	if err := seek(r); err != nil {
		return audio.Clip{}, err
	}
	var wav bytes.Buffer
	size, err := header(io.TeeReader(r, &wav))
	if err != nil {
		return audio.Clip{}, err
	}
	if size >= vague || size > longestSound {
		return audio.Clip{}, fmt.Errorf("%w: its header says %d bytes", errFrame, size)
	}
	if _, err := io.CopyN(&wav, r, int64(size)); err != nil {
		return audio.Clip{}, fmt.Errorf("reading its sound: %w", err)
	}
	return mono(audio.ReadWAV(&wav))
}

// seek stops before the next RIFF.
func seek(r *bufio.Reader) error {
	for range longestHeader {
		next, err := r.Peek(4)
		if err != nil {
			return err
		}
		if string(next) == "RIFF" {
			return nil
		}
		if _, err := r.Discard(1); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: %d bytes and no RIFF", errFrame, longestHeader)
}

// header reads up to the samples and tells how many bytes of them the header promises.
func header(r io.Reader) (size uint32, err error) {
	var b [12]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return 0, err
	}
	if string(b[:4]) != "RIFF" || string(b[8:]) != "WAVE" {
		return 0, fmt.Errorf("%w: it begins with %q", errFrame, b[:])
	}
	for left := int64(longestHeader); left > 0; {
		if _, err := io.ReadFull(r, b[:8]); err != nil {
			return 0, err
		}
		size := binary.LittleEndian.Uint32(b[4:8])
		if string(b[:4]) == "data" {
			return size, nil
		}
		skip := int64(size) + int64(size%2)
		if left -= skip + 8; left < 0 {
			break
		}
		if _, err := io.CopyN(io.Discard, r, skip); err != nil {
			return 0, err
		}
	}
	return 0, fmt.Errorf("%w: no samples in its first %d bytes", errFrame, longestHeader)
}

// readWhole reads a file whose writer may be about to finish it: one build tells the path a moment early.
func readWhole(path string) (audio.Clip, error) {
	for until := time.Now().Add(2 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		wav, err := os.ReadFile(path)
		if err != nil {
			return audio.Clip{}, fmt.Errorf("reading its sound: %w", err)
		}
		if whole(wav) || time.Now().After(until) {
			if len(wav) == 0 { // a line in which it found nothing to say
				return audio.Clip{Format: audio.Mono16k}, nil
			}
			return mono(audio.ReadWAV(bytes.NewReader(wav)))
		}
	}
}

// whole is whether a WAV holds all that its header promises. A header that promises the unknown was written by a
// build that tells the path when all is done.
func whole(wav []byte) bool {
	r := bytes.NewReader(wav)
	size, err := header(r)
	if err != nil {
		return false
	}
	return size >= vague || r.Len() >= int(size)
}

func mono(c audio.Clip, err error) (audio.Clip, error) {
	if err != nil {
		return c, err
	}
	return c.Mono(c.Format.Rate), nil
}
