package net

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// task is one that no single unit can do: the word is there where two numbers have the same sign.
func task(r *rand.Rand, n *Net) func(b []Sample) {
	return func(b []Sample) {
		for i := range b {
			x := make([]float32, n.Frames*n.Size)
			for k := range x {
				x[k] = float32(r.NormFloat64())
			}
			b[i] = Sample{Window: x, Word: x[1]*x[n.Size+2] > 0, Weight: 1}
		}
	}
}

func right(n *Net, next func(b []Sample)) float64 {
	b := make([]Sample, 2000)
	next(b)
	good := 0.0
	for _, s := range b {
		if (n.Score(s.Window) > 0.5) == s.Word {
			good++
		}
	}
	return good / float64(len(b))
}

func learn(t *testing.T, seed uint64) *Net {
	t.Helper()
	n, err := New(2, 4, 24)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 1))
	n.Begin(r)
	if err := n.Fit(t.Context(), Lesson{Rate: 0.01, Decay: 1e-3, Drop: 0.1, Steps: 1500, Rand: r}, task(r, n)); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestLearns(t *testing.T) {
	n := learn(t, 1)
	if share := right(n, task(rand.New(rand.NewPCG(9, 9)), n)); share < 0.93 {
		t.Errorf("%.3f are right, want 0.93", share)
	}
}

func TestSameSeedSameNumbers(t *testing.T) {
	a, b := learn(t, 3), learn(t, 3)
	for i, x := range a.Numbers() {
		for k, v := range x {
			if b.Numbers()[i][k] != v {
				t.Fatalf("number %d of %d differs", k, i)
			}
		}
	}
}

// The slopes are those that a small change of each number shows.
func TestSlopes(t *testing.T) {
	n, _ := New(2, 4, 24)
	r := rand.New(rand.NewPCG(5, 5))
	n.Begin(r)
	samples := make([]Sample, batch)
	task(r, n)(samples)
	f := newFitting(n)
	f.gradient(samples, Lesson{Rand: r})
	loss := func() (sum float64) {
		n.OutBias = f.outBias[0]
		for _, s := range samples {
			p := float64(n.Score(s.Window))
			if !s.Word {
				p = 1 - p
			}
			sum -= math.Log(p) / batch
		}
		return sum
	}
	for i, x := range f.numbers {
		for k := 0; k < len(x); k += 1 + len(x)/7 {
			const by = 1e-2
			old := x[k]
			x[k] = old + by
			above := loss()
			x[k] = old - by
			below := loss()
			x[k] = old
			if want, got := (above-below)/(2*by), float64(f.slopes[i][k]); math.Abs(got-want) > 2e-4+0.05*math.Abs(want) {
				t.Errorf("slope %d of %d is %v, want %v", k, i, got, want)
			}
		}
	}
}

func TestScoresAreThoseOfEachWindow(t *testing.T) {
	n, _ := New(3, 8, 48)
	r := rand.New(rand.NewPCG(7, 7))
	n.Begin(r)
	stream := make([]float32, 13*8)
	for i := range stream {
		stream[i] = float32(r.NormFloat64())
	}
	scores := make([]float32, 11)
	n.Scores(scores, stream)
	for i, s := range scores {
		if one := n.Score(stream[i*8:][:3*8]); math.Abs(float64(one-s)) > 1e-6 {
			t.Errorf("window %d: %v, alone %v", i, s, one)
		}
	}
}

func TestFitStops(t *testing.T) {
	n, _ := New(1, 4, 24)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	steps := 0
	err := n.Fit(ctx, Lesson{Steps: 100, Rand: rand.New(rand.NewPCG(1, 1))}, func(b []Sample) {
		if steps++; steps == 3 {
			cancel(why)
		}
		for i := range b {
			b[i].Window = make([]float32, 4)
		}
	})
	if !errors.Is(err, why) || steps != 3 {
		t.Errorf("error %v behind %d steps", err, steps)
	}
}

func TestSizes(t *testing.T) {
	for _, s := range [][3]int{{0, 96, 48}, {33, 96, 48}, {12, 0, 48}, {12, 96, 0}, {12, 96, 47}, {12, 96, 264}, {12, 2000, 48}} {
		if _, err := New(s[0], s[1], s[2]); err == nil {
			t.Errorf("no error for %v", s)
		}
	}
}
