package silero

import (
	"encoding/binary"
	"strings"
	"testing"
)

func file(header string, body ...byte) []byte {
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), body...)
}

func TestReadTensors(t *testing.T) {
	got, err := readTensors(file(`{"__metadata__":{"a":"b"},"x":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}`, 0, 0, 128, 63, 0, 0, 0, 192))
	if err != nil || len(got) != 1 || got["x"].data[0] != 1 || got["x"].data[1] != -2 {
		t.Errorf("%v, %v", got, err)
	}
	for name, tt := range map[string]struct {
		file []byte
		want string
	}{
		"nothing":     {nil, "ends before its header"},
		"long header": {file("{}")[:9], "claims"},
		"no json":     {file("{"), "reading the header"},
		"halves":      {file(`{"x":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}}`, 0, 0), "F16"},
		"far away":    {file(`{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`), "bytes 0 to 4 of 0"},
		"backwards":   {file(`{"x":{"dtype":"F32","shape":[0],"data_offsets":[4,0]}}`, 0, 0, 0, 0), "bytes 4 to 0"},
		"wrong shape": {file(`{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, 0, 0, 0, 0), "in 4 bytes"},
		"huge shape":  {file(`{"x":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}`), "shape"},
		"negative":    {file(`{"x":{"dtype":"F32","shape":[-1,-1],"data_offsets":[0,4]}}`, 0, 0, 0, 0), "shape"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := readTensors(tt.file); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func FuzzReadTensors(f *testing.F) {
	f.Add(file(`{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 0, 0, 128, 63))
	f.Add(file(`{}`))
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, b []byte) {
		tensors, err := readTensors(b)
		if err != nil {
			return
		}
		for name, tensor := range tensors {
			n := 1
			for _, d := range tensor.shape {
				n *= d
			}
			if n != len(tensor.data) {
				t.Errorf("%q: shape %v with %d numbers", name, tensor.shape, len(tensor.data))
			}
		}
		if _, err := newNetwork(tensors); err == nil && len(b) < 1<<20 {
			t.Error("a network without numbers")
		}
	})
}
