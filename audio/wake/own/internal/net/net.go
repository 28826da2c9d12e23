// Package net is the classifier behind a wake word: one hidden layer over the last embeddings.
package net

import (
	"fmt"
	"math"

	"github.com/solo-assistant/solo/audio/wake/own/internal/tile"
)

// Limits of a network's sizes.
const (
	MostFrames = 32
	MostHidden = 10 * tile.Wide
)

// Net says how surely the word has just ended. Its numbers are set by Fit or come from a file; scoring
// changes nothing, so that several goroutines may share it.
type Net struct {
	Frames int // embeddings that it sees, the newest last, 1 to MostFrames
	Size   int // numbers in an embedding, a multiple of tile.Rows
	Hidden int // units, a multiple of tile.Wide

	Mean, Scale []float32 // Size each: an embedding goes in as (x - Mean) * Scale
	In          []float32 // Frames*Size rows of Hidden, as tile.Pack lays them out
	Bias        []float32 // Hidden
	Out         []float32 // Hidden
	OutBias     float32
}

// New makes a network without numbers.
func New(frames, size, hidden int) (*Net, error) {
	if frames < 1 || frames > MostFrames || size < 1 || size > 1024 || hidden < tile.Wide || hidden > MostHidden || hidden%tile.Wide != 0 || size%tile.Rows != 0 {
		return nil, fmt.Errorf("a classifier of %d times %d numbers and %d units", frames, size, hidden)
	}
	return &Net{
		Frames: frames, Size: size, Hidden: hidden,
		Mean: make([]float32, size), Scale: make([]float32, size),
		In: make([]float32, frames*size*hidden), Bias: make([]float32, hidden), Out: make([]float32, hidden),
	}, nil
}

// Numbers are all that Fit sets, in the order of a file.
func (n *Net) Numbers() [][]float32 {
	return [][]float32{n.Mean, n.Scale, n.In, n.Bias, n.Out}
}

// limit is how many of its deviations from the mean an embedding's number may be.
const limit = 6

// Normal writes an embedding as the network sees it.
func (n *Net) Normal(dst, embedding []float32) {
	for i, v := range embedding {
		k := i % n.Size
		dst[i] = min(max((v-n.Mean[k])*n.Scale[k], -limit), limit)
	}
}

// Score is how surely the word ended with the window: Frames normal embeddings side by side; 0 to 1.
func (n *Net) Score(window []float32) float32 {
	var one [1]float32
	n.Scores(one[:], window)
	return one[0]
}

// Scores are those of the windows that begin with each of the embeddings in stream, normal and side by side:
// len(scores) = len(stream)/Size - Frames + 1.
func (n *Net) Scores(scores, stream []float32) {
	for i := 0; i < len(scores); i += tile.Rows {
		var at [tile.Rows]int
		for r := range at {
			at[r] = min(i+r, len(scores)-1) * n.Size
		}
		var sums [tile.Rows]float32
		n.logits(&sums, stream, at, nil)
		for r := range min(tile.Rows, len(scores)-i) {
			scores[i+r] = sigmoid(sums[r])
		}
	}
}

// logits are the answers to four windows of x before they are squeezed; hidden, where it is not nil, gets
// the units' values: block by block, in a block window by window.
func (n *Net) logits(out *[tile.Rows]float32, x []float32, at [tile.Rows]int, hidden func(block int, sums *tile.Sums)) {
	inputs := n.Frames * n.Size
	*out = [tile.Rows]float32{n.OutBias, n.OutBias, n.OutBias, n.OutBias}
	for b := range n.Hidden / tile.Wide {
		var sums tile.Sums
		for r := range tile.Rows {
			copy(sums[r*tile.Wide:], n.Bias[b*tile.Wide:][:tile.Wide])
		}
		sums.Add(x, at, n.In[b*inputs*tile.Wide:][:inputs*tile.Wide])
		for i, v := range sums {
			sums[i] = max(v, 0)
			out[i/tile.Wide] += sums[i] * n.Out[b*tile.Wide+i%tile.Wide]
		}
		if hidden != nil {
			hidden(b, &sums)
		}
	}
}

func sigmoid(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }
