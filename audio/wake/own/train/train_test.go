package train

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen/listentest"
	"github.com/solo-assistant/solo/audio/wake/own"
)

func silentVoice(context.Context, string, float64) (audio.Clip, error) {
	return audio.Clip{Format: audio.Mono16k, PCM: make([]int16, 1600)}, nil
}

func TestConfigSaysWhatIsWrong(t *testing.T) {
	voice := []Voice{{"silent", silentVoice}}
	for name, tt := range map[string]struct {
		c    Config
		want string
	}{
		"nothing":      {Config{Voices: voice}, "too short"},
		"too short":    {Config{Phrase: "abc", Voices: voice}, "too short"},
		"too long":     {Config{Phrase: "one two three four five six", Voices: voice}, "too long"},
		"numbers":      {Config{Phrase: "room 101", Voices: voice}, "letters only"},
		"an option":    {Config{Phrase: "solo;reboot", Voices: voice}, "letters only"},
		"no voice":     {Config{Phrase: "hey solo"}, "apt-get install flite"},
		"scale":        {Config{Phrase: "hey solo", Voices: voice, Scale: 2}, "scale 2"},
		"no embedding": {Config{Phrase: "hey solo", Voices: voice, Embedding: "/nowhere"}, "solo models pull openwakeword-embedding"},
		"dumb voices":  {Config{Phrase: "hey solo", Voices: voice, Embedding: embedding(t)}, "it said nothing"},
		"broken voices": {Config{Phrase: "hey solo", Voices: []Voice{{"broken", func(context.Context, string, float64) (audio.Clip, error) {
			return audio.Clip{}, errors.New("no such program")
		}}}, Embedding: embedding(t)}, "having broken say"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Train(t.Context(), tt.c); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

// A small training from beginning to end: the word's file is heard with, progress is told, and the same seed
// makes the same word.
func TestTrain(t *testing.T) {
	arithmetic(t)
	said := map[string]bool{}
	c := Config{
		Phrase: "Computer", Voices: voicesHere(t)[:4], Embedding: embedding(t), Seed: 3, Scale: 0.025,
		Model: filepath.Join(t.TempDir(), own.FileName("computer")),
		Tell: func(p Progress) {
			if said[p.Doing] = true; p.Done < 0 || p.Done > 1 {
				t.Errorf("%v", p)
			}
		},
		Samples: [][]int16{listentest.Say(t, "slt", "computer"), listentest.Say(t, "rms", "computer")},
	}
	m, err := Train(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if !said["speaking"] || !said["staging"] || !said["learning"] {
		t.Errorf("progress of %v", said)
	}
	t.Logf("threshold %.2f, %+v", m.Threshold, m.Held)
	if m.Phrase != "computer" || m.Held.Words == 0 || m.Held.User == 0 || m.Held.Other < 10 || m.Made.IsZero() {
		t.Errorf("made %+v", m)
	}
	d, err := own.New(own.Config{Embedding: c.Embedding, Models: []string{c.Model}})
	if err != nil {
		t.Fatal(err)
	}
	frame := func(text string) []int16 {
		return listentest.Join(listentest.Quiet(700), listentest.Say(t, "slt", text), listentest.Quiet(900))
	}
	if n := len(hits(t, d, frame("computer"))); n != 1 {
		t.Errorf("told %d times, want once", n)
	}
	if n := len(hits(t, d, frame("the weather is fine today and we go for a walk"))); n > 2 { // so small a training is not sure
		t.Errorf("told %d times in other words", n)
	}
	if _, err := loadSet(setPath(c.Model)); err != nil {
		t.Error(err)
	}
	if os.Getenv("SOLO_SOAK") == "" {
		return // the same seed is tried in full only then
	}
	c.Workers = 1
	again, err := Train(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range m.Net().In {
		if again.Net().In[i] != v {
			t.Fatal("another word from the same seed")
		}
	}
}

func TestTrainStops(t *testing.T) {
	arithmetic(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	dir := t.TempDir()
	_, err := Train(ctx, Config{Phrase: "hey solo", Embedding: embedding(t), Model: filepath.Join(dir, "x.wake"), Voices: []Voice{{"one", func(ctx context.Context, _ string, _ float64) (audio.Clip, error) {
		cancel(why)
		return audio.Clip{}, ctx.Err()
	}}}})
	if !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestNearIsNotTheWord(t *testing.T) {
	for _, phrase := range []string{"hey solo", "computer", "jarvis", "good evening house"} {
		r := rand.New(rand.NewPCG(1, 1))
		texts := near(r, phrase, 100)
		if len(texts) != 100 {
			t.Errorf("%q: %d phrases", phrase, len(texts))
		}
		seen := map[string]bool{}
		for _, text := range texts {
			if seen[text] || strings.Contains(heard(text), heard(phrase)) || strings.TrimSpace(text) == "" {
				t.Errorf("%q is near %q", text, phrase)
			}
			seen[text] = true
		}
	}
}

func TestSentencesLeaveThePhraseOut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		if s := sentence(r, "good evening"); strings.Contains(s, "good") || strings.Contains(s, "evening") || len(strings.Fields(s)) < 6 {
			t.Fatal(s)
		}
	}
}

func TestWilson(t *testing.T) {
	for _, tt := range []struct {
		k, n      int
		low, high float64
	}{{0, 0, 0, 1}, {39, 40, 0.871, 0.996}, {0, 40, 0, 0.088}, {40, 40, 0.912, 1}, {30, 40, 0.598, 0.858}} {
		if low, high := Wilson(tt.k, tt.n); math.Abs(low-tt.low) > 0.001 || math.Abs(high-tt.high) > 0.001 {
			t.Errorf("%d of %d: %.3f to %.3f, want %.3f to %.3f", tt.k, tt.n, low, high, tt.low, tt.high)
		}
	}
	for k, want := range map[int]float64{0: 2.996, 1: 4.744, 5: 10.513} { // tables of the Poisson distribution
		if got := AtMost(k); math.Abs(got-want) > 0.001 {
			t.Errorf("at most %.3f when %d were counted, want %.3f", got, k, want)
		}
	}
}

// arithmetic skips a test that would compute for a minute under the race detector, which has nothing to find in it.
func arithmetic(t *testing.T) {
	t.Helper()
	if racing {
		t.Skip("skipped: all arithmetic; runs without the race detector")
	}
}
