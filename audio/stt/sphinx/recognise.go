package sphinx

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// result is what one search made of an utterance.
type result struct {
	search string
	all    []segment // with fillers
	words  []segment // without
	fit    float64   // of the words to the sound, 0 to 1
	sure   float64   // how far that is believed
	// means is the command that the words are, "" for none. Where two searches agreed on it, the words are believed
	// without a third.
	means  string
	agreed bool
}

func (r result) text() string {
	words := make([]string, len(r.words))
	for i, w := range r.words {
		words[i] = w.word
	}
	return strings.Join(words, " ")
}

// trusted is the Sure from which a text is taken for what was said.
const trusted = 0.5

// noiseFloor is the trust under which words are taken for noise.
const noiseFloor = 1e-4

// How much is believed of a fit by searches that could say almost anything: less where the text is a command,
// never enough where it is none.
const (
	looseKnown = 0.8
	looseOther = 0.45
)

// plausible is the trust in a command from which the slow search by dictation is not asked for another text, and a
// command that ends for itself is waited for no longer.
const plausible = 0.1

// contrary is how much better than a command words that are none must fit to speak against it. Where both the trigram's
// and dictation's do, there was no command.
const contrary = 1.5

// fluency is how much of the other searches' fit the words of dictation need where none is a command: the trigram knows
// orders alone and makes "wife is describe blue" of "why is the sky blue".
const fluency = 0.8

// belief is how far a second decoding is believed while the listener still waits whether more is said.
type belief struct {
	sound bool // it confirms the words
	shown bool // they are at least better than those of the live decoding
}

// recognise decodes a whole utterance: with all of it at hand its silence can be left out and its mean be taken,
// which finds more than what the live decoding knew.
// linger is called before the slow search by dictation, and may wait.
func (e *Engine) recognise(ctx context.Context, pcm []int16, linger func(context.Context) error) (audio.Transcript, belief, error) {
	spans := voiced(pcm)
	said := cut(pcm, spans)
	if len(said) == 0 {
		return audio.Transcript{}, belief{}, audio.ErrNoSpeech
	}
	best, err := e.best(ctx, said, linger)
	if err == nil && len(best.words) > 0 && best.sure >= noiseFloor && !best.agreed {
		best, err = e.refine(ctx, best, said, linger)
	}
	if err != nil {
		return audio.Transcript{}, belief{}, err
	}
	if len(best.words) == 0 || best.sure < noiseFloor {
		return audio.Transcript{}, belief{}, audio.ErrNoSpeech
	}
	sound := best.agreed || best.sure >= trusted || best.means != "" && best.sure >= plausible
	return transcript(best, spans), belief{sound: sound, shown: sound || best.means != ""}, nil
}

// atOnce is the patience of who has heard the whole utterance.
func atOnce(ctx context.Context) error { return context.Cause(ctx) }

// best tries the searches in their order until one is trusted.
func (e *Engine) best(ctx context.Context, said []int16, linger func(context.Context) error) (result, error) {
	var best result
	against := false // the searches before heard something else than best's command, and that fits much better
	for _, search := range e.searches {
		if search == byDictation && best.means != "" && best.sure >= plausible && !against {
			break
		}
		if search == byDictation {
			if err := linger(ctx); err != nil {
				return result{}, err
			}
		}
		if ctx.Err() != nil {
			return result{}, context.Cause(ctx)
		}
		began := time.Now()
		r, err := e.search(search, said)
		if err != nil {
			return result{}, err
		}
		e.log.Debug().Str("search", search).Str("text", r.text()).Float64("sure", r.sure).Dur("took", time.Since(began)).Msg("searched")
		agreed := r.means != "" && r.means == best.means && min(r.sure, best.sure) >= noiseFloor
		before := against
		against = best.means != "" && r.means == "" && r.fit >= contrary*best.fit
		fluent := search == byDictation && r.means == "" && (best.means == "" && r.sure >= fluency*best.sure || before && against)
		if r.sure > best.sure || fluent {
			best = r
		}
		if best.agreed = agreed; agreed || best.sure >= trusted {
			break
		}
	}
	return best, nil
}

// search decodes said as a whole and judges the words.
func (e *Engine) search(search string, said []int16) (result, error) {
	d := e.commands
	if search == byDictation {
		var err error
		if d, err = e.dictation.get(); err != nil {
			return result{}, err
		}
	} else if err := d.use(search); err != nil {
		return result{}, err
	}
	r, err := pass(d, search, said)
	if err != nil || len(r.words) == 0 {
		return r, err
	}
	from, to, _ := e.free(r)
	r.fit = weigh(r.all, said, func(w segment) bool {
		return from < to && w.from >= r.words[from].from && w.to <= r.words[to-1].to
	}).sure()
	r.sure = r.fit
	if e.config.Meaning != nil {
		r.means = e.config.Meaning(r.text())
	}
	switch known := r.means != ""; {
	case search == e.searches[0] && (known || e.config.Meaning == nil):
	case known:
		r.sure *= looseKnown
	default:
		r.sure *= looseOther
	}
	return r, nil
}

// pass decodes said with the search in use.
func pass(d *decoder, search string, said []int16) (result, error) {
	r := result{search: search}
	if err := d.begin(true); err != nil {
		return r, err
	}
	if err := d.feed(said, true); err != nil {
		return r, err
	}
	if err := d.end(); err != nil {
		return r, err
	}
	if text, _ := d.text(); text == "" {
		return r, nil // the grammar's end was not reached
	}
	for _, w := range d.words(search == byGrammar) {
		w.word = plain(w.word)
		if r.all = append(r.all, w); !filler(w.word) {
			r.words = append(r.words, w)
		}
	}
	return r, nil
}

// free says which words of r may be any words.
func (e *Engine) free(r result) (from, to int, ok bool) {
	if e.config.FreeSpan == nil || r.search == byDictation {
		return 0, 0, false
	}
	from, to, ok = e.config.FreeSpan(r.text())
	if !ok || from < 0 || to > len(r.words) || from >= to {
		return 0, 0, false
	}
	return from, to, true
}

// Around free words a little more is decoded: the grammar's loop of common words sets their borders roughly.
const (
	freeLead  = 3 // frames
	freeTrail = 4
)

// refine puts the words that dictation hears in the place of the free words.
func (e *Engine) refine(ctx context.Context, r result, said []int16, linger func(context.Context) error) (result, error) {
	from, to, ok := e.free(r)
	if !ok || !e.config.Dictate {
		return r, nil
	}
	if err := linger(ctx); err != nil {
		return r, err
	}
	d, err := e.dictation.get()
	if err != nil {
		return r, err
	}
	begin := max(0, r.words[from].from-freeLead)
	end := min(len(said), (r.words[to-1].to+1+freeTrail)*hop)
	heard, err := pass(d, byDictation, said[begin*hop:end])
	if err != nil || len(heard.words) == 0 {
		return r, err
	}
	for i := range heard.words {
		heard.words[i].from += begin
		heard.words[i].to += begin
	}
	r.words = fit(slices.Concat(r.words[:from], heard.words, r.words[to:]))
	return r, nil
}

// fit makes words that overlap by the margins of a slice follow each other.
func fit(words []segment) []segment {
	for i := 1; i < len(words); i++ {
		words[i].from = max(words[i].from, words[i-1].to+1)
		words[i].to = max(words[i].to, words[i].from)
	}
	return words
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
