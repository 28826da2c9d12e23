package sphinx

// gate lets sound through to the live decoding while someone speaks: what was just before, the speech, and a little
// after. Its verdicts depend on the sound alone, never on how it is cut into chunks.
type gate struct {
	at    int     // samples judged so far
	loud  int     // samples up to the end of the last sound
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
	gateDip    = 4    // hops of quiet behind which a word is mostly whole
	gateLull   = 8    // hops of quiet behind which more is rarely said where the words are whole
)

// event is why the gate stopped judging.
type event int

const (
	atEnd   event = iota // the sound is over
	atDip                // gateDip hops of quiet
	atLull               // gateLull hops of quiet
	atClose              // gateTrail hops of quiet
)

// next judges pcm, the stream from its beginning, until the next event. It returns what is to be decoded now; if the
// sound is not over there may be more to judge.
func (g *gate) next(pcm []int16) (out []int16, why event) {
	for g.at+hop <= len(pcm) {
		was := g.hang > 0
		g.hear(loudness(pcm[g.at : g.at+hop])[0])
		open := g.hang > 0
		if open && !was {
			g.from = max(g.from, g.at-leadFrames*hop)
		}
		g.at += hop
		switch {
		case g.hang == gateTrail:
			g.loud = g.at
		case was && !open:
			return g.let(pcm), atClose
		case g.hang == gateTrail-gateDip:
			return g.let(pcm), atDip
		case g.hang == gateTrail-gateLull:
			return g.let(pcm), atLull
		}
	}
	if g.hang > 0 {
		out = g.let(pcm)
	}
	return out, atEnd
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
