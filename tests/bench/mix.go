package main

import "math"

// rms is the root of the mean square.
func rms(pcm []int16) float64 {
	if len(pcm) == 0 {
		return 0
	}
	return math.Sqrt(energy(pcm) / float64(len(pcm)))
}

// gained is pcm times gain.
func gained(pcm []int16, gain float64) []int16 {
	out := make([]int16, len(pcm))
	for i, v := range pcm {
		out[i] = int16(min(max(float64(v)*gain, -32768), 32767))
	}
	return out
}

// inNoise is speech with silence of pad samples on both sides, in noise from place at on that is snr dB weaker
// than the speech is on the average.
func inNoise(speech, noise []int16, at, pad int, snr float64) []int16 {
	gain := rms(speech) / rms(noise) * math.Pow(10, -snr/20)
	out := make([]int16, len(speech)+2*pad)
	for i := range out {
		v := gain * float64(noise[(at+i)%len(noise)])
		if j := i - pad; j >= 0 && j < len(speech) {
			v += float64(speech[j])
		}
		out[i] = int16(min(max(v, -32768), 32767))
	}
	return out
}
