package echo

import (
	"fmt"
	"math"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// Use is whether echo is taken out.
type Use string

const (
	Auto Use = "auto" // where it works
	On   Use = "on"   // always
	Off  Use = "off"  // never: the microphone is left as it is
)

// Mode is what is done about echo now.
type Mode string

const (
	Unmeasured Mode = "unmeasured"  // Solo has not said enough yet
	Clear      Mode = "clear"       // the microphone does not hear the loudspeaker
	Cancelling Mode = "cancelling"  // the echo is taken out
	HalfDuplex Mode = "half-duplex" // it cannot be: while Solo speaks only who is much louder is heard
	None       Mode = "off"         // by the user's wish
)

// State is how it goes.
type State struct {
	Mode  Mode
	Why   string        // of half-duplex, "" otherwise
	ERLE  float64       // by how much the echo is weakened, dB, while only Solo speaks; NaN where unknown
	Delay time.Duration // from the loudspeaker's queue to the microphone's reader, 0 where unknown
	Drift float64       // the loudspeaker's clock against the microphone's, parts in a million; NaN where unknown
}

// String is the state in a line.
func (s State) String() string {
	text := string(s.Mode)
	if s.Mode == Cancelling {
		text = fmt.Sprintf("cancelling: the echo comes after %d ms and is weakened by %.0f dB", s.Delay.Milliseconds(), s.ERLE)
		if !math.IsNaN(s.Drift) {
			text += fmt.Sprintf(", the clocks drift by %.0f ppm", s.Drift)
		}
	}
	if s.Why != "" {
		text += ": " + s.Why
	}
	return text
}

// What the judge goes by.
const (
	enough    = 25   // frames with echo in them before anything is said of it
	judging   = 150  // and before it is judged
	least     = 6.0  // dB by which a canceller must weaken the echo
	mostDrift = 5e-4 // the drift up to which it can
	audible   = 6.0  // dB above the room's level
	memory    = 0.99 // of the power of the echo, a frame
	within    = 20.0 // dB below the loudest that was played: what is quieter tells nothing
)

// judge decides what is done, by what comes of it.
type judge struct {
	use   Use
	built bool

	mode    Mode
	why     string
	top     float64 // of the echo's expected levels, falling slowly
	raw     spread  // heard over expected
	rest    spread  // left over expected
	present float64 // share of loud frames in which something was heard
	frames  int     // loud frames since the mode was judged
	blind   int     // loud frames with something heard and no echo found
	with    int     // loud frames since the canceller works
	power   float64 // of the echo lately, and what was left of it
	left    float64
}

// moment is what there is to know of a frame.
type moment struct {
	echo, heard, rest, floor float64 // levels, without rumble
	power, left              float64 // of what was heard, and of what is left of it
	aligned, users           bool    // the echo's place is known; the gate is open
}

// cancels says whether the canceller is of use.
func (j *judge) cancels() bool { return j.built && j.mode != Clear }

// hear learns from a frame and says whether it has judged anew.
func (j *judge) hear(m moment, a *aligner) bool {
	if j.top = max(j.top-0.02, m.echo); j.mode == "" {
		j.top, j.mode = m.echo, Unmeasured
	}
	if m.echo < j.top-within || m.echo < -60 {
		return false
	}
	j.frames++
	there := 0.0
	if m.heard > m.floor+audible {
		there = 1
	}
	j.present += (there - j.present) * max(1/float64(j.frames), 0.02)
	if m.aligned || a.known || !m.aligned && there == 0 {
		j.raw.add(m.heard - m.echo)
	}
	if m.aligned {
		j.blind = 0
		if j.with++; j.with > enough {
			j.rest.add(m.rest - m.echo)
			if !m.users {
				j.power, j.left = memory*j.power+m.power, memory*j.left+m.left
			}
		}
	} else if there == 1 {
		j.blind++
	}
	if j.frames%enough != 0 {
		return false
	}
	j.mode, j.why = j.verdict(a)
	return true
}

func (j *judge) verdict(a *aligner) (Mode, string) {
	heard := j.present > 0.5 || j.present > 0.3 && j.mode != Clear || a.locked
	switch {
	case j.frames < 2*enough:
		return j.mode, j.why
	case !heard:
		return Clear, ""
	case j.use == On && j.built:
		return Cancelling, ""
	case !j.built && a.locked:
		return HalfDuplex, "this build has no canceller"
	case math.Abs(a.drift) > mostDrift:
		return HalfDuplex, fmt.Sprintf("the clocks of microphone and loudspeaker drift by %.0f ppm", 1e6*a.drift)
	case j.blind >= judging:
		return HalfDuplex, "the echo could not be found in what the microphone hears"
	case j.with < judging:
		return j.mode, j.why
	}
	if erle := j.erle(); erle < least || erle < least+2 && j.mode == HalfDuplex {
		return HalfDuplex, fmt.Sprintf("the canceller weakens the echo by %.0f dB only", erle)
	}
	return Cancelling, ""
}

// erle is by how much the echo is weakened, in dB, while only Solo speaks.
func (j *judge) erle() float64 { return decibel(j.power / max(j.left, 1)) }

// most is the level that the echo does not exceed now; false where that is not known, or not of interest.
func (j *judge) most(echo float64, a *aligner, aligned bool) (float64, bool) {
	s, above := &j.raw, margin+louder
	if aligned && j.built && j.mode != HalfDuplex && j.rest.sum >= enough {
		s, above = &j.rest, margin
	}
	if j.mode == Clear || s.sum < enough || !a.known && j.mode != HalfDuplex {
		return 0, false
	}
	return echo + s.share(0.9) + above, true
}

func (j *judge) state(a *aligner) State {
	s := State{Mode: j.mode, Why: j.why, ERLE: math.NaN(), Drift: math.NaN()}
	if j.use == Off {
		s.Mode = None
	}
	if s.Mode == "" {
		s.Mode = Unmeasured
	}
	if j.rest.sum >= enough {
		s.ERLE = j.erle()
	}
	if a.known && j.mode != Clear {
		s.Delay = audio.Time(int64(a.delay), audio.Rate)
		if a.proved {
			s.Drift = math.Round(1e6*a.drift) + 0 // no -0
		}
	}
	return s
}
