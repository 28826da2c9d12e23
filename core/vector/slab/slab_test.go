package slab_test

import (
	"testing"

	"github.com/solo-assistant/solo/core/vector/slab"
	"github.com/solo-assistant/solo/core/vector/vectortest"
)

func TestIndex(t *testing.T) {
	vectortest.Run(t, func(t *testing.T) vectortest.Index { return fresh(t) })
}

func fresh(testing.TB) *slab.Index { return slab.New(0) }

func TestOtherLengthsAreRefused(t *testing.T) {
	x := fresh(t)
	if err := x.Add(t.Context(), []int64{1, 2}, [][]float32{{1, 2}, {1, 2, 3}}); err == nil {
		t.Error("a longer vector was taken")
	}
	if _, err := x.Nearest(t.Context(), []float32{1}, 1); err == nil {
		t.Error("a shorter vector was looked for")
	}
}

func BenchmarkNearest(b *testing.B) {
	x := slab.New(100_000)
	ids, vectors := vectortest.Random(100_000, 384)
	if err := x.Add(b.Context(), ids, vectors); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := x.Nearest(b.Context(), vectors[7], 100); err != nil {
			b.Fatal(err)
		}
	}
}
