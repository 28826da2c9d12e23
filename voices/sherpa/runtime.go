//go:build sherpa && cgo

package sherpa

import (
	"errors"
	"path/filepath"

	lib "github.com/k2-fsa/sherpa-onnx-go/sherpa_onnx"

	"github.com/solo-assistant/solo/audio"
)

const (
	builtIn = true
	library = "1.13.8"
)

// voice is one of sherpa-onnx's in memory.
type voice struct{ tts *lib.OfflineTts }

func open(p place, threads int) (talker, error) {
	in := func(name string) string { return filepath.Join(p.dir, name) }
	c := lib.OfflineTtsConfig{MaxNumSentences: 1, SilenceScale: 0.2}
	c.Model.NumThreads, c.Model.Provider = threads, "cpu"
	if p.kokoro {
		c.Model.Kokoro = lib.OfflineTtsKokoroModelConfig{Model: p.model, Voices: in("voices.bin"), Tokens: in("tokens.txt"), DataDir: in("espeak-ng-data"), LengthScale: 1}
	} else {
		c.Model.Vits = lib.OfflineTtsVitsModelConfig{Model: p.model, Tokens: in("tokens.txt"), DataDir: in("espeak-ng-data"), NoiseScale: 0.667, NoiseScaleW: 0.8, LengthScale: 1}
	}
	tts := lib.NewOfflineTts(&c)
	if tts == nil {
		return nil, errors.New("sherpa-onnx does not take it")
	}
	return &voice{tts}, nil
}

func (v *voice) speak(text string, speaker int, pace float64) (audio.Clip, error) {
	made := v.tts.Generate(text, speaker, float32(pace))
	if made == nil || made.SampleRate <= 0 {
		return audio.Clip{}, errors.New("it made no sound")
	}
	clip := audio.Clip{Format: audio.Format{Rate: made.SampleRate, Channels: 1}, PCM: make([]int16, len(made.Samples))}
	for i, x := range made.Samples {
		clip.PCM[i] = int16(min(max(x, -1), 1) * 32767)
	}
	return clip, nil
}

func (v *voice) free() { lib.DeleteOfflineTts(v.tts) }
