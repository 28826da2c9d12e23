// Package codec turns sound files of many kinds into 16 kHz mono.
//
// WAV, MP3, FLAC, Ogg with Opus or Vorbis and WebM with Opus are decoded in pure Go; MP4, AAC and
// other kinds by ffmpeg, where it is installed. What a file is is seen from its content, not from
// its name. Files may be hostile: a decoder's panic becomes an error, and memory stays bounded.
package codec

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/solo-assistant/solo/audio"
)

var (
	// ErrEmpty says that a file has no bytes at all.
	ErrEmpty = errors.New("the sound file is empty (0 bytes)")
	// ErrUnknown says that a file is of no kind that Solo knows.
	ErrUnknown = errors.New("this is no sound file that Solo knows: WAV, MP3, FLAC, Ogg, WebM, and MP4 or AAC with ffmpeg")
	// ErrUnreadable says that a file is of a known kind, but of a variant that is not read, or damaged at its beginning.
	ErrUnreadable = errors.New("this sound file can not be read")
	// ErrTruncated says that the sound breaks off before its end, because the file is cut short or
	// damaged. All that came before was given.
	ErrTruncated = errors.New("the sound file breaks off or is damaged")
	// ErrNoFFmpeg says that a file needs ffmpeg.
	ErrNoFFmpeg = errors.New("this kind of sound file needs ffmpeg: install it and try again")
)

// decoder is one kind of file, opened.
type decoder interface {
	// next gives some interleaved samples, valid until the next call, and io.EOF behind the last.
	next() ([]int16, error)
}

// opened is a decoder and what it gives.
type opened struct {
	decoder
	format audio.Format
	close  func() error // nil where there is nothing to close
}

// Stream is a sound file that is being decoded. It is for one goroutine.
type Stream struct {
	kind  string
	from  opened
	file  *os.File // nil where the caller owns it
	to16k *audio.Resampler
	mono  []int16
	buf   []int16
	ready []int16
	err   error
}

// OpenFile opens the sound file at path. Close it when done.
func OpenFile(path string) (*Stream, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening sound file: %w", err)
	}
	s, err := Open(f)
	if err != nil {
		_ = f.Close() // the first error says more
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s.file = f
	return s, nil
}

// Open decodes r from its beginning. Every error that is no fault of r wraps ErrEmpty, ErrUnknown,
// ErrUnreadable, ErrTruncated or ErrNoFFmpeg. Close the stream when done; r stays the caller's.
func Open(r io.ReadSeeker) (*Stream, error) {
	k, err := sniff(r)
	if err != nil {
		return nil, err
	}
	from, err := k.start(r)
	if err != nil {
		return nil, fmt.Errorf("decoding %s: %w", k.name, err)
	}
	return &Stream{kind: k.name, from: from, to16k: audio.NewResampler(from.format.Rate, audio.Rate)}, nil
}

// Kind names what the file is, such as "MP3".
func (s *Stream) Kind() string { return s.kind }

// Format is what the file holds, before it was turned into 16 kHz mono.
func (s *Stream) Format() audio.Format { return s.from.format }

// Read fills pcm with 16 kHz mono samples. It ends with io.EOF, or with ErrTruncated
// where the file ends too early.
func (s *Stream) Read(pcm []int16) (int, error) {
	for len(s.ready) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		s.fill()
	}
	n := copy(pcm, s.ready)
	s.ready = s.ready[n:]
	return n, nil
}

// fill decodes the next piece.
func (s *Stream) fill() {
	raw, err := guarded(s.from.next)
	s.mono = audio.AppendMono(s.mono[:0], raw, s.from.format.Channels)
	s.buf = s.to16k.Process(s.buf[:0], s.mono)
	if err != nil {
		s.buf, s.err = s.to16k.Flush(s.buf), err
	}
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = fmt.Errorf("decoding %s: %w", s.kind, broken(err))
	}
	s.ready = s.buf
}

// Close ends the decoding.
func (s *Stream) Close() error {
	var err error
	if s.from.close != nil {
		err = s.from.close()
	}
	if s.file != nil {
		err = errors.Join(err, s.file.Close())
	}
	return err
}

// Decode reads a whole sound file into memory as 16 kHz mono. With ErrTruncated it gives what could be decoded.
func Decode(r io.ReadSeeker) (clip audio.Clip, err error) {
	s, err := Open(r)
	if err != nil {
		return audio.Clip{}, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	clip.Format = audio.Mono16k
	buf := make([]int16, 1<<14)
	for {
		n, err := s.Read(buf)
		clip.PCM = append(clip.PCM, buf[:n]...)
		if errors.Is(err, io.EOF) {
			return clip, nil
		}
		if err != nil {
			return clip, err
		}
	}
}

// broken marks err as the early end of a sound.
func broken(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: it is cut short", ErrTruncated)
	}
	if errors.Is(err, ErrTruncated) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrTruncated, err)
}

// guarded calls f and makes an error of its panic: the decoders were not all written for hostile files.
func guarded[T any](f func() (T, error)) (v T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: the decoder gave up: %v", ErrTruncated, p)
		}
	}()
	return f()
}

// plain hides that r can seek, which makes some decoders scan the whole file first, and buffers it.
func plain(r io.Reader) io.Reader {
	return struct{ io.Reader }{bufio.NewReaderSize(r, 1<<15)}
}
