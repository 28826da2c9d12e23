package onnx_test

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/audio/wake/own/internal/onnx"
)

// message is a protobuf message in the making.
type message []byte

func (m message) sized(number int, b []byte) message {
	m = binary.AppendUvarint(m, uint64(number)<<3|2)
	return append(binary.AppendUvarint(m, uint64(len(b))), b...)
}

func (m message) value(number int, v uint64) message {
	return binary.AppendUvarint(binary.AppendUvarint(m, uint64(number)<<3), v)
}

func floats(x ...float32) []byte {
	var b []byte
	for _, v := range x {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

func file(tensors ...message) []byte {
	graph := message{}.sized(1, []byte("a node"))
	for _, t := range tensors {
		graph = graph.sized(5, t)
	}
	return message{}.value(1, 8).sized(2, []byte("somebody")).sized(7, graph)
}

func TestWeights(t *testing.T) {
	got, err := onnx.Weights(file(
		message{}.value(1, 2).value(1, 1).value(2, 1).sized(8, []byte("raw")).sized(9, floats(1, -2)),
		message{}.sized(1, []byte{1, 3}).value(2, 1).sized(8, []byte("packed")).sized(4, floats(3, 4, 5)),
		message{}.value(2, 1).sized(8, []byte("one number")).sized(9, floats(7)),
		message{}.value(1, 1).value(2, 7).sized(8, []byte("whole numbers")).sized(9, make([]byte, 8)),
		message{}.value(1, 1).value(2, 1).sized(8, []byte("raw")).sized(9, floats(9)),
	))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || !slices.Equal(got["raw"].Data, []float32{1, -2}) || !slices.Equal(got["raw"].Shape, []int{2, 1}) {
		t.Errorf("got %v", got)
	}
	if !slices.Equal(got["packed"].Data, []float32{3, 4, 5}) || !slices.Equal(got["one number"].Data, []float32{7}) {
		t.Errorf("got %v", got)
	}
}

func TestBrokenFiles(t *testing.T) {
	whole := file(message{}.value(1, 2).value(2, 1).sized(8, []byte("w")).sized(9, floats(1, 2)))
	for name, tt := range map[string]struct {
		file []byte
		want string
	}{
		"empty":            {nil, "no graph"},
		"no graph":         {message{}.value(1, 8), "no graph"},
		"cut":              {whole[:len(whole)-1], "breaks off"},
		"a page":           {[]byte("<!doctype html><html>not found</html>"), "reading an ONNX file"},
		"too few numbers":  {file(message{}.value(1, 3).value(2, 1).sized(8, []byte("w")).sized(9, floats(1, 2))), "has 8 bytes"},
		"too many numbers": {file(message{}.value(1, 1).value(2, 1).sized(8, []byte("w")).sized(9, floats(1, 2))), "has 8 bytes"},
		"no size":          {file(message{}.value(1, 0).value(2, 1).sized(9, floats(1))), "size 0"},
		"sizes that overflow": {file(message{}.value(1, 1<<31-1).value(1, 1<<31-1).value(1, 1<<31-1).value(2, 1).sized(9, floats(1))),
			"has 4 bytes"},
		"many sizes": {file(message{}.sized(1, []byte{1, 1, 1, 1, 1, 1, 1, 1, 1}).value(2, 1).sized(9, floats(1))), "size 1 behind"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := onnx.Weights(tt.file); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func FuzzWeights(f *testing.F) {
	f.Add(file(message{}.value(1, 2).value(2, 1).sized(8, []byte("w")).sized(9, floats(1, 2))))
	f.Add(file(message{}.sized(1, []byte{1, 3}).value(2, 1).sized(8, []byte("p")).sized(4, floats(3, 4, 5))))
	f.Add([]byte{0x3a, 0xff, 0xff, 0xff, 0xff, 0x7f})
	f.Add([]byte{0x39, 1, 2, 3, 4, 5, 6, 7, 8, 0x3d, 1, 2, 3, 4})
	f.Fuzz(func(t *testing.T, b []byte) {
		all, err := onnx.Weights(b)
		for name, w := range all {
			n := 1
			for _, d := range w.Shape {
				n *= d
			}
			if err != nil || n != len(w.Data) || 4*n > len(b) {
				t.Errorf("%q: shape %v with %d numbers of %d bytes (%v)", name, w.Shape, len(w.Data), len(b), err)
			}
		}
	})
}
