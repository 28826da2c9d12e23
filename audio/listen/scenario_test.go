package listen_test

import (
	"slices"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio/listen"
)

func join(pieces ...[]int16) []int16 { return slices.Concat(pieces...) }

// Orders of the scenarios: true may go on.
var orders = map[string]bool{"stop": false, "what time": false, "timer": true, "timer ten": false, "call anna": true, "call anna at five": false, "eight": true, "eight stop": false}

// The wake word lies from 1.0 to 1.5 s and is told at 1.7 s in all of them.
func scene(words []word, pieces ...[]int16) *rig {
	lead := join(quiet(1), speech(0.5))
	return &rig{pcm: join(append([][]int16{lead}, pieces...)...), wakes: map[int64]string{at(1.69): "jarvis"}, words: words, orders: orders}
}

func does(seconds float64, f func(*listen.Listener)) map[int64]func(*listen.Listener) {
	return map[int64]func(*listen.Listener){at(seconds): f}
}

func TestScenarios(t *testing.T) {
	for name, tt := range map[string]struct {
		r      *rig
		want   string
		start  float64 // of the only utterance, s
		end    float64
		within [2]float64 // its endpoint, s
	}{
		"an order that cannot go on ends after 150 ms": {
			scene([]word{{"stop", 2, 2.3}}, quiet(0.5), speech(0.4), quiet(3)),
			`woke "jarvis"; ended final "stop"`, 2, 2.4, [2]float64{0.15, 0.2},
		},
		"one breath loses nothing": {
			scene([]word{{"what", 1.6, 1.75}, {"time", 1.8, 2.2}}, quiet(0.1), speech(0.7), quiet(3)),
			`woke "jarvis"; ended final "what time"`, 1.6, 2.3, [2]float64{0.15, 0.2},
		},
		"one that may go on waits 600 ms": {
			scene([]word{{"call", 2, 2.2}, {"anna", 2.2, 2.5}}, quiet(0.5), speech(0.5), quiet(3)),
			`woke "jarvis"; ended extendable "call anna"`, 2, 2.5, [2]float64{0.6, 0.65},
		},
		"and goes on after 400 ms": {
			scene([]word{{"call", 2, 2.2}, {"anna", 2.2, 2.5}, {"at five", 2.9, 3.3}}, quiet(0.5), speech(0.5), quiet(0.4), speech(0.5), quiet(3)),
			`woke "jarvis"; ended final "call anna at five"`, 2, 3.4, [2]float64{0.15, 0.2},
		},
		"and goes on after 560 ms": {
			scene([]word{{"call", 2, 2.2}, {"anna", 2.2, 2.5}, {"at five", 3.06, 3.5}}, quiet(0.5), speech(0.5), quiet(0.56), speech(0.5), quiet(3)),
			`woke "jarvis"; ended final "call anna at five"`, 2, 3.56, [2]float64{0.15, 0.2},
		},
		"words that no order begins with wait 600 ms": {
			scene([]word{{"nonsense", 2, 2.3}}, quiet(0.5), speech(0.4), quiet(3)),
			`woke "jarvis"; ended strange "nonsense"`, 2, 2.4, [2]float64{0.6, 0.65},
		},
		"the hiss of a microphone that is dead between the words is no speech": {
			&rig{pcm: join(make([]int16, at(1)), speech(0.5), sound(0.5, -66), speech(0.5), sound(3, -66)), wakes: map[int64]string{at(1.69): "jarvis"},
				words: []word{{"call", 2, 2.2}, {"anna", 2.2, 2.5}}, orders: orders},
			`woke "jarvis"; ended extendable "call anna"`, 2, 2.5, [2]float64{0.6, 0.65},
		},
		"open words wait 900 ms": {
			scene([]word{{"remind", 2, 2.3}}, quiet(0.5), speech(0.4), quiet(3)),
			`woke "jarvis"; ended open "remind"`, 2, 2.4, [2]float64{0.9, 0.95},
		},
		"speech without a word ends by silence": {
			scene(nil, quiet(0.5), speech(1), quiet(3)),
			`woke "jarvis"; ended open ""`, 2, 3, [2]float64{0.9, 0.95},
		},
		"words that come late after the end still count": {
			scene([]word{{"timer", 2, 2.3}, {"ten", 2.3, 2.8}}, quiet(0.5), speech(0.5), quiet(3)),
			`woke "jarvis"; ended final "timer ten"`, 2, 2.5, [2]float64{0.3, 0.42},
		},
		"nothing said": {
			scene(nil, quiet(7)), `woke "jarvis"; missed: nothing was said`, 0, 0, [2]float64{},
		},
		"a click is nothing said": {
			scene(nil, quiet(1), speech(0.04), quiet(7)), `woke "jarvis"; missed: nothing was said`, 0, 0, [2]float64{},
		},
		"late words are heard": {
			scene([]word{{"stop", 5.5, 5.9}}, quiet(4), speech(0.4), quiet(3)),
			`woke "jarvis"; ended final "stop"`, 5.5, 5.9, [2]float64{0.15, 0.2},
		},
		"noise without end: the unchanged partial ends an order after 1.5 s": {
			scene([]word{{"call", 2, 2.2}, {"anna", 2.2, 2.5}}, quiet(0.5), speech(20)),
			`woke "jarvis"; ended stalled "call anna"`, 2, 4.02, [2]float64{0, 0.1},
		},
		"and open words a second later": {
			scene([]word{{"remind", 2, 2.3}}, quiet(0.5), speech(20)),
			`woke "jarvis"; ended stalled "remind"`, 2, 4.82, [2]float64{0, 0.1},
		},
		"15 s at most": {
			scene(nil, quiet(0.5), syllables(20)), `woke "jarvis"; ended longest ""`, 2, 16.7, [2]float64{0, 0.25},
		},
		"noise that stays the same is no speech after a while": {
			scene(nil, quiet(0.5), speech(20)), `woke "jarvis"; ended open ""`, 2, 10.73, [2]float64{0.9, 1.15},
		},
		"the end of the sound ends the words": {
			scene([]word{{"remind", 2, 2.3}}, quiet(0.5), speech(0.4), quiet(0.2)),
			`woke "jarvis"; ended end of sound "remind"`, 2, 2.4, [2]float64{0.2, 0.22},
		},
		"and nothing is nothing": {
			scene(nil, quiet(0.5)), `woke "jarvis"; missed: the sound ended before anything was said`, 0, 0, [2]float64{},
		},
		"words made of silence end nothing, nor do they count as long unchanged when speech begins": {
			scene([]word{{"eight", 1.75, 1.9}, {"stop", 4.5, 4.9}}, quiet(3), speech(0.4), quiet(3)),
			`woke "jarvis"; ended final "eight stop"`, 4.5, 4.9, [2]float64{0.15, 0.2},
		},
		"words made of the wake word's end are forgotten when the order comes later": {
			&rig{pcm: join(quiet(1), speech(0.5), quiet(1.5), speech(0.4), quiet(3)), wakes: map[int64]string{at(1.59): "jarvis"},
				words: []word{{"are", 1.3, 1.4}, {"this", 1.4, 1.5}, {"stop", 3, 3.3}}, orders: orders},
			`woke "jarvis"; ended final "stop"`, 3, 3.4, [2]float64{0.15, 0.2},
		},
		"the wake word's own end is no speech": {
			scene([]word{{"is", 1.45, 1.7}, {"stop", 4.5, 4.9}}, quiet(3), speech(0.4), quiet(3)),
			`woke "jarvis"; ended final "stop"`, 4.5, 4.9, [2]float64{0.15, 0.2},
		},
	} {
		t.Run(name, func(t *testing.T) {
			tt.r.run(t)
			if got := tt.r.say(); got != tt.want {
				t.Fatalf("happened: %s\nwant:     %s", got, tt.want)
			}
			for _, u := range tt.r.utterances {
				near(t, "start", u.Start, tt.start, 0.03)
				near(t, "end", u.End, tt.end, 0.03)
				if e := u.Endpoint.Seconds(); e < tt.within[0]-0.02 || e > tt.within[1]+0.02 {
					t.Errorf("endpoint %v, want between %v", e, tt.within)
				}
			}
		})
	}
}

// syllables is n seconds of bursts, as speech is.
func syllables(n float64) []int16 {
	var out []int16
	for range int(n / 0.2) {
		out = join(out, speech(0.14), quiet(0.06))
	}
	return out
}

func near(t *testing.T, what string, got time.Duration, want, by float64) {
	t.Helper()
	if d := got.Seconds() - want; d < -by || d > by {
		t.Errorf("%s %.3f s, want %.3f", what, got.Seconds(), want)
	}
}
