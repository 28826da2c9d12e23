package silero

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// tensor is a block of numbers, the last dimension running fastest.
type tensor struct {
	shape []int
	data  []float32
}

// readTensors reads a safetensors file: eight bytes of length, a JSON table of contents, the numbers.
// Only 32-bit floats are known.
func readTensors(b []byte) (map[string]tensor, error) {
	if len(b) < 8 {
		return nil, errors.New("the file ends before its header")
	}
	n := binary.LittleEndian.Uint64(b)
	b = b[8:]
	if n > uint64(len(b)) {
		return nil, fmt.Errorf("the header claims %d bytes of %d", n, len(b))
	}
	var table map[string]json.RawMessage
	if err := json.Unmarshal(b[:n], &table); err != nil {
		return nil, fmt.Errorf("reading the header: %w", err)
	}
	out := map[string]tensor{}
	for name, raw := range table {
		if name == "__metadata__" {
			continue
		}
		t, err := readTensor(raw, b[n:])
		if err != nil {
			return nil, fmt.Errorf("reading %q: %w", name, err)
		}
		out[name] = t
	}
	return out, nil
}

func readTensor(raw json.RawMessage, body []byte) (tensor, error) {
	var h struct {
		DType   string    `json:"dtype"`
		Shape   []int     `json:"shape"`
		Offsets [2]uint64 `json:"data_offsets"`
	}
	if err := json.Unmarshal(raw, &h); err != nil {
		return tensor{}, err
	}
	if h.DType != "F32" {
		return tensor{}, fmt.Errorf("numbers of type %q, only F32 is known", h.DType)
	}
	from, to := h.Offsets[0], h.Offsets[1]
	if from > to || to > uint64(len(body)) {
		return tensor{}, fmt.Errorf("bytes %d to %d of %d", from, to, len(body))
	}
	count := uint64(1)
	for _, d := range h.Shape {
		if d < 0 || uint64(d) > uint64(len(body)) {
			return tensor{}, fmt.Errorf("shape %v", h.Shape)
		}
		if count *= uint64(d); count > uint64(len(body)) {
			return tensor{}, fmt.Errorf("shape %v does not fit in the file", h.Shape)
		}
	}
	if count*4 != to-from {
		return tensor{}, fmt.Errorf("shape %v in %d bytes", h.Shape, to-from)
	}
	t := tensor{h.Shape, make([]float32, count)}
	for i := range t.data {
		t.data[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[from+4*uint64(i):]))
	}
	return t, nil
}
