package train

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen/listentest"
	"github.com/solo-assistant/solo/audio/wake/own"
	"github.com/solo-assistant/solo/audio/wake/own/internal/ear"
)

// played are clips of embeddings that nobody heard: where the word ends, three embeddings have a pattern.
func played(r *rand.Rand, n int) []clip {
	var all []clip
	for i := range n {
		c := clip{Who: fmt.Sprint("voice ", i%7), Kind: kind(i % 3), Plain: i%2 == 0, End: ends(24), Sound: make([]float32, 32*ear.Size)}
		for k := range c.Sound {
			c.Sound[k] = float32(10 * r.NormFloat64())
			if at := k / ear.Size; c.Kind == word && at >= 23 && at <= 25 && k%8 == 0 {
				c.Sound[k] += 20
			}
		}
		all = append(all, c)
	}
	return all
}

func lessonFor(n int) lesson {
	return lesson{phrase: "hey solo", seed: 1, quiet: make([]float32, ear.Size), steps: n, count: func(int) {}}
}

func TestLearnTellsTheWord(t *testing.T) {
	clips := played(rand.New(rand.NewPCG(1, 1)), 240)
	m, err := learn(t.Context(), lessonFor(300), clips)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("threshold %.2f, %+v", m.Threshold, m.Held)
	h := m.Held
	if h.Words+h.Noisy != 80 || h.Near != 80 || h.Missed+h.NoisyMissed > 8 || h.False > 8 || h.NearFalse > 8 {
		t.Errorf("held %+v", h)
	}
	if _, err := learn(t.Context(), lessonFor(100), nil); !errors.Is(err, errNothing) {
		t.Errorf("error %v from nothing", err)
	}
}

// What was wrong is wrong no more, and the words are still found.
func TestLearnFromWhatWasWrong(t *testing.T) {
	clips := played(rand.New(rand.NewPCG(2, 2)), 120)
	bad := played(rand.New(rand.NewPCG(3, 3)), 1)[0]
	bad.Kind, bad.Who = wrong, "wrong 0"
	for k := range bad.Sound { // like the word, but for a sign of its own
		if k%8 == 3 {
			bad.Sound[k] += 40
		}
	}
	m, err := learn(t.Context(), lessonFor(300), append(clips, bad))
	if err != nil {
		t.Fatal(err)
	}
	if s := best(&bad, scores(m.Net(), make([]float32, ear.Size), &bad)); s >= m.Threshold {
		t.Errorf("scores %.2f, the threshold is %.2f", s, m.Threshold)
	}
}

func TestChoose(t *testing.T) {
	seen := []verdict{}
	add := func(k kind, score float64, n int) {
		for range n {
			c := &clip{Kind: k, Plain: true, End: ends(2), Sound: make([]float32, 5*ear.Size)}
			seen = append(seen, verdict{c, []float64{0, 0, score, 0, 0}})
		}
	}
	add(word, 0.9, 90)
	add(word, 0.4, 10)
	add(other, 0.7, 5)
	add(other, 0.1, 400)
	th, held := choose(seen)
	if th <= 0.7 || th > 0.9 || held.Missed != 10 || held.Words != 100 || held.False != 0 {
		t.Errorf("threshold %v, %+v", th, held)
	}
}

func TestASetComesBack(t *testing.T) {
	clips := played(rand.New(rand.NewPCG(1, 1)), 9)
	path := filepath.Join(t.TempDir(), "x.set")
	if err := saveSet(path, clips); err != nil {
		t.Fatal(err)
	}
	got, err := loadSet(path)
	if err != nil || len(got) != len(clips) {
		t.Fatalf("%d clips, error %v", len(got), err)
	}
	for i, c := range got {
		if c.Who != clips[i].Who || c.Kind != clips[i].Kind || c.End != clips[i].End || c.Plain != clips[i].Plain {
			t.Errorf("clip %d is %s %v", i, c.Who, c.Kind)
		}
		for k, v := range c.Sound {
			if d := v - clips[i].Sound[k]; d > 0.3 || d < -0.3 {
				t.Fatalf("number %d is %v, was %v", k, v, clips[i].Sound[k])
			}
		}
	}
}

func TestBrokenSets(t *testing.T) {
	whole := encodeSet(played(rand.New(rand.NewPCG(1, 1)), 2))
	body := whole[:len(whole)-sha256.Size]
	sign := func(b []byte) []byte {
		sum := sha256.Sum256(b)
		return append(bytes.Clone(b), sum[:]...)
	}
	newer := bytes.Clone(whole)
	newer[8] = 2
	for name, tt := range map[string]struct {
		b    []byte
		want error
	}{
		"empty": {nil, errNoSet}, "another file": {[]byte("SOLOWAKE and more of it"), errNoSet}, "newer": {newer, errNoSet},
		"cut": {whole[:len(whole)-1], errBroken}, "a clip cut": {sign(body[:len(body)-9]), errBroken}, "only a name": {sign(append(bytes.Clone(body), 200, 'x')), errBroken},
		"no clip": {[]byte(setMagic + "\x01\x00"), errBroken},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := decodeSet(tt.b); !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
		})
	}
}

func FuzzDecodeSet(f *testing.F) {
	whole := encodeSet(played(rand.New(rand.NewPCG(1, 1)), 1))
	f.Add(whole[:len(whole)-sha256.Size], true)
	f.Add(whole, false)
	f.Add([]byte(setMagic+"\x01\x00\x01a\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff"), true)
	f.Fuzz(func(t *testing.T, b []byte, sign bool) {
		if sign {
			sum := sha256.Sum256(b)
			b = append(bytes.Clone(b), sum[:]...)
		}
		clips, err := decodeSet(b)
		if err == nil && !bytes.Equal(encodeSet(clips)[:len(setMagic)], b[:len(setMagic)]) {
			t.Error("it is not written as it was read")
		}
		for _, c := range clips {
			if len(c.Sound) != c.frames()*ear.Size || c.Kind > wrong || c.End < 0 {
				t.Errorf("a clip of %d numbers, kind %d, end %d", len(c.Sound), c.Kind, c.End)
			}
		}
	})
}

// wordIn is a small word in a folder, with what it was learnt from.
func wordIn(t *testing.T, dir string) (path string) {
	t.Helper()
	path = filepath.Join(dir, "hey_solo.wake")
	clips := played(rand.New(rand.NewPCG(1, 1)), 60)
	m, err := learn(t.Context(), lessonFor(100), clips)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(m.Save(path), saveSet(setPath(path), clips)); err != nil {
		t.Fatal(err)
	}
	return path
}

// wrongs counts the clips of what was wrong.
func wrongs(t *testing.T, path string) (wrongs, all int) {
	t.Helper()
	clips, err := loadSet(setPath(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range clips {
		if c.Kind == wrong {
			wrongs++
		}
	}
	return wrongs, len(clips)
}

func beep() []int16 {
	return listentest.Join(listentest.Quiet(500), tone(audio.Rate, -12), listentest.Quiet(300))
}

// "That was a false wake": it is kept, the word is learnt again and saved; taken back, the word is the old one.
func TestFalseWake(t *testing.T) {
	dir := t.TempDir()
	path := wordIn(t, dir)
	mender := NewMender(MendConfig{Model: path, Embedding: embedding(t), Seed: 1, Scale: 0.02})
	before, err := mender.Learn(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	mark, err := mender.Wrong(beep())
	if err != nil {
		t.Fatal(err)
	}
	if n, all := wrongs(t, path); n != 5 || all != 65 {
		t.Errorf("%d of %d clips are wrong, want 5 of 65", n, all)
	}
	var done []float64
	m, err := mender.Learn(t.Context(), func(d float64) { done = append(done, d) })
	if err != nil || m.Phrase != "hey solo" || len(done) == 0 || done[len(done)-1] != 1 {
		t.Fatalf("made %+v, told %v, %v", m, done, err)
	}
	if saved, err := own.Load(path); err != nil || saved.Threshold != m.Threshold {
		t.Errorf("saved %+v, %v", saved, err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("left behind: %v", left)
	}
	if err := mender.Right(mark); err != nil {
		t.Fatal(err)
	}
	if err := mender.Right(mark); !errors.Is(err, ErrNoWrong) {
		t.Errorf("taken back twice: %v", err)
	}
	after, err := mender.Learn(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if n, all := wrongs(t, path); n != 0 || all != 60 || after.Threshold != before.Threshold || !slices.Equal(after.Net().In, before.Net().In) {
		t.Errorf("%d of %d clips are wrong, the threshold is %v and was %v", n, all, after.Threshold, before.Threshold)
	}
}

// Of very many false wakes the last are kept.
func TestManyFalseWakes(t *testing.T) {
	path := wordIn(t, t.TempDir())
	e, err := own.OpenEar(embedding(t))
	if err != nil {
		t.Fatal(err)
	}
	clips, err := loadSet(setPath(path))
	if err != nil {
		t.Fatal(err)
	}
	mark := ""
	for range mostWrong + 3 {
		clips, mark = withWrong(clips, e, beep()[:audio.Rate], 1)
	}
	if len(clips) != 60+5*mostWrong || clips[60].Who != "wrong 3" || mark != fmt.Sprintf("wrong %d", mostWrong+2) {
		t.Errorf("%d clips, the first wrong one %q, the last %q", len(clips), clips[60].Who, mark)
	}
}

func TestWrongSounds(t *testing.T) {
	path := wordIn(t, t.TempDir())
	m := NewMender(MendConfig{Model: path, Embedding: embedding(t)})
	for name, pcm := range map[string][]int16{"nothing": nil, "short": tone(audio.Rate/4, -12), "silence": make([]int16, 2*audio.Rate)} {
		if _, err := m.Wrong(pcm); !errors.Is(err, ErrNoSound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.Remove(setPath(path)); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Wrong(beep()); err == nil {
		t.Error("took it although nothing is left to learn from")
	}
}
