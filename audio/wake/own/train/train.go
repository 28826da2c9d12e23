// Package train teaches a wake word of the user's choice, on this machine and without its leaving it.
//
// The voices at hand say the phrase, phrases that sound like it, and everyday words; the user may say it a
// few times. Rooms, noise, other people's talk and other microphones are put around that. A small classifier
// learns to tell the word from the rest, and its threshold is chosen with what it has not learned from.
package train

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/wake/own"
)

// Voice says a text at a pace (1 is its own).
type Voice struct {
	Name string
	Say  func(ctx context.Context, text string, pace float64) (audio.Clip, error)
}

// Config says what to learn from.
type Config struct {
	Phrase     string
	Embedding  string    // path of openWakeWord's embedding_model.onnx
	Voices     []Voice   // those that are named often say more
	Samples    [][]int16 // the user's recordings of the phrase, one each, Mono16k
	Background [][]int16 // recordings without the phrase, Mono16k
	Model      string    // path of the word's file to be; what it was learnt from lies beside it, 20 MB
	Seed       uint64
	Workers    int     // 0: one for each core
	Scale      float64 // of the amounts and of the steps, 0.02 to 1; 0 means 1
	Tell       func(Progress)
}

// Progress is how far it has come.
type Progress struct {
	Doing string  // "speaking", "staging" or "learning"
	Done  float64 // of that, 0 to 1
}

type amounts struct{ words, user, near, sentences, babbles, noises int }

func (c Config) amounts() amounts {
	s := func(n int) int { return max(int(float64(n)*c.Scale), 2) }
	return amounts{s(wordsSaid), s(wordsUser), s(nearTexts), s(sentences), s(babbles), s(noises)}
}

func (c Config) filled() (Config, error) {
	c.Phrase = own.Phrase(c.Phrase)
	switch letters := strings.Count(c.Phrase, "") - 1; {
	case letters < 4:
		return c, fmt.Errorf("the wake word %q is too short: it would be found in other words", c.Phrase)
	case letters > 40 || len(strings.Fields(c.Phrase)) > 5:
		return c, fmt.Errorf("the wake word %q is too long: it must be said within a second and a half", c.Phrase)
	case strings.ContainsFunc(c.Phrase, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune(" -'", r) }):
		return c, fmt.Errorf("the wake word %q may hold letters only; write numbers as they are spoken", c.Phrase)
	case len(c.Voices) == 0:
		return c, errors.New("no voice can say the wake word; on Debian: apt-get install flite espeak-ng")
	case !(c.Scale >= 0 && c.Scale <= 1):
		return c, fmt.Errorf("a training of scale %v: want 0 to 1", c.Scale)
	}
	if c.Workers <= 0 {
		c.Workers = runtime.NumCPU()
	}
	if c.Scale == 0 {
		c.Scale = 1
	}
	if c.Tell == nil {
		c.Tell = func(Progress) {}
	}
	return c, nil
}

// Possible says what is missing or wrong before anybody is asked to say anything.
func Possible(c Config) error {
	c, err := c.filled()
	if err == nil {
		_, err = own.OpenEar(c.Embedding)
	}
	return err
}

// Train makes the word's file, which takes some minutes. The same Config and the same voices make the same
// file but for its time, on processors of one kind.
func Train(ctx context.Context, c Config) (*own.Model, error) {
	c, err := c.filled()
	if err != nil {
		return nil, err
	}
	e, err := own.OpenEar(c.Embedding)
	if err != nil {
		return nil, err
	}
	fail := func(err error) (*own.Model, error) {
		return nil, fmt.Errorf("training the wake word %q: %w", c.Phrase, err)
	}
	p := &progress{tell: c.Tell}
	m := newMaker(c, e, p.count)
	a := c.amounts()
	p.begin("speaking", a.sentences+a.words+nearVoices*a.near)
	s, err := m.render(ctx)
	if err != nil {
		return fail(err)
	}
	list := m.list(s, a)
	p.begin("staging", len(list)+a.babbles+a.noises)
	clips, err := m.stageAll(ctx, list, a)
	if err != nil {
		return fail(err)
	}
	l := lesson{phrase: c.Phrase, seed: c.Seed, quiet: e.Silence(), steps: max(int(steps*c.Scale), 100), workers: c.Workers, count: p.count}
	p.begin("learning", (folds+1)*l.steps)
	made, err := learn(ctx, l, clips)
	if err != nil {
		return fail(err)
	}
	made.Made = time.Now().UTC()
	if err := saveSet(setPath(c.Model), clips); err != nil {
		return nil, err
	}
	return made, made.Save(c.Model)
}

// progress counts pieces of work from any goroutine.
type progress struct {
	tell      func(Progress)
	mu        sync.Mutex
	doing     string
	done, all int
}

func (p *progress) begin(doing string, all int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.doing, p.done, p.all = doing, 0, all
	p.tell(Progress{Doing: doing})
}

func (p *progress) count(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += n
	p.tell(Progress{p.doing, float64(p.done) / float64(max(p.all, 1))})
}
