package silero

import (
	"fmt"
	"math"
	"slices"
)

// Sizes in samples: the window, what it sees of the one before, and the transform's.
const (
	window  = 512
	context = 64
	fft     = 256
	hop     = 128
	bins    = fft/2 + 1
	steps   = (context+window+context-fft)/hop + 1 // transforms in a window
	cells   = 128
)

// network is the VAD's graph: a short-time Fourier transform written as a convolution, its magnitude,
// four convolutions with ReLU, one LSTM cell, and a sigmoid over a weighted sum of its output.
type network struct {
	stft           []float32 // 258 x 256: real parts, then imaginary ones
	convs          [4]conv
	wih, whh       []float32 // 512 x 128 each: input, forget, cell, output gate
	bias           []float32 // both of the LSTM's biases
	final          []float32
	finalBias      float32
	before         [context]float32
	hidden, memory [cells]float32
	padded         [context + window + context]float32
	spectrum, x, y []float32 // channel by channel, time fastest
	columns        []float32
}

// conv is a convolution of width 3 over time, with one step of zeros on both sides.
type conv struct {
	weight, bias    []float32
	in, out, stride int
}

func newNetwork(tensors map[string]tensor) (*network, error) {
	var err error
	get := func(name string, shape ...int) []float32 {
		t, ok := tensors[name]
		if err == nil && (!ok || !slices.Equal(t.shape, shape)) {
			err = fmt.Errorf("tensor %q of shape %v is missing (there: %v)", name, shape, t.shape)
		}
		return t.data
	}
	n := &network{
		stft: get("stft_conv.weight", 2*bins, 1, fft),
		wih:  get("lstm_cell.weight_ih", 4*cells, cells), whh: get("lstm_cell.weight_hh", 4*cells, cells),
		final: get("final_conv.weight", 1, cells, 1),
	}
	for i, s := range []struct{ in, out, stride int }{{bins, 128, 1}, {128, 64, 2}, {64, 64, 2}, {64, 128, 1}} {
		name := fmt.Sprintf("conv%d.", i+1)
		n.convs[i] = conv{get(name+"weight", s.out, s.in, 3), get(name+"bias", s.out), s.in, s.out, s.stride}
	}
	ih, hh, fb := get("lstm_cell.bias_ih", 4*cells), get("lstm_cell.bias_hh", 4*cells), get("final_conv.bias", 1)
	if err != nil {
		return nil, err
	}
	n.finalBias = fb[0]
	n.bias = make([]float32, 4*cells)
	for i := range n.bias {
		n.bias[i] = ih[i] + hh[i]
	}
	return n, nil
}

func (n *network) reset() {
	n.before = [context]float32{}
	n.hidden, n.memory = [cells]float32{}, [cells]float32{}
}

// probability is that of speech in the window, 0 to 1, knowing all windows before since reset.
func (n *network) probability(w *[window]float32) float32 {
	x, time := n.magnitudes(w)
	for i := range n.convs {
		x, time = n.convs[i].run(n, x, time)
	}
	n.lstm(x)
	sum := n.finalBias
	for i, h := range n.hidden {
		sum += n.final[i] * max(h, 0)
	}
	return sigmoid(sum)
}

// magnitudes is the spectrum of the window behind its context; the end is mirrored.
func (n *network) magnitudes(w *[window]float32) ([]float32, int) {
	copy(n.padded[:], n.before[:])
	copy(n.padded[context:], w[:])
	copy(n.before[:], w[window-context:])
	const end = context + window
	for i := range context {
		n.padded[end+i] = n.padded[end-2-i]
	}
	const time = steps
	n.spectrum = grown(n.spectrum, bins*time)
	for b := range bins {
		re := dot4(n.stft[b*fft:(b+1)*fft], n.padded[:], hop)
		im := dot4(n.stft[(bins+b)*fft:(bins+b+1)*fft], n.padded[:], hop)
		for t := range time {
			n.spectrum[b*time+t] = float32(math.Sqrt(float64(re[t]*re[t] + im[t]*im[t])))
		}
	}
	return n.spectrum, time
}

// run convolves x, time steps long, into one of the network's two buffers.
func (c *conv) run(n *network, x []float32, time int) ([]float32, int) {
	n.x, n.y = n.y, n.x // x lies in the other one
	outTime := (time-1)/c.stride + 1
	n.x = grown(n.x, c.out*outTime)
	width := 3 * c.in
	n.columns = grown(n.columns, 4*width)
	for t := range outTime {
		c.column(n.columns[t*width:(t+1)*width], x, time, t*c.stride)
	}
	for o := range c.out {
		sums := c.dots(c.weight[o*width:(o+1)*width], n.columns, outTime)
		for t := range outTime {
			n.x[o*outTime+t] = max(c.bias[o]+sums[t], 0)
		}
	}
	return n.x, outTime
}

// column puts what the filter sees at step at side by side.
func (c *conv) column(dst, x []float32, time, at int) {
	for k := range 3 {
		for ch := range c.in {
			v := float32(0)
			if t := at + k - 1; t >= 0 && t < time {
				v = x[ch*time+t]
			}
			dst[3*ch+k] = v
		}
	}
}

// dots multiplies one filter with up to four columns.
func (c *conv) dots(filter, columns []float32, n int) (sums [4]float32) {
	if n == 4 {
		return dot4(filter, columns, len(filter))
	}
	for t := range n {
		sums[t] = dot(filter, columns[t*len(filter):(t+1)*len(filter)])
	}
	return sums
}

// lstm takes one step of the cell.
func (n *network) lstm(x []float32) {
	var gates [4 * cells]float32
	for i := range gates {
		gates[i] = n.bias[i] + dot(n.wih[i*cells:(i+1)*cells], x) + dot(n.whh[i*cells:(i+1)*cells], n.hidden[:])
	}
	for i := range cells {
		in, forget, cell, out := gates[i], gates[cells+i], gates[2*cells+i], gates[3*cells+i]
		n.memory[i] = sigmoid(forget)*n.memory[i] + sigmoid(in)*tanh(cell)
		n.hidden[i] = sigmoid(out) * tanh(n.memory[i])
	}
}

func grown(b []float32, n int) []float32 {
	if cap(b) < n {
		return make([]float32, n)
	}
	return b[:n]
}

// dot multiplies two vectors of one length; four sums at once keep the core busy.
func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	for len(a) >= 4 && len(b) >= 4 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	for i := range a {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}

// dot4 multiplies a with the four pieces of b that begin step apart: each number of a is read once.
func dot4(a, b []float32, step int) [4]float32 {
	var s0, s1, s2, s3 float32
	b0, b1, b2, b3 := b[:len(a)], b[step:][:len(a)], b[2*step:][:len(a)], b[3*step:][:len(a)]
	for i, v := range a {
		s0 += v * b0[i]
		s1 += v * b1[i]
		s2 += v * b2[i]
		s3 += v * b3[i]
	}
	return [4]float32{s0, s1, s2, s3}
}

func sigmoid(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }
func tanh(x float32) float32    { return float32(math.Tanh(float64(x))) }
