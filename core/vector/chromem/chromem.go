// Package chromem finds the nearest of some thousand vectors by chromem-go, in memory.
//
// It is right for up to about twenty thousand; core/vector/slab takes more. An Index is safe for use by several goroutines.
package chromem

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"sync"

	"github.com/philippgille/chromem-go"
)

// Index is a collection of vectors.
type Index struct {
	mu sync.RWMutex // chromem-go counts and searches without one
	c  *chromem.Collection
}

// New builds an empty Index.
func New() (*Index, error) {
	c, err := chromem.NewDB().CreateCollection("memories", nil, func(context.Context, string) ([]float32, error) {
		return nil, errors.New("vectors come ready made")
	})
	if err != nil {
		return nil, fmt.Errorf("making an index of vectors: %w", err)
	}
	return &Index{c: c}, nil
}

// Add takes vectors, in the place of those of the same IDs. Vectors without length or of no number are left out.
func (x *Index) Add(ctx context.Context, ids []int64, vectors [][]float32) error {
	docs := make([]chromem.Document, 0, len(ids))
	for i, id := range ids {
		if usable(vectors[i]) {
			docs = append(docs, chromem.Document{ID: strconv.FormatInt(id, 10), Embedding: vectors[i]})
		}
	}
	if len(docs) == 0 {
		return nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := x.c.AddDocuments(ctx, docs, runtime.NumCPU()); err != nil {
		return fmt.Errorf("adding vectors: %w", err)
	}
	return nil
}

func usable(v []float32) bool {
	sum := 0.0
	for _, f := range v {
		sum += float64(f) * float64(f)
	}
	return sum > 0 && !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// Remove takes vectors away; IDs that are not there are no error.
func (x *Index) Remove(ctx context.Context, ids ...int64) error {
	if len(ids) == 0 {
		return nil
	}
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = strconv.FormatInt(id, 10)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := x.c.Delete(ctx, nil, nil, names...); err != nil {
		return fmt.Errorf("removing vectors: %w", err)
	}
	return nil
}

// Nearest gives the n nearest IDs by cosine, the nearest first.
func (x *Index) Nearest(ctx context.Context, v []float32, n int) ([]int64, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if n = min(n, x.c.Count()); n <= 0 || !usable(v) {
		return nil, nil
	}
	found, err := x.c.QueryEmbedding(ctx, v, n, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("searching vectors: %w", err)
	}
	out := make([]int64, 0, len(found))
	for _, f := range found {
		id, err := strconv.ParseInt(f.ID, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("searching vectors: %w", err)
		}
		out = append(out, id)
	}
	return out, nil
}

// Len is how many vectors there are.
func (x *Index) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.c.Count()
}
