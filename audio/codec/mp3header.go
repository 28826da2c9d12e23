package codec

import (
	"bytes"
	"encoding/binary"
	"io"
)

// mp3Header is the four bytes before every MP3 frame.
type mp3Header struct {
	rate     int
	low      bool // MPEG 2.5, an unofficial form for 8 to 12 kHz
	samples  int  // of one channel in a frame
	size     int  // bytes, these four included
	sideInfo int  // bytes behind the header before an encoder's tag
}

var (
	mp3Bitrates = [2][16]int{ // kbit/s, layer III
		{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0}, // MPEG 1
		{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0},     // MPEG 2 and 2.5
	}
	mp3Rates = [4][4]int{{11025, 12000, 8000}, {}, {22050, 24000, 16000}, {44100, 48000, 32000}}
)

func parseMP3Header(b []byte) (mp3Header, bool) {
	if len(b) < 4 || b[0] != 0xff || b[1]&0xe6 != 0xe2 {
		return mp3Header{}, false
	}
	version, mono := b[1]>>3&3, b[3]>>6 == 3
	h := mp3Header{rate: mp3Rates[version][b[2]>>2&3], low: version == 0, samples: 576, sideInfo: 17}
	row, per := 1, 72
	if version == 3 {
		row, per, h.samples, h.sideInfo = 0, 144, 1152, 32
	}
	if mono {
		h.sideInfo = map[bool]int{true: 17, false: 9}[version == 3]
	}
	bitrate := mp3Bitrates[row][b[2]>>4]
	if h.rate == 0 || bitrate == 0 {
		return mp3Header{}, false
	}
	h.size = per*bitrate*1000/h.rate + int(b[2]>>1&1)
	return h, true
}

// looksLikeMP3 wants two frames in a row, as single headers turn up by chance.
func looksLikeMP3(head []byte) bool {
	h, ok := parseMP3Header(head)
	if !ok {
		return false
	}
	if len(head) <= h.size {
		return len(head) < sniffed // the file itself is that short
	}
	_, ok = parseMP3Header(head[h.size:])
	return ok || len(head) < h.size+4
}

// mp3Tag is what an encoder notes in a first frame without sound.
type mp3Tag struct {
	start  int64 // where the first frame with sound begins
	frames int   // with sound, 0 where it does not say
	front  int   // samples to leave out at the beginning
	back   int   // and at the end
	rate   int   // Hz, 0 where no frame was found
	low    bool  // MPEG 2.5
	per    int   // samples in a frame
}

// decoderDelay is what every MP3 decoder adds to the encoder's delay.
const decoderDelay = 529

// readMP3Tag finds the first frame behind an ID3 tag and reads the encoder's notes in it.
func readMP3Tag(r io.ReadSeeker) (mp3Tag, error) {
	start, err := afterID3(r)
	if err != nil {
		return mp3Tag{}, err
	}
	b, err := peek(r, start, 2048)
	if err != nil {
		return mp3Tag{}, err
	}
	h, ok := parseMP3Header(b)
	if !ok {
		return mp3Tag{start: start}, nil // the decoder looks further
	}
	t := mp3Tag{start: start, rate: h.rate, low: h.low, per: h.samples}
	if len(b) < h.size || h.size < 4+h.sideInfo+8 {
		return t, nil
	}
	xing := b[4+h.sideInfo : h.size]
	if !bytes.HasPrefix(xing, []byte("Xing")) && !bytes.HasPrefix(xing, []byte("Info")) {
		return t, nil
	}
	t.start += int64(h.size)
	t.notes(xing)
	return t, nil
}

// notes reads the fields of a Xing tag and of LAME's behind it.
func (t *mp3Tag) notes(b []byte) {
	flags, at := binary.BigEndian.Uint32(b[4:]), 8
	for bit, size := range []int{4, 4, 100, 4} {
		if flags>>bit&1 == 0 {
			continue
		}
		if bit == 0 && len(b) >= at+4 {
			t.frames = int(min(binary.BigEndian.Uint32(b[at:]), 1<<30))
		}
		at += size
	}
	if len(b) < at+24 || b[at] != 'L' { // LAME or Lavc, Lavf
		return
	}
	delay := int(b[at+21])<<4 | int(b[at+22])>>4
	padding := int(b[at+22]&15)<<8 | int(b[at+23])
	t.front, t.back = delay+decoderDelay, max(0, padding-decoderDelay)
}

// afterID3 is where the sound begins. The tag may hold pictures of megabytes, so it is jumped over.
func afterID3(r io.ReadSeeker) (int64, error) {
	var at int64
	for range 4 { // some programs put one tag before another
		b, err := peek(r, at, 10)
		if err != nil {
			return 0, err
		}
		if len(b) < 10 || string(b[:3]) != "ID3" {
			break
		}
		at += 10 + int64(b[6]&0x7f)<<21 + int64(b[7]&0x7f)<<14 + int64(b[8]&0x7f)<<7 + int64(b[9]&0x7f)
	}
	return at, nil
}
