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
	words, found, noisy    int
	others                 int // recordings without the word
	falseQuiet, falseNoisy int // how often it was told in them
	wrong, wrongNoisy      int // and in how many of them
	seconds                float64
	cpu                    time.Duration
	delays                 []float64 // ms from the end of the word to the hit
}

// String is the figures that are asked for, with the intervals in which they lie at 95 % certainty.
func (r trial) String() string {
	share := func(k, n int) string {
		low, high := Wilson(k, n)
		return fmt.Sprintf("%d of %d (%.1f to %.1f %%)", k, n, 100*low, 100*high)
	}
	return fmt.Sprintf("missed in quiet %s; found in 10 dB of babble %s; false accepts %d, in %s recordings without the word, %.0f s, at most %.1f an hour; in the same in babble %d, in %s; told %.0f ms behind the word (median); %.2f %% of a core",
		share(r.words-r.found, r.words), share(r.noisy, r.words), r.falseQuiet, share(r.wrong, r.others), r.seconds, AtMost(r.falseQuiet)/r.seconds*3600,
		r.falseNoisy, share(r.wrongNoisy, r.others), median(r.delays), 100*r.cpu.Seconds()/r.seconds)
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
		r.others++
		r.seconds += float64(len(o.pcm)) / audio.Rate
		began := time.Now()
		at := hits(t, d, padded(o))
		r.cpu += time.Since(began) * time.Duration(len(o.pcm)) / time.Duration(len(o.pcm)+audio.Rate*3/2)
		if n := len(at); n > 0 {
			r.wrong++
			r.falseQuiet += n
			t.Logf("found %d times in %s", n, o.name)
		}
		if level := listentest.Active(o.pcm); level > -60 {
			n := len(hits(t, d, listentest.Mix(padded(o), o.pcm, babble, 10, i*7919*5)))
			r.wrongNoisy, r.falseNoisy = r.wrongNoisy+min(n, 1), r.falseNoisy+n
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
		t.Skip("skipped: learns each of two words five times, 2 minutes each; SOLO_SOAK=1 runs it")
	}
	babble := recordings(t, "noise/tau2_people_talking_babble.flac")[0].pcm
	for _, w := range []string{"computer", "jarvis"} {
		t.Run(w, func(t *testing.T) {
			people := recordings(t, "wake/"+w+"/*.wav")
			other := map[string]string{"computer": "jarvis", "jarvis": "computer"}[w]
			others := recordings(t, "noise/*.flac", "noise/*.wav", "noise/*.ogg", "speech/*.wav", "commands/*.flac", "wake/"+other+"/*.wav")
			k := newClass(t, w, 1)
			var r trial
			for fold := range 5 {
				in, out := split(others, fold)
				mine, theirs := split(people, fold)
				r.judge(t, k.detector(t, k.learn(t, sounds16(theirs), sounds16(out))), mine, in, babble)
			}
			t.Logf("own wake word %q, 5 folds: %v", w, r)
			if r.found < r.words-2 || r.falseQuiet > 1 || 4*r.noisy < 3*r.words {
				t.Errorf("want at most 2 missed, 1 false, and 75 %% in babble")
			}
		})
	}
}
