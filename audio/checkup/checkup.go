// Package checkup tells from a microphone's sound what is wrong with it, and what mends it.
//
// An Examiner listens for some seconds and tells all that it found; a Watch goes along while Solo runs, at next to no cost,
// and tells when a microphone falls silent or distorts.
package checkup

import (
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// Kind names a fault in a word.
type Kind string

// The faults.
const (
	Nothing Kind = "nothing" // the device gives no samples
	Zeros   Kind = "zeros"   // it gives nothing but zero
	Silent  Kind = "silent"  // it gives noise so weak that no room is heard in it
	Faint   Kind = "faint"   // someone spoke, and was hardly heard
	Clipped Kind = "clipped" // it is so loud that it distorts
	Offset  Kind = "offset"  // it does not swing around zero
	Hum     Kind = "hum"     // mains
	Narrow  Kind = "narrow"  // it has the sound of a telephone
	Gaps    Kind = "gaps"    // sound is missing in between
	Busy    Kind = "busy"    // another program has it for itself
	Late    Kind = "late"    // it took long to begin
	Wrong   Kind = "wrong"   // another one hears more
	Monitor Kind = "monitor" // it is no microphone, but what a loudspeaker plays
)

// Finding is a fault: what it is, and what to do.
type Finding struct {
	Kind Kind   `json:"kind"`
	What string `json:"what"`
	Mend string `json:"mend"`
}

func (f Finding) String() string { return f.What + ": " + f.Mend }

// Levels and shares that make a fault.
const (
	deadly   = -75.0 // dBFS: the loudest 20 ms of a microphone that hears nothing
	weak     = -45.0 // and of one that hardly hears who speaks
	distort  = 32600 // a sample as high as that is cut off
	lopsided = 800   // mean of the samples
	gapTime  = 5 * time.Millisecond
)

// mixer is where a system's microphones are set.
func mixer() string {
	switch runtime.GOOS {
	case "windows":
		return "the system's settings, System, Sound, Input"
	case "darwin":
		return "the System Settings, Sound, Input"
	}
	return "the sound settings (or: pavucontrol, or: pactl set-source-mute @DEFAULT_SOURCE@ 0)"
}

// privacy is where a system forbids microphones to programs, "" for nowhere.
func privacy() string {
	switch runtime.GOOS {
	case "windows":
		return ", and allow desktop apps the microphone in Privacy & security"
	case "darwin":
		return ", and allow the terminal the microphone in Privacy & Security"
	}
	return ""
}

func finding(k Kind) Finding {
	f := Finding{Kind: k}
	switch k {
	case Nothing:
		f.What, f.Mend = "it gives no sound at all", "unplug it and plug it in again, or restart the sound server"
	case Zeros:
		f.What, f.Mend = "it gives digital silence", "look for a mute switch on it, and open it in "+mixer()+privacy()
	case Silent:
		f.What, f.Mend = "it hears nothing, not even the room", "turn it up in "+mixer()+", check its plug, or choose another with audio.microphone (solo devices)"
	case Faint:
		f.What, f.Mend = "it hears you, but faintly", "turn it up in "+mixer()+", or come closer"
	case Clipped:
		f.What, f.Mend = "it is so loud that it distorts", "turn it down in "+mixer()+", and its boost off"
	case Offset:
		f.What, f.Mend = "its sound lies beside zero", "it is a fault of the device or of its plug: try another socket, or another microphone"
	case Hum:
		f.What, f.Mend = "it hums with the mains", "keep its cable away from power supplies, try another socket, or run a laptop from its battery"
	case Narrow:
		f.What, f.Mend = "it has the sound of a telephone, as Bluetooth headsets in their headset profile have", "choose another microphone with audio.microphone, so that the headset can go back to its music profile, or a headset with wideband speech (mSBC)"
	case Gaps:
		f.What, f.Mend = "pieces of its sound are missing", "plug it into another socket, not a hub, and see whether this machine is busy"
	case Busy:
		f.What, f.Mend = "another program has it for itself", "close programs that record or talk, and forbid exclusive mode in "+mixer()
	case Monitor:
		f.What, f.Mend = "it is no microphone, but what a loudspeaker plays", "choose a microphone with audio.microphone (solo devices)"
	}
	return f
}

// late is a device that began only after a while.
func late(d time.Duration) Finding {
	return Finding{Late, fmt.Sprintf("it took %.1f s to begin", d.Seconds()), "Solo keeps it open, so that nothing is lost of what you say later"}
}

// With adds what is known of the device itself: the fault that befell it, and how long it took to begin.
func (r Report) With(fault error, busy, monitor bool, took, slow time.Duration) Report {
	switch {
	case busy:
		r.Findings = []Finding{finding(Busy)}
	case fault != nil && r.Has(Nothing):
		r.Findings = []Finding{{Nothing, fault.Error(), finding(Nothing).Mend}}
	}
	if monitor {
		r.Findings = append(r.Findings, finding(Monitor))
	}
	if took > slow {
		r.Findings = append(r.Findings, late(took))
	}
	return r
}

// Better says that another microphone hears so many dB more.
func Better(name string, db float64) Finding {
	return Finding{Wrong, fmt.Sprintf("%q hears %.0f dB more", name, db), fmt.Sprintf("if that is the one you speak into: set audio.microphone to %q", name)}
}

// Report is what came of a check-up.
type Report struct {
	Findings []Finding     `json:"findings"`
	Heard    time.Duration `json:"-"`
	Loudest  float64       `json:"loudest_dbfs"` // of 20 ms
	Floor    float64       `json:"floor_dbfs"`   // the quieter moments
	Rate     int           `json:"rate_hz"`      // the device's own
}

// Fit says that nothing was found.
func (r Report) Fit() bool { return len(r.Findings) == 0 }

// Has says whether a fault was found.
func (r Report) Has(k Kind) bool {
	for _, f := range r.Findings {
		if f.Kind == k {
			return true
		}
	}
	return false
}

func dbfs(power float64) float64 { return max(10*math.Log10(power/(32768*32768)+1e-12), audio.Silence) }
