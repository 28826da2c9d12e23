package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen"
	"github.com/solo-assistant/solo/audio/stt/whisper"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/models/gpu"
)

// newWhisper makes the recogniser for everything that is said, where a whisper-server and a model are found. nil, nil
// means that it is not wanted, or not there and not missed.
func (a *app) newWhisper(words func() []string) (*whisper.Engine, error) {
	if a.settings.Whisper.Use == "off" {
		return nil, nil
	}
	build := whisper.New
	if a.settings.Whisper.Inside {
		build = whisper.NewInside
	}
	e, err := build(whisper.Config{
		Settings: a.settings.Whisper.Settings, Data: a.home.data, Temp: filepath.Join(a.home.cache, "whisper"), Words: words, Log: a.log, NVIDIA: nvidia,
		VAD: func() (whisper.Detector, error) { return a.newVAD() },
	})
	if a.settings.Whisper.Use == "auto" && (errors.Is(err, whisper.ErrAbsent) || errors.Is(err, whisper.ErrNoModel)) {
		return nil, nil
	}
	return e, err
}

func nvidia() bool {
	r := gpu.New(gpu.Config{})
	defer r.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	cards, err := r.Cards(ctx)
	return err == nil && len(cards) > 0
}

// giveWhisper makes Whisper for the microphone; the service that it needs is none where it is not used.
func (s *assistant) giveWhisper() []supervise.Service {
	e, err := s.app.newWhisper(s.likely)
	if err != nil {
		s.lacks = append(s.lacks, err.Error())
	}
	if e == nil || err != nil {
		return nil
	}
	s.whisper = e
	return []supervise.Service{e.Keep()}
}

// likely are words that this user may well say: names first, then tasks, then some commands.
func (s *assistant) likely() []string {
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	words := []string{s.app.wakeWord()}
	if name, ok, err := s.memory.Get(ctx, "name"); err == nil && ok {
		words = append(words, name)
	}
	if tasks, err := s.tasks.Open(ctx); err == nil {
		for _, t := range tasks[:min(len(tasks), 12)] {
			words = append(words, t.Description)
		}
	}
	all := commands().Sentences()
	for i := 0; i < len(all); i += max(1, len(all)/12) {
		if !strings.Contains(all[i], "[") {
			words = append(words, all[i])
		}
	}
	return words
}

// opener gives each utterance a stream: of Whisper, with Solo's own commands behind it for when Whisper fails.
func (s *assistant) opener() (func(context.Context) (listen.Stream, error), error) {
	stt, err := s.recogniser()
	if s.whisper == nil {
		if err != nil {
			return nil, err
		}
		return opener(stt), nil
	}
	var behind func(context.Context) (listen.Stream, error)
	if err == nil {
		behind = opener(stt)
	}
	return func(ctx context.Context) (listen.Stream, error) {
		first, err := s.whisper.Open(ctx)
		if err != nil {
			return nil, err
		}
		r := &relay{Stream: first}
		if behind != nil {
			if r.behind, err = behind(ctx); err != nil {
				return nil, errors.Join(err, first.Close())
			}
		}
		return r, nil
	}, nil
}

// relay hears an utterance twice: what the first recogniser cannot tell, because it is not up, the second does.
type relay struct {
	listen.Stream
	behind listen.Stream // nil where there is none
}

func (r *relay) Feed(pcm []int16) error {
	err := r.Stream.Feed(pcm)
	if r.behind != nil {
		err = errors.Join(err, r.behind.Feed(pcm))
	}
	return err
}

func (r *relay) Finish(ctx context.Context) (audio.Transcript, error) {
	said, err := r.Stream.Finish(ctx)
	if err == nil || errors.Is(err, audio.ErrNoSpeech) || ctx.Err() != nil || r.behind == nil {
		return said, err
	}
	second, secondErr := r.behind.Finish(ctx)
	if secondErr != nil {
		return said, errors.Join(err, secondErr)
	}
	return second, nil
}

func (r *relay) Close() error {
	err := r.Stream.Close()
	if r.behind != nil {
		err = errors.Join(err, r.behind.Close())
	}
	return err
}

func (a *app) examineWhisper(ctx context.Context) cli.Engine {
	if a.settings.Whisper.Inside {
		e, err := whisper.NewInside(whisper.Config{Settings: a.settings.Whisper.Settings, Data: a.home.data, Log: a.log})
		version := ""
		if err == nil {
			version = filepath.Base(e.Weights())
		}
		return examined("recogniser", "whisper in Solo", version, err)
	}
	e, err := whisper.New(whisper.Config{Settings: a.settings.Whisper.Settings, Data: a.home.data, Log: a.log, NVIDIA: nvidia})
	if err != nil {
		return examined("recogniser", "whisper-server", "", err)
	}
	f, err := e.Find(ctx)
	version := filepath.Base(f.Model)
	if len(f.Backends) > 0 {
		version += " (" + strings.Join(f.Backends, ", ") + ")"
	}
	return examined("recogniser", "whisper-server", version, err)
}
