package audio

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// header is what the chunks before the samples say.
type header struct {
	format  Format
	enc     encoding
	size    int64 // bytes of sound, or unsized
	lenient bool
}

// parser walks over the chunks of one file.
type parser struct {
	r    *bufio.Reader
	head header
	fmt  bool  // the fmt chunk was seen
	riff int64 // size of the whole file as the header says, less 8
	wide int64 // size of the data chunk from ds64, 0 for none
	at   int64 // bytes read
}

const (
	// sizeless32 is what writers to a pipe put where they do not know a size.
	sizeless32 = 0xFFFFFFFF
	// vague and above stand for "very long" with sox and others that stream.
	vague = 0x7FFFF000
)

func wavErr(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrWAV, fmt.Errorf(format, args...))
}

func readHeader(r io.Reader) (header, *bufio.Reader, error) {
	p := &parser{r: bufio.NewReaderSize(r, 1<<15)}
	if err := p.file(); err != nil {
		return header{}, nil, err
	}
	for {
		done, err := p.chunk()
		if err != nil {
			return header{}, nil, err
		}
		if done {
			return p.head, p.r, nil
		}
	}
}

// file reads the twelve bytes with which every WAV begins.
func (p *parser) file() error {
	var b [12]byte
	n, err := p.read(b[:])
	if n == 0 && errors.Is(err, io.EOF) {
		return wavErr("the file is empty")
	}
	if err != nil {
		return p.cut(err, "its first 12 bytes")
	}
	switch id := string(b[:4]); id {
	case "RIFF", "RF64", "BW64":
	case "RIFX":
		return wavErr("it is big-endian (RIFX)")
	default:
		return wavErr("it begins with %q, not RIFF", id)
	}
	if string(b[8:]) != "WAVE" {
		return wavErr("the RIFF file holds %q, not WAVE", b[8:])
	}
	p.riff = int64(binary.LittleEndian.Uint32(b[4:]))
	return nil
}

// chunk reads one chunk and reports whether the samples come next.
func (p *parser) chunk() (bool, error) {
	var b [8]byte
	if n, err := p.read(b[:]); err != nil {
		if n == 0 && errors.Is(err, io.EOF) {
			return false, wavErr("it has no data chunk")
		}
		return false, p.cut(err, "a chunk's header")
	}
	size := int64(binary.LittleEndian.Uint32(b[4:]))
	switch string(b[:4]) {
	case "fmt ":
		return false, p.fmtChunk(size)
	case "ds64":
		return false, p.ds64(size)
	case "data":
		if !p.fmt {
			return false, wavErr("the data chunk comes before the fmt chunk")
		}
		p.sized(size)
		return true, nil
	}
	return false, p.skip(size, fmt.Sprintf("its %q chunk", b[:4]))
}

// sized decides how far the samples go.
func (p *parser) sized(size int64) {
	p.head.size = size
	switch {
	case size == sizeless32 && p.wide > 0:
		p.head.size = p.wide
	case size == sizeless32:
		p.head.size = unsized
	case size >= vague:
		p.head.lenient = true
	case size == 0 && (p.riff == 0 || p.riff == sizeless32 || p.riff+8 <= p.at):
		p.head.size = unsized // the writer never came back to fill it in
	}
}

func (p *parser) ds64(size int64) error {
	if size < 24 {
		return wavErr("its ds64 chunk has %d bytes, at least 24 are needed", size)
	}
	var b [24]byte
	if _, err := p.read(b[:]); err != nil {
		return p.cut(err, "its ds64 chunk")
	}
	if n := binary.LittleEndian.Uint64(b[8:]); n < 1<<62 {
		p.wide = int64(n)
	}
	return p.skip(size-24, "its ds64 chunk")
}

// pcmTail ends the sub-format of every WAVE_FORMAT_EXTENSIBLE that holds PCM or float.
var pcmTail = []byte{0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71}

func (p *parser) fmtChunk(size int64) error {
	if p.fmt {
		return wavErr("it has two fmt chunks")
	}
	if size < 16 {
		return wavErr("its fmt chunk has %d bytes, at least 16 are needed", size)
	}
	b := make([]byte, min(size, 40))
	if _, err := p.read(b); err != nil {
		return p.cut(err, "its fmt chunk")
	}
	code, err := formatCode(b)
	if err != nil {
		return err
	}
	le := binary.LittleEndian
	f := Format{Channels: int(le.Uint16(b[2:])), Rate: int(le.Uint32(b[4:]))}
	bits, align := int(le.Uint16(b[14:])), int(le.Uint16(b[12:]))
	if err := f.Check(); err != nil {
		return wavErr("%w", err)
	}
	enc, err := encodingOf(code, bits)
	if err != nil {
		return err
	}
	if want := f.Channels * enc.bytes(); align != want {
		return wavErr("its blocks have %d bytes, %d channels of %d bits need %d", align, f.Channels, bits, want)
	}
	p.head.format, p.head.enc, p.fmt = f, enc, true
	return p.skip(size-int64(len(b)), "its fmt chunk")
}

// formatCode is the coding of the samples: 1 for PCM, 3 for float.
func formatCode(b []byte) (uint16, error) {
	code := binary.LittleEndian.Uint16(b)
	if code != 0xFFFE {
		return code, nil
	}
	if len(b) < 40 {
		return 0, wavErr("its extensible fmt chunk has %d bytes, 40 are needed", len(b))
	}
	if !bytes.Equal(b[26:40], pcmTail) {
		return 0, wavErr("its extensible sub-format %x is neither PCM nor float", b[24:40])
	}
	return binary.LittleEndian.Uint16(b[24:]), nil
}

func (p *parser) read(b []byte) (int, error) {
	n, err := io.ReadFull(p.r, b)
	p.at += int64(n)
	return n, err
}

// skip passes over n bytes and the byte that pads an odd chunk.
func (p *parser) skip(n int64, what string) error {
	padded := n + n&1
	got, err := io.CopyN(io.Discard, p.r, padded)
	p.at += got
	if err != nil {
		return p.cut(err, what)
	}
	return nil
}

func (p *parser) cut(err error, where string) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return wavErr("it ends within %s", where)
	}
	return fmt.Errorf("reading WAV headers: %w", err)
}
