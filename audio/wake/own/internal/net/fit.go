package net

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/solo-assistant/solo/audio/wake/own/internal/tile"
)

// Sample is a window and what it is.
type Sample struct {
	Window []float32 // Frames*Size normal numbers
	Word   bool
	Weight float32 // how much it counts, usually 1
}

// Lesson is how Fit learns.
type Lesson struct {
	Rate  float64 // of Adam at the beginning; it falls to a twentieth
	Decay float64 // of the weights, a step
	Drop  float64 // share of units that rest in a step
	Steps int
	Rand  *rand.Rand
}

// batch is how many samples a step sees.
const batch = 128

// Begin sets the numbers that learning starts from, Mean and Scale excepted.
func (n *Net) Begin(r *rand.Rand) {
	wide := math.Sqrt(2 / float64(n.Frames*n.Size))
	for i := range n.In {
		n.In[i] = float32(r.NormFloat64() * wide)
	}
	for i := range n.Out {
		n.Bias[i], n.Out[i] = 0, float32(r.NormFloat64()/math.Sqrt(float64(n.Hidden)))
	}
	n.OutBias = -2
}

// Fit takes l.Steps steps on batches that next fills: it is given the samples of the last batch to overwrite.
func (n *Net) Fit(ctx context.Context, l Lesson, next func(b []Sample)) error {
	f := newFitting(n)
	samples := make([]Sample, batch)
	for step := range l.Steps {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		next(samples)
		f.gradient(samples, l)
		done := float64(step) / float64(l.Steps)
		f.adam(l.Rate*(0.05+0.95*(1+math.Cos(math.Pi*done))/2), l.Decay)
	}
	return nil
}

// fitting is the state of Fit.
type fitting struct {
	n               *Net
	x, turned       []float32 // the batch: window by window, and number by number
	rest            []bool
	hidden, delta   []float32 // batch by Hidden, in blocks of tile.Wide
	numbers, slopes [][]float32
	mean, square    [][]float32
	outBias         [1]float32
	step            int
}

func newFitting(n *Net) *fitting {
	f := &fitting{n: n, rest: make([]bool, n.Hidden)}
	inputs := n.Frames * n.Size
	f.x, f.turned = make([]float32, batch*inputs), make([]float32, batch*inputs)
	f.hidden, f.delta = make([]float32, batch*n.Hidden), make([]float32, batch*n.Hidden)
	f.outBias[0] = n.OutBias
	f.numbers = [][]float32{n.In, n.Bias, n.Out, f.outBias[:]}
	for _, x := range f.numbers {
		f.slopes = append(f.slopes, make([]float32, len(x)))
		f.mean, f.square = append(f.mean, make([]float32, len(x))), append(f.square, make([]float32, len(x)))
	}
	return f
}

// gradient sets slopes to those of the cross entropy over the samples.
func (f *fitting) gradient(samples []Sample, l Lesson) {
	n := f.n
	inputs := n.Frames * n.Size
	for i, s := range samples {
		copy(f.x[i*inputs:], s.Window)
	}
	f.turn(inputs)
	for u := range f.rest {
		f.rest[u] = l.Rand.Float64() < l.Drop
	}
	keep := float32(1 / (1 - l.Drop))
	bias, out := f.slopes[1], f.slopes[2]
	clear(bias)
	clear(out)
	f.slopes[3][0] = 0
	for i := 0; i < batch; i += tile.Rows {
		f.four(samples[i:i+tile.Rows], i, keep)
	}
	for b := range n.Hidden / tile.Wide {
		delta := f.delta[b*batch*tile.Wide:][:batch*tile.Wide]
		for k := 0; k < inputs; k += tile.Rows {
			var sums tile.Sums
			sums.Add(f.turned, [tile.Rows]int{k * batch, (k + 1) * batch, (k + 2) * batch, (k + 3) * batch}, delta)
			copy(f.slopes[0][(b*inputs+k)*tile.Wide:], sums[:])
		}
	}
}

// turn writes the batch number by number, eight windows at a time for the cache's sake.
func (f *fitting) turn(inputs int) {
	for i := 0; i < batch; i += 8 {
		rows := f.x[i*inputs:]
		for k := range inputs {
			to := f.turned[k*batch+i:][:8]
			for j := range to {
				to[j] = rows[j*inputs+k]
			}
		}
	}
}

// four goes forth and back through the units with the windows from i on.
func (f *fitting) four(samples []Sample, i int, keep float32) {
	n := f.n
	inputs := n.Frames * n.Size
	at := [tile.Rows]int{i * inputs, (i + 1) * inputs, (i + 2) * inputs, (i + 3) * inputs}
	var answers [tile.Rows]float32
	n.OutBias = f.outBias[0]
	n.logits(&answers, f.x, at, func(b int, sums *tile.Sums) {
		copy(f.hidden[(b*batch+i)*tile.Wide:], sums[:])
	})
	for r, s := range samples {
		answer := f.outBias[0]
		for u, w := range n.Out {
			if !f.rest[u] {
				answer += keep * w * f.hidden[(u/tile.Wide*batch+i+r)*tile.Wide+u%tile.Wide]
			}
		}
		want := float32(0)
		if s.Word {
			want = 1
		}
		slope := (sigmoid(answer) - want) * s.Weight / batch
		f.slopes[3][0] += slope
		for u, w := range n.Out {
			at := (u/tile.Wide*batch+i+r)*tile.Wide + u%tile.Wide
			f.delta[at] = 0
			if h := f.hidden[at]; !f.rest[u] && h > 0 {
				f.slopes[2][u] += slope * keep * h
				f.delta[at] = slope * keep * w
				f.slopes[1][u] += f.delta[at]
			}
		}
	}
}

// adam takes one step (Kingma and Ba 2015, with the decay beside it: Loshchilov and Hutter 2019).
func (f *fitting) adam(rate, decay float64) {
	const fade, fadeSquare, small = 0.9, 0.999, 1e-8
	f.step++
	unbiased := float32(rate * math.Sqrt(1-math.Pow(fadeSquare, float64(f.step))) / (1 - math.Pow(fade, float64(f.step))))
	for i, x := range f.numbers {
		keep := float32(1)
		if i == 0 || i == 2 { // weights fade, biases do not
			keep = float32(1 - rate*decay)
		}
		slopes, mean, square := f.slopes[i][:len(x)], f.mean[i][:len(x)], f.square[i][:len(x)]
		for k, g := range slopes {
			mean[k] = fade*mean[k] + (1-fade)*g
			square[k] = fadeSquare*square[k] + (1-fadeSquare)*g*g
			x[k] = x[k]*keep - unbiased*mean[k]/(float32(math.Sqrt(float64(square[k])))+small)
		}
	}
	f.n.OutBias = f.outBias[0]
}
