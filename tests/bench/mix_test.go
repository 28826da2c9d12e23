package main

import (
	"math"
	"testing"
)

func TestInNoise(t *testing.T) {
	speech, noise := make([]int16, 8000), make([]int16, 3000)
	for i := range speech {
		speech[i] = int16(8000 * math.Sin(float64(i)/3))
	}
	for i := range noise {
		noise[i] = int16(500 * math.Sin(float64(i)/7))
	}
	mixed := inNoise(speech, noise, 1234, 4000, 10)
	if len(mixed) != 16000 {
		t.Fatalf("%d samples", len(mixed))
	}
	if snr := 20 * math.Log10(rms(speech)/rms(mixed[:4000])); math.Abs(snr-10) > 0.3 {
		t.Errorf("%.1f dB instead of 10", snr)
	}
	if got := rms(gained(speech, 0.5)) / rms(speech); math.Abs(got-0.5) > 0.01 {
		t.Errorf("half as loud is %.3f", got)
	}
	if loud := gained([]int16{30000, -30000}, 2); loud[0] != 32767 || loud[1] != -32768 {
		t.Errorf("full scale is passed: %v", loud)
	}
}
