package train

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/wake/own/internal/ear"
	"github.com/solo-assistant/solo/audio/wake/own/internal/net"
)

// Sizes and places, in samples: the score shall be high from soon to late behind the end of the word, and
// low where more than early of it is still to come.
const (
	soon  = audio.Rate * 100 / 1000
	late  = audio.Rate * 340 / 1000
	early = audio.Rate * 240 / 1000

	frames = 16 // embeddings that the classifier sees, 2 s
	hidden = 48
	smooth = 2 // embeddings over which the detector's score is the mean
)

// What a window counts: little where it only sounds like the word (see near), much where the user said that
// it was none.
const (
	weightSimilar = 0.3
	weightWrong   = 3
)

// stream is a clip as the classifier sees it: normal embeddings behind as much silence as it looks back.
type stream struct {
	normal []float32
	others []int // the windows that are not the word, by their first embeddings
}

// pool are windows to learn from.
type pool struct {
	streams       []stream
	words, others []net.Sample
	hard          []int // of others, those with the highest scores
}

// fit teaches a classifier with clips. Four in ten windows of a batch are the word; of the
// others half are those that were hardest to tell from it when it was last asked.
func fit(ctx context.Context, l lesson, clips []*clip, stream uint64) (*net.Net, error) {
	n, err := net.New(frames, ear.Size, hidden)
	if err != nil {
		return nil, err
	}
	r := shuffled(l.seed, stream)
	measure(n, clips)
	n.Begin(r)
	p := gather(n, l.quiet, clips)
	if len(p.words) == 0 || len(p.others) == 0 {
		return nil, errNothing
	}
	const round = 200
	step := 0
	next := func(b []net.Sample) {
		if step%round == 0 {
			p.rank(n)
			l.count(min(round, l.steps-step))
		}
		step++
		for i := range b {
			switch k := r.IntN(10); {
			case k < 4:
				b[i] = p.words[r.IntN(len(p.words))]
			case k < 7:
				b[i] = p.others[p.hard[r.IntN(len(p.hard))]]
			default:
				b[i] = p.others[r.IntN(len(p.others))]
			}
		}
	}
	err = n.Fit(ctx, net.Lesson{Rate: 2e-3, Decay: 0.05, Drop: 0.4, Steps: l.steps, Rand: r}, next)
	return n, err
}

var errNothing = errors.New("there is nothing to learn from: the voices said nothing that could be used")

// measure sets what an embedding's numbers are on the average, and how far they stray.
func measure(n *net.Net, clips []*clip) {
	sum, square, count := make([]float64, ear.Size), make([]float64, ear.Size), 0.0
	for _, c := range clips {
		for i, v := range c.Sound {
			sum[i%ear.Size] += float64(v)
			square[i%ear.Size] += float64(v) * float64(v)
		}
		count += float64(c.frames())
	}
	for i := range ear.Size {
		mean := sum[i] / count
		n.Mean[i] = float32(mean)
		n.Scale[i] = float32(1 / math.Sqrt(max(square[i]/count-mean*mean, 1e-6)))
	}
}

// normal is a clip as the classifier sees it.
func normal(n *net.Net, quiet []float32, c *clip) []float32 {
	before := (n.Frames - 1) * ear.Size
	out := make([]float32, before+len(c.Sound))
	for i := 0; i < before; i += ear.Size {
		n.Normal(out[i:i+ear.Size], quiet)
	}
	n.Normal(out[before:], c.Sound)
	return out
}

// gather cuts clips into windows.
func gather(n *net.Net, quiet []float32, clips []*clip) *pool {
	p := &pool{}
	for _, c := range clips {
		st := stream{normal: normal(n, quiet, c)}
		for i := range c.frames() {
			s := net.Sample{Window: st.normal[i*ear.Size:][:n.Frames*ear.Size], Weight: 1}
			switch c.Kind {
			case similar:
				s.Weight = weightSimilar
			case wrong:
				s.Weight = weightWrong
			}
			at := ends(i) - c.End
			switch {
			case c.Kind == word && at >= soon && at <= late:
				s.Word = true
				p.words = append(p.words, s)
			case c.Kind != word || at <= -early:
				st.others = append(st.others, i)
				p.others = append(p.others, s)
			}
		}
		p.streams = append(p.streams, st)
	}
	return p
}

// rank finds the windows that are hardest to tell from the word: a sixteenth of them.
func (p *pool) rank(n *net.Net) {
	var all []float32
	var buffer []float32
	for _, s := range p.streams {
		buffer = append(buffer[:0], make([]float32, len(s.normal)/ear.Size-n.Frames+1)...)
		n.Scores(buffer, s.normal)
		for _, i := range s.others {
			all = append(all, buffer[i])
		}
	}
	order := slices.Clone(all)
	slices.Sort(order)
	limit := order[len(order)*15/16]
	p.hard = p.hard[:0]
	for i, s := range all {
		if s >= limit {
			p.hard = append(p.hard, i)
		}
	}
}

// scores are those of a clip's embeddings, smoothed as the detector does.
func scores(n *net.Net, quiet []float32, c *clip) []float64 {
	raw := make([]float32, c.frames())
	n.Scores(raw, normal(n, quiet, c))
	out := make([]float64, len(raw))
	for i := range raw {
		for k := max(0, i-smooth+1); k <= i; k++ {
			out[i] += float64(raw[k]) / smooth
		}
	}
	return out
}

// best is the highest score that counts for a word, or for anything else.
func best(c *clip, scores []float64) float64 {
	top := 0.0
	for i, s := range scores {
		if at := ends(i) - c.End; c.Kind != word || at > -audio.Rate/10 && at < audio.Rate*6/10 {
			top = max(top, s)
		}
	}
	return top
}
