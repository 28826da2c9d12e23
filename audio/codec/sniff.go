package codec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// kind is one kind of sound file.
type kind struct {
	name   string
	open   func(r io.ReadSeeker) (opened, error) // nil where only ffmpeg can
	ffmpeg string                                // ffmpeg's name for the container
}

// start opens r with Solo's own decoder, and with ffmpeg where that does not know the variant.
func (k kind) start(r io.ReadSeeker) (opened, error) {
	if k.open == nil {
		return withFFmpeg(r, k.ffmpeg)
	}
	o, err := guarded(func() (opened, error) { return k.open(r) })
	if err == nil {
		err = o.format.Check()
	}
	if err == nil {
		return o, nil
	}
	if o, other := withFFmpeg(r, k.ffmpeg); other == nil {
		return o, nil
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return opened{}, broken(err)
	}
	return opened{}, fmt.Errorf("%w: %w", ErrUnreadable, err)
}

// sniffed is how much of a file's beginning is looked at.
const sniffed = 8192

// sniff sees from the content what r is, and leaves r at its beginning.
func sniff(r io.ReadSeeker) (kind, error) {
	head, err := peek(r, 0, sniffed)
	if err != nil {
		return kind{}, err
	}
	if len(head) == 0 {
		return kind{}, ErrEmpty
	}
	k, ok := kindOf(head)
	if !ok {
		return kind{}, ErrUnknown
	}
	return k, nil
}

func kindOf(head []byte) (kind, bool) {
	at := func(i int, s string) bool { return len(head) >= i && bytes.HasPrefix(head[i:], []byte(s)) }
	switch {
	case at(0, "RIFF") || at(0, "RF64") || at(0, "BW64") || at(0, "RIFX"):
		return kind{"WAV", openWAV, "wav"}, true
	case at(0, "fLaC"):
		return kind{"FLAC", openFLAC, "flac"}, true
	case at(0, "OggS") && at(28, "OpusHead"):
		return kind{"Ogg Opus", openOggOpus, "ogg"}, true
	case at(0, "OggS") && at(28, "\x01vorbis"):
		return kind{"Ogg Vorbis", openVorbis, "ogg"}, true
	case at(0, "OggS"):
		return kind{"Ogg", nil, "ogg"}, true
	case at(0, "\x1a\x45\xdf\xa3"):
		return kind{"WebM", openWebM, "matroska"}, true
	case at(4, "ftyp"):
		return kind{"MP4", nil, "mov"}, true
	case at(0, "FORM") && (at(8, "AIFF") || at(8, "AIFC")):
		return kind{"AIFF", nil, "aiff"}, true
	case at(0, "#!AMR"):
		return kind{"AMR", nil, "amr"}, true
	case at(0, "caff"):
		return kind{"CAF", nil, "caf"}, true
	case at(0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11"):
		return kind{"WMA", nil, "asf"}, true
	case at(0, "ID3"):
		return kind{"MP3", openMP3, "mp3"}, true
	case len(head) > 6 && head[0] == 0xff && head[1]&0xf6 == 0xf0:
		return kind{"AAC", nil, "aac"}, true
	case looksLikeMP3(head):
		return kind{"MP3", openMP3, "mp3"}, true
	}
	return kind{}, false
}

// peek reads up to n bytes at offset and goes back to the beginning.
func peek(r io.ReadSeeker, offset int64, n int) ([]byte, error) {
	if _, err := r.Seek(offset, io.SeekStart); err != nil {
		return nil, fmt.Errorf("reading sound file: %w", err)
	}
	b := make([]byte, n)
	got, err := io.ReadFull(r, b)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("reading sound file: %w", err)
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("reading sound file: %w", err)
	}
	return b[:got], nil
}
