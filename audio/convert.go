package audio

import (
	"fmt"
	"math"
)

// Silence is the level that Level gives for samples that are all zero, in dBFS.
const Silence = -100.0

// Check says what is wrong with a format, nil for nothing.
func (f Format) Check() error {
	if f.Channels < 1 || f.Channels > 8 {
		return fmt.Errorf("%d channels, 1 to 8 are possible", f.Channels)
	}
	if f.Rate < 8000 || f.Rate > 192000 {
		return fmt.Errorf("%d samples per second, 8000 to 192000 are possible", f.Rate)
	}
	return nil
}

// Resample turns mono samples of from Hz into to Hz, ceil(len * to / from) of them.
func Resample(pcm []int16, from, to int) []int16 {
	r := NewResampler(from, to)
	out := make([]int16, 0, int(int64(len(pcm))*int64(to)/int64(from))+1)
	return r.Flush(r.Process(out, pcm))
}

// Mono mixes interleaved samples into one channel by their mean.
func Mono(pcm []int16, channels int) []int16 {
	return AppendMono(make([]int16, 0, len(pcm)/max(channels, 1)), pcm, channels)
}

// AppendMono appends to dst the mix of interleaved samples. A piece of a block at the end is left out.
func AppendMono(dst, pcm []int16, channels int) []int16 {
	if channels <= 1 {
		return append(dst, pcm...)
	}
	for ; len(pcm) >= channels; pcm = pcm[channels:] {
		sum := 0
		for _, s := range pcm[:channels] {
			sum += int(s)
		}
		dst = append(dst, int16(sum/channels))
	}
	return dst
}

// Mono16k is the clip in Solo's own format. The samples are shared where nothing had to be changed.
func (c Clip) Mono16k() Clip { return c.Mono(Rate) }

// Mono is the clip mixed into one channel at rate Hz. The samples are shared where nothing had to be changed.
func (c Clip) Mono(rate int) Clip {
	out := Clip{Format: Format{Rate: rate, Channels: 1}, PCM: c.PCM}
	if c.Format.Channels > 1 {
		out.PCM = Mono(c.PCM, c.Format.Channels)
	}
	if c.Format.Rate != rate && c.Format.Rate > 0 {
		out.PCM = Resample(out.PCM, c.Format.Rate, rate)
	}
	return out
}

// Level is the root mean square of pcm in dBFS: 0 for a full-scale square wave,
// -3 for a full-scale sine, Silence for nothing at all.
func Level(pcm []int16) float64 {
	var sum float64
	for _, s := range pcm {
		sum += float64(s) * float64(s)
	}
	if sum == 0 {
		return Silence
	}
	return max(Silence, 10*math.Log10(sum/float64(len(pcm))/(32768*32768)))
}
