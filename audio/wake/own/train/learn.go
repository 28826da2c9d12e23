package train

import (
	"context"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/wake/own"
	"github.com/solo-assistant/solo/audio/wake/own/internal/ear"
	"github.com/solo-assistant/solo/audio/wake/own/internal/net"
)

// folds is in how many parts the clips are put: each is judged by a classifier that learned from the others.
const folds = 3

// steps is how many batches a classifier learns from.
const steps = 1500

// lesson is what learn needs beside clips.
type lesson struct {
	phrase  string
	seed    uint64
	quiet   []float32
	steps   int
	workers int // how many may learn at once
	count   func(steps int)
}

// learn makes a model of clips. Whole voices are held back, and each of the user's samples with all its
// copies, to see what the classifier does with those that it does not know; the last one learns from all.
func learn(ctx context.Context, l lesson, clips []clip) (*own.Model, error) {
	all := make([]*clip, len(clips))
	for i := range clips {
		all[i] = &clips[i]
	}
	nets, parts, err := fits(ctx, l, all)
	if err != nil {
		return nil, err
	}
	var seen []verdict
	for fold, unknown := range parts {
		for _, c := range unknown {
			seen = append(seen, verdict{c, scores(nets[fold], l.quiet, c)})
		}
	}
	n := nets[folds]
	m := own.NewModel(l.phrase, n)
	m.Smooth = smooth
	m.Threshold, m.Held = choose(seen)
	for _, c := range all {
		if c.Kind == wrong { // it must not wake Solo again, but a word must not become impossible either
			m.Threshold = min(max(m.Threshold, best(c, scores(n, l.quiet, c))+0.02), 0.95)
		}
	}
	return m, nil
}

// fits are the classifiers that know all but one part each, the parts that they do not know, and last the
// classifier that knows all.
func fits(ctx context.Context, l lesson, all []*clip) (nets [folds + 1]*net.Net, unknown [folds][]*clip, err error) {
	part := map[*clip]int{}
	for i, c := range all {
		fold := foldOf(c, i)
		part[c] = fold
		unknown[fold] = append(unknown[fold], c)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	free := make(chan struct{}, max(l.workers, 1))
	for i := range nets {
		known := all
		if i < folds {
			known = slices.DeleteFunc(slices.Clone(all), func(c *clip) bool { return part[c] == i })
		}
		free <- struct{}{}
		wg.Go(func() {
			defer func() { <-free }()
			n, err := fit(ctx, l, known, uint64(i))
			if err != nil {
				cancel(err)
			}
			nets[i] = n
		})
	}
	wg.Wait()
	return nets, unknown, context.Cause(ctx)
}

// foldOf parts by voice; noise, which has none, by its place.
func foldOf(c *clip, place int) int {
	if c.Who == "noise" {
		return place % folds
	}
	h := fnv.New32a()
	h.Write([]byte(c.Who))
	return int(h.Sum32() % folds)
}

// verdict is what a classifier says of a clip that it did not learn from.
type verdict struct {
	*clip
	scores []float64
}

// choose finds the threshold at which the misses and the false accepts together weigh least: one false accept
// in an hour of what the voices say, which is nearer to the word than what people say, as much as every
// fiftieth word missed.
func choose(seen []verdict) (threshold float64, held own.Held) {
	least := 0.0
	for th := 0.5; th < 0.98; th += 0.02 {
		h := count(seen, th)
		cost := share(h.Missed, h.Words) + share(h.NoisyMissed, h.Noisy)/2 + 0.02*float64(h.False)/max(h.Other/3600, 0.1) + share(h.NearFalse, h.Near)/4
		if h.User > 0 {
			cost += share(h.UserMissed, h.User)
		}
		if threshold == 0 || cost < least {
			threshold, held, least = th, h, cost
		}
	}
	return threshold, held
}

func share(n, of int) float64 { return float64(n) / float64(max(of, 1)) }

// count says what a threshold would have done.
func count(seen []verdict, threshold float64) (h own.Held) {
	tally := func(all, part *int, yes bool) {
		*all++
		if yes {
			*part++
		}
	}
	for _, v := range seen {
		found := best(v.clip, v.scores) >= threshold
		switch {
		case v.Kind == word && strings.HasPrefix(v.Who, userPrefix):
			tally(&h.User, &h.UserMissed, !found)
		case v.Kind == word && v.Plain:
			tally(&h.Words, &h.Missed, !found)
		case v.Kind == word:
			tally(&h.Noisy, &h.NoisyMissed, !found)
		case v.Kind == similar:
			tally(&h.Near, &h.NearFalse, found)
		default:
			h.Other += float64(v.frames()*ear.Step) / audio.Rate
			h.False += accepts(v.scores, threshold)
		}
	}
	return h
}

// accepts is how often a detector would tell the word.
func accepts(scores []float64, threshold float64) (n int) {
	for i := 0; i < len(scores); i++ {
		if scores[i] >= threshold {
			n++
			i += audio.Rate / ear.Step
		}
	}
	return n
}

// shuffled is a source of its own for each fit.
func shuffled(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }
