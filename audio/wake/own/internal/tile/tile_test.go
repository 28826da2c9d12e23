package tile

import (
	"math"
	"math/rand/v2"
	"testing"
)

func numbers(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

// Both ways give what the definition says, for rows that overlap, repeat, and end with the last number.
func TestAddIsAProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 9, 24, 72, 288, 1000} {
		x, w := numbers(r, n+100), numbers(r, n*Wide)
		at := [Rows]int{0, 17, 17, 100}
		start := numbers(r, Rows*Wide)
		var got, twin Sums
		copy(got[:], start)
		copy(twin[:], start)
		got.Add(x, at, w)
		twin.plain(x, at, w)
		for row := range Rows {
			for c := range Wide {
				i, want := row*Wide+c, float64(start[row*Wide+c])
				for k := range n {
					want += float64(x[at[row]+k]) * float64(w[k*Wide+c])
				}
				if off := max(math.Abs(float64(got[i])-want), math.Abs(float64(twin[i])-want)); off > 1e-6*float64(n+20) {
					t.Fatalf("%d numbers, row %d, column %d: %v and %v, want %v", n, row, c, got[i], twin[i], want)
				}
			}
		}
	}
}

func TestAddKeepsToItsRows(t *testing.T) {
	for name, do := range map[string]func(s *Sums){
		"a row beyond the end":       func(s *Sums) { s.Add(make([]float32, 9), [Rows]int{0, 0, 0, 1}, make([]float32, 9*Wide)) },
		"a row before the beginning": func(s *Sums) { s.Add(make([]float32, 9), [Rows]int{-1, 0, 0, 0}, make([]float32, Wide)) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			do(&Sums{})
		})
	}
	var s Sums
	s.Add(nil, [Rows]int{}, nil)
	if s != (Sums{}) {
		t.Error("a product of nothing is not nothing")
	}
}

func TestPack(t *testing.T) {
	w := Pack(2, 30, func(row, column int) float32 { return float32(100*row + column + 1) })
	if len(w) != 2*2*Wide || Blocks(30) != 2 || Blocks(24) != 1 {
		t.Fatalf("%d numbers, %d blocks", len(w), Blocks(30))
	}
	for i, want := range map[int]float32{0: 1, 23: 24, 24: 101, 48: 25, 53: 30, 54: 0, 72: 125, 78: 0} {
		if w[i] != want {
			t.Errorf("number %d is %v, want %v", i, w[i], want)
		}
	}
}

func benchmark(b *testing.B, add func(s *Sums, x []float32, at [Rows]int, w []float32)) {
	r := rand.New(rand.NewPCG(1, 2))
	x, w := numbers(r, 400), numbers(r, 288*Wide)
	var s Sums
	for b.Loop() {
		add(&s, x, [Rows]int{0, 10, 20, 30}, w)
	}
	b.ReportMetric(float64(288*Wide*Rows)*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gmul/s")
}

func BenchmarkAdd(b *testing.B)   { benchmark(b, (*Sums).Add) }
func BenchmarkPlain(b *testing.B) { benchmark(b, (*Sums).plain) }
