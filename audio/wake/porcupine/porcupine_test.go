package porcupine_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen/listentest"
	"github.com/solo-assistant/solo/audio/wake/porcupine"
	"github.com/solo-assistant/solo/tests/corpus"
)

// open makes a detector or skips where the build has none.
func open(t testing.TB, c porcupine.Config) *porcupine.Detector {
	t.Helper()
	d, err := porcupine.New(c)
	if errors.Is(err, porcupine.ErrAbsent) {
		t.Skip("skipped: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// hits feeds pcm in frames of 20 ms, padded with silence, and counts.
func hits(t testing.TB, d *porcupine.Detector, pcm []int16) int {
	t.Helper()
	n := 0
	for f := range audio.NewFramer(0).Frames(listentest.Join(listentest.Quiet(500), pcm, listentest.Quiet(1000))) {
		_, found, err := d.Feed(f.PCM)
		if err != nil {
			t.Fatal(err)
		}
		if found {
			n++
		}
	}
	return n
}

// found says in how many files of a folder the word was heard, after mix was done to each.
func found(t testing.TB, d *porcupine.Detector, files []string, mix func([]int16, int) []int16) int {
	t.Helper()
	n := 0
	for i, f := range files {
		d.Reset()
		if hits(t, d, mix(listentest.Load(t, f), i)) > 0 {
			n++
		}
	}
	return n
}

func plain(pcm []int16, _ int) []int16 { return pcm }

func TestHearsPeople(t *testing.T) {
	dir := corpus.Dir(t)
	d := open(t, porcupine.Config{})
	files := listentest.Files(t, filepath.Join(dir, "wake/jarvis"), "*.wav")
	babble := listentest.Load(t, filepath.Join(dir, "noise/tau2_people_talking_babble.flac"))
	noisy := func(pcm []int16, i int) []int16 {
		padded := listentest.Join(listentest.Quiet(500), pcm, listentest.Quiet(500))
		return listentest.Mix(padded, pcm, babble, 10, i*7919*3)
	}
	clean, loud := found(t, d, files, plain), found(t, d, files, noisy)
	t.Logf("%d of %d clean, %d in 10 dB of babble", clean, len(files), loud)
	if clean < 38 || loud < 30 {
		t.Errorf("heard %d of %d clean (want 38) and %d in babble (want 30)", clean, len(files), loud)
	}
}

func TestHearsNothingElse(t *testing.T) {
	dir := corpus.Dir(t)
	d := open(t, porcupine.Config{})
	for _, pattern := range []string{"noise/*.flac", "noise/*.wav", "speech/*.wav", "commands/*.flac", "wake/computer/*.wav"} {
		for _, f := range listentest.Files(t, dir, pattern) {
			if n := hits(t, d, listentest.Load(t, f)); n > 0 {
				t.Errorf("%d hits in %s", n, filepath.Base(f))
			}
		}
	}
}

func TestHearsFlite(t *testing.T) {
	for _, tt := range []struct{ voice, text string }{
		{"slt", "jarvis"}, {"rms", "jarvis"}, {"awb", "jarvis"}, {"kal16", "jarvis"},
		{"slt", "jarvis what time is it"}, {"slt", "jarvis, set a timer for ten minutes"},
		{"rms", "jarvis, what time is it"}, {"slt", "jarvis stop"},
	} {
		t.Run(tt.voice+"/"+tt.text, func(t *testing.T) {
			if n := hits(t, open(t, porcupine.Config{}), listentest.Say(t, tt.voice, tt.text)); n != 1 {
				t.Errorf("%d hits, want 1", n)
			}
		})
	}
}
