package whisper

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/stt/stttest"
)

// ears is a model in this program that understands tones.
type ears struct{ server *server }

func (ears) ready(ctx context.Context) error { return ctx.Err() }
func (ears) serve(ctx context.Context) error { <-ctx.Done(); return nil }
func (e ears) read(ctx context.Context, pcm []int16, prompt string) (reading, error) {
	page, err := json.Marshal(e.server.answer(pcm, prompt))
	if err != nil || ctx.Err() != nil {
		return reading{}, errors.Join(err, context.Cause(ctx))
	}
	return parse(page, audio.Time(int64(len(pcm)), audio.Rate))
}

// The one suite, with the model in this program.
func TestSuiteInside(t *testing.T) {
	e := &Engine{conf: Config{}.withDefaults(), used: make(chan struct{}, 1), changed: make(chan struct{}), inside: ears{&server{}}}
	e.conf.Every = 200 * time.Millisecond
	e.conf.Log = zerolog.Nop()
	stttest.Run(t, func(ctx context.Context) (stttest.Stream, error) {
		s, err := e.Open(ctx)
		if err != nil {
			return nil, err
		}
		return &patient{s}, nil
	}, stttest.Utterance{PCM: spoken(one), Text: one + "."}, stttest.Utterance{PCM: spoken(two), Text: two + "."})
}

func TestNotInside(t *testing.T) {
	_, err := NewInside(Config{Data: t.TempDir()})
	if want := map[bool]error{true: ErrNoModel, false: ErrNotInside}[builtIn]; !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
	if _, err := NewInside(Config{Settings: Settings{Language: "EN!"}}); err == nil {
		t.Error("took a language that is none")
	}
}
