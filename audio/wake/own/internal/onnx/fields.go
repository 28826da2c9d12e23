package onnx

import (
	"encoding/binary"
	"errors"
	"fmt"
)

var errCut = errors.New("it breaks off")

// field is one of a protobuf message: bytes where it has a length (or is a fixed 32-bit value), else value.
type field struct {
	number uint64
	value  uint64
	bytes  []byte
}

// Wire types of protobuf.
const (
	varint  = 0
	fixed64 = 1
	sized   = 2
	fixed32 = 5
)

// each gives the fields of a message to do, in their order.
func each(b []byte, do func(field) error) error {
	for len(b) > 0 {
		f, rest, err := next(b)
		if err != nil {
			return err
		}
		if err := do(f); err != nil {
			return err
		}
		b = rest
	}
	return nil
}

func next(b []byte) (f field, rest []byte, err error) {
	key, n := binary.Uvarint(b)
	if n <= 0 {
		return f, nil, errCut
	}
	b = b[n:]
	f.number = key >> 3
	var size uint64
	switch key & 7 {
	case varint:
		if f.value, n = binary.Uvarint(b); n <= 0 {
			return f, nil, errCut
		}
		return f, b[n:], nil
	case sized:
		if size, n = binary.Uvarint(b); n <= 0 {
			return f, nil, errCut
		}
		b = b[n:]
	case fixed64:
		size = 8
	case fixed32:
		size = 4
	default:
		return f, nil, fmt.Errorf("a field of wire type %d", key&7)
	}
	if size > uint64(len(b)) {
		return f, nil, errCut
	}
	f.bytes = b[:size:size]
	return f, b[size:], nil
}
