package echo

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestADelayIsFound(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, delay := range []int{-200, 0, 1, 77, 1600, 5000, 7000} {
		sound := make([]int16, 3*window)
		for i := range sound {
			sound[i] = int16(rnd.NormFloat64() * 3000)
		}
		f := newFinder()
		heard := make([]int16, piece)
		at := window + 100
		for i := range heard {
			heard[i] = int16(0.1*float64(sound[at+i-delay]) + rnd.NormFloat64()*100)
		}
		f.add(heard, sound[at-latest:at-latest+window], 0.7)
		got, height := f.find()
		t.Logf("%d: %.2f, %.1f", delay, got, height)
		if math.Abs(got-float64(delay)) > 0.3 || height < 2*sure {
			t.Errorf("a delay of %d is found at %.2f, %.1f times higher than chance", delay, got, height)
		}
	}
	f := newFinder()
	worst := 0.0
	for range 50 {
		a, b := make([]int16, piece), make([]int16, window)
		for i := range b {
			b[i] = int16(rnd.NormFloat64() * 3000)
			if i < piece {
				a[i] = int16(rnd.NormFloat64() * 3000)
			}
		}
		f.add(a, b, 0.7)
		_, height := f.find()
		worst = max(worst, height)
	}
	t.Logf("chance: %.1f", worst)
	if worst > sure {
		t.Errorf("chance looks like an echo: %.1f", worst)
	}
}
