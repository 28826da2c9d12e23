package train

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/solo-assistant/solo/audio/wake/own/internal/ear"
)

// What a word was learnt from is kept beside it, so that it can be learnt again with what was wrong: magic,
// version (2 bytes), the clips, the SHA-256 of all before. A clip is the length of Who (1 byte), Who, kind,
// plain, End (4 bytes), the number of embeddings (4), and those as the upper halves of 32-bit floats, which
// is as fine as the classifier needs. All little-endian.
const (
	setMagic   = "SOLOWSET"
	setVersion = 1
	mostSet    = 256 << 20
)

// Errors of a set's file.
var (
	errNoSet  = errors.New("it is not what a wake word was learnt from")
	errBroken = errors.New("it is damaged; train the word again")
)

func encodeSet(clips []clip) []byte {
	b := append([]byte(setMagic), setVersion, 0)
	for _, c := range clips {
		who := c.Who[:min(len(c.Who), 255)]
		b = append(append(b, byte(len(who))), who...)
		plain := byte(0)
		if c.Plain {
			plain = 1
		}
		b = append(b, byte(c.Kind), plain)
		b = binary.LittleEndian.AppendUint32(b, uint32(c.End))
		b = binary.LittleEndian.AppendUint32(b, uint32(c.frames()))
		for _, v := range c.Sound[:c.frames()*ear.Size] {
			b = binary.LittleEndian.AppendUint16(b, uint16((math.Float32bits(v)+0x8000)>>16))
		}
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

func decodeSet(b []byte) ([]clip, error) {
	const start = len(setMagic) + 2
	switch {
	case len(b) < start || string(b[:len(setMagic)]) != setMagic:
		return nil, errNoSet
	case binary.LittleEndian.Uint16(b[len(setMagic):]) != setVersion:
		return nil, fmt.Errorf("%w, or was made by a newer Solo", errNoSet)
	case len(b) < start+sha256.Size:
		return nil, errBroken
	}
	body, sum := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if want := sha256.Sum256(body); !bytes.Equal(sum, want[:]) {
		return nil, fmt.Errorf("%w (its checksum is wrong)", errBroken)
	}
	var clips []clip
	for b = body[start:]; len(b) > 0; {
		c, rest, err := decodeClip(b)
		if err != nil {
			return nil, err
		}
		clips, b = append(clips, c), rest
	}
	return clips, nil
}

func decodeClip(b []byte) (c clip, rest []byte, err error) {
	n := int(b[0])
	if len(b) < 1+n+2+8 {
		return c, nil, errBroken
	}
	c.Who, b = string(b[1:1+n]), b[1+n:]
	c.Kind, c.Plain = kind(b[0]), b[1] == 1
	end, frames := binary.LittleEndian.Uint32(b[2:]), uint64(binary.LittleEndian.Uint32(b[6:]))
	b = b[10:]
	if c.Kind > wrong || end > math.MaxInt32 || frames*ear.Size*2 > uint64(len(b)) {
		return c, nil, errBroken
	}
	c.End, c.Sound = int(end), make([]float32, int(frames)*ear.Size)
	for i := range c.Sound {
		v := math.Float32frombits(uint32(binary.LittleEndian.Uint16(b[2*i:])) << 16)
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return c, nil, errBroken
		}
		c.Sound[i] = v
	}
	return c, b[2*len(c.Sound):], nil
}

func loadSet(path string) ([]clip, error) {
	info, err := os.Stat(path)
	if err == nil && info.Size() > mostSet {
		err = errBroken
	}
	var b []byte
	if err == nil {
		b, err = os.ReadFile(path)
	}
	var clips []clip
	if err == nil {
		clips, err = decodeSet(b)
	}
	if err != nil {
		return nil, fmt.Errorf("loading what the wake word was learnt from, %s: %w", path, err)
	}
	return clips, nil
}

// saveSet writes it whole or not at all.
func saveSet(path string, clips []clip) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".wake-*")
	if err == nil {
		defer os.Remove(f.Name()) // it is gone already where all went well
		_, err = f.Write(encodeSet(clips))
		if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
			err = os.Rename(f.Name(), path)
		}
	}
	if err != nil {
		return fmt.Errorf("saving what the wake word was learnt from: %w", err)
	}
	return nil
}
