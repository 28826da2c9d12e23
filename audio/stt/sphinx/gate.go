package sphinx

// gate lets sound through to the live decoding while someone speaks: what was just before, the speech, and a little
// after. Its verdicts depend on the sound alone, never on how it is cut into chunks.
type gate struct {
	at    int     // samples judged so far
	floor float64 // dB of the quiet, sinks at once and rises slowly
	begun bool
	hang  int // hops until it closes
	from  int // first sample that was not let through
}

const (
	gateMargin = 9.0  // dB above the floor that opens
	gateRise   = 0.02 // dB that the floor rises in a hop: 2 dB a second
	gateStart  = 35.0 // dB of the floor before anything was heard: a quiet room
	gateLeast  = 28.0 // dB (of one unit of the difference signal) under which all is silence
	gateTrail  = 13   // hops of quiet that close it: longer than the silence within a "t"
)

// next judges pcm, the stream from its beginning, until the gate closes or the sound ends. It returns what is to be
// decoded now, and whether the gate has just closed: then there may be more to judge.
func (g *gate) next(pcm []int16) (out []int16, closed bool) {
	for g.at+hop <= len(pcm) {
		was := g.hang > 0
		g.hear(loudness(pcm[g.at : g.at+hop])[0])
		open := g.hang > 0
		if open && !was {
			g.from = max(g.from, g.at-leadFrames*hop)
		}
		g.at += hop
		if was && !open {
			return g.let(pcm), true
		}
	}
	if g.hang > 0 {
		out = g.let(pcm)
	}
	return out, false
}

func (g *gate) let(pcm []int16) []int16 {
	out := pcm[g.from:g.at]
	g.from = g.at
	return out
}

func (g *gate) hear(level float64) {
	if !g.begun {
		g.floor, g.begun = gateStart, true // the stream may begin in the middle of a word
	}
	g.floor = min(g.floor, level)
	g.floor += gateRise
	if level > max(g.floor+gateMargin, gateLeast) {
		g.hang = gateTrail
	} else if g.hang > 0 {
		g.hang--
	}
}
