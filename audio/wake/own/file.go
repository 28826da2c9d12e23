package own

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/solo-assistant/solo/audio/wake/own/internal/ear"
	"github.com/solo-assistant/solo/audio/wake/own/internal/net"
)

// A word's file: magic, version (2 bytes), the header's length (4), the header as JSON, the classifier's
// numbers as 32-bit floats, the SHA-256 of all before. All little-endian.
const (
	magic      = "SOLOWAKE"
	version    = 1
	mostHeader = 1 << 16
	mostFile   = 4 << 20
)

// Errors of Read.
var (
	ErrNoWakeWord = errors.New("it is not a trained wake word")
	ErrNewer      = errors.New("it was made by a newer Solo; update Solo or train the word again")
	ErrDamaged    = errors.New("it is damaged; train the word again")
)

// header is the JSON of a file.
type header struct {
	*Model
	Frames int     `json:"frames"`
	Size   int     `json:"size"`
	Hidden int     `json:"hidden"`
	Bias   float32 `json:"bias"`
}

func (m *Model) encode() ([]byte, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	n := m.net
	head, err := json.Marshal(header{m, n.Frames, n.Size, n.Hidden, n.OutBias})
	if err != nil {
		return nil, err
	}
	b := append([]byte(magic), version, 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(head)))
	b = append(b, head...)
	for _, x := range n.Numbers() {
		for _, v := range x {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:]...), nil
}

// Read reads a word's file. Its errors are ErrNoWakeWord, ErrNewer and ErrDamaged, with more words.
func Read(r io.Reader) (*Model, error) {
	b, err := io.ReadAll(io.LimitReader(r, mostFile+1))
	if err != nil {
		return nil, err
	}
	const start = len(magic) + 2 + 4
	if len(b) < start || string(b[:len(magic)]) != magic {
		return nil, ErrNoWakeWord
	}
	if v := binary.LittleEndian.Uint16(b[len(magic):]); v != version {
		return nil, fmt.Errorf("%w (version %d)", ErrNewer, v)
	}
	if len(b) > mostFile || len(b) < start+sha256.Size {
		return nil, fmt.Errorf("%w (%d bytes)", ErrDamaged, len(b))
	}
	body, sum := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if want := sha256.Sum256(body); !bytes.Equal(sum, want[:]) {
		return nil, fmt.Errorf("%w (its checksum is wrong)", ErrDamaged)
	}
	return decode(body[start:], binary.LittleEndian.Uint32(b[len(magic)+2:]))
}

// decode reads header and numbers. The checksum says that they are as they were written, not who wrote them.
func decode(b []byte, size uint32) (*Model, error) {
	damaged := func(format string, args ...any) (*Model, error) {
		return nil, fmt.Errorf("%w (%s)", ErrDamaged, fmt.Sprintf(format, args...))
	}
	if size > mostHeader || int(size) > len(b) {
		return damaged("a header of %d bytes", size)
	}
	h := header{Model: &Model{}}
	if err := json.Unmarshal(b[:size], &h); err != nil {
		return damaged("%v", err)
	}
	if h.Model == nil || h.Size != ear.Size {
		return damaged("embeddings of %d numbers", h.Size)
	}
	n, err := net.New(h.Frames, h.Size, h.Hidden)
	if err != nil {
		return damaged("%v", err)
	}
	h.net, n.OutBias = n, h.Bias
	b = b[size:]
	for _, x := range n.Numbers() {
		if len(b) < 4*len(x) {
			return damaged("it breaks off")
		}
		for i := range x {
			x[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
		b = b[4*len(x):]
	}
	if len(b) > 0 {
		return damaged("%d bytes too many", len(b))
	}
	if err := h.check(); err != nil {
		return damaged("%v", err)
	}
	return h.Model, nil
}
