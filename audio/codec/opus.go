package codec

import (
	"fmt"
	"math"

	"github.com/pion/opus"

	"github.com/solo-assistant/solo/audio"
)

const (
	opusRate = 48000
	// longest is the longest packet that there can be, 120 ms.
	longest = opusRate * 120 / 1000
)

// opusDecoder makes 48 kHz mono out of Opus packets.
type opusDecoder struct {
	dec  opus.Decoder
	skip int     // samples of the encoder's start that are no sound
	gain float64 // to multiply with
	at   int64   // samples decoded, the skipped ones included
	raw  []float32
	buf  []int16
}

// newOpusDecoder leaves out the first skip samples and amplifies by gain/256 dB.
func newOpusDecoder(skip int, gain int16) (*opusDecoder, error) {
	dec, err := opus.NewDecoderWithOutput(opusRate, 1)
	if err != nil {
		return nil, fmt.Errorf("starting Opus: %w", err)
	}
	return &opusDecoder{dec: dec, skip: skip, gain: math.Pow(10, float64(gain)/256/20), raw: make([]float32, longest)}, nil
}

// decode gives the samples of one packet. Those from the place end on do not count; -1 is none.
func (d *opusDecoder) decode(packet []byte, end int64) ([]int16, error) {
	n, err := d.dec.DecodeToFloat32(packet, d.raw)
	if err != nil {
		return nil, err
	}
	start := d.at
	d.at += int64(n)
	if end >= 0 && end < d.at {
		n = int(max(0, end-start))
	}
	drop := min(d.skip, n)
	d.skip -= drop
	d.buf = d.buf[:0]
	for _, x := range d.raw[drop:n] {
		d.buf = append(d.buf, audio.FromFloat(float64(x)*d.gain))
	}
	return d.buf, nil
}
