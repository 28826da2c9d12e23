package listen_test

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen"
	"github.com/solo-assistant/solo/audio/listen/listentest"
	"github.com/solo-assistant/solo/tests/corpus"
)

// The whole chain with Porcupine and the WebRTC VAD: what follows the wake word, at once or later, is fed
// from its beginning, and turns end in time.
func TestRealChain(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	babble := listentest.Load(t, filepath.Join(corpus.Dir(t), "noise/tau2_people_talking_babble.flac"))
	wake := realWake(t)
	for name, mix := range map[string]func(s spoken) []int16{
		"quiet":  func(s spoken) []int16 { return s.pcm },
		"babble": func(s spoken) []int16 { return listentest.Mix(s.pcm, s.clean, babble, 10, r.IntN(len(babble))) },
	} {
		var c tally
		all := append(robots(t, r), people(t, r)...)
		for _, s := range all {
			wake.Reset()
			c.add(t, s, s.hear(t, mix(s), wake, webrtcVAD(t)), name)
		}
		t.Logf("%s: of %d woken %v", name, len(all), &c)
		check(t, name, &c)
		if c.turns*100 < len(all)*75 {
			t.Errorf("%s: only %d of %d were woken", name, c.turns, len(all))
		}
		if c.lost*50 > c.turns {
			t.Errorf("%s: %d of %d lost their beginning", name, c.lost, c.turns)
		}
	}
}

// One breath: the order is fed from its first sound on, and little of the wake word is.
func TestOneBreath(t *testing.T) {
	for _, tt := range []struct {
		word, last string // its last phone
		after      []string
	}{
		{"jarvis", "s", []string{" what time is it", ", what time is it", ", stop", " stop", " set a timer for ten minutes", ", set a timer", " add milk to my list", " how are you", ", is it late", " turn it down", " remind me to call anna", " cancel the timer", " yes", ", no", " tell me the time"}},
		{"computer", "er", []string{" what time is it", ", what time is it", " stop", " set a timer for ten minutes", " add milk to my list", ", is it late", " turn it down", ", no"}},
	} {
		wake := realWake(t, tt.word)
		voices := []string{"slt", "rms", "awb"}
		if !soak() {
			voices = voices[:1]
		}
		woken, lost := 0, 0
		var tails []float64
		for _, voice := range voices {
			for _, after := range tt.after {
				pcm, end, begin := listentest.Phones(t, voice, tt.word+after, tt.last)
				wake.Reset()
				r := &rig{pcm: join(quiet(1.5), pcm, quiet(3)), wake: wake, vad: webrtcVAD(t), words: []word{{"all", 99, 1.5 + begin + 0.3}}, orders: map[string]bool{"all": false}}
				r.run(t)
				if len(r.utterances) == 0 {
					if r.say() != "" {
						t.Errorf("%s%s: %s", tt.word, after, r.say())
					}
					continue // not woken
				}
				woken++
				from := r.utterances[0].From.Seconds() - 1.5
				tails = append(tails, max(end-from, 0))
				if from > begin+0.08 {
					lost++
					t.Logf("%s %q: word ends %.2f, order begins %.2f, told %v, fed from %.2f s", voice, tt.word+after, end, begin, r.told[0].Seconds()-1.5, from)
				}
			}
		}
		t.Logf("%s: %d woken, %d lost their beginning, wake word fed p50 %.2f p90 %.2f max %.2f s", tt.word, woken, lost, quantile(tails, 0.5), quantile(tails, 0.9), quantile(tails, 1))
		if most := map[string]int{"jarvis": 0, "computer": 2}[tt.word]; lost > most {
			t.Errorf("%s: %d of %d lost their beginning", tt.word, lost, woken)
		}
	}
}

// Hours of other sound open no turn.
func TestNothingToHear(t *testing.T) {
	dir := corpus.Dir(t)
	var pcm []int16
	for _, pattern := range []string{"noise/*.flac", "speech/*.wav", "wake/computer/*.wav"} {
		for _, f := range listentest.Files(t, dir, pattern) {
			pcm = append(pcm, listentest.Load(t, f)...)
		}
	}
	r := &rig{pcm: pcm, wake: realWake(t), vad: webrtcVAD(t)}
	r.run(t)
	if len(r.happened) > 0 {
		t.Errorf("in %.0f s: %s", seconds(len(pcm)), strings.Join(r.happened, "; "))
	}
}

// BenchmarkListening reports the share of a core that waiting for the wake word takes.
func BenchmarkListening(b *testing.B) {
	pcm := listentest.Load(b, filepath.Join(corpus.Dir(b), "noise/tau2_people_talking_babble.flac"))[:10*audio.Rate]
	wake, vad := realWake(b), webrtcVAD(b)
	for b.Loop() {
		r := &rig{pcm: pcm, wake: wake, vad: vad}
		if err := r.build(b).Serve(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(100*b.Elapsed().Seconds()/float64(b.N)/10, "%core")
}

// BenchmarkTurn is the same while a turn is open, without the recogniser's work.
func BenchmarkTurn(b *testing.B) {
	pcm := listentest.Load(b, filepath.Join(corpus.Dir(b), "noise/tau2_people_talking_babble.flac"))[:10*audio.Rate]
	wake, vad := realWake(b), webrtcVAD(b)
	for b.Loop() {
		r := &rig{pcm: pcm, wake: wake, vad: vad, do: does(0.1, (*listen.Listener).Press)}
		if err := r.build(b).Serve(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(100*b.Elapsed().Seconds()/float64(b.N)/10, "%core")
}
