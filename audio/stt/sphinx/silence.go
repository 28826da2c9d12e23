package sphinx

import (
	"math"
	"slices"
)

// hop is the recogniser's frame: 10 ms.
const hop = 160

// span is a run of samples.
type span struct{ from, to int }

// How much around speech is kept, in frames: onsets and endings are softer than the threshold.
const (
	leadFrames  = 20
	trailFrames = 30
)

// voiced finds the runs of pcm that hold speech, with a margin around each, by loudness against the quietest part.
// The mean of the spectrum that the recogniser takes must be that of speech: silence in it costs one order in six.
func voiced(pcm []int16) []span {
	level := smooth(loudness(pcm))
	if len(level) == 0 {
		return nil
	}
	limit, lively := threshold(level)
	if !lively {
		return nil
	}
	keep := make([]bool, len(level))
	for i, l := range level {
		if l < limit {
			continue
		}
		for j := max(0, i-leadFrames); j < min(len(keep), i+trailFrames); j++ {
			keep[j] = true
		}
	}
	return runs(keep, len(pcm))
}

// loudness of each hop in dB, of the difference signal: speech rises above hum in it.
func loudness(pcm []int16) []float64 {
	out := make([]float64, 0, len(pcm)/hop)
	for i := 0; i+hop <= len(pcm); i += hop {
		sum := 1.0
		for j := i + 1; j < i+hop; j++ {
			d := float64(pcm[j]) - 0.97*float64(pcm[j-1])
			sum += d * d
		}
		out = append(out, 10*math.Log10(sum/hop))
	}
	return out
}

// leastRange is how far, in dB, speech rises above the quietest tenth even in a loud room; steady noise stays below.
const leastRange = 3

// quietShare is where between the quietest tenth and the loudest twentieth the border of speech lies. In noise a low
// border keeps everything: of 40 orders at 10 dB the share 0.3 finds 34 and 34 in two noises, 0.5 finds 40 and 37.
const quietShare = 0.5

// threshold is false for sound that is too even or too soft to be speech.
func threshold(level []float64) (float64, bool) {
	sorted := slices.Clone(level)
	slices.Sort(sorted)
	floor, peak := sorted[len(sorted)/10], sorted[len(sorted)*19/20]
	return floor + (peak-floor)*quietShare, peak >= gateLeast && peak-floor >= leastRange
}

// smoothing is over so many frames to each side: about a syllable.
const smoothing = 5

// smooth averages the power of neighbouring frames, so that single clicks are no speech.
func smooth(level []float64) []float64 {
	sums := make([]float64, len(level)+1)
	for i, l := range level {
		sums[i+1] = sums[i] + math.Pow(10, l/10)
	}
	out := make([]float64, len(level))
	for i := range out {
		from, to := max(0, i-smoothing), min(len(level), i+smoothing+1)
		out[i] = 10 * math.Log10((sums[to]-sums[from])/float64(to-from))
	}
	return out
}

func runs(keep []bool, samples int) []span {
	var out []span
	for i := 0; i < len(keep); i++ {
		if !keep[i] {
			continue
		}
		from := i
		for i < len(keep) && keep[i] {
			i++
		}
		to := i * hop
		if i == len(keep) {
			to = samples
		}
		out = append(out, span{from * hop, to})
	}
	return out
}

// cut copies the spans of pcm together.
func cut(pcm []int16, spans []span) []int16 {
	out := make([]int16, 0, len(pcm))
	for _, s := range spans {
		out = append(out, pcm[s.from:s.to]...)
	}
	return out
}

// source is where sample n of the cut lies in the whole.
func source(spans []span, n int) int {
	for i, s := range spans {
		if l := s.to - s.from; n < l || i == len(spans)-1 {
			return min(s.from+n, s.to)
		} else {
			n -= l
		}
	}
	return n
}

// hissing is how loud the hiss is that is added to all sound, in units of a sample: that of a good microphone in a
// quiet room. Files with perfect silence in them are recognised worse and slower, because nothing in the acoustic
// model is like it.
const hissing = 12

// hiss appends pcm to all with a hiss that depends on the place alone.
func hiss(all, pcm []int16) []int16 {
	for _, v := range pcm {
		h := uint32(len(all)+1) * 2654435761
		h ^= h >> 15
		h *= 2246822519
		h ^= h >> 13
		n := int32(h>>8)%(2*hissing+1) - hissing
		all = append(all, int16(max(-32768, min(32767, int32(v)+n))))
	}
	return all
}
