package sphinx

// gate lets sound through to the live decoding while someone speaks: what was just before, the speech, and a little
// after. Its verdicts depend on the sound alone, never on how it is cut into chunks.
type gate struct {
	rest  []int16 // less than one hop, waiting for more
	past  []int16 // the last leadFrames hops, while closed
	floor float64 // dB of the quiet, sinks at once and rises slowly
	begun bool
	hang  int // hops until it closes
}

const (
	gateMargin = 9.0  // dB above the floor that opens
	gateRise   = 0.02 // dB that the floor rises in a hop: 2 dB a second
	gateStart  = 35.0 // dB of the floor before anything was heard: a quiet room
	gateLeast  = 20.0 // dB (of one unit of the difference signal) under which all is silence
)

// pass returns what of the sound is to be decoded now.
func (g *gate) pass(pcm []int16) []int16 {
	var out []int16
	g.rest = append(g.rest, pcm...)
	used := 0
	for ; used+hop <= len(g.rest); used += hop {
		h := g.rest[used : used+hop]
		if g.hear(loudness(h)[0]); g.hang == 0 {
			g.past = append(g.past, h...)
			g.past = g.past[max(0, len(g.past)-leadFrames*hop):]
			continue
		}
		out = append(append(out, g.past...), h...)
		g.past = g.past[:0]
	}
	g.rest = append(g.rest[:0:0], g.rest[used:]...)
	return out
}

func (g *gate) hear(level float64) {
	if !g.begun {
		g.floor, g.begun = gateStart, true // the stream may begin in the middle of a word
	}
	g.floor = min(g.floor, level)
	g.floor += gateRise
	if level > max(g.floor+gateMargin, gateLeast) {
		g.hang = trailFrames
	} else if g.hang > 0 {
		g.hang--
	}
}
