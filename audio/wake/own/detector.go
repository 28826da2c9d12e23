package own

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/wake/own/internal/ear"
)

// Detector finds its words in a stream. It is used by one goroutine at a time; only Swap may be called by
// others meanwhile.
type Detector struct {
	c      Config
	ear    *ear.Ear
	quiet  []float32 // the embedding of silence
	heads  []*head
	past   *audio.Ring // for Check; nil without one
	next   atomic.Pointer[Model]
	closed bool
}

// head listens for one word.
type head struct {
	m      *Model
	window []float32 // the last embeddings, normal, the newest last
	scores []float32 // the last ones, as many as count
	rest   int       // embeddings until it may be found again
}

// again is how long after a hit the same word is not told a second time, in embeddings: 1 s.
const again = audio.Rate / ear.Step

func newDetector(c Config, e *ear.Ear, models []*Model) *Detector {
	d := &Detector{c: c, ear: e, quiet: e.Silence()}
	for _, m := range models {
		d.heads = append(d.heads, d.newHead(m))
	}
	if c.Check != nil {
		d.past = audio.NewRing(int(audio.Samples(CheckSpan, audio.Rate)))
	}
	return d
}

func (d *Detector) newHead(m *Model) *head {
	h := &head{m: m, window: make([]float32, m.net.Frames*ear.Size), scores: make([]float32, m.Smooth)}
	h.reset(d.quiet)
	return h
}

func (h *head) reset(quiet []float32) {
	for i := 0; i < len(h.window); i += ear.Size {
		h.m.net.Normal(h.window[i:i+ear.Size], quiet)
	}
	clear(h.scores)
	h.rest = 0
}

// hear takes an embedding; found says that the word has just ended.
func (h *head) hear(embedding []float32, threshold float64) (score float64, found bool) {
	copy(h.window, h.window[ear.Size:])
	h.m.net.Normal(h.window[len(h.window)-ear.Size:], embedding)
	copy(h.scores, h.scores[1:])
	h.scores[len(h.scores)-1] = h.m.net.Score(h.window)
	for _, s := range h.scores {
		score += float64(s) / float64(len(h.scores))
	}
	if h.rest > 0 {
		h.rest--
		return score, false
	}
	if threshold == 0 {
		threshold = h.m.Threshold
	}
	return score, score >= threshold
}

// Feed takes 16 kHz mono sound of any length and says whether a word ended in it; the score is 0 to 1. At
// most 80 ms wait inside until the next Feed. Of several hits in one Feed the first is told.
func (d *Detector) Feed(pcm []int16) (hit audio.Hit, found bool, err error) {
	if d.closed {
		return hit, false, errors.New("hearing the wake word: the detector is closed")
	}
	if m := d.next.Swap(nil); m != nil {
		d.use(m)
	}
	if d.past != nil {
		d.past.Write(pcm)
	}
	d.ear.Hear(pcm, func(embedding []float32) {
		for _, h := range d.heads {
			score, ok := h.hear(embedding, d.c.Threshold)
			if !ok || found {
				continue
			}
			h.rest = again
			if d.holds(score) {
				hit, found = audio.Hit{Word: h.m.Phrase, Score: score}, true
			}
		}
	})
	return hit, found, nil
}

// holds asks the second stage about what is doubtful. Solo had better wake once too often than be deaf, so
// one that fails or takes too long changes nothing.
func (d *Detector) holds(score float64) bool {
	if d.c.Check == nil || d.c.Sure > 0 && score >= d.c.Sure {
		return true
	}
	ctx, cancel := context.WithTimeout(context.Background(), CheckTime)
	defer cancel()
	yes, err := d.c.Check(ctx, d.past.Last(d.past.Len()))
	return yes || err != nil
}

// Swap takes a word's new model, from the next Feed on, in place of the one with the same phrase; a new
// phrase is added. It may be called by any goroutine.
func (d *Detector) Swap(m *Model) { d.next.Store(m) }

func (d *Detector) use(m *Model) {
	for i, h := range d.heads {
		if h.m.Phrase == m.Phrase {
			d.heads[i] = d.newHead(m)
			return
		}
	}
	d.heads = append(d.heads, d.newHead(m))
}

// Words are the phrases that it listens for.
func (d *Detector) Words() []string {
	var words []string
	for _, h := range d.heads {
		words = append(words, h.m.Phrase)
	}
	return words
}

// Reset forgets what was heard, so that half a word before a gap and half a word after it make none.
func (d *Detector) Reset() {
	d.ear.Reset()
	for _, h := range d.heads {
		h.reset(d.quiet)
	}
	if d.past != nil {
		d.past.Reset()
	}
}

// Close ends the detector. It may be called twice.
func (d *Detector) Close() error {
	d.closed = true
	return nil
}
