package codec

import (
	"errors"
	"io"

	"github.com/solo-assistant/solo/audio"
)

type wavDecoder struct {
	r   *audio.WAVReader
	buf []int16
}

func openWAV(r io.ReadSeeker) (opened, error) {
	w, err := audio.OpenWAV(r)
	if err != nil {
		return opened{}, err
	}
	return opened{decoder: &wavDecoder{w, make([]int16, 4096*w.Format().Channels)}, format: w.Format()}, nil
}

func (d *wavDecoder) next() ([]int16, error) {
	n, err := d.r.Read(d.buf)
	if errors.Is(err, io.EOF) && d.r.Truncated() {
		err = io.ErrUnexpectedEOF
	}
	return d.buf[:n], err
}
