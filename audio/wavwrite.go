package audio

import (
	"encoding/binary"
	"fmt"
	"io"
)

const wavHeaderLen = 44

// WriteWAV writes c as a 16-bit PCM WAV.
func WriteWAV(w io.Writer, c Clip) error {
	if err := c.Format.Check(); err != nil {
		return fmt.Errorf("writing WAV: %w", err)
	}
	size := int64(len(c.PCM)) * 2
	if size > sizeless32-wavHeaderLen {
		return fmt.Errorf("writing WAV: %d samples do not fit into one file of 4 GiB", len(c.PCM))
	}
	if _, err := w.Write(wavHeader(c.Format, uint32(size))); err != nil {
		return fmt.Errorf("writing WAV: %w", err)
	}
	return writePCM(w, c.PCM, nil)
}

// WAVWriter writes a WAV piece by piece. It is for one goroutine.
type WAVWriter struct {
	w      io.Writer
	format Format
	size   int64
	raw    []byte
}

// NewWAVWriter begins a 16-bit PCM WAV. Where w can seek, Close fills in the size;
// where it cannot, as with a pipe, the header says that the size is unknown, and readers go to the end.
func NewWAVWriter(w io.Writer, f Format) (*WAVWriter, error) {
	if err := f.Check(); err != nil {
		return nil, fmt.Errorf("writing WAV: %w", err)
	}
	if _, err := w.Write(wavHeader(f, sizeless32)); err != nil {
		return nil, fmt.Errorf("writing WAV: %w", err)
	}
	return &WAVWriter{w: w, format: f, raw: make([]byte, 0, 8192)}, nil
}

// Write appends interleaved samples.
func (w *WAVWriter) Write(pcm []int16) error {
	w.size += int64(len(pcm)) * 2
	return writePCM(w.w, pcm, w.raw)
}

// Close fills in the size. It does not close the writer beneath.
func (w *WAVWriter) Close() error {
	s, ok := w.w.(io.WriteSeeker)
	if !ok || w.size > sizeless32-wavHeaderLen {
		return nil
	}
	if _, err := s.Seek(-w.size-wavHeaderLen, io.SeekCurrent); err != nil {
		return nil // a pipe dressed as a file: the header stays open-ended
	}
	if _, err := s.Write(wavHeader(w.format, uint32(w.size))); err != nil {
		return fmt.Errorf("writing the size of a WAV: %w", err)
	}
	if _, err := s.Seek(w.size, io.SeekCurrent); err != nil {
		return fmt.Errorf("writing the size of a WAV: %w", err)
	}
	return nil
}

func wavHeader(f Format, size uint32) []byte {
	riff := uint32(sizeless32)
	if size != sizeless32 {
		riff = size + wavHeaderLen - 8
	}
	le, b := binary.LittleEndian, make([]byte, 0, wavHeaderLen)
	b = le.AppendUint32(append(b, "RIFF"...), riff)
	b = le.AppendUint32(append(b, "WAVEfmt "...), 16)
	b = le.AppendUint16(le.AppendUint16(b, 1), uint16(f.Channels))
	b = le.AppendUint32(le.AppendUint32(b, uint32(f.Rate)), uint32(f.Rate*f.Channels*2))
	b = le.AppendUint16(le.AppendUint16(b, uint16(f.Channels*2)), 16)
	return le.AppendUint32(append(b, "data"...), size)
}

func writePCM(w io.Writer, pcm []int16, raw []byte) error {
	for len(pcm) > 0 {
		n := min(len(pcm), 4096)
		raw = raw[:0]
		for _, s := range pcm[:n] {
			raw = binary.LittleEndian.AppendUint16(raw, uint16(s))
		}
		if _, err := w.Write(raw); err != nil {
			return fmt.Errorf("writing WAV samples: %w", err)
		}
		pcm = pcm[n:]
	}
	return nil
}
