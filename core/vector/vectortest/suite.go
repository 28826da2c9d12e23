// Package vectortest holds what every index of vectors must do.
package vectortest

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// Index is an index of vectors.
type Index interface {
	Add(ctx context.Context, ids []int64, vectors [][]float32) error
	Remove(ctx context.Context, ids ...int64) error
	Nearest(ctx context.Context, v []float32, n int) ([]int64, error)
	Len() int
}

// Random gives n vectors of a length, always the same ones.
func Random(n, size int) (ids []int64, vectors [][]float32) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		v := make([]float32, size)
		for k := range v {
			v[k] = float32(r.NormFloat64())
		}
		ids, vectors = append(ids, int64(i+1)), append(vectors, v)
	}
	return ids, vectors
}

// Run tests an index.
func Run(t *testing.T, fresh func(t *testing.T) Index) {
	t.Run("nearest", func(t *testing.T) {
		x := fresh(t)
		if got, err := x.Nearest(t.Context(), []float32{1, 0}, 3); err != nil || len(got) != 0 {
			t.Errorf("an empty index: %v, %v", got, err)
		}
		ids, vectors := Random(2000, 48)
		if err := x.Add(t.Context(), ids, vectors); err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			want := exact(vectors[i], ids, vectors, 5)
			got, err := x.Nearest(t.Context(), vectors[i], 5)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("nearest to %d: %v, %v, want %v", i, got, err, want)
			}
		}
		if got, err := x.Nearest(t.Context(), vectors[0], 5000); err != nil || len(got) != 2000 {
			t.Errorf("%d of all, %v", len(got), err)
		}
	})
	t.Run("change", func(t *testing.T) {
		x := fresh(t)
		add := func(id int64, v ...float32) {
			if err := x.Add(t.Context(), []int64{id}, [][]float32{v}); err != nil {
				t.Fatal(err)
			}
		}
		add(1, 1, 0)
		add(2, 0, 1)
		add(3, 1, 1)
		add(2, 5, 0.1)
		add(4, 0, 0) // without length
		add(5, float32(math.NaN()), 1)
		if x.Len() != 3 {
			t.Errorf("%d vectors", x.Len())
		}
		if err := x.Remove(t.Context(), 1, 99); err != nil {
			t.Fatal(err)
		}
		if got, err := x.Nearest(t.Context(), []float32{1, 0}, 3); err != nil || !slices.Equal(got, []int64{2, 3}) {
			t.Errorf("%v, %v", got, err)
		}
		if err := x.Remove(t.Context(), 2, 3); err != nil || x.Len() != 0 {
			t.Errorf("%d left, %v", x.Len(), err)
		}
	})
	t.Run("many hands", func(t *testing.T) {
		x := fresh(t)
		ids, vectors := Random(400, 16)
		var work sync.WaitGroup
		for part := range slices.Chunk(ids, 100) {
			work.Go(func() {
				if err := x.Add(t.Context(), part, vectors[part[0]-1:part[0]+99]); err != nil {
					t.Error(err)
				}
				if _, err := x.Nearest(t.Context(), vectors[0], 3); err != nil {
					t.Error(err)
				}
				if err := x.Remove(t.Context(), part[:50]...); err != nil {
					t.Error(err)
				}
			})
		}
		work.Wait()
		if x.Len() != 200 {
			t.Errorf("%d left", x.Len())
		}
	})
}

func exact(v []float32, ids []int64, vectors [][]float32, n int) []int64 {
	like := func(a []float32) float64 {
		dot, length := 0.0, 0.0
		for k := range a {
			dot += float64(a[k]) * float64(v[k])
			length += float64(a[k]) * float64(a[k])
		}
		return dot / math.Sqrt(length)
	}
	out := slices.Clone(ids)
	slices.SortFunc(out, func(a, b int64) int {
		if like(vectors[a-1]) > like(vectors[b-1]) {
			return -1
		}
		return 1
	})
	return out[:n]
}
