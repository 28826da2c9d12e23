package sphinx_test

import (
	"context"
	_ "embed"
	"testing"

	"github.com/solo-assistant/solo/audio/stt/sphinx"
	"github.com/solo-assistant/solo/audio/stt/stttest"
)

//go:embed testdata/solo.jsgf
var soloGrammar string

//go:embed testdata/solo.txt
var soloSentences string

func TestSuite(t *testing.T) {
	for name, c := range map[string]sphinx.Config{
		"grammar":             {Grammar: soloGrammar},
		"grammar and trigram": {Grammar: soloGrammar, Sentences: lines(soloSentences)},
		"trigram":             {Sentences: lines(soloSentences)},
	} {
		t.Run(name, func(t *testing.T) {
			e := engine(t, c)
			open := func(ctx context.Context) (stttest.Stream, error) {
				s, err := e.Open(ctx)
				if err != nil {
					return nil, err
				}
				return s, nil
			}
			stttest.Run(t, open, utterance(t, "set an alarm for half past six"), utterance(t, "what is ninety nine divided by three"))
		})
	}
}

func utterance(t *testing.T, text string) stttest.Utterance {
	return stttest.Utterance{PCM: say(t, "slt", text), Text: text}
}
