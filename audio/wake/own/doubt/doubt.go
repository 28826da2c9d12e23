// Package doubt looks for a wake word in what a recogniser hears, for sound of which the detector is not sure.
//
// The recogniser is given a grammar in which the wake word competes with a few everyday words: enough that talk seldom
// becomes the word, and so few that the word, spoken in noise or by a stranger's tongue, stays it. It is asked for two or
// three seconds of sound, now and then, so that a small decoder is quick enough.
package doubt

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/wake/own"
	"github.com/solo-assistant/solo/audio/wake/own/train"
)

// Stream recognises one utterance by the Grammar.
type Stream interface {
	Feed(pcm []int16) error
	Finish(ctx context.Context) (audio.Transcript, error)
	Close() error
}

// Grammar is the JSGF in which any of the phrases, or none of them, is said among other words.
func Grammar(phrases []string) string {
	var others []string
	for _, p := range phrases {
		for _, w := range train.Others(p) {
			if !slices.Contains(others, w) && !slices.Contains(phrases, w) {
				others = append(others, w)
			}
		}
	}
	return grammar(phrases, others)
}

// Check asks a recogniser. Where it hears nothing at all, or fails, the detector is believed.
func Check(open func(context.Context) (Stream, error), phrases []string) own.Check {
	return func(ctx context.Context, pcm []int16) (bool, error) {
		s, err := open(ctx)
		if err != nil {
			return true, err
		}
		heard, err := transcript(ctx, s, pcm)
		switch {
		case errors.Is(err, audio.ErrNoSpeech):
			return true, nil
		case err != nil:
			return true, err
		}
		return says(heard.Text, phrases), nil
	}
}

func transcript(ctx context.Context, s Stream, pcm []int16) (t audio.Transcript, err error) {
	if err = s.Feed(pcm); err == nil {
		t, err = s.Finish(ctx)
	}
	return t, errors.Join(err, s.Close())
}

// says tells whether a text has one of the phrases in it, word for word.
func says(text string, phrases []string) bool {
	text = " " + own.Phrase(text) + " "
	for _, p := range phrases {
		if strings.Contains(text, " "+p+" ") {
			return true
		}
	}
	return false
}
