package codec

import (
	"errors"
	"fmt"
	"io"
	"math/bits"
)

// endless stands for an element whose size was not known when it was begun.
const endless = ^uint64(0)

// ebml reads the elements of RFC 8794, of which WebM is made.
type ebml struct {
	r   io.Reader
	at  uint64 // bytes read
	end uint64 // where the segment ends, 0 where it does not say
}

// head reads an element's id and size. Between two elements the file may end with io.EOF.
func (e *ebml) head() (id, size uint64, err error) {
	id, n, err := vint(e.r, false)
	e.at += uint64(n)
	if errors.Is(err, io.EOF) && e.at < e.end {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return 0, 0, err
	}
	size, n, err = vint(e.r, true)
	e.at += uint64(n)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if size == 1<<(7*n)-1 {
		size = endless
	}
	return id, size, err
}

// into goes into a container: its elements come next.
func (e *ebml) into(id, size uint64) error {
	if id == idSegment && size != endless {
		e.end = e.at + size
	}
	return nil
}

// bytes reads an element's content, at most limit bytes.
func (e *ebml) bytes(size, limit uint64) ([]byte, error) {
	if size > limit {
		return nil, fmt.Errorf("a WebM element has %d bytes, at most %d make sense", size, limit)
	}
	b := make([]byte, size)
	n, err := io.ReadFull(e.r, b)
	e.at += uint64(n)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}

// skip passes over an element.
func (e *ebml) skip(size uint64) error {
	if size >= 1<<62 {
		return fmt.Errorf("a WebM element of unknown size can not be passed over")
	}
	n, err := io.CopyN(io.Discard, e.r, int64(size))
	e.at += uint64(n)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// vint reads a number of one to eight bytes whose leading bits tell its length; masked takes them away.
// It gives io.EOF only before the first byte.
func vint(r io.Reader, masked bool) (v uint64, n int, err error) {
	var b [8]byte
	if _, err := io.ReadFull(r, b[:1]); err != nil {
		return 0, 0, err
	}
	n = bits.LeadingZeros8(b[0]) + 1
	if n > 8 {
		return 0, 1, fmt.Errorf("WebM is damaged: no number begins with 0")
	}
	if _, err := io.ReadFull(r, b[1:n]); err != nil {
		return 0, 1, io.ErrUnexpectedEOF
	}
	if masked {
		b[0] &= 1<<(8-n) - 1
	}
	return number(b[:n]), n, nil
}
