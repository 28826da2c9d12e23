package sphinx_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio/stt/sphinx"
)

// Orders with noise 10 dB under them: fewer are understood, but what is left out is mostly doubted, and time is kept.
func TestCoffeeOrdersInNoise(t *testing.T) {
	if os.Getenv("SOLO_SOAK") == "" {
		t.Skip("skipped: 200 orders in noise run with SOLO_SOAK=1")
	}
	c := readCoffee(t)
	e := engine(t, sphinx.Config{Grammar: c.grammar})
	for noise, least := range map[string]int{
		"tau2_people_talking_babble.flac": 32, "sb_noise1.flac": 31, "sb_noise2.flac": 38, "pv_kitchen.flac": 29, "librosa_ragtime.ogg": 15,
	} {
		n := read(t, filepath.Join(c.dir, "..", "noise", noise))
		right, trusted, wrong, took := 0, 0, 0, []time.Duration{}
		for i, file := range c.files() {
			begun := time.Now()
			got, err := hear(t, e, mix(read(t, filepath.Join(c.dir, file)), n, 10, i*7919))
			took = append(took, time.Since(begun))
			switch ok := err == nil && maps.Equal(c.slots(got.Text), c.orders[file].Slots); {
			case ok && got.Sure >= 0.5:
				right, trusted = right+1, trusted+1
			case ok:
				right++
			case got.Sure >= 0.5:
				wrong++
			}
		}
		slices.Sort(took)
		t.Logf("%s: %d of %d right, %d of them trusted; %d wrong ones trusted; median %v a whole order", noise, right, len(c.orders), trusted, wrong, took[len(took)/2])
		if right < least {
			t.Errorf("%s: %d orders right, want at least %d", noise, right, least)
		}
	}
}

// Sound without words gives no words: at most a doubtful guess.
func TestNoiseIsNotTrusted(t *testing.T) {
	c := readCoffee(t)
	trusted := 0
	for name, g := range map[string]string{"coffee": c.grammar, "solo": soloGrammar} {
		e := engine(t, sphinx.Config{Grammar: g})
		files, err := filepath.Glob(filepath.Join(c.dir, "..", "noise", "*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no noises: %v", err)
		}
		for _, file := range files {
			pcm := read(t, file)
			pcm = pcm[:min(len(pcm), 6*16000)]
			if got, err := hear(t, e, pcm); err == nil && got.Sure >= 0.5 {
				t.Logf("%s: %q trusted by %.2f in the grammar %s", filepath.Base(file), got.Text, got.Sure, name)
				trusted++
			}
		}
	}
	if trusted > 1 { // one of the noises is people talking
		t.Errorf("words were trusted in %d noises", trusted)
	}
}

// Speech that is not in the grammar is not trusted.
func TestOtherSpeechIsNotTrusted(t *testing.T) {
	c := readCoffee(t)
	var others []string
	for _, pattern := range []string{"speech/*.wav", "commands/*.flac"} {
		files, err := filepath.Glob(filepath.Join(c.dir, "..", pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no recordings %s: %v", pattern, err)
		}
		others = append(others, files...)
	}
	if os.Getenv("SOLO_SOAK") == "" {
		others = slices.DeleteFunc(others, func(f string) bool { return strings.HasSuffix(f, ".flac") && filepath.Base(f) > "5" })
	}
	e := engine(t, sphinx.Config{Grammar: soloGrammar})
	wrong := 0
	for _, file := range others {
		pcm := read(t, file)
		pcm = pcm[:min(len(pcm), 12*16000)]
		if got, err := hear(t, e, pcm); err == nil && got.Sure >= 0.5 {
			t.Logf("%s: %q trusted by %.2f", filepath.Base(file), got.Text, got.Sure)
			wrong++
		}
	}
	t.Logf("%d of %d other utterances were trusted", wrong, len(others))
	if wrong*100 > len(others)*4 {
		t.Errorf("%d of %d other utterances were trusted, want at most 4 in 100", wrong, len(others))
	}
}
