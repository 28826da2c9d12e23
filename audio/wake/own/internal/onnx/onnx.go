// Package onnx reads the weights out of an ONNX file, and nothing else of it.
//
// What Solo needs of the format is little: a message of type ModelProto holds a graph (field 7), that
// holds tensors (field 5), and those have a name, a shape and 32-bit floats. A file is a stranger's text:
// every length is checked before it is believed.
package onnx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Fields of onnx.proto3.
const (
	modelGraph  = 7
	graphTensor = 5
	tensorDims  = 1
	tensorType  = 2
	tensorFloat = 4
	tensorName  = 8
	tensorRaw   = 9

	typeFloat = 1
)

// Tensor is one of a file's weights.
type Tensor struct {
	Shape []int     // 1 to 8 sizes, none of them 0
	Data  []float32 // the last size runs fastest
}

// Weights are the tensors of 32-bit floats in a file, by their names. Tensors of other types are passed
// over, and so are names that come a second time.
func Weights(file []byte) (map[string]Tensor, error) {
	out := map[string]Tensor{}
	found := false
	err := each(file, func(f field) error {
		if f.number != modelGraph || f.bytes == nil {
			return nil
		}
		found = true
		return each(f.bytes, func(f field) error {
			if f.number != graphTensor || f.bytes == nil {
				return nil
			}
			name, t, err := tensor(f.bytes)
			if _, twice := out[name]; err == nil && t.Data != nil && !twice {
				out[name] = t
			}
			return err
		})
	})
	if err == nil && !found {
		err = errors.New("there is no graph in it")
	}
	if err != nil {
		return nil, fmt.Errorf("reading an ONNX file: %w", err)
	}
	return out, nil
}

// tensor reads one; its Data is nil where it holds no floats.
func tensor(b []byte) (name string, t Tensor, err error) {
	kind := uint64(typeFloat)
	var floats, raw []byte
	err = each(b, func(f field) error {
		switch f.number {
		case tensorName:
			name = string(f.bytes)
		case tensorType:
			kind = f.value
		case tensorRaw:
			raw = f.bytes
		case tensorFloat:
			floats = append(floats, f.bytes...)
		case tensorDims:
			return dims(&t.Shape, f)
		}
		return nil
	})
	if err != nil || kind != typeFloat {
		return name, Tensor{}, err
	}
	if raw == nil {
		raw = floats
	}
	n := 1
	for _, d := range t.Shape {
		if n *= d; n > len(raw) {
			break
		}
	}
	if 4*n != len(raw) {
		return name, t, fmt.Errorf("tensor %q of shape %v has %d bytes", name, t.Shape, len(raw))
	}
	t.Data = make([]float32, n)
	for i := range t.Data {
		t.Data[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return name, t, nil
}

// dims reads sizes, one a field or many in one.
func dims(into *[]int, f field) error {
	add := func(v uint64) error {
		if v == 0 || v > math.MaxInt32 || len(*into) == 8 {
			return fmt.Errorf("a tensor of size %d behind %v", v, *into)
		}
		*into = append(*into, int(v))
		return nil
	}
	if f.bytes == nil {
		return add(f.value)
	}
	for b := f.bytes; len(b) > 0; {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return errCut
		}
		if err := add(v); err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}
