package train

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/wake/own/internal/ear"
)

// Amounts of what is made, for a Config that says nothing else.
const (
	wordsSaid  = 320 // renderings of the phrase
	wordsUser  = 360 // staged copies of all the user's samples together
	nearTexts  = 160
	sentences  = 200
	babbles    = 70 // of 8 s
	noises     = 40 // of 6 s
	nearVoices = 2
)

// maker makes the clips to learn from.
type maker struct {
	c     Config
	ear   *ear.Ear
	talk  [][]float32
	real  [][]float32
	count func(n int)
}

// newMaker makes one; the recordings are for what the user says to sound among.
func newMaker(c Config, e *ear.Ear, count func(n int)) *maker {
	m := &maker{c: c, ear: e, count: count}
	for _, pcm := range c.Background {
		if x := floats(pcm); power(x) > 1e-5 {
			m.real = append(m.real, x)
		}
	}
	return m
}

// random is the source for one piece of work, the same whoever does it and when.
func (m *maker) random(job string, i int) *rand.Rand {
	h := uint64(14695981039346656037)
	for _, c := range []byte(job) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return rand.New(rand.NewPCG(m.c.Seed^h, uint64(i)))
}

// work does n pieces on all workers; do is given an ear of its own.
func (m *maker) work(ctx context.Context, n int, do func(i int, e *ear.Ear) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range m.c.Workers {
		e := m.ear.Twin()
		wg.Go(func() {
			for {
				i := int(next.Add(1) - 1)
				if i >= n || ctx.Err() != nil {
					return
				}
				if err := do(i, e); err != nil {
					cancel(err)
					return
				}
				m.count(1)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// say has one of the voices say a text.
func (m *maker) say(ctx context.Context, r *rand.Rand, text string) (spoken, error) {
	var failed error
	for range 4 { // a voice that is broken does not end it all
		v := m.c.Voices[r.IntN(len(m.c.Voices))]
		clip, err := v.Say(ctx, text, 0.75+0.65*r.Float64())
		if err == nil {
			if x := trimmed(clip.Mono16k().PCM); len(x) > audio.Rate/20 {
				return spoken{v.Name, x}, nil
			}
			err = errors.New("it said nothing")
		}
		if ctx.Err() != nil {
			return spoken{}, context.Cause(ctx)
		}
		failed = fmt.Errorf("having %s say %q: %w", v.Name, text, err)
	}
	return spoken{}, failed
}

// sayAll renders a list of texts, one after the other.
func (m *maker) sayAll(ctx context.Context, job string, texts []string) ([]spoken, error) {
	out := make([]spoken, len(texts))
	err := m.work(ctx, len(texts), func(i int, _ *ear.Ear) (err error) {
		out[i], err = m.say(ctx, m.random(job, i), texts[i])
		return err
	})
	return out, err
}

// said is what the voices said.
type said struct{ Talk, Words, Near []spoken }

// render has the voices say all that there is to say.
func (m *maker) render(ctx context.Context) (s said, err error) {
	r := m.random("texts", 0)
	a := m.c.amounts()
	var lines, phrases, like []string
	for range a.sentences {
		lines = append(lines, sentence(r, m.c.Phrase))
	}
	for range a.words {
		phrases = append(phrases, m.c.Phrase)
	}
	texts := near(r, m.c.Phrase, a.near)
	for range nearVoices {
		like = append(like, texts...)
	}
	if s.Talk, err = m.sayAll(ctx, "talk", lines); err != nil {
		return s, err
	}
	if s.Words, err = m.sayAll(ctx, "word", phrases); err != nil {
		return s, err
	}
	s.Near, err = m.sayAll(ctx, "near", like)
	return s, err
}

// staging is one clip to be made.
type staging struct {
	spoken
	kind  kind
	plain bool
}

// list is what is to be staged: what was said, and the user's samples.
func (m *maker) list(s said, a amounts) []staging {
	var list []staging
	put := func(s []spoken, k kind, plain, staged int) {
		for _, x := range s {
			for i := range plain + staged {
				list = append(list, staging{x, k, i < plain})
			}
		}
	}
	for _, t := range s.Talk {
		m.talk = append(m.talk, t.Sound)
	}
	user := m.user()
	copies := max(a.user/max(len(user), 1), 4)
	put(s.Words, word, 1, 2)
	put(user, word, 2, copies)
	put(torn(m.random("torn", 0), user, copies), similar, 1, 1)
	put(s.Near, similar, 1, 1)
	put(s.Talk, other, 1, 1)
	return list
}

// stageAll makes the clips of a list, and of noise.
func (m *maker) stageAll(ctx context.Context, list []staging, a amounts) ([]clip, error) {
	clips := make([]clip, len(list)+a.babbles+a.noises)
	err := m.work(ctx, len(clips), func(i int, e *ear.Ear) error {
		r := m.random("stage", i)
		if i >= len(list) {
			clips[i] = clip{Kind: other, Who: "noise", Sound: embed(e, m.background(r, i-len(list) < a.babbles))}
			return nil
		}
		s := list[i]
		pcm, end := scene{r: r, talk: m.talk, real: m.real}.stage(s.Sound, s.plain)
		clips[i] = clip{Kind: s.kind, Plain: s.plain, Who: s.Who, End: end, Sound: embed(e, pcm)}
		return nil
	})
	return append(clips, m.recorded()...), err
}

// userPrefix begins the name of each of the user's samples.
const userPrefix = "user "

// user are the user's own samples.
func (m *maker) user() []spoken {
	var out []spoken
	for i, pcm := range m.c.Samples {
		if x := trimmed(pcm); len(x) > audio.Rate/10 {
			out = append(out, spoken{fmt.Sprint(userPrefix, i), x})
		}
	}
	return out
}

// torn are the user's samples without what makes them the word: in pieces, in another order, backwards. Were
// only the word to come in the user's voice and through the user's microphone, it would be these that are
// learnt.
func torn(r *rand.Rand, user []spoken, copies int) []spoken {
	var out []spoken
	for _, s := range user {
		for range max(copies/2, 3) {
			x := s.Sound
			cut := len(x)*2/5 + r.IntN(len(x)/5)
			var y []float32
			switch r.IntN(5) {
			case 0:
				y = x[:cut]
			case 1:
				y = x[cut:]
			case 2:
				y = slices.Concat(x[cut:], x[:cut])
			case 3:
				y = slices.Clone(x)
				slices.Reverse(y)
			case 4:
				y = slices.Concat(x[:cut], x[:cut])
			}
			out = append(out, spoken{s.Who, y})
		}
	}
	return out
}

// recorded are the recordings of sound that is not the word.
func (m *maker) recorded() []clip {
	var out []clip
	e := m.ear.Twin()
	for i, pcm := range m.c.Background {
		out = append(out, clip{Kind: other, Who: fmt.Sprint("recording ", i), Sound: embed(e, pcm)})
	}
	return out
}

// background is 8 s of people who talk at once, or 6 s of noise.
func (m *maker) background(r *rand.Rand, people bool) []int16 {
	x := noise(r, 6*audio.Rate)
	if people {
		x = babble(r, m.talk, 8*audio.Rate, 2+r.IntN(6))
	}
	if r.IntN(2) == 0 {
		x = echo(x, room(r))
	}
	scene{r: r}.level(x)
	return samples(x)
}
