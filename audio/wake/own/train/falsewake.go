package train

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/wake/own"
	"github.com/solo-assistant/solo/audio/wake/own/internal/ear"
)

// MendConfig says where a trained word lies and who likes to have it mended.
type MendConfig struct {
	Model     string // path of the word; what it was learnt from lies beside it
	Embedding string // path of openWakeWord's embedding_model.onnx
	Seed      uint64
	Made      func(*own.Model) // gets each new one, once it is saved; own.Detector.Swap fits
	Log       zerolog.Logger
}

// Mender learns a word again, in the background, with what was wrongly taken for it.
type Mender struct {
	c     MendConfig
	queue chan []int16
	steps int
}

// NewMender makes one. Serve works.
func NewMender(c MendConfig) *Mender {
	return &Mender{c: c, queue: make(chan []int16, 8), steps: steps}
}

// mostWrong is how many clips of what was wrong are kept; older ones go.
const mostWrong = 60

// FalseWake takes the sound, Mono16k, that was wrongly taken for the word: the 2 or 3 s that end with the
// hit. It returns at once; false where too many wait already or there is no sound in it.
func (m *Mender) FalseWake(pcm []int16) bool {
	if len(pcm) < audio.Rate/2 {
		return false
	}
	select {
	case m.queue <- pcm[max(0, len(pcm)-5*audio.Rate):]:
		return true
	default:
		return false
	}
}

// Serve learns whenever there is something to learn from, on one core for about half a minute, until ctx
// ends. A word that cannot be learnt again is logged and stays as it is.
func (m *Mender) Serve(ctx context.Context) error {
	for {
		var batch [][]int16
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case pcm := <-m.queue:
			batch = append(batch, pcm)
		}
		for more := true; more; {
			select {
			case pcm := <-m.queue:
				batch = append(batch, pcm)
			default:
				more = false
			}
		}
		made, err := m.mend(ctx, batch)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			m.c.Log.Warn().Err(err).Msg("the wake word was not learnt again")
			continue
		}
		m.c.Log.Info().Str("word", made.Phrase).Float64("threshold", made.Threshold).Msg("the wake word was learnt again")
		if m.c.Made != nil {
			m.c.Made(made)
		}
	}
}

// mend adds what was wrong to what is known, and learns.
func (m *Mender) mend(ctx context.Context, batch [][]int16) (*own.Model, error) {
	old, err := own.Load(m.c.Model)
	if err != nil {
		return nil, err
	}
	e, err := own.OpenEar(m.c.Embedding)
	if err != nil {
		return nil, err
	}
	path := setPath(m.c.Model)
	clips, err := loadSet(path)
	if err != nil {
		return nil, err
	}
	clips = withWrong(clips, e, batch, m.c.Seed)
	made, err := learn(ctx, lesson{phrase: old.Phrase, seed: m.c.Seed, quiet: e.Silence(), steps: m.steps, count: func(int) {}}, clips)
	if err != nil {
		return nil, err
	}
	if err := saveSet(path, clips); err != nil {
		return nil, err
	}
	made.Made = time.Now().UTC()
	return made, made.Save(m.c.Model)
}

// withWrong adds clips as they are and in other rooms, quieter and louder.
func withWrong(clips []clip, e *ear.Ear, batch [][]int16, seed uint64) []clip {
	var kept []clip
	count := 0
	for i := len(clips) - 1; i >= 0; i-- {
		if clips[i].Kind == wrong {
			if count++; count > mostWrong {
				continue
			}
		}
		kept = append(kept, clips[i])
	}
	clips = clips[:0:0]
	for i := len(kept) - 1; i >= 0; i-- {
		clips = append(clips, kept[i])
	}
	for i, pcm := range batch {
		who := fmt.Sprint("wrong ", count+i)
		clips = append(clips, clip{Who: who, Kind: wrong, Plain: true, Sound: embed(e, pcm)})
		x := floats(pcm)
		for k := range 4 {
			r := shuffled(seed, uint64(1000*(count+i)+k))
			staged, _ := scene{r: r}.stage(x, false)
			clips = append(clips, clip{Who: who, Kind: wrong, Sound: embed(e, staged)})
		}
	}
	return clips
}

// setPath is where that lies which a word was learnt from.
func setPath(model string) string {
	return strings.TrimSuffix(model, filepath.Ext(model)) + ".set"
}
