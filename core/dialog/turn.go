package dialog

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/voices"
)

// converse is one spoken turn, from the end of the utterance to silence.
func (d *Conductor) converse(ctx context.Context, u Utterance) {
	t := event.Turned{Endpoint: u.Endpoint}
	defer d.rest(ctx)

	d.enter(ctx, event.Thinking)
	began := time.Now()
	said, err := u.Finish(ctx) // the recogniser's last word
	t.STT = time.Since(began)
	if err != nil {
		d.mishear(ctx, t, err)
		return
	}
	heard := event.Heard{Text: said.Text, Sure: said.Sure, Engine: said.Engine, Start: u.Start, End: u.End}
	t = d.answer(ctx, heard, t, d.cfg.Voice)
	if t.Outcome == "answered" && asks(t.Spoken) {
		d.cfg.Ears.Attend(d.cfg.FollowUp)
	}
}

// answer thinks about what was heard and says what comes of it, sentence by sentence.
func (d *Conductor) answer(ctx context.Context, h event.Heard, t event.Turned, v Voice) event.Turned {
	_ = d.out.heard.Publish(ctx, h)
	t.Heard, d.broken = h.Text, nil
	began := time.Now()
	var first time.Time
	var said, unsaid []string
	more := false
	for sentence, err := range voices.Sentences(d.cfg.Mind.Answer(ctx, h)) {
		if err != nil && ctx.Err() != nil {
			more = true // the mind had not come to its end
			break
		}
		if ctx.Err() != nil {
			unsaid = append(unsaid, sentence) // the user spoke over it
			continue
		}
		if err != nil {
			sentence = d.excuse(err)
		}
		if first.IsZero() {
			first = time.Now()
			t.Think = first.Sub(began)
			d.enter(ctx, event.Speaking)
			d.cfg.Ears.Gate(true)
			defer d.cfg.Ears.Gate(false)
		}
		said = append(said, sentence)
		_ = d.out.replied.Publish(ctx, event.Replied{Text: sentence})
		if err := v.Say(ctx, sentence); err != nil {
			d.cfg.Log.Warn().Err(err).Msg("a sentence was not spoken")
		}
	}
	spoken, err := v.Flush(ctx)
	if !spoken.First.IsZero() {
		t.FirstAudio = max(spoken.First.Sub(first), 0)
	}
	d.remember(strings.Join(said, " "))
	if errors.Is(context.Cause(ctx), ErrBargeIn) {
		d.broken = &broken{rest: append(spoken.Rest, unsaid...), more: more, at: time.Now()}
	}
	return d.conclude(ctx, t, spoken.Text, err)
}

// remember keeps the last answer for whoever asks what it was; silence is none.
func (d *Conductor) remember(answer string) {
	if answer == "" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last = answer
}

// conclude closes the books on a turn: history keeps only what was really said.
func (d *Conductor) conclude(ctx context.Context, t event.Turned, spoken string, err error) event.Turned {
	t.Spoken, t.Outcome = spoken, "answered"
	switch {
	case errors.Is(context.Cause(ctx), ErrBargeIn):
		t.Outcome = "interrupted"
		ctx = context.WithoutCancel(ctx)
		_ = d.out.interrupted.Publish(ctx, event.Interrupted{Spoken: spoken})
	case err != nil:
		t.Outcome = "failed"
		ctx = context.WithoutCancel(ctx)
		d.cfg.Log.Warn().Err(err).Msg("the answer was not spoken to its end")
	}
	_ = d.out.turned.Publish(ctx, t)
	return t
}

// mishear ends a turn whose words could not be had.
func (d *Conductor) mishear(ctx context.Context, t event.Turned, err error) {
	t.Outcome = "misheard"
	if errors.Is(err, audio.ErrNoSpeech) {
		d.cue(ctx, true)
	} else if ctx.Err() == nil {
		t.Outcome = "failed"
		d.cfg.Log.Error().Err(err).Msg("the recogniser failed")
		_ = d.cfg.Voice.Say(ctx, "Sorry, I could not make that out.")
		_, _ = d.cfg.Voice.Flush(ctx) // what can be done about a voice that fails too is in its own log line
	}
	told := context.WithoutCancel(ctx)
	_ = d.out.misheard.Publish(told, event.Misheard{Why: err.Error()})
	_ = d.out.turned.Publish(told, t)
	d.resume(ctx)
}

// excuse is what the user hears instead of an error.
func (d *Conductor) excuse(err error) string {
	d.cfg.Log.Error().Err(err).Msg("the answer broke off")
	return "Sorry, something went wrong with that."
}

// cue plays the earcon that fits the state.
func (d *Conductor) cue(ctx context.Context, wanted bool) {
	if !wanted {
		return
	}
	e := voices.Sorry
	if d.State() == event.Listening {
		e = voices.Hark
	}
	_ = d.cfg.Voice.Cue(ctx, e) // a missing sound is no reason to stop a turn
}

// asks says whether an answer ends in a question.
func asks(answer string) bool { return strings.HasSuffix(strings.TrimSpace(answer), "?") }
