package sphinx

import (
	"math"
	"slices"
)

// evidence is what one decoding says about itself, without a second one.
type evidence struct {
	fit   float64 // mean log score per frame of the words: 0 is perfect, people within the grammar -29 to -9
	worst float64 // that of the worst word
	cover float64 // 0 to 1: how much of what is loud lies inside words
	clear float64 // dB from the quiet to the loud: over 35 in a quiet room, under 20 in noise
}

// weigh gathers the evidence for words found in pcm. Free words stand for others, so that their own fit says nothing.
func weigh(words []segment, pcm []int16, free func(segment) bool) evidence {
	level := loudness(pcm)
	limit, clear := loud(level)
	inside, outside := 0, 0
	e, sum, frames, at := evidence{clear: clear}, 0, 0, 0
	for _, w := range words {
		if filler(w.word) {
			continue
		}
		if n := w.to - w.from + 1; !free(w) {
			sum, frames = sum+w.acoustic, frames+n
			e.worst = min(e.worst, float64(w.acoustic)/float64(n))
		}
		outside += above(level, at, w.from, limit)
		inside += above(level, w.from, w.to+1, limit)
		at = w.to + 1
	}
	outside += above(level, at, len(level), limit)
	if frames > 0 {
		e.fit = float64(sum) / float64(frames)
	}
	if inside+outside > 0 {
		e.cover = float64(inside) / float64(inside+outside)
	}
	return e
}

// sure turns the evidence into a trust of 0 to 1. The weights were fitted on 1053 decodings of human orders, synthesized
// commands, other speech and noise, clean and at 10 dB, with the right and with a wrong grammar. At 0.5 all 107 right
// ones in quiet and 287 of 304 in noise are trusted, and of 588 of what is in no grammar 4.
func (e evidence) sure() float64 {
	z := 0.248*e.fit + 0.038*e.worst + 4.6*e.cover + 6.1
	return 1 / (1 + math.Exp(-(z - missed*max(0, e.expected()-e.cover))))
}

// missed is what loud sound outside of words costs. In quiet the words of all right decodings cover all that is loud;
// where they do not, a sentence was lost beside them. Noise is loud too: there half is enough.
const missed = 25

func (e evidence) expected() float64 {
	return 0.5 + 0.4*max(0, min(1, (e.clear-20)/15))
}

// loud is the level of clear vowels, 12 dB under the loudest twentieth, and how far that rises over the quiet.
func loud(level []float64) (limit, clear float64) {
	if len(level) == 0 {
		return math.Inf(1), 0
	}
	sorted := slices.Clone(level)
	slices.Sort(sorted)
	peak := sorted[len(sorted)*19/20]
	return peak - 12, peak - sorted[len(sorted)/10]
}

func above(level []float64, from, to int, limit float64) (n int) {
	for i := max(0, from); i < min(to, len(level)); i++ {
		if level[i] >= limit {
			n++
		}
	}
	return n
}

// filler says that a segment is silence or noise, not a word.
func filler(w string) bool {
	return w == "" || w[0] == '<' || w[0] == '[' || w[0] == '('
}
