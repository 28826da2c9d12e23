package codec

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/pion/opus/pkg/oggreader"

	"github.com/solo-assistant/solo/audio"
)

// noGranule marks a page on which no packet ends.
const noGranule = ^uint64(0)

type oggOpus struct {
	r     *oggreader.OggReader
	dec   *opusDecoder
	whole bool
}

func openOggOpus(r io.ReadSeeker) (opened, error) {
	whole, err := oggWhole(r)
	if err != nil {
		return opened{}, err
	}
	ogg, head, err := oggreader.NewWith(plain(r))
	if err != nil {
		return opened{}, err
	}
	if head.ChannelMap != 0 || head.Channels > 2 {
		return opened{}, fmt.Errorf("opus with %d channels is not read, only mono and stereo are", head.Channels)
	}
	dec, err := newOpusDecoder(int(head.PreSkip), int16(head.OutputGain))
	if err != nil {
		return opened{}, err
	}
	return opened{decoder: &oggOpus{ogg, dec, whole}, format: audio.Format{Rate: opusRate, Channels: 1}}, nil
}

func (d *oggOpus) next() ([]int16, error) {
	packet, page, err := d.r.ParseNextPacket()
	if errors.Is(err, io.EOF) && !d.whole {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(packet, []byte("OpusTags")) || bytes.HasPrefix(packet, []byte("OpusHead")) || len(packet) == 0 {
		return nil, nil
	}
	end := int64(-1)
	if g := page.GranulePosition; g != noGranule && g < 1<<62 {
		end = int64(g) // the last page says how much of its last packet counts
	}
	return d.dec.decode(packet, end)
}

// oggWhole says whether the file ends with a complete page that is marked as the last.
func oggWhole(r io.ReadSeeker) (bool, error) {
	const largest = 27 + 255 + 255*255
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return false, fmt.Errorf("reading sound file: %w", err)
	}
	tail, err := peek(r, max(0, size-largest), largest)
	if err != nil {
		return false, err
	}
	i := bytes.LastIndex(tail, []byte("OggS"))
	if i < 0 || len(tail) < i+27 {
		return false, nil
	}
	page := tail[i:]
	want := 27 + int(page[26])
	if len(page) < want {
		return false, nil
	}
	for _, s := range page[27:want] {
		want += int(s)
	}
	return page[5]&4 != 0 && len(page) >= want, nil
}
