package ear

import (
	"fmt"
	"slices"

	"github.com/solo-assistant/solo/audio/wake/own/internal/onnx"
	"github.com/solo-assistant/solo/audio/wake/own/internal/tile"
)

// Sizes of what comes out.
const (
	Size  = 96                   // numbers in an embedding
	Step  = steps * Hop          // samples between two of them, 80 ms
	Span  = (see-1)*Hop + window // samples that one sees, 0.78 s
	First = 7*Hop + window       // samples until the first one; those before are silence to it
	steps = 8                    // columns between two
	see   = 76                   // columns that one sees
)

// Ear makes embeddings of a stream. It is used by one goroutine at a time.
type Ear struct {
	spectrum *spectrum
	layers   []*layer
	columns  []float32   // fewer than steps of them wait
	silent   [][]float32 // the layers' pasts after long silence
	silence  []float32   // and what they say then
}

// plan is the network: kind, channels out, and the pools.
var plan = []struct {
	kind           kind
	out            int
	poolTime, pool bool
}{
	{kind: overBoth, out: 24}, {kind: overBands, out: 24}, {kind: overTime, out: 24, poolTime: true, pool: true},
	{kind: overBands, out: 48}, {kind: overTime, out: 48}, {kind: overBands, out: 48}, {kind: overTime, out: 48, pool: true},
	{kind: overBands, out: 72}, {kind: overTime, out: 72}, {kind: overBands, out: 72}, {kind: overTime, out: 72, poolTime: true, pool: true},
	{kind: overBands, out: 96}, {kind: overTime, out: 96}, {kind: overBands, out: 96}, {kind: overTime, out: 96, pool: true},
	{kind: overBands, out: 96}, {kind: overTime, out: 96}, {kind: overBands, out: 96}, {kind: overTime, out: 96, poolTime: true, pool: true},
	{kind: overTime, out: 96},
}

// New makes an ear of the embedding network's ONNX file (1.3 MB; openWakeWord's embedding_model.onnx).
func New(file []byte) (*Ear, error) {
	weights, err := onnx.Weights(file)
	if err != nil {
		return nil, err
	}
	e := &Ear{spectrum: newSpectrum()}
	in, bands := 1, Bands
	for i, p := range plan {
		l := &layer{kind: p.kind, in: in, out: p.out, bands: bands, poolTime: p.poolTime, pool: p.pool}
		if err := l.load(weights, i); err != nil {
			return nil, fmt.Errorf("it is not the speech embedding: %w", err)
		}
		e.layers = append(e.layers, l)
		in = p.out
		if p.pool {
			bands /= 2
		}
	}
	e.settle()
	return e, nil
}

// load takes the weights of the layer with number i, by the names that upstream gave them.
func (l *layer) load(weights map[string]onnx.Tensor, i int) error {
	name := "model/conv2d"
	if i > 0 {
		name = fmt.Sprintf("model/conv2d_%d", i)
	}
	w, b := name+"/Conv2D_weights_fused_bn", name+"/Conv2D_bias_fused_bn"
	if i == len(plan)-1 {
		w, b = name+"/Conv2D/ReadVariableOp:0", ""
	}
	size := map[kind][]int{overBands: {1, 3}, overTime: {3, 1}, overBoth: {3, 3}}[l.kind]
	t, shape := weights[w], []int{l.out, l.in, size[0], size[1]}
	if !slices.Equal(t.Shape, shape) {
		return fmt.Errorf("tensor %q has shape %v, want %v", w, t.Shape, shape)
	}
	around := size[0] * size[1]
	l.weight = tile.Pack(around*l.in, l.out, func(row, column int) float32 {
		return t.Data[(column*l.in+row%l.in)*around+row/l.in]
	})
	if b == "" {
		return nil
	}
	if t = weights[b]; !slices.Equal(t.Shape, []int{l.out}) {
		return fmt.Errorf("tensor %q has shape %v, want [%d]", b, t.Shape, l.out)
	}
	l.bias = t.Data
	return nil
}

// settle hears silence until nothing changes any more, and keeps that state for Reset.
func (e *Ear) settle() {
	silence := slices.Repeat([]float32{Floor}, steps*Bands)
	for range see/steps + 3 {
		e.silence = append(e.silence[:0], e.embed(silence)...)
	}
	for _, l := range e.layers {
		e.silent = append(e.silent, slices.Clone(l.past))
	}
}

// Silence is the embedding of long silence.
func (e *Ear) Silence() []float32 { return slices.Clone(e.silence) }

// Reset forgets what was heard: as if it had been silent for a long time.
func (e *Ear) Reset() {
	for i, l := range e.layers {
		copy(l.past, e.silent[i])
	}
	e.columns, e.spectrum.n = e.columns[:0], 0
}

// Hear takes samples at 16 kHz and gives each embedding that they complete to do: Size numbers that are good
// until do returns.
func (e *Ear) Hear(pcm []int16, do func(embedding []float32)) {
	e.spectrum.hear(pcm, func(column []float32) {
		if e.columns = append(e.columns, column...); len(e.columns) == steps*Bands {
			do(e.embed(e.columns))
			e.columns = e.columns[:0]
		}
	})
}

func (e *Ear) embed(columns []float32) []float32 {
	x := columns
	for _, l := range e.layers {
		x = l.run(x)
	}
	return x
}

// Twin is a second ear with the same weights, for another goroutine.
func (e *Ear) Twin() *Ear {
	t := &Ear{spectrum: newSpectrum(), silent: e.silent, silence: e.silence}
	for _, l := range e.layers {
		twin := *l
		twin.past, twin.rows, twin.sums = slices.Clone(l.past), nil, nil
		t.layers = append(t.layers, &twin)
	}
	t.Reset()
	return t
}
