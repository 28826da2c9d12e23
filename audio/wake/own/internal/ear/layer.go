package ear

import "github.com/solo-assistant/solo/audio/wake/own/internal/tile"

// layer is a convolution over three neighbours and, but for the last one, its bias and bend. Sound lies in
// it column by column, in a column band by band, in a band channel by channel.
type layer struct {
	kind           kind
	in, out, bands int // channels, and bands of what comes in
	weight         []float32
	bias           []float32 // nil: neither bias nor bend
	poolTime, pool bool      // what goes out is the louder of two columns, of two bands
	past           []float32 // overTime: the two last columns
	rows, sums     []float32
}

// kind is what a layer's three neighbours are.
type kind int

const (
	overBands kind = iota // of one column, with silence above and below
	overTime              // of one band
	overBoth              // nine numbers: three bands of three columns
)

// run takes columns and gives those that come of them, good until the next call. With pools over time the
// number of columns must be even.
func (l *layer) run(x []float32) []float32 {
	positions := len(x) / l.in
	l.sums = grown(l.sums, positions*l.out)
	switch l.kind {
	case overTime:
		l.remember(x)
		l.convolve(positions, func(p int) int { return p * l.in }, l.in, l.bands*l.in)
	case overBands:
		l.widen(x)
		l.convolve(positions, func(p int) int { return (p + p/l.bands*2) * l.in }, 3*l.in, 0)
	case overBoth:
		l.gather(x)
		l.convolve(positions, func(p int) int { return p * 9 }, 9, 0)
	}
	l.bend()
	return l.pooled(positions / l.bands)
}

// convolve multiplies what lies in rows: at each position pieces of width numbers, apart numbers from each
// other.
func (l *layer) convolve(positions int, at func(p int) int, width, apart int) {
	inputs := len(l.weight) / tile.Blocks(l.out) / tile.Wide
	for block := range tile.Blocks(l.out) {
		w := l.weight[block*inputs*tile.Wide:][:inputs*tile.Wide]
		var start tile.Sums
		if l.bias != nil {
			for r := range tile.Rows {
				copy(start[r*tile.Wide:], l.bias[block*tile.Wide:][:tile.Wide])
			}
		}
		for p := 0; p < positions; p += tile.Rows {
			sums, from := start, [tile.Rows]int{}
			for r := range from {
				from[r] = at(min(p+r, positions-1))
			}
			for piece := 0; piece < inputs; piece += width {
				sums.Add(l.rows, from, w[piece*tile.Wide:][:width*tile.Wide])
				for r := range from {
					from[r] += apart
				}
			}
			for r := range min(tile.Rows, positions-p) {
				copy(l.sums[(p+r)*l.out+block*tile.Wide:], sums[r*tile.Wide:][:tile.Wide])
			}
		}
	}
}

// remember puts the columns behind the two that came before.
func (l *layer) remember(x []float32) {
	column := l.bands * l.in
	if l.past == nil {
		l.past = make([]float32, 2*column)
	}
	l.rows = append(append(l.rows[:0], l.past...), x...)
	copy(l.past, l.rows[len(x):])
}

// widen puts a band of silence above and below each column.
func (l *layer) widen(x []float32) {
	column := l.bands * l.in
	l.rows = l.rows[:0]
	for ; len(x) > 0; x = x[column:] {
		l.rows = append(l.rows, zeros[:l.in]...)
		l.rows = append(l.rows, x[:column]...)
		l.rows = append(l.rows, zeros[:l.in]...)
	}
}

var zeros [96]float32

// gather writes out the nine numbers around each band.
func (l *layer) gather(x []float32) {
	if l.past == nil {
		l.past = make([]float32, 2*l.bands)
	}
	all := append(append(l.sums[:0:0], l.past...), x...)
	copy(l.past, all[len(x):])
	l.rows = l.rows[:0]
	for c := 0; c < len(x); c += l.bands {
		for b := range l.bands {
			for t := range 3 {
				for k := b - 1; k <= b+1; k++ {
					v := float32(0)
					if k >= 0 && k < l.bands {
						v = all[c+t*l.bands+k]
					}
					l.rows = append(l.rows, v)
				}
			}
		}
	}
}

// bend is the network's own: a fifth of what is below zero, but never below -0.4.
func (l *layer) bend() {
	if l.bias == nil {
		return
	}
	for i, v := range l.sums {
		if v < 0 {
			l.sums[i] = max(v/5, -0.4)
		}
	}
}

// pooled keeps the louder of neighbours, in place.
func (l *layer) pooled(columns int) []float32 {
	bands, x := l.bands, l.sums
	if l.pool {
		bands /= 2
		for p := range columns * bands {
			louder(x[p*l.out:][:l.out], x[2*p*l.out:][:l.out], x[(2*p+1)*l.out:][:l.out])
		}
	}
	size := bands * l.out
	if l.poolTime {
		columns /= 2
		for c := range columns {
			louder(x[c*size:][:size], x[2*c*size:][:size], x[(2*c+1)*size:][:size])
		}
	}
	return x[:columns*size]
}

func louder(dst, a, b []float32) {
	for i := range dst {
		dst[i] = max(a[i], b[i])
	}
}

func grown(b []float32, n int) []float32 {
	if cap(b) < n {
		return make([]float32, n)
	}
	return b[:n]
}
