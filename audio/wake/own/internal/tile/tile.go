// Package tile multiplies small matrices: the one loop in which a wake word's time is spent.
//
// On 64-bit Intel and AMD processors with AVX2 it is written for them by hand, about fifteen times as fast
// as what the compiler makes of the Go twin. Listening needs 70 million multiplications a second: a seventh
// of a percent of a core with it, and three without. The build tag purego leaves it out.
package tile

// Wide is how many columns a tile has, Rows how many rows.
const (
	Wide = 24
	Rows = 4
)

// Sums are a tile of the result, row by row.
type Sums [Rows * Wide]float32

// Add adds to the tile the product of four rows of len(w)/Wide numbers each, which begin at x[at[i]],
// with w: Wide numbers for each number of a row. It panics where a row goes beyond x.
func (s *Sums) Add(x []float32, at [Rows]int, w []float32) {
	n := len(w) / Wide
	if n == 0 {
		return
	}
	for _, a := range at {
		_ = x[a : a+n] // the loop by hand checks nothing
	}
	if fast {
		add(s, &x[at[0]], &x[at[1]], &x[at[2]], &x[at[3]], &w[0], n)
		return
	}
	s.plain(x, at, w)
}

// plain is the Go twin of add.
func (s *Sums) plain(x []float32, at [Rows]int, w []float32) {
	n := len(w) / Wide
	x0, x1, x2, x3 := x[at[0]:][:n], x[at[1]:][:n], x[at[2]:][:n], x[at[3]:][:n]
	r0, r1, r2, r3 := s[:Wide], s[Wide:2*Wide], s[2*Wide:3*Wide], s[3*Wide:4*Wide]
	for k := range n {
		a, b, c, d := x0[k], x1[k], x2[k], x3[k]
		for j, v := range w[k*Wide:][:Wide] {
			r0[j] += a * v
			r1[j] += b * v
			r2[j] += c * v
			r3[j] += d * v
		}
	}
}

// Pack lays out weights for Add: block after block of Wide columns, each with all its rows. at gives the
// weight of a row and a column; what is beyond the columns is 0.
func Pack(rows, columns int, at func(row, column int) float32) []float32 {
	blocks := Blocks(columns)
	out := make([]float32, blocks*rows*Wide)
	for c := range columns {
		b := out[c/Wide*rows*Wide:]
		for r := range rows {
			b[r*Wide+c%Wide] = at(r, c)
		}
	}
	return out
}

// Blocks is how many tiles lie side by side over so many columns.
func Blocks(columns int) int { return (columns + Wide - 1) / Wide }
