package train

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/wake/own"
	"github.com/solo-assistant/solo/audio/wake/own/internal/ear"
)

// MendConfig says where a trained word lies.
type MendConfig struct {
	Model     string // path of the word; what it was learnt from lies beside it
	Embedding string // path of openWakeWord's embedding_model.onnx
	Seed      uint64
	Scale     float64 // of the learning's steps, 0.02 to 1; 0 means 1
}

// Mender corrects a word by what was wrongly taken for it. Its methods may be called from any goroutine.
type Mender struct {
	c        MendConfig
	files    sync.Mutex // held while what the word was learnt from is read and written
	learning sync.Mutex // one Learn at a time
}

// NewMender makes one.
func NewMender(c MendConfig) *Mender {
	if c.Scale <= 0 {
		c.Scale = 1
	}
	return &Mender{c: c}
}

// Errors of a Mender.
var (
	ErrNoSound = errors.New("there is too little sound in it to learn from")
	ErrNoWrong = errors.New("that is not known as a false wake")
)

const (
	mostWrong = 60             // clips of what was wrong; older ones go
	longWrong = 5 * audio.Rate // more of a sound is not kept
)

// Wrong keeps the sound, Mono16k, that was wrongly taken for the word: the 2 or 3 s that end with the hit. It becomes
// embeddings, of which no speech can be made again. The mark names it for Right. The word itself changes with Learn.
// Errors: ErrNoSound.
func (m *Mender) Wrong(pcm []int16) (mark string, err error) {
	if len(pcm) < audio.Rate/2 || power(floats(pcm)) < 1e-9 {
		return "", ErrNoSound
	}
	e, err := own.OpenEar(m.c.Embedding)
	if err != nil {
		return "", err
	}
	err = m.edit(func(clips []clip) ([]clip, error) {
		clips, mark = withWrong(clips, e, pcm[max(0, len(pcm)-longWrong):], m.c.Seed)
		return clips, nil
	})
	return mark, err
}

// Right takes back what Wrong kept under a mark. Errors: ErrNoWrong.
func (m *Mender) Right(mark string) error {
	return m.edit(func(clips []clip) ([]clip, error) {
		var kept []clip
		for _, c := range clips {
			if c.Kind != wrong || c.Who != mark {
				kept = append(kept, c)
			}
		}
		if len(kept) == len(clips) {
			return nil, ErrNoWrong
		}
		return kept, nil
	})
}

// edit changes what the word was learnt from.
func (m *Mender) edit(change func([]clip) ([]clip, error)) error {
	m.files.Lock()
	defer m.files.Unlock()
	path := setPath(m.c.Model)
	clips, err := loadSet(path)
	if err == nil {
		clips, err = change(clips)
	}
	if err != nil {
		return err
	}
	return saveSet(path, clips)
}

// Learn makes the word again from all that is known and saves it, on one core for about half a minute. The word stays
// as it was where that fails. told gets how far it is, 0 to 1; nil is fine.
func (m *Mender) Learn(ctx context.Context, told func(done float64)) (*own.Model, error) {
	m.learning.Lock()
	defer m.learning.Unlock()
	old, err := own.Load(m.c.Model)
	if err != nil {
		return nil, err
	}
	e, err := own.OpenEar(m.c.Embedding)
	if err != nil {
		return nil, err
	}
	m.files.Lock()
	clips, err := loadSet(setPath(m.c.Model))
	m.files.Unlock()
	if err != nil {
		return nil, err
	}
	l := lesson{phrase: old.Phrase, seed: m.c.Seed, quiet: e.Silence(), steps: max(int(steps*m.c.Scale), 100), count: func(int) {}}
	if told != nil {
		p := &progress{tell: func(p Progress) { told(p.Done) }}
		p.begin("learning", (folds+1)*l.steps)
		l.count = p.count
	}
	made, err := learn(ctx, l, clips)
	if err != nil {
		return nil, fmt.Errorf("learning the wake word %q again: %w", old.Phrase, err)
	}
	made.Made = time.Now().UTC()
	return made, made.Save(m.c.Model)
}

// withWrong adds a sound as it is and in other rooms, quieter and louder, and drops the oldest of too many.
func withWrong(clips []clip, e *ear.Ear, pcm []int16, seed uint64) ([]clip, string) {
	const copies = 4
	next := 0
	var kept, wrongs []clip
	for _, c := range clips {
		if c.Kind != wrong {
			kept = append(kept, c)
			continue
		}
		wrongs = append(wrongs, c)
		n := 0
		if _, err := fmt.Sscanf(c.Who, wrongName, &n); err == nil {
			next = max(next, n+1)
		}
	}
	who := fmt.Sprintf(wrongName, next)
	wrongs = append(wrongs, clip{Who: who, Kind: wrong, Plain: true, Sound: embed(e, pcm)})
	x := floats(pcm)
	for k := range copies {
		r := shuffled(seed, uint64(1000*next+k))
		staged, _ := scene{r: r}.stage(x, false)
		wrongs = append(wrongs, clip{Who: who, Kind: wrong, Sound: embed(e, staged)})
	}
	return append(kept, wrongs[max(0, len(wrongs)-mostWrong*(copies+1)):]...), who
}

const wrongName = "wrong %d"

// setPath is where that lies which a word was learnt from.
func setPath(model string) string {
	return strings.TrimSuffix(model, filepath.Ext(model)) + ".set"
}
