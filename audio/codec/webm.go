package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/solo-assistant/solo/audio"
)

// The elements of WebM that matter; see RFC 9559 (Matroska).
const (
	idSegment, idCluster, idBlockGroup, idTracks = 0x18538067, 0x1F43B675, 0xA0, 0x1654AE6B
	idTrackEntry, idTrackNumber, idCodecID       = 0xAE, 0xD7, 0x86
	idCodecPrivate, idSimpleBlock, idBlock       = 0x63A2, 0xA3, 0xA1
)

// webm walks over the elements in the order of the file. It goes into the few containers that
// matter and past all others, so that those without a size, as browsers write them, need no care.
type webm struct {
	e     ebml
	track webmTrack // the one being read, then the one being played
	found bool
	dec   *opusDecoder
	held  []byte // a packet that was read and is not decoded yet
}

type webmTrack struct {
	number  uint64
	codec   string
	private []byte
}

func openWebM(r io.ReadSeeker) (opened, error) {
	w := &webm{e: ebml{r: plain(r)}}
	for w.dec == nil {
		if err := w.step(); err != nil {
			return opened{}, err
		}
	}
	return opened{decoder: w, format: audio.Format{Rate: opusRate, Channels: 1}}, nil
}

func (w *webm) next() ([]int16, error) {
	for len(w.held) == 0 {
		if err := w.step(); err != nil {
			return nil, err
		}
	}
	packet := w.held
	w.held = nil
	return w.dec.decode(packet, -1)
}

// step reads one element.
func (w *webm) step() error {
	id, size, err := w.e.head()
	if err != nil {
		return err
	}
	switch id {
	case idSegment, idTracks, idCluster, idBlockGroup:
		return w.e.into(id, size)
	case idTrackEntry:
		if !w.found {
			w.track = webmTrack{}
		}
		return w.e.into(id, size)
	case idTrackNumber, idCodecID, idCodecPrivate:
		return w.describe(id, size)
	case idSimpleBlock, idBlock:
		return w.block(size)
	}
	return w.e.skip(size)
}

// describe notes what a track entry says. The first track with Opus is the one to play.
func (w *webm) describe(id, size uint64) error {
	b, err := w.e.bytes(size, 1<<16)
	if err != nil || w.found {
		return err
	}
	switch id {
	case idTrackNumber:
		w.track.number = number(b)
	case idCodecID:
		w.track.codec = string(bytes.TrimRight(b, "\x00"))
	case idCodecPrivate:
		w.track.private = b
	}
	w.found = w.track.codec == "A_OPUS" && w.track.number != 0 && w.track.private != nil
	return nil
}

// block takes a packet out of a block of the track to play.
func (w *webm) block(size uint64) error {
	b, err := w.e.bytes(size, 1<<20)
	if err != nil {
		return err
	}
	if !w.found {
		return fmt.Errorf("the WebM has no Opus track but %q", w.track.codec)
	}
	track, n, err := vint(bytes.NewReader(b), true)
	if err != nil || len(b) < n+3 {
		return errors.New("a WebM block is too short")
	}
	if track != w.track.number {
		return nil
	}
	if b[n+2]&0x06 != 0 {
		return errors.New("WebM blocks with lacing are not read")
	}
	w.held = b[n+3:]
	return w.start()
}

// start makes the decoder when the first packet was found.
func (w *webm) start() error {
	if w.dec != nil {
		return nil
	}
	head := w.track.private
	if len(head) < 19 || string(head[:8]) != "OpusHead" {
		return errors.New("the WebM says nothing about its Opus track")
	}
	if head[18] != 0 || head[9] > 2 {
		return fmt.Errorf("opus with %d channels is not read, only mono and stereo are", head[9])
	}
	var err error
	w.dec, err = newOpusDecoder(int(binary.LittleEndian.Uint16(head[10:])), int16(binary.LittleEndian.Uint16(head[16:])))
	return err
}

// number is a big-endian number of any length.
func number(b []byte) (v uint64) {
	for _, c := range b {
		v = v<<8 | uint64(c)
	}
	return v
}
