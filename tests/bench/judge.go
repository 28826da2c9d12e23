package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/core/intent"
)

// outcome is what became of one turn.
type outcome struct {
	said
	heard   *line   // nil: nothing was heard
	turn    *line   // its times; nil where it did not end
	intent  bool    // it was taken for a command
	latency float64 // from the last sample of speech to the first audible one of the answer, ms; NaN for none
	lag     float64 // by how much Solo took the end of speech to be later than it was, ms, its microphone's delay included; NaN
	cut     bool    // the turn ended before the order did
}

func unheard(s said) outcome { return outcome{said: s, latency: math.NaN(), lag: math.NaN()} }

// right says whether what was heard means what was said: the same command with the same slots.
func (o outcome) right() bool {
	want, _ := intent.English().Match(o.text)
	got, ok := o.match()
	return ok && got.Name == want.Name && maps.Equal(got.Slots, want.Slots)
}

// alike says whether at least the command is the same.
func (o outcome) alike() bool {
	want, _ := intent.English().Match(o.text)
	got, ok := o.match()
	return ok && got.Name == want.Name
}

func (o outcome) match() (intent.Match, bool) {
	if o.heard == nil {
		return intent.Match{}, false
	}
	return intent.English().Match(o.heard.Text)
}

// onTape finds what became of each turn of a tape in what solo talk printed: what was opened between the beginning
// of the wake word and the end of the order. Where Solo still listens for a reply it needs no wake word, and the
// turn begins without one.
func onTape(t *tape, lines []line) []outcome {
	var all []outcome
	for _, s := range t.turns {
		o := unheard(s)
		for _, l := range lines {
			if at := int(l.At * audio.Rate); l.Event == "wake" && at >= s.wake && at <= s.to {
				o.take(lines, l.Turn)
			}
		}
		if o.heard != nil && o.turn != nil {
			o.lag = o.heard.End*1000 - float64(s.to)*1000/audio.Rate
			o.cut = o.lag+o.turn.Endpoint < 0
		}
		all = append(all, o)
	}
	return all
}

// take takes the lines of a turn.
func (o *outcome) take(lines []line, turn uint64) {
	for _, l := range lines {
		if l.Turn != turn {
			continue
		}
		switch l.Event {
		case "heard":
			o.heard = &l
		case "intent":
			o.intent = l.Name != nil
		case "turn":
			o.turn = &l
		}
	}
}

// audible is the least sample value that is taken for sound: -50 dBFS.
const audible = 100

// firstSound is the first audible sample of pcm from place from on and before place before, -1 for none.
func firstSound(pcm []int16, from, before int) int {
	for i := max(from, 0); i < min(before, len(pcm)); i++ {
		if pcm[i] >= audible || pcm[i] <= -audible {
			return i
		}
	}
	return -1
}

// listen finds the latency of each turn in what was played, which is as long as the tape or longer.
func listen(all []outcome, played []int16) {
	for i := range all {
		o := &all[i]
		if o.heard == nil || o.cut {
			continue
		}
		next := len(played)
		if i+1 < len(all) {
			next = all[i+1].wake
		}
		if at := firstSound(played, o.to, next); at >= 0 {
			o.latency = float64(at-o.to) * 1000 / audio.Rate
		}
	}
}

// column gives a figure of each outcome that has one and was taken for a command.
func column(all []outcome, of func(outcome) float64) []float64 {
	var values []float64
	for _, o := range all {
		if !o.intent || o.turn == nil || o.turn.Outcome != "answered" && o.turn.Outcome != "interrupted" {
			continue
		}
		if v := of(o); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	return values
}

func latencies(all []outcome) []float64 {
	return column(all, func(o outcome) float64 { return o.latency })
}

// only keeps the outcomes of orders that can go on, or of those that cannot.
func only(all []outcome, closed bool) []outcome {
	return slices.DeleteFunc(slices.Clone(all), func(o outcome) bool { return o.closed() != closed })
}

// count counts outcomes.
func count(all []outcome, is func(outcome) bool) (n int) {
	for _, o := range all {
		if is(o) {
			n++
		}
	}
	return n
}

func missed(o outcome) bool { return o.heard == nil }

func interrupted(o outcome) bool { return o.turn != nil && o.turn.Outcome == "interrupted" }

// latencyTable shows latency and the stages that it is made of.
func latencyTable(all []outcome) string {
	t := newTable("ms", "turns", "p50", "p95", "longest")
	show := func(name string, v []float64) {
		t.row(name, fmt.Sprint(len(v)), figure(percentile(v, 0.5)), figure(percentile(v, 0.95)), figure(percentile(v, 1)))
	}
	show("**last speech sample to first audible sample**", latencies(all))
	show("orders that cannot go on (\"what time is it\")", latencies(only(all, true)))
	show("orders that may go on (\"set a timer for ten minutes\")", latencies(only(all, false)))
	show("lag: last speech sample to what Solo takes for it, with devices also the way through the microphone", column(all, func(o outcome) float64 { return o.lag }))
	show("endpoint: last speech frame to the decision, in audio time", column(all, func(o outcome) float64 { return o.turn.Endpoint }))
	show("stt: decision to transcript", column(all, func(o outcome) float64 { return o.turn.STT }))
	show("think: transcript to first sentence", column(all, func(o outcome) float64 { return o.turn.Think }))
	show("tts: first sentence to first sample handed over", column(all, func(o outcome) float64 { return o.turn.FirstAudio }))
	show("sound: first sample handed over to the first audible one", column(all, func(o outcome) float64 { return o.latency - o.lag - o.turn.Total }))
	show("sum of endpoint, stt, think and tts, as Solo counts it", column(all, func(o outcome) float64 { return o.turn.Total }))
	return t.String()
}

// quality tells how many turns went well.
func quality(all []outcome) string {
	var b strings.Builder
	n := len(all)
	fmt.Fprintf(&b, "* heard right (same command, same slots): %s\n", share(count(all, outcome.right), n))
	fmt.Fprintf(&b, "* same command at least: %s\n", share(count(all, outcome.alike), n))
	fmt.Fprintf(&b, "* cut off (the turn ended before the order did): %s\n", share(count(all, func(o outcome) bool { return o.cut }), n))
	fmt.Fprintf(&b, "* spoken over (the next turn began before the answer had ended): %d\n", count(all, interrupted))
	fmt.Fprintf(&b, "* missed (not woken, or nothing heard): %s\n", share(count(all, missed), n))
	return b.String()
}

// faults lists the turns that did not go well.
func faults(all []outcome) string {
	t := newTable("said", "voice", "heard", "fault")
	n := 0
	for _, o := range all {
		var fault, heard string
		if o.heard != nil {
			heard = o.heard.Text
		}
		switch {
		case o.heard == nil:
			fault = "missed"
		case o.cut:
			fault = "cut off"
		case !o.alike():
			fault = "another command"
		case !o.right():
			fault = "other slots"
		case math.IsNaN(o.latency):
			fault = "no answer"
		default:
			continue
		}
		n++
		t.row(o.text, o.voice, heard, fault)
	}
	if n == 0 {
		return ""
	}
	return "\nTurns that did not go well:\n\n" + t.String()
}
