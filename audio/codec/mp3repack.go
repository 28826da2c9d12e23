package codec

import (
	"bufio"
	"encoding/binary"
	"io"
)

// repacker rewrites the frames of an MPEG 2 stream so that each holds all its own data, at one size.
//
// The decoder takes frames of 22050 Hz for a byte too short when they are padded, and then reads noise
// where a frame's data begins in the frames before. It also refuses MPEG 2.5, whose 11025 and 12000 Hz
// are laid out as 16000 Hz is in MPEG 2, so they pass for that; 8000 Hz is not.
type repacker struct {
	r     *bufio.Reader
	store []byte // the end of the data of the frames before
	frame []byte
	out   []byte // what is not read yet of the rewritten frame
	short bool   // the stream ended within a frame
}

const (
	reservoir = 255     // as many bytes back may the data of a frame begin
	roomiest  = 14 << 4 // the bit rate of 160 kbit/s in a header
)

func (p *repacker) Read(b []byte) (int, error) {
	n := 0
	for n < len(b) {
		if len(p.out) == 0 {
			if err := p.next(); err != nil {
				return n, ifNone(n, err)
			}
		}
		m := copy(b[n:], p.out)
		p.out, n = p.out[m:], n+m
	}
	return n, nil
}

func ifNone(n int, err error) error {
	if n > 0 {
		return nil
	}
	return err
}

// next reads a frame and rewrites it.
func (p *repacker) next() error {
	h, err := p.sync()
	if err != nil {
		return err
	}
	if cap(p.frame) < h.size {
		p.frame = make([]byte, h.size)
	}
	f := p.frame[:h.size]
	if _, err := io.ReadFull(p.r, f); err != nil {
		p.short = true
		return io.EOF
	}
	at := 4
	if f[1]&1 == 0 {
		at += 2 // a check sum
	}
	if len(f) < at+h.sideInfo {
		return nil // no room for any sound: as good as no frame
	}
	p.rewrite(h, f[:4], f[at:at+h.sideInfo], f[at+h.sideInfo:])
	return nil
}

// sync goes to the next header of a frame of MPEG 2 or 2.5.
func (p *repacker) sync() (mp3Header, error) {
	for {
		b, err := p.r.Peek(4)
		if err != nil {
			return mp3Header{}, io.EOF
		}
		if h, ok := parseMP3Header(b); ok && h.samples == 576 {
			return h, nil
		}
		_, _ = p.r.Discard(1) // it was peeked at
	}
}

func (p *repacker) rewrite(h mp3Header, head, side, data []byte) {
	rate := head[2] & 0x0c
	size := 72 * 160000 / h.rate
	if h.low {
		rate, size = 2<<2, 72*160000/16000
	}
	out := make([]byte, 0, size)
	out = append(out, head[0], head[1]|0x11, roomiest|rate, head[3])
	back := int(side[0])
	if back <= len(p.store) {
		out = append(append(out, 0), side[1:]...)
		out = append(append(out, p.store[len(p.store)-back:]...), data...)
	} else {
		out = append(out, make([]byte, len(side))...) // its beginning is lost: silence
	}
	if need := 4 + len(side) + needed(h, side); len(out) > need {
		out = out[:need]
	}
	if len(out) > size {
		out = out[:size]
	}
	p.out = append(out, make([]byte, size-len(out))...)
	p.store = append(p.store, data...)
	p.store = append(p.store[:0], p.store[max(0, len(p.store)-reservoir):]...)
}

// needed is how many bytes of data the side information speaks of.
func needed(h mp3Header, side []byte) int {
	bits := func(at int) int { // the twelve bits from at on
		return int(binary.BigEndian.Uint32(side[at/8:])>>(20-at%8)) & 0xfff
	}
	if h.sideInfo == 9 {
		return (bits(9) + 7) / 8
	}
	return (bits(10) + bits(10+63) + 7) / 8
}
