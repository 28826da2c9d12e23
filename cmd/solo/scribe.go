package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/codec"
	"github.com/solo-assistant/solo/audio/stt/sphinx"
	"github.com/solo-assistant/solo/audio/stt/whisper"
	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/voices"
)

// scribe writes down recordings, with a recogniser of its own: one that is at work on an hour of speech must not keep
// an order waiting. It is made when first needed, and freed when none was needed for a while. It is a supervise.Service.
//
// Where Whisper hears the room too, recordings are its as well: they make way for who speaks. Where it fails, pocketsphinx
// takes its place.
type scribe struct {
	app     *app
	whisper func() *whisper.Engine // that of the room; nil for none

	busy sync.Mutex // held while a recording is written down
	mu   sync.Mutex
	pen  *pen // nil while there is none
	used time.Time
}

// penRests is how long the recogniser of recordings is kept without work.
const penRests = 2 * time.Minute

func (s *scribe) String() string { return "scribe" }

// Serve frees the recogniser when it rests, and at the end.
func (s *scribe) Serve(ctx context.Context) error {
	supervise.Ready(ctx)
	t := time.NewTicker(penRests / 4)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			if s.busy.TryLock() {
				err := s.drop(time.Now().Add(-penRests))
				s.busy.Unlock()
				if err != nil {
					return err
				}
			}
		case <-ctx.Done():
			s.busy.Lock()
			defer s.busy.Unlock()
			return s.drop(time.Now())
		}
	}
}

// drop frees the recogniser where it was last used before a time.
func (s *scribe) drop(before time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pen == nil || s.used.After(before) {
		return nil
	}
	p := s.pen
	s.pen = nil
	return p.Close()
}

// writer is the recogniser of an engine, "" for the best that is there.
func (s *scribe) writer(ctx context.Context, engine string) (*pen, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used = time.Now()
	if s.pen != nil && (engine == "" || engine == s.pen.name) {
		return s.pen, nil
	}
	if s.pen != nil {
		if err := s.pen.Close(); err != nil {
			return nil, err
		}
		s.pen = nil
	}
	if s.whisper != nil && engine == "" {
		if e := s.whisper(); e != nil {
			s.pen = &pen{"whisper", func(ctx context.Context, in sphinx.Samples) (audio.Transcript, error) { return e.Transcribe(ctx, in) }, func() error { return nil }}
			return s.pen, nil
		}
	}
	p, err := s.app.newPen(ctx, engine, "")
	if err != nil {
		return nil, err
	}
	s.pen = p
	return p, nil
}

// Length decodes a recording to its end to know how long it plays.
func (s *scribe) Length(ctx context.Context, sound io.ReadSeeker) (time.Duration, error) {
	in, err := soundOf(sound)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	pcm, n := make([]int16, 1<<14), int64(0)
	for ctx.Err() == nil {
		k, err := in.Read(pcm)
		n += int64(k)
		if errors.Is(err, io.EOF) || errors.Is(err, codec.ErrTruncated) { // what came before is worth hearing
			return audio.Time(n, audio.Rate), nil
		}
		if err != nil {
			return 0, fmt.Errorf("%w: %w", web.ErrMedia, err)
		}
	}
	return 0, context.Cause(ctx)
}

func soundOf(sound io.ReadSeeker) (*codec.Stream, error) {
	in, err := codec.Open(sound)
	for _, known := range []error{codec.ErrEmpty, codec.ErrUnknown, codec.ErrUnreadable, codec.ErrTruncated, codec.ErrNoFFmpeg} {
		if errors.Is(err, known) {
			return nil, fmt.Errorf("%w: %w", web.ErrMedia, known)
		}
	}
	return in, err
}

// Transcribe writes down a recording. One is worked on at a time.
func (s *scribe) Transcribe(ctx context.Context, sound io.ReadSeeker, far func(float64)) ([]web.Segment, error) {
	size, err := sound.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, fmt.Errorf("measure the recording: %w", err)
	}
	s.busy.Lock()
	defer s.busy.Unlock()
	pieces, err := s.try(ctx, "", sound, size, far)
	if s.mistrusted(ctx, err) {
		s.app.log.Warn().Err(err).Msg("whisper could not write a recording down; pocketsphinx does")
		pieces, err = s.try(ctx, "pocketsphinx", sound, size, far)
	}
	return pieces, err
}

// mistrusted says whether another recogniser may do better.
func (s *scribe) mistrusted(ctx context.Context, err error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return err != nil && ctx.Err() == nil && !errors.Is(err, audio.ErrNoSpeech) && !errors.Is(err, web.ErrMedia) && s.pen != nil && s.pen.name == "whisper"
}

// try writes down a recording from its beginning.
func (s *scribe) try(ctx context.Context, engine string, sound io.ReadSeeker, size int64, far func(float64)) ([]web.Segment, error) {
	if _, err := sound.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read the recording: %w", err)
	}
	in, err := soundOf(sound)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	p, err := s.writer(ctx, engine)
	if err != nil {
		return nil, &web.Fault{Status: 501, Code: "no_recogniser", Message: "Solo cannot hear: " + err.Error(), Hint: "solo doctor tells more"}
	}
	sound16 := &paced{in: in, ctx: ctx, far: func() {
		if at, err := sound.Seek(0, io.SeekCurrent); err == nil && size > 0 {
			far(min(float64(at)/float64(size), 1))
		}
	}}
	t, err := p.write(ctx, sound16)
	if err != nil {
		return nil, err
	}
	return segments(t, audio.Time(sound16.read, audio.Rate)), nil
}

// paced tells when a recording was read a little further, and ends with ctx.
type paced struct {
	in   *codec.Stream
	ctx  context.Context
	far  func() // called every ten seconds of sound
	read int64
}

func (p *paced) Read(pcm []int16) (int, error) {
	if p.ctx.Err() != nil {
		return 0, context.Cause(p.ctx)
	}
	n, err := p.in.Read(pcm)
	before := p.read
	p.read += int64(n)
	if before/(10*audio.Rate) != p.read/(10*audio.Rate) {
		p.far()
	}
	if errors.Is(err, codec.ErrTruncated) {
		err = io.EOF
	}
	return n, err
}

// A segment of a transcript ends in a pause, or where it gets long.
const (
	segmentPause = 600 * time.Millisecond
	segmentMost  = 8 * time.Second
)

// segments divides a transcript where the speaker paused; one whose words have no times is one segment.
func segments(t audio.Transcript, length time.Duration) []web.Segment {
	if len(t.Words) == 0 {
		return []web.Segment{{End: length, Transcript: t}}
	}
	var out []web.Segment
	for _, w := range t.Words {
		last := len(out) - 1
		if last < 0 || w.Start-out[last].End > segmentPause || w.End-out[last].Start > segmentMost {
			out = append(out, web.Segment{Start: w.Start, End: w.End, Transcript: audio.Transcript{Text: w.Text, Sure: t.Sure, Engine: t.Engine, Words: []audio.Word{w}}})
			continue
		}
		out[last].End = w.End
		out[last].Text += " " + w.Text
		out[last].Words = append(out[last].Words, w)
	}
	return out
}

// recital says texts into clips.
type recital struct{ s *assistant }

// Speak says a text in a voice, "" for Solo's own.
func (r recital) Speak(ctx context.Context, text, voice string, pace float64) (audio.Clip, error) {
	c := r.s.voiceConfig(ctx, nil)
	if r.s.synth == nil {
		return audio.Clip{}, &web.Fault{Status: 501, Code: "no_voice", Message: "Solo has no voice here.", Hint: "solo doctor tells which can be installed"}
	}
	if voice != "" && !r.known(voice) {
		return audio.Clip{}, &web.Fault{Status: 400, Code: "unknown_voice", Message: "There is no voice of that name.", Hint: "leave voice out for Solo's own"}
	}
	if voice == "" || othersVoice[voice] {
		voice = c.Name
	}
	return spoken(ctx, r.s.synth, text, voices.Phrase{Voice: voice, Pace: pace * max(c.Pace, 0.1)})
}

// othersVoice are names that clients of the OpenAI API send because they must send one; Solo's own voice answers to them.
var othersVoice = map[string]bool{"alloy": true, "ash": true, "ballad": true, "coral": true, "echo": true, "fable": true, "onyx": true, "nova": true,
	"sage": true, "shimmer": true, "verse": true, "marin": true, "cedar": true}

func (r recital) known(voice string) bool {
	if othersVoice[voice] {
		return true
	}
	for _, v := range r.s.synth.Voices() {
		if v.ID == voice || strings.HasSuffix(v.ID, "/"+voice) {
			return true
		}
	}
	return false
}

// spoken synthesizes a whole text, sentence by sentence.
func spoken(ctx context.Context, v synth, text string, as voices.Phrase) (audio.Clip, error) {
	var said audio.Clip
	for _, s := range voices.Split(text) {
		as.Text = voices.Plain(s)
		for c, err := range v.Synthesize(ctx, as) {
			if err != nil {
				return audio.Clip{}, err
			}
			said.Format = c.Format
			said.PCM = append(said.PCM, c.PCM...)
		}
	}
	return said, nil
}
