package whisper

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// Stream recognises one utterance.
type Stream struct {
	e      *Engine
	pcm    []int16
	prompt string
	vad    Detector
	heard  []bool // for each frame of pcm, whether someone speaks in it
	speech int    // samples up to the end of the last speech
	asked  int    // samples that the last reading was given

	look     *look // the reading under way, or the last one
	stop     context.CancelFunc
	ctx      context.Context // of the readings: a Stream's own, ended by Close
	finished bool
	closed   bool
	over     func() // recordings may be read again

	mu      sync.Mutex
	partial string
	agreed  agreement
}

// look is a reading of what was fed so far.
type look struct {
	upto   int // samples
	cancel context.CancelFunc
	done   chan struct{}
	words  []audio.Word // of all sound up to there, once done
	sure   float64
	lang   string
	whole  bool // it began at the beginning
	err    error
}

func (e *Engine) newStream() (*Stream, error) {
	s := &Stream{e: e, vad: &byLevel{floor: -50}, over: sync.OnceFunc(e.closedOne)}
	if e.conf.VAD != nil {
		vad, err := e.conf.VAD()
		if err != nil {
			return nil, fmt.Errorf("voice activity: %w", err)
		}
		s.vad = vad
	}
	if e.conf.Words != nil {
		s.prompt = promptOf(e.conf.Words())
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	return s, nil
}

// Feed takes 16 kHz mono samples, any number at a time. It costs next to nothing: the server decodes meanwhile.
func (s *Stream) Feed(pcm []int16) error {
	if s.finished || s.closed {
		return ErrFinished
	}
	if len(s.pcm)+len(pcm) > int(audio.Samples(Longest, audio.Rate)) {
		return ErrTooLong
	}
	s.pcm = append(s.pcm, pcm...)
	if err := s.attend(); err != nil {
		return fmt.Errorf("whisper: voice activity: %w", err)
	}
	s.glance()
	return nil
}

// attend looks for speech in the frames that are whole.
func (s *Stream) attend() error {
	for n := len(s.heard) * audio.FrameLen; n+audio.FrameLen <= len(s.pcm); n += audio.FrameLen {
		f := audio.Frame{At: int64(n), PCM: s.pcm[n : n+audio.FrameLen]}
		speaks, err := s.vad.Speech(f)
		if err != nil {
			return err
		}
		speaks = speaks && audio.Level(f.PCM) > quietest
		s.heard = append(s.heard, speaks)
		if speaks {
			s.speech = n + audio.FrameLen
		}
	}
	return nil
}

// quietest is the level in dBFS under which nothing is taken for speech.
const quietest = -55

const (
	// pad is the sound behind the last speech that a reading is given: a VAD misses weak endings.
	pad = audio.Rate / 5
	// window is how much sound a partial result is made of, so that it costs the same however long the utterance.
	window = 20 * audio.Rate
)

// glance begins a reading where there is new speech and none is under way.
func (s *Stream) glance() {
	if s.look != nil {
		select {
		case <-s.look.done:
		default:
			return
		}
	}
	every := int(audio.Samples(s.e.conf.Every, audio.Rate))
	pause := len(s.pcm)-s.speech >= pad && s.asked < s.speech+pad // the end of a phrase: likely the last word
	if s.speech == 0 || s.asked >= s.speech+pad || len(s.pcm)-s.asked < every && !pause {
		return
	}
	s.begin()
}

// begin starts a reading of what was fed so far.
func (s *Stream) begin() {
	s.asked = len(s.pcm)
	ctx, cancel := context.WithCancel(s.ctx)
	l := &look{upto: s.asked, cancel: cancel, done: make(chan struct{})}
	s.look = l
	from := s.from()
	l.whole = from == 0
	pcm, voiced := s.pcm[from:l.upto:l.upto], slices.Clone(s.heard[from/audio.FrameLen:])
	go func() {
		defer close(l.done)
		defer cancel()
		s.read(ctx, l, pcm, voiced, audio.Time(int64(from), audio.Rate))
	}()
}

// from is where the window of a reading begins: at a word's end when all of it no longer fits.
func (s *Stream) from() int {
	if len(s.pcm) <= window {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	end := int(audio.Samples(s.agreed.end(), audio.Rate))
	from := max(min(end, len(s.pcm)-audio.Rate), len(s.pcm)-window)
	return from / audio.FrameLen * audio.FrameLen
}

// read has some sound read and shows what is agreed upon.
func (s *Stream) read(ctx context.Context, l *look, pcm []int16, voiced []bool, offset time.Duration) {
	prompt := s.prompt
	r, err := s.e.listen(ctx, pcm, prompt)
	if err != nil {
		l.err = err
		return
	}
	l.words, l.sure, l.lang = s.e.conf.believe(r, voiced, prompt), sureness(r), r.language
	for i := range l.words {
		l.words[i].Start += offset
		l.words[i].End += offset
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.agreed.hear(l.words)
	s.partial = textOf(s.agreed.agreed)
}

// believe keeps the words that were likely said.
func (c Config) believe(r reading, voiced []bool, prompt string) (words []audio.Word) {
	for _, seg := range r.segments {
		clean := seg
		clean.text = unmarked(seg.text)
		if c.unbelievable(clean, share(voiced, seg.start, max(seg.end, seg.start+100*time.Millisecond)), prompt) {
			continue
		}
		words = append(words, clean.timed()...)
	}
	return words
}

// timed are a segment's words with times, made up evenly where the server gave none, or others than the text has.
func (s segment) timed() []audio.Word {
	fields := strings.Fields(s.text)
	if len(s.words) == len(fields) {
		words := slices.Clone(s.words)
		for i := range words {
			words[i].Text = fields[i]
		}
		return words
	}
	words := make([]audio.Word, len(fields))
	each := (s.end - s.start) / time.Duration(max(1, len(fields)))
	for i, f := range fields {
		words[i] = audio.Word{Text: f, Start: s.start + time.Duration(i)*each, End: s.start + time.Duration(i+1)*each}
	}
	return words
}

// sureness is the mean of the segments', by their lengths.
func sureness(r reading) float64 {
	var sum, weight float64
	for _, s := range r.segments {
		w := float64(len(s.text))
		sum, weight = sum+w*s.sure, weight+w
	}
	if weight == 0 {
		return 0
	}
	return sum / weight
}

func textOf(words []audio.Word) string {
	fields := make([]string, len(words))
	for i, w := range words {
		fields[i] = w.Text
	}
	return strings.Join(fields, " ")
}

// Partial is what two readings agreed upon so far, "" for nothing.
func (s *Stream) Partial() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.partial
}

// Finish reads the whole utterance, or takes the reading that was made in the pause behind its last word. It returns
// audio.ErrNoSpeech where nobody spoke or what was read is not to be believed, and the cause of ctx where that ends first.
func (s *Stream) Finish(ctx context.Context) (audio.Transcript, error) {
	if s.finished || s.closed {
		return audio.Transcript{}, ErrFinished
	}
	s.finished = true
	defer s.over()
	if ctx.Err() != nil {
		return audio.Transcript{}, context.Cause(ctx)
	}
	if s.speech == 0 {
		return audio.Transcript{}, audio.ErrNoSpeech
	}
	begun := time.Now()
	t, err := s.decide(ctx)
	s.e.conf.Log.Debug().Dur("took", time.Since(begun)).Float64("sure", t.Sure).Str("text", t.Text).Err(err).Msg("utterance recognised")
	if err != nil && !errors.Is(err, audio.ErrNoSpeech) && ctx.Err() == nil {
		err = fmt.Errorf("whisper: %w", err)
	}
	return t, err
}

// decide finds the reading that counts.
func (s *Stream) decide(ctx context.Context) (audio.Transcript, error) {
	defer context.AfterFunc(ctx, s.stop)()
	l := s.look
	if l != nil && !(l.whole && l.upto >= min(len(s.pcm), s.speech+pad)) {
		l.cancel() // the server reads one thing at a time
		<-l.done
		l = nil
	}
	if l != nil {
		<-l.done
	}
	if l == nil || l.err != nil {
		l = &look{upto: len(s.pcm)}
		s.read(s.ctx, l, s.pcm, s.heard, 0)
	}
	switch {
	case ctx.Err() != nil:
		return audio.Transcript{}, context.Cause(ctx)
	case l.err != nil:
		return audio.Transcript{}, l.err
	}
	return s.transcript(l)
}

// transcript is a reading as the listener takes it.
func (s *Stream) transcript(l *look) (audio.Transcript, error) {
	text := textOf(l.words)
	sure := l.sure
	if cut, looped := unlooped(strings.Fields(text)); looped {
		text, sure = strings.Join(cut, " "), min(sure, 0.3)
		l.words = nil
	}
	if bare(text) == "" {
		return audio.Transcript{}, audio.ErrNoSpeech
	}
	s.mu.Lock()
	s.partial = text
	s.mu.Unlock()
	return audio.Transcript{Text: text, Sure: sure, Engine: "whisper", Words: ordered(l.words, audio.Time(int64(len(s.pcm)), audio.Rate))}, nil
}

// ordered are words that follow each other within the sound; nil where they cannot be brought to do so.
func ordered(words []audio.Word, long time.Duration) []audio.Word {
	var at time.Duration
	out := make([]audio.Word, 0, len(words))
	for _, w := range words {
		w.Start = max(w.Start, at)
		w.End = min(max(w.End, w.Start+10*time.Millisecond), long)
		if w.Start >= w.End {
			return nil
		}
		at = w.End
		out = append(out, w)
	}
	return out
}

// Close ends what is under way. Closing again does nothing.
func (s *Stream) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	s.stop()
	if s.look != nil {
		<-s.look.done
	}
	s.over()
	s.pcm, s.heard = nil, nil
	return nil
}

// byLevel takes for speech what is clearly louder than the quietest of late.
type byLevel struct{ floor float64 }

func (d *byLevel) Speech(f audio.Frame) (bool, error) {
	level := max(audio.Level(f.PCM), -80)
	d.floor = min(level, d.floor+0.06)
	if math.IsNaN(d.floor) {
		d.floor = -50
	}
	return level > d.floor+9 || level > -30, nil
}
