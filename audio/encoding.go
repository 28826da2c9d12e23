package audio

import (
	"encoding/binary"
	"math"
)

// encoding is how a WAV stores one sample.
type encoding int

const (
	pcm8 encoding = iota
	pcm16
	pcm24
	pcm32
	float32s
	float64s
)

func (e encoding) bytes() int { return [...]int{1, 2, 3, 4, 4, 8}[e] }

func encodingOf(code uint16, bits int) (encoding, error) {
	switch {
	case code == 1 && bits == 8:
		return pcm8, nil
	case code == 1 && bits == 16:
		return pcm16, nil
	case code == 1 && bits == 24:
		return pcm24, nil
	case code == 1 && bits == 32:
		return pcm32, nil
	case code == 3 && bits == 32:
		return float32s, nil
	case code == 3 && bits == 64:
		return float64s, nil
	case code == 1 || code == 3:
		return 0, wavErr("samples of %d bits are not read, PCM has 8, 16, 24 or 32, float 32 or 64", bits)
	}
	return 0, wavErr("coding %#x (%s) is not read, only PCM and float are", code, codingName(code))
}

func codingName(code uint16) string {
	names := map[uint16]string{2: "ADPCM", 6: "A-law", 7: "mu-law", 0x11: "IMA ADPCM", 0x31: "GSM", 0x50: "MPEG", 0x55: "MP3", 0xFF: "AAC"}
	if n, ok := names[code]; ok {
		return n
	}
	return "unknown"
}

// decode fills pcm from raw and gives the number of samples. pcm is long enough.
func (e encoding) decode(pcm []int16, raw []byte) int {
	le, size := binary.LittleEndian, e.bytes()
	n := len(raw) / size
	for i := range pcm[:n] {
		b := raw[i*size : i*size+size]
		switch e {
		case pcm8:
			pcm[i] = int16(int(b[0])-128) << 8
		case pcm16:
			pcm[i] = int16(le.Uint16(b))
		case pcm24:
			pcm[i] = clip(math.Round(float64(int32(uint32(b[0])<<8|uint32(b[1])<<16|uint32(b[2])<<24)) / (1 << 16)))
		case pcm32:
			pcm[i] = clip(math.Round(float64(int32(le.Uint32(b))) / (1 << 16)))
		case float32s:
			pcm[i] = FromFloat(float64(math.Float32frombits(le.Uint32(b))))
		case float64s:
			pcm[i] = FromFloat(math.Float64frombits(le.Uint64(b)))
		}
	}
	return n
}

// FromFloat makes a sample of x, where full scale is ±1. What lies beyond is clipped, NaN is silence.
func FromFloat(x float64) int16 { return clip(math.Round(x * 32768)) }

func clip(x float64) int16 {
	switch {
	case x != x:
		return 0
	case x >= math.MaxInt16:
		return math.MaxInt16
	case x <= math.MinInt16:
		return math.MinInt16
	}
	return int16(x)
}
