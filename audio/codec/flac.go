package codec

import (
	"errors"
	"fmt"
	"io"

	"github.com/mewkiz/flac"

	"github.com/solo-assistant/solo/audio"
)

type flacDecoder struct {
	s     *flac.Stream
	given uint64 // samples of one channel
	buf   []int16
}

func openFLAC(r io.ReadSeeker) (opened, error) {
	s, err := flac.New(plain(r))
	if err != nil {
		return opened{}, err
	}
	f := audio.Format{Rate: int(s.Info.SampleRate), Channels: int(s.Info.NChannels)}
	return opened{decoder: &flacDecoder{s: s}, format: f}, nil
}

func (d *flacDecoder) next() ([]int16, error) {
	f, err := d.s.ParseNext()
	if errors.Is(err, io.EOF) && d.given < d.s.Info.NSamples {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	if len(f.Subframes) != int(d.s.Info.NChannels) {
		return nil, fmt.Errorf("a frame has %d channels, the stream %d", len(f.Subframes), d.s.Info.NChannels)
	}
	bits := int(f.BitsPerSample)
	if bits == 0 {
		bits = int(d.s.Info.BitsPerSample)
	}
	d.buf = d.buf[:0]
	for i := range f.Subframes[0].Samples {
		for _, sub := range f.Subframes {
			d.buf = append(d.buf, to16(sub.Samples[i], bits))
		}
	}
	d.given += uint64(len(f.Subframes[0].Samples))
	return d.buf, nil
}

// to16 rounds a sample of 4 to 32 bits to 16.
func to16(v int32, bits int) int16 {
	if bits <= 16 {
		return int16(v << (16 - bits))
	}
	down := bits - 16
	return int16(min((int64(v)+1<<(down-1))>>down, 32767))
}
