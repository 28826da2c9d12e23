package sphinx

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// result is what one search made of an utterance.
type result struct {
	search string
	words  []segment // without fillers
	sure   float64
}

func (r result) text() string {
	words := make([]string, len(r.words))
	for i, w := range r.words {
		words[i] = w.word
	}
	return strings.Join(words, " ")
}

// recognise decodes a whole utterance: with all of it at hand its silence can be left out and its mean be taken,
// which finds more than what the live decoding knew.
func (e *Engine) recognise(ctx context.Context, pcm []int16) (audio.Transcript, error) {
	spans := voiced(pcm)
	said := cut(pcm, spans)
	if len(said) == 0 {
		return audio.Transcript{}, audio.ErrNoSpeech
	}
	best, err := e.best(ctx, said)
	if err != nil {
		return audio.Transcript{}, err
	}
	if len(best.words) == 0 || best.sure < noiseFloor {
		return audio.Transcript{}, audio.ErrNoSpeech
	}
	return transcript(best, spans), nil
}

// best tries the searches in order until one is sure.
func (e *Engine) best(ctx context.Context, said []int16) (result, error) {
	if e.commands == nil {
		d, err := e.dictation.get()
		if err != nil {
			return result{}, err
		}
		return pass(d, byDictation, said)
	}
	var best result
	for _, search := range e.searches {
		if err := ctx.Err(); err != nil {
			return result{}, context.Cause(ctx)
		}
		if err := e.commands.use(search); err != nil {
			return result{}, err
		}
		r, err := pass(e.commands, search, said)
		if err != nil {
			return result{}, err
		}
		if r.sure > best.sure || len(best.words) == 0 {
			best = r
		}
		if best.sure >= 0.5 {
			break
		}
	}
	return best, nil
}

// pass decodes said as a whole with the search in use.
func pass(d *decoder, search string, said []int16) (result, error) {
	r := result{search: search}
	if err := d.begin(); err != nil {
		return r, err
	}
	if err := d.feed(said, true); err != nil {
		return r, err
	}
	if err := d.end(); err != nil {
		return r, err
	}
	all := d.words()
	if search != byGrammar {
		for i := range all {
			all[i].acoustic >>= lmShift
		}
	}
	if text, _ := d.text(); text == "" {
		return r, nil // the grammar's end was not reached
	}
	for _, w := range all {
		if !filler(w.word) {
			w.word = plain(w.word)
			r.words = append(r.words, w)
		}
	}
	r.sure = weigh(all, said).sure()
	return r, nil
}

// lmShift is by how many bits pocketsphinx's language model searches scale the scores of words, its grammar search not.
const lmShift = 10

// noiseFloor is the trust under which words are taken for noise.
const noiseFloor = 0.01

// sure turns the evidence into a trust of 0 to 1. The weights were fitted on human orders, synthesized commands and
// other speech, clean and at 10 dB, each with the right and with a wrong grammar; 0.5 parts the two best.
func (e evidence) sure() float64 {
	return 1 / (1 + math.Exp(-(0.268*e.fit + 0.062*e.worst + 6.2*e.cover + 8)))
}

func transcript(r result, spans []span) audio.Transcript {
	t := audio.Transcript{Text: r.text(), Sure: r.sure, Engine: "pocketsphinx/" + r.search}
	for _, w := range r.words {
		t.Words = append(t.Words, audio.Word{
			Text:  w.word,
			Start: at(spans, w.from*hop),
			End:   at(spans, (w.to+1)*hop),
		})
	}
	return t
}

func at(spans []span, n int) time.Duration {
	return audio.Time(int64(source(spans, n)), audio.Rate)
}
