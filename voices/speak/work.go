package speak

import (
	"context"
	"errors"
	"slices"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/voices"
)

// chunk is sound of one line at the loudspeaker's rate; the last of a line has last set.
type chunk struct {
	line *line
	pcm  []int16
	last bool
	err  error
}

// slice is how much sound is handed over at once: a change of volume or a hush is heard after so long.
const slice = 50 // per second: 20 ms

// render asks the engine for the sound of each line.
func (s *Speaker) render(ctx context.Context) {
	for {
		select {
		case l := <-s.todo:
			s.renderLine(ctx, l)
		case <-ctx.Done():
			s.refuse(ctx)
			return
		}
	}
}

func (s *Speaker) renderLine(ctx context.Context, l *line) {
	p := voices.Phrase{Text: l.plain, Voice: s.cfg.Name, Pace: float64(s.pace.Load()) / 1000}
	var failed error
	first := true
	for clip, err := range s.cfg.Synth.Synthesize(l.answer.ctx, p) {
		if err != nil {
			failed = err
			break
		}
		pcm := clip.Mono(s.cfg.Sink.Rate()).PCM
		if first {
			pcm = prompt(pcm, s.cfg.Sink.Rate())
			first = len(pcm) == 0
		}
		l.rendered(len(pcm))
		for second := range slices.Chunk(pcm, s.cfg.Sink.Rate()) {
			if !s.pass(ctx, chunk{line: l, pcm: second}) {
				return
			}
		}
	}
	s.pass(ctx, chunk{line: l, last: true, err: failed})
}

// hush is the level of a sample below which an engine is not speaking yet: -50 dBFS.
const hush = 104

// prompt leaves out the silence with which engines begin (flite 200 ms), but for 20 ms of it: the user
// waits for the first sound.
func prompt(pcm []int16, rate int) []int16 {
	for i, x := range pcm {
		if x > hush || x < -hush {
			return pcm[max(0, i-rate/50):]
		}
	}
	return nil
}

// pass hands a chunk to play; false when its answer or the Speaker has ended.
func (s *Speaker) pass(ctx context.Context, c chunk) bool {
	select {
	case s.sound <- c:
		return true
	case <-c.line.answer.ctx.Done():
		c.line.finish(context.Cause(c.line.answer.ctx))
	case <-ctx.Done():
		c.line.finish(context.Cause(ctx))
	}
	return false
}

// refuse ends the lines that nobody will render any more.
func (s *Speaker) refuse(ctx context.Context) {
	for {
		select {
		case l := <-s.todo:
			l.finish(context.Cause(ctx))
		default:
			return
		}
	}
}

// play hands sound to the loudspeaker in its order.
func (s *Speaker) play(ctx context.Context) {
	for {
		select {
		case c := <-s.sound:
			s.playChunk(c)
		case <-ctx.Done():
			return
		}
	}
}

func (s *Speaker) playChunk(c chunk) {
	l := c.line
	if err := context.Cause(l.answer.ctx); err != nil {
		l.finish(err)
		return
	}
	s.says(l.text)
	n := s.cfg.Sink.Rate() / slice
	for rest := c.pcm; len(rest) > 0; {
		n = min(n, len(rest))
		if err := s.cfg.Sink.Play(l.answer.ctx, s.loud(rest[:n])); err != nil {
			l.finish(err)
			return
		}
		l.heard(n, false)
		rest = rest[n:]
	}
	if c.last {
		l.heard(0, c.err == nil)
		if c.err != nil && !errors.Is(c.err, context.Canceled) {
			s.cfg.Log.Warn().Err(c.err).Msg("a sentence could not be spoken")
		}
		l.finish(c.err)
	}
}

// loud applies the volume. Loudness is felt by the square, so that 50 % sounds half as loud.
func (s *Speaker) loud(pcm []int16) []int16 {
	v := float64(s.volume.Load()) / 100
	out := make([]int16, len(pcm))
	for i, x := range pcm {
		out[i] = int16(float64(x) * v * v)
	}
	return out
}

// Cue plays an earcon after whatever is queued and returns when it has been heard, or at once in
// silence when ctx ends.
func (s *Speaker) Cue(ctx context.Context, e voices.Earcon) error {
	sink := s.cfg.Sink
	defer context.AfterFunc(ctx, sink.Hush)()
	if err := sink.Play(ctx, s.loud(audio.Resample(tones(e), audio.Rate, sink.Rate()))); err != nil {
		return err
	}
	if err := sink.Drain(ctx); err != nil {
		return err
	}
	return context.Cause(ctx) // a hush drains as well
}
