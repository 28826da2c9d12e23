package train

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/wake/own"
	"github.com/solo-assistant/solo/audio/wake/own/internal/ear"
	"github.com/solo-assistant/solo/tests/corpus"
	"github.com/solo-assistant/solo/voices"
	"github.com/solo-assistant/solo/voices/espeak"
	"github.com/solo-assistant/solo/voices/flite"
)

// voicesHere are flite's, and those of espeak-ng in its accents and guises.
func voicesHere(t testing.TB) (all []Voice) {
	t.Helper()
	f, ferr := flite.New()
	e, eerr := espeak.New()
	if ferr != nil || eerr != nil {
		t.Skip("skipped: flite or espeak-ng is not installed; apt install flite espeak-ng")
	}
	for range 4 {
		for _, v := range []string{"slt", "rms", "awb", "kal16"} {
			all = append(all, Voice{"flite " + v, func(ctx context.Context, text string, pace float64) (audio.Clip, error) {
				return first(f.Synthesize(ctx, voices.Phrase{Text: text, Voice: v, Pace: pace}))
			}})
		}
	}
	accents := []string{"en-us", "en-gb", "en-gb-scotland", "en-gb-x-rp", "en-029", "en-us-nyc", "en-gb-x-gbclan"}
	guises := []string{"f1", "f2", "f3", "f4", "f5", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "belinda", "benjamin", "david", "edward", "linda", "marcelo", "Mike",
		"norbert", "paul", "quincy", "rob", "shelby", "steph", "travis", "victor", "Lee", "Jacky", "Hugo", "Andy", "Annie", "Alicia"}
	for i, g := range guises {
		v := accents[i%len(accents)] + "+" + g
		all = append(all, Voice{"espeak " + v, func(ctx context.Context, text string, pace float64) (audio.Clip, error) {
			return first(e.Synthesize(ctx, voices.Phrase{Text: text, Voice: v, Pace: pace}))
		}})
	}
	return all
}

func first(seq func(func(audio.Clip, error) bool)) (clip audio.Clip, err error) {
	for clip, err = range seq {
		return clip, err
	}
	return clip, fmt.Errorf("it gave nothing")
}

func embedding(t testing.TB) string {
	t.Helper()
	path := filepath.Join(corpus.Dir(t), "models/openwakeword/embedding_model.onnx")
	if _, err := os.Stat(path); err != nil {
		t.Skip("skipped: ", err)
	}
	return path
}

// class is what voices say for one word, to be learnt with this or that beside it.
type class struct {
	c     Config
	ear   *ear.Ear
	clips []clip
	talk  [][]float32
}

func newClass(t testing.TB, phrase string, scale float64) *class {
	t.Helper()
	c, err := Config{Phrase: phrase, Voices: voicesHere(t), Embedding: embedding(t), Seed: 1, Scale: scale}.filled()
	if err != nil {
		t.Fatal(err)
	}
	e, err := own.OpenEar(c.Embedding)
	if err != nil {
		t.Fatal(err)
	}
	k := &class{c: c, ear: e}
	m := newMaker(c, e, func(int) {})
	s, err := m.render(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if k.clips, err = m.stageAll(t.Context(), m.list(s, c.amounts()), c.amounts()); err != nil {
		t.Fatal(err)
	}
	k.talk = m.talk
	return k
}

// learn makes the word with people's recordings of it and of other things.
func (k *class) learn(t testing.TB, samples, background [][]int16) *own.Model {
	t.Helper()
	c := k.c
	c.Samples, c.Background = samples, background
	m := newMaker(c, k.ear, func(int) {})
	m.talk = k.talk
	a := c.amounts()
	a.babbles, a.noises = 0, 0
	more, err := m.stageAll(t.Context(), m.list(said{}, a), a)
	if err != nil {
		t.Fatal(err)
	}
	l := lesson{phrase: c.Phrase, seed: c.Seed, quiet: k.ear.Silence(), steps: max(int(steps*c.Scale), 100), workers: c.Workers, count: func(int) {}}
	made, err := learn(t.Context(), l, append(more, k.clips...))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// detector hears a word that was just made.
func (k *class) detector(t testing.TB, m *own.Model) *own.Detector {
	t.Helper()
	path := filepath.Join(t.TempDir(), own.FileName(m.Phrase))
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	d, err := own.New(own.Config{Embedding: k.c.Embedding, Models: []string{path}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}
