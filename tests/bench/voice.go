package main

import (
	"context"
	"fmt"
	"iter"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/voices"
	"github.com/solo-assistant/solo/voices/espeak"
	"github.com/solo-assistant/solo/voices/flite"
)

// person is a synthetic voice that gives orders.
type person struct {
	name  string
	synth interface {
		Synthesize(ctx context.Context, p voices.Phrase) iter.Seq2[audio.Clip, error]
	}
}

// people are five voices of two engines.
func people() ([]person, error) {
	f, err := flite.New()
	if err != nil {
		return nil, err
	}
	e, err := espeak.New()
	if err != nil {
		return nil, err
	}
	return []person{{"slt", f}, {"rms", f}, {"awb", f}, {"kal16", f}, {"en-us", e}}, nil
}

// peak is the loudest sample of everything that is spoken.
const peak = 13000

// speak gives exactly the speech of text: 16 kHz mono, no silence before or behind.
func (p person) speak(ctx context.Context, text string) ([]int16, error) {
	var pcm []int16
	for c, err := range p.synth.Synthesize(ctx, voices.Phrase{Text: text, Voice: p.name}) {
		if err != nil {
			return nil, fmt.Errorf("speak %q: %w", text, err)
		}
		pcm = append(pcm, c.Mono16k().PCM...)
	}
	pcm = trim(pcm)
	if len(pcm) == 0 {
		return nil, fmt.Errorf("speak %q: the voice %s was silent", text, p.name)
	}
	return level(pcm, peak), nil
}

// window is the resolution to which the ends of speech are known: 5 ms.
const window = audio.Rate / 200

// speech is where speech begins and ends in pcm: the first and the last window of 5 ms whose energy is within
// 40 dB of the loudest one. Weaker is breath and reverberation.
func speech(pcm []int16) (from, to int) {
	var loudest float64
	for at := 0; at+window <= len(pcm); at += window {
		loudest = max(loudest, energy(pcm[at:at+window]))
	}
	for at := 0; at+window <= len(pcm); at += window {
		if loudest > 0 && energy(pcm[at:at+window]) >= loudest*1e-4 {
			if to == 0 {
				from = at
			}
			to = at + window
		}
	}
	return from, to
}

func trim(pcm []int16) []int16 {
	from, to := speech(pcm)
	return pcm[from:to]
}

// energy is the sum of squares.
func energy(pcm []int16) (sum float64) {
	for _, v := range pcm {
		sum += float64(v) * float64(v)
	}
	return sum
}

// level makes top the loudest sample.
func level(pcm []int16, top int) []int16 {
	loudest := 1
	for _, v := range pcm {
		loudest = max(loudest, int(v), -int(v))
	}
	out := make([]int16, len(pcm))
	for i, v := range pcm {
		out[i] = int16(int(v) * top / loudest)
	}
	return out
}
