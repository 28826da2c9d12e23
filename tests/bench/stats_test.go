package main

import (
	"math"
	"testing"
)

func TestPercentile(t *testing.T) {
	for name, tt := range map[string]struct {
		values []float64
		p      float64
		want   float64
	}{
		"one":              {[]float64{7}, 0.95, 7},
		"median of three":  {[]float64{9, 1, 5}, 0.5, 5},
		"median of four":   {[]float64{4, 1, 3, 2}, 0.5, 2.5},
		"largest":          {[]float64{4, 1, 3, 2}, 1, 4},
		"smallest":         {[]float64{4, 1, 3, 2}, 0, 1},
		"between two":      {[]float64{0, 10}, 0.95, 9.5},
		"ninety-fifth 101": {counted(101), 0.95, 95},
	} {
		if got := percentile(tt.values, tt.p); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
	if got := percentile(nil, 0.5); !math.IsNaN(got) {
		t.Errorf("of none: %v", got)
	}
	values := []float64{3, 1, 2}
	if percentile(values, 0.5); values[0] != 3 {
		t.Error("the values were put in another order")
	}
}

func counted(n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(i)
	}
	return values
}

// The expected limits are from the closed form, worked out by hand to four digits.
func TestWilson(t *testing.T) {
	for _, tt := range []struct {
		k, n      int
		low, high float64
	}{
		{0, 50, 0, 0.07135},
		{1, 50, 0.0035, 0.1050},
		{5, 10, 0.2366, 0.7634},
		{50, 50, 0.92865, 1},
		{0, 0, 0, 1},
	} {
		low, high := wilson(tt.k, tt.n)
		if math.Abs(low-tt.low) > 5e-5 || math.Abs(high-tt.high) > 5e-5 {
			t.Errorf("%d of %d: %.4f to %.4f, want %.4f to %.4f", tt.k, tt.n, low, high, tt.low, tt.high)
		}
	}
}

func TestShareAndFigure(t *testing.T) {
	if got, want := share(1, 50), "1 of 50 = 2.0 % (95 % interval 0.4 to 10.5)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := share(0, 0); got != "0 of 0" {
		t.Error(got)
	}
	for v, want := range map[float64]string{449.7: "450", 12.34: "12.3", 0.037: "0.04", 9: "9.00"} {
		if got := figure(v); got != want {
			t.Errorf("%v is shown as %q, want %q", v, got, want)
		}
	}
	if got := figure(math.NaN()); got != "-" {
		t.Error(got)
	}
}
