package whisper

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// Samples is a stream of 16 kHz mono, such as a decoded file. Read ends with io.EOF.
type Samples interface {
	Read(pcm []int16) (int, error)
}

// A recording is read in pieces: each ends in the first pause behind pieceSoon, or in the longest pause of its last
// seconds, and at pieceMost at the latest, which a window of the model holds.
const (
	pieceSoon  = 15 * audio.Rate
	pieceMost  = 28 * audio.Rate
	pieceLull  = 20 // frames of 20 ms: 400 ms
	pieceSeam  = 8 * audio.Rate
	pieceFirst = 200 * time.Millisecond // sound kept before the first speech
)

// Transcribe writes down a whole recording of any length. An utterance that is opened meanwhile goes first: what was under
// way is given up and read again. It is audio.ErrNoSpeech where nothing was said. The model may need time to load; it is
// waited for as long as settings allow.
func (e *Engine) Transcribe(ctx context.Context, in Samples) (audio.Transcript, error) {
	if err := e.up(ctx); err != nil {
		return audio.Transcript{}, fmt.Errorf("whisper: %w", err)
	}
	p := &pieces{e: e, vad: &byLevel{floor: -50}}
	if e.conf.VAD != nil {
		vad, err := e.conf.VAD()
		if err != nil {
			return audio.Transcript{}, fmt.Errorf("voice activity: %w", err)
		}
		p.vad = vad
	}
	buf := make([]int16, audio.Rate)
	for {
		n, err := in.Read(buf)
		if herr := p.hear(ctx, buf[:n]); herr != nil {
			return p.all, herr
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return p.all, err
		}
	}
	if err := p.read(ctx, len(p.pcm)); err != nil {
		return p.all, err
	}
	return p.told()
}

// up waits until the model is loaded.
func (e *Engine) up(ctx context.Context) error {
	e.touch()
	if e.inside != nil {
		return e.inside.ready(ctx)
	}
	for began := time.Now(); ; {
		_, err := e.answering(ctx)
		if err == nil || !errors.Is(err, ErrLate) || time.Since(began) > e.conf.StartLimit {
			return err
		}
	}
}

// pieces read a recording.
type pieces struct {
	e      *Engine
	vad    Detector
	pcm    []int16 // not yet read
	voiced []bool  // for each frame of pcm
	at     int64   // the sample that pcm begins with
	all    audio.Transcript
	sure   float64 // the sum of the words'
	parts  int
}

// hear takes some sound, and reads what can be read.
func (p *pieces) hear(ctx context.Context, pcm []int16) error {
	p.pcm = append(p.pcm, pcm...)
	for n := len(p.voiced) * audio.FrameLen; n+audio.FrameLen <= len(p.pcm); n += audio.FrameLen {
		f := audio.Frame{At: p.at + int64(n), PCM: p.pcm[n : n+audio.FrameLen]}
		speaks, err := p.vad.Speech(f)
		if err != nil {
			return fmt.Errorf("voice activity: %w", err)
		}
		p.voiced = append(p.voiced, speaks && audio.Level(f.PCM) > quietest)
	}
	for {
		n := p.cut()
		if n == 0 {
			return context.Cause(ctx)
		}
		if err := p.read(ctx, n); err != nil {
			return err
		}
	}
}

// cut is where a piece ends, 0 where more is to be heard first.
func (p *pieces) cut() int {
	run := 0
	for i, v := range p.voiced {
		if run++; v {
			run = 0
		}
		if end := (i + 1) * audio.FrameLen; end >= pieceSoon && run >= pieceLull {
			return end - run/2*audio.FrameLen
		}
	}
	if len(p.pcm) < pieceMost {
		return 0
	}
	best, longest, run := pieceMost/audio.FrameLen, 0, 0
	for i := (pieceMost - pieceSeam) / audio.FrameLen; i < pieceMost/audio.FrameLen; i++ {
		if run++; p.voiced[i] {
			run = 0
		}
		if run > longest {
			best, longest = i-run/2+1, run
		}
	}
	return best * audio.FrameLen
}

// read has the first n samples read.
func (p *pieces) read(ctx context.Context, n int) error {
	voiced := p.voiced[:min(n/audio.FrameLen, len(p.voiced))]
	from, to := -1, 0
	for i, v := range voiced {
		if v {
			to = (i + 1) * audio.FrameLen
			if from < 0 {
				from = max(0, i*audio.FrameLen-int(audio.Samples(pieceFirst, audio.Rate))/audio.FrameLen*audio.FrameLen)
			}
		}
	}
	if from >= 0 {
		to = min(to+pad, n)
		r, err := p.e.quietly(ctx, p.pcm[from:to])
		if err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return fmt.Errorf("whisper: %w", err)
		}
		p.take(p.e.conf.believe(r, voiced[from/audio.FrameLen:], ""), sureness(r), p.at+int64(from))
	}
	p.pcm = append(p.pcm[:0], p.pcm[n:]...)
	p.voiced = append(p.voiced[:0], p.voiced[len(voiced):]...)
	p.at += int64(n)
	return nil
}

// take keeps words that were found behind a sample.
func (p *pieces) take(words []audio.Word, sure float64, at int64) {
	if len(words) == 0 {
		return
	}
	offset := audio.Time(at, audio.Rate)
	for i := range words {
		words[i].Start += offset
		words[i].End += offset
	}
	p.all.Words = append(p.all.Words, words...)
	p.sure, p.parts = p.sure+sure, p.parts+1
}

func (p *pieces) told() (audio.Transcript, error) {
	if p.parts == 0 {
		return audio.Transcript{}, audio.ErrNoSpeech
	}
	t := p.all
	t.Engine, t.Sure, t.Text = "whisper", p.sure/float64(p.parts), textOf(t.Words)
	if timed := ordered(t.Words, audio.Time(p.at, audio.Rate)); timed != nil {
		t.Words = timed
	}
	return t, nil
}

// errGiveWay ends a reading because somebody speaks.
var errGiveWay = errors.New("an utterance goes first")

// quietly reads some sound while nobody speaks.
func (e *Engine) quietly(ctx context.Context, pcm []int16) (reading, error) {
	for {
		mine, give := context.WithCancelCause(ctx)
		if err := e.calm(ctx, give); err != nil {
			give(nil)
			return reading{}, err
		}
		r, err := e.listen(mine, pcm, "")
		gave := errors.Is(context.Cause(mine), errGiveWay)
		e.leave()
		give(nil)
		if err == nil || !gave || ctx.Err() != nil {
			return r, err
		}
	}
}

// calm waits until no utterance is open; give is called when one is opened from then on.
func (e *Engine) calm(ctx context.Context, give context.CancelCauseFunc) error {
	for {
		e.mu.Lock()
		if e.open == 0 {
			e.give = give
			e.mu.Unlock()
			return nil
		}
		quiet := e.quiet
		e.mu.Unlock()
		select {
		case <-quiet:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (e *Engine) leave() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.give = nil
}

// opened counts an utterance, which goes before recordings.
func (e *Engine) opened() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.open++; e.open == 1 {
		e.quiet = make(chan struct{})
	}
	if e.give != nil {
		e.give(errGiveWay)
	}
}

func (e *Engine) closedOne() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.open--; e.open == 0 {
		close(e.quiet)
	}
}
