package train

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/solo-assistant/solo/audio"
)

// spoken is a recording of the word, or of anything else, without the silence around it.
type spoken struct {
	Who   string // the voice, "user" and a number for the user's
	Sound []float32
}

// trimmed is what was said in a recording: of the stretches of sound with less than a quarter of a second of
// quiet in them the strongest, so that clicks and breath before and behind it go. nil for silence.
func trimmed(pcm []int16) []float32 {
	first, last := stretch(pcm)
	if last <= first {
		return nil
	}
	return floats(pcm[first:last])
}

// Flaw says what is wrong with a recording of the phrase, in a sentence for the user; "" for nothing.
func Flaw(pcm []int16) string {
	first, last := stretch(pcm)
	cut, top := 0, audio.Silence
	for i := first; i+audio.FrameLen <= last; i += audio.FrameLen {
		top = max(top, audio.Level(pcm[i:i+audio.FrameLen]))
	}
	for _, v := range pcm[first:last] {
		if v > 32700 || v < -32700 {
			cut++
		}
	}
	switch {
	case last-first < audio.Rate/5 || top < -55:
		return "I did not hear you."
	case last-first > audio.Rate*9/5:
		return "That was too long, or there was noise."
	case cut > (last-first)/200:
		return "That was so loud that it distorted."
	case last > len(pcm)-audio.Rate/50:
		return "That came too late."
	}
	return ""
}

func floats(pcm []int16) []float32 {
	out := make([]float32, len(pcm))
	for i, v := range pcm {
		out[i] = float32(v) / 32768
	}
	return out
}

func stretch(pcm []int16) (first, last int) {
	const step = audio.Rate / 100
	var levels []float64
	for i := 0; i+step <= len(pcm); i += step {
		levels = append(levels, audio.Level(pcm[i:i+step]))
	}
	if len(levels) == 0 {
		return 0, 0
	}
	order := slices.Sorted(slices.Values(levels))
	loud := max(order[len(order)-1]-33, order[len(order)/10]+8, -70)
	if order[len(order)-1]-order[len(order)/10] < 20 { // no silence around it
		loud = max(order[len(order)-1]-33, -70)
	}
	best, sum, begin, end := 0.0, 0.0, -1, 0
	for i, l := range levels {
		if l <= loud {
			continue
		}
		if begin < 0 || i-end > 25 {
			begin, sum = i, 0
		}
		end = i + 1
		if sum += math.Pow(10, l/10); sum > best {
			best, first, last = sum, begin*step, end*step
		}
	}
	return first, last
}

// paced is x played so many times as fast, and as much higher.
func paced(x []float32, by float64) []float32 {
	out := make([]float32, int(float64(len(x)-1)/by))
	for i := range out {
		at := float64(i) * by
		k := int(at)
		part := float32(at - float64(k))
		out[i] = x[k]*(1-part) + x[k+1]*part
	}
	return out
}

// tilted has its heights raised or lowered, as by another microphone: by is -0.5 to 0.5.
func tilted(x []float32, by float64) []float32 {
	out := make([]float32, len(x))
	last := float32(0)
	for i, v := range x {
		if by > 0 {
			out[i] = v - float32(by)*last
			last = v
		} else {
			last = v*(1+float32(by)) - float32(by)*last
			out[i] = last
		}
	}
	return out
}

// loudness is the level of x where it is not silent: of those 20 ms that are at most 25 dB below the loudest.
func loudness(x []float32) float64 {
	var all []float64
	top := 0.0
	for i := 0; i+audio.FrameLen <= len(x); i += audio.FrameLen {
		p := power(x[i : i+audio.FrameLen])
		all = append(all, p*p)
		top = max(top, p*p)
	}
	sum, n := 0.0, 0.0
	for _, p := range all {
		if p >= top/316 {
			sum, n = sum+p, n+1
		}
	}
	return math.Sqrt(sum / max(n, 1))
}

// samples are x as 16 bits.
func samples(x []float32) []int16 {
	out := make([]int16, len(x))
	for i, v := range x {
		out[i] = int16(math.Round(float64(min(max(v*32767, -32767), 32767))))
	}
	return out
}

// scene is how a sound is staged: what lies around it and what is done to it.
type scene struct {
	r    *rand.Rand
	talk [][]float32 // sentences, for what comes before and after and for babble
	real [][]float32 // recorded background, may be none
}

// stage puts x into a scene: silence or speech before and behind it, perhaps a room, perhaps noise, at some
// level. end is the sample behind x.
func (s scene) stage(x []float32, plain bool) (pcm []int16, end int) {
	r := s.r
	if !plain && r.IntN(2) == 0 {
		x = paced(x, 0.9+0.2*r.Float64())
	}
	lead, tail := s.around(audio.Rate*6/5, plain), s.around(audio.Rate/2, plain)
	out := make([]float32, 0, len(lead)+len(x)+len(tail))
	level := loudness(x) + 1e-9
	out = appendLike(out, lead, level*(0.3+0.9*r.Float64()))
	out = append(out, x...)
	end = len(out)
	out = appendLike(out, tail, level*(0.5+0.5*r.Float64()))
	if !plain && r.IntN(2) == 0 {
		out = echo(out, room(r))
	}
	if !plain && r.IntN(2) == 0 {
		out = tilted(out, 0.8*(r.Float64()-0.5))
	}
	s.mix(out, loudness(x), plain)
	s.level(out)
	if r.IntN(3) == 0 { // cut out of a recording, with digital silence around
		clear(out[:max(0, len(lead)-r.IntN(audio.Rate/2))])
		clear(out[min(len(out), end+audio.Rate/20+r.IntN(audio.Rate/2)):])
	}
	return samples(out), end
}

// around is n samples or a little more of silence, or of somebody talking.
func (s scene) around(n int, plain bool) []float32 {
	n += s.r.IntN(audio.Rate / 4)
	out := make([]float32, n)
	if !plain && len(s.talk) > 0 && s.r.IntN(3) == 0 {
		t := s.talk[s.r.IntN(len(s.talk))]
		if len(t) > n {
			from := s.r.IntN(len(t) - n)
			copy(out, t[from:from+n])
		} else {
			copy(out, t)
		}
	}
	return out
}

// appendLike appends x at a level; silence stays silence.
func appendLike(out, x []float32, level float64) []float32 {
	gain := float32(0)
	if l := loudness(x); l > 1e-6 {
		gain = float32(level / l)
	}
	for _, v := range x {
		out = append(out, v*gain)
	}
	return out
}

// mix adds noise: hardly any, or 3 to 25 dB below speech.
func (s scene) mix(out []float32, level float64, plain bool) {
	r := s.r
	below := 30 + 40*r.Float64()
	n := hiss(r, len(out), 0.5)
	if !plain && r.IntN(3) > 0 {
		below = 3 + 22*r.Float64()
		switch k := r.IntN(4); {
		case k < 2:
			n = babble(r, s.talk, len(out), 3+r.IntN(5))
		case k == 2 && len(s.real) > 0:
			n = excerpt(r, s.real, len(out))
		default:
			n = noise(r, len(out))
		}
	}
	gain := float32(level * math.Pow(10, -below/20) / (power(n) + 1e-9))
	for i, v := range n {
		out[i] += gain * v
	}
}

// excerpt is a piece of one of the recordings, repeated where that is short.
func excerpt(r *rand.Rand, from [][]float32, n int) []float32 {
	x := from[r.IntN(len(from))]
	out := make([]float32, n)
	at := r.IntN(len(x))
	for i := range out {
		out[i] = x[(at+i)%len(x)]
	}
	return out
}

// level makes the speech 10 to 42 dB quieter than the most that there is; the loudest are cut as a
// microphone does.
func (s scene) level(out []float32) {
	gain := float32(math.Pow(10, (-10-32*s.r.Float64())/20) / (loudness(out) + 1e-9))
	for i := range out {
		out[i] *= gain
	}
}
