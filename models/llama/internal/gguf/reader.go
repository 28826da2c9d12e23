package gguf

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// Bounds that no real file comes near.
const (
	mostTensors = 1 << 17
	mostPairs   = 1 << 10
	longestName = 1 << 12
	longestText = 1 << 10 // kept; longer ones are skipped
	mostKept    = 1 << 12 // numbers of an array that are kept
	mostNested  = 4
)

// reader reads little-endian values; the first error stays.
type reader struct {
	in   *bufio.Reader
	size int64
	at   int64
	err  error
}

func newReader(f io.ReaderAt, size int64) *reader {
	return &reader{in: bufio.NewReaderSize(io.NewSectionReader(f, 0, size), 1<<16), size: size}
}

func (r *reader) offset() int64 { return r.at }

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

func (r *reader) full(b []byte) {
	if r.err != nil {
		return
	}
	n, err := io.ReadFull(r.in, b)
	r.at += int64(n)
	if err != nil {
		r.fail("it ends at byte %d", r.at)
	}
}

// skip passes over n bytes.
func (r *reader) skip(n uint64) {
	if r.err != nil {
		return
	}
	if n > uint64(max(0, r.size-r.at)) {
		r.fail("a value at byte %d is longer than the file", r.at)
		return
	}
	for n > 0 && r.err == nil {
		step := int(min(n, 1<<30))
		got, err := r.in.Discard(step)
		r.at += int64(got)
		n -= uint64(got)
		if err != nil {
			r.fail("it ends at byte %d", r.at)
		}
	}
}

func (r *reader) u32() uint32 {
	var b [4]byte
	r.full(b[:])
	return binary.LittleEndian.Uint32(b[:])
}

func (r *reader) u64() uint64 {
	var b [8]byte
	r.full(b[:])
	return binary.LittleEndian.Uint64(b[:])
}

// text reads a string of at most so many bytes; a longer one is skipped and "".
func (r *reader) text(longest uint64) string {
	n := r.u64()
	if n > longest {
		r.skip(n)
		return ""
	}
	b := make([]byte, n)
	r.full(b)
	if r.err != nil {
		return ""
	}
	return string(b)
}

// Kinds of values.
const (
	kindU8 = iota
	kindI8
	kindU16
	kindI16
	kindU32
	kindI32
	kindF32
	kindBool
	kindText
	kindArray
	kindU64
	kindI64
	kindF64
)

var widths = map[uint32]int{kindU8: 1, kindI8: 1, kindU16: 2, kindI16: 2, kindU32: 4, kindI32: 4, kindF32: 4, kindBool: 1,
	kindU64: 8, kindI64: 8, kindF64: 8}

// number reads a value of a fixed width; one that no int64 holds becomes the nearest.
func (r *reader) number(kind uint32) int64 {
	var b [8]byte
	r.full(b[:widths[kind]])
	switch u := binary.LittleEndian.Uint64(b[:]); kind {
	case kindI8:
		return int64(int8(u))
	case kindI16:
		return int64(int16(u))
	case kindI32:
		return int64(int32(u))
	case kindF32:
		return whole(float64(math.Float32frombits(uint32(u))))
	case kindF64:
		return whole(math.Float64frombits(u))
	case kindU64:
		return int64(min(u, math.MaxInt64))
	default:
		return int64(u)
	}
}

func whole(f float64) int64 {
	if !(f > -1e15 && f < 1e15) {
		return 0
	}
	return int64(f)
}

// tensor is a name and a place in the data.
type tensor struct {
	name string
	at   int64
}

func (r *reader) tensors(n int) []tensor {
	var list []tensor
	for range n {
		name := r.text(longestName)
		dims := r.u32()
		if dims > 8 {
			r.fail("a tensor of %d dimensions", dims)
		}
		r.skip(uint64(dims)*8 + 4) // its shape and kind
		at := r.u64()
		if at > uint64(r.size) {
			r.fail("a tensor outside of the file")
		}
		if r.err != nil {
			return nil
		}
		list = append(list, tensor{name, int64(at)})
	}
	return list
}
