package train

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen/listentest"
	"github.com/solo-assistant/solo/audio/wake/own"
	"github.com/solo-assistant/solo/tests/corpus"
)

// recording is a sound of the corpus, and its clip.
type recording struct {
	name string
	pcm  []int16
}

func recordings(t testing.TB, patterns ...string) (all []recording) {
	t.Helper()
	for _, p := range patterns {
		for _, f := range listentest.Files(t, corpus.Dir(t), p) {
			all = append(all, recording{filepath.Base(f), listentest.Load(t, f)})
		}
	}
	return all
}

// trial is what came of the folds.
type trial struct {
	words, found, noisy, falseQuiet, falseNoisy int
	seconds                                     float64
	delays                                      []float64 // ms from the end of the word to the hit
}

func (r trial) String() string {
	low, high := Wilson(r.found, r.words)
	nlow, nhigh := Wilson(r.noisy, r.words)
	return fmt.Sprintf("%d of %d in quiet (%.0f to %.0f %%), %d of %d in 10 dB of babble (%.0f to %.0f %%); false: %d in %.0f s of other sound, %d in the same in babble; told %.0f ms behind the word (median)",
		r.found, r.words, 100*low, 100*high, r.noisy, r.words, 100*nlow, 100*nhigh, r.falseQuiet, r.seconds, r.falseNoisy, median(r.delays))
}

func median(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(x))
	return sorted[len(sorted)/2]
}

// hits are the places, in samples, at which d tells a word.
func hits(t testing.TB, d *own.Detector, pcm []int16) (at []int) {
	t.Helper()
	d.Reset()
	n := 0
	for f := range audio.NewFramer(0).Frames(pcm) {
		_, ok, err := d.Feed(f.PCM)
		if err != nil {
			t.Fatal(err)
		}
		if n += len(f.PCM); ok {
			at = append(at, n)
		}
	}
	return at
}

// judge counts what d does with recordings that its word was not learnt from.
func (r *trial) judge(t testing.TB, d *own.Detector, words, others []recording, babble []int16) {
	t.Helper()
	padded := func(x recording) []int16 {
		return listentest.Join(listentest.Quiet(500), x.pcm, listentest.Quiet(1000))
	}
	for i, w := range words {
		_, end := stretch(w.pcm)
		r.words++
		if at := hits(t, d, padded(w)); len(at) > 0 {
			r.found++
			r.delays = append(r.delays, float64(at[0]-end-audio.Rate/2)*1000/audio.Rate)
		} else {
			t.Logf("missed in quiet: %s", w.name)
		}
		if len(hits(t, d, listentest.Mix(padded(w), w.pcm, babble, 10, (r.words+i)*7919*3))) > 0 {
			r.noisy++
		}
	}
	for i, o := range others {
		r.seconds += float64(len(o.pcm)) / audio.Rate
		if n := len(hits(t, d, padded(o))); n > 0 {
			r.falseQuiet += n
			t.Logf("found %d times in %s", n, o.name)
		}
		if level := listentest.Active(o.pcm); level > -60 {
			r.falseNoisy += len(hits(t, d, listentest.Mix(padded(o), o.pcm, babble, 10, i*7919*5)))
		}
	}
}

// split parts recordings into those of a fold and the rest.
func split(all []recording, fold int) (in, out []recording) {
	for i, r := range all {
		if i%5 == fold {
			in = append(in, r)
		} else {
			out = append(out, r)
		}
	}
	return in, out
}

func sounds16(all []recording) (out [][]int16) {
	for _, r := range all {
		out = append(out, r.pcm)
	}
	return out
}

// In five folds a word is learnt from voices, from four fifths of the people's recordings of it, and from four
// fifths of the other recordings as background; the last fifths are what it is judged by. Speakers say both
// words and appear in several recordings, so that it is an upper bound.
func TestPeople(t *testing.T) {
	if os.Getenv("SOLO_SOAK") == "" {
		t.Skip("skipped: learns ten words, a quarter of an hour; SOLO_SOAK=1 runs it")
	}
	babble := recordings(t, "noise/tau2_people_talking_babble.flac")[0].pcm
	for _, w := range []string{"computer", "jarvis"} {
		t.Run(w, func(t *testing.T) {
			people := recordings(t, "wake/"+w+"/*.wav")
			other := map[string]string{"computer": "jarvis", "jarvis": "computer"}[w]
			others := recordings(t, "noise/*.flac", "noise/*.wav", "noise/*.ogg", "speech/*.wav", "commands/*.flac", "wake/"+other+"/*.wav")
			began := time.Now()
			k := newClass(t, w, 1)
			t.Logf("voices said and staged in %.0f s", time.Since(began).Seconds())
			for _, name := range []string{"voices and people", "voices alone"} {
				samples := name == "voices and people"
				var r trial
				var took time.Duration
				for fold := range 5 {
					in, out := split(others, fold)
					mine, theirs := split(people, fold)
					if !samples {
						theirs = nil
						if fold > 0 {
							continue
						}
						mine = people
					}
					began := time.Now()
					m := k.learn(t, sounds16(theirs), sounds16(out))
					took += time.Since(began)
					t.Logf("threshold %.2f, held %+v", m.Threshold, m.Held)
					r.judge(t, k.detector(t, m), mine, in, babble)
					t.Logf("fold %d, %s: %v", fold, name, r)
				}
				t.Logf("%s, %s: %v; learnt in %.0f s each", w, name, r, took.Seconds()/5)
				if samples && (r.found < r.words-2 || r.falseQuiet > 1 || 4*r.noisy < 3*r.words) {
					t.Errorf("want at most 2 missed, 1 false, and 75 %% in babble")
				}
			}
		})
	}
}
