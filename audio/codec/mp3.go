package codec

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/hajimehoshi/go-mp3"

	"github.com/solo-assistant/solo/audio"
)

// mp3Decoder leaves out what the encoder put before and behind the sound.
type mp3Decoder struct {
	dec   *mp3.Decoder
	short *bool // the file ended within a frame
	tag   mp3Tag
	given int64 // samples of one channel that the decoder gave
	front int   // still to leave out
	raw   []byte
	buf   []int16
	tail  []int16 // held back, as they may be the ones behind the sound
}

func openMP3(r io.ReadSeeker) (opened, error) {
	tag, err := readMP3Tag(r)
	if err != nil {
		return opened{}, err
	}
	if tag.low && tag.rate == 8000 {
		return opened{}, errors.New("MP3 of 8000 Hz (MPEG 2.5) is read only with ffmpeg")
	}
	if _, err := r.Seek(tag.start, io.SeekStart); err != nil {
		return opened{}, fmt.Errorf("reading sound file: %w", err)
	}
	d := &mp3Decoder{tag: tag, front: tag.front, raw: make([]byte, 8192)}
	d.dec, err = mp3.NewDecoder(d.source(bufio.NewReaderSize(r, 1<<15)))
	if err != nil {
		return opened{}, err
	}
	rate := d.dec.SampleRate()
	if tag.low {
		rate = tag.rate
	}
	return opened{decoder: d, format: audio.Format{Rate: rate, Channels: 2}}, nil
}

// source chooses how the decoder gets the frames.
func (d *mp3Decoder) source(r *bufio.Reader) io.Reader {
	if d.tag.low || d.tag.rate == 22050 {
		p := &repacker{r: r}
		d.short = &p.short
		return p
	}
	f := &fullReader{r: r}
	d.short = &f.short
	return f
}

func (d *mp3Decoder) next() ([]int16, error) {
	n, err := io.ReadFull(d.dec, d.raw)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil // the end comes with the next call
	}
	n -= n % 4
	d.given += int64(n / 4)
	raw := d.raw[:n]
	drop := min(d.front, n/4)
	d.front -= drop
	d.buf = append(d.buf[:0], d.tail...)
	for raw = raw[drop*4:]; len(raw) >= 2; raw = raw[2:] {
		d.buf = append(d.buf, int16(binary.LittleEndian.Uint16(raw)))
	}
	if errors.Is(err, io.EOF) && d.cut() {
		return d.buf, io.ErrUnexpectedEOF
	}
	return d.holdBack(), err
}

// holdBack keeps the last samples, which fall away when the end comes.
func (d *mp3Decoder) holdBack() []int16 {
	out := max(0, len(d.buf)-d.tag.back*2)
	d.tail = append(d.tail[:0], d.buf[out:]...)
	return d.buf[:out]
}

// cut says whether the file ended before the sound that it promises, or within a frame.
func (d *mp3Decoder) cut() bool {
	if d.tag.frames > 0 {
		return d.given < int64(d.tag.frames)*int64(d.tag.per)
	}
	return *d.short
}

// fullReader reads in full what it is asked for, and notes where that ended within a frame:
// the decoder keeps that to itself.
type fullReader struct {
	r     io.Reader
	short bool
}

func (f *fullReader) Read(b []byte) (int, error) {
	n, err := io.ReadFull(f.r, b)
	if n > 0 && n < len(b) && len(b) > 4 {
		f.short = true
	}
	if n > 0 && errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return n, err
}
