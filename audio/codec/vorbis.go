package codec

import (
	"errors"
	"io"

	"github.com/jfreymuth/oggvorbis"

	"github.com/solo-assistant/solo/audio"
)

type vorbisDecoder struct {
	r     *oggvorbis.Reader
	whole bool // the file has its last page
	raw   []float32
	buf   []int16
}

func openVorbis(r io.ReadSeeker) (opened, error) {
	whole, err := oggWhole(r)
	if err != nil {
		return opened{}, err
	}
	v, err := oggvorbis.NewReader(plain(r))
	if err != nil {
		return opened{}, err
	}
	f := audio.Format{Rate: v.SampleRate(), Channels: v.Channels()}
	return opened{decoder: &vorbisDecoder{r: v, whole: whole, raw: make([]float32, 8192)}, format: f}, nil
}

func (d *vorbisDecoder) next() ([]int16, error) {
	n, err := d.r.Read(d.raw)
	d.buf = d.buf[:0]
	for _, x := range d.raw[:n] {
		d.buf = append(d.buf, audio.FromFloat(float64(x)))
	}
	if errors.Is(err, io.EOF) && !d.whole {
		err = io.ErrUnexpectedEOF
	}
	return d.buf, err
}
