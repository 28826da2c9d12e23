package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen"
	"github.com/solo-assistant/solo/audio/wake/own"
	"github.com/solo-assistant/solo/audio/wake/own/train"
	"github.com/solo-assistant/solo/audio/wake/porcupine"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/voices"
)

// wakeEngine is a wake word detector that must be closed.
type wakeEngine interface {
	listen.Wake
	io.Closer
}

// porcupineWake is the wake word detector that needs no training.
func (a *app) porcupineWake(word string) (wakeEngine, error) {
	c := a.settings.Wake.Config
	if word != "" {
		c.Words = []string{word}
	}
	d, err := porcupine.New(c)
	if err != nil {
		return nil, err // not a nil *porcupine.Detector in an interface
	}
	return d, nil
}

// ownWake is the one for what the user trained: the configured phrases or the one given.
func (a *app) ownWake(word string) (wakeEngine, error) {
	phrases := a.ownPhrases()
	if word != "" {
		phrases = []string{word}
	}
	var files []string
	for _, p := range phrases {
		files = append(files, a.ownWord(p))
	}
	check, free := a.wakeCheck(phrases)
	d, err := own.New(own.Config{Embedding: a.home.embedding(), Models: files, Threshold: a.settings.Wake.Threshold, Check: check, Sure: a.settings.Wake.Sure})
	if err != nil {
		return nil, errors.Join(err, free())
	}
	return &ownEngine{d, free}, nil
}

// ownEngine is a detector with its second stage.
type ownEngine struct {
	*own.Detector
	free func() error
}

func (*ownEngine) String() string { return "own" }

func (e *ownEngine) Close() error { return errors.Join(e.Detector.Close(), e.free()) }

// ownPhrases are those that wake Solo: the configured ones, else all that were trained; none where another
// engine listens.
func (a *app) ownPhrases() []string {
	switch c := a.settings.Wake; {
	case c.Engine != "own":
		return nil
	case len(c.Own) > 0:
		return c.Own
	}
	var all []string
	files, _ := filepath.Glob(filepath.Join(a.home.ownWords(), "*"+own.Extension)) // the pattern is well formed
	for _, f := range files {
		if m, err := own.Load(f); err == nil {
			all = append(all, m.Phrase)
		}
	}
	return all
}

// ownWord is the file of a trained phrase.
func (a *app) ownWord(phrase string) string {
	return filepath.Join(a.home.ownWords(), own.FileName(phrase))
}

// trainedFor says whether the user trained a word that Porcupine lacks.
func (a *app) trainedFor(word string) bool {
	if word == "" || slices.Contains(porcupine.Words(), strings.ToLower(word)) {
		return false
	}
	_, err := os.Stat(a.ownWord(word))
	return err == nil
}

// ownWords is the folder of the trained wake words, embedding where the weights lie that they need.
func (h home) ownWords() string { return filepath.Join(h.weights(), "wake") }
func (h home) embedding() string {
	return filepath.Join(h.weights(), "openwakeword", "embedding_model.onnx")
}

// TrainWake makes a wake word of the user's own.
func (a *app) TrainWake(ctx context.Context, o cli.TrainWake, tell cli.Tell) error {
	phrase, began := own.Phrase(o.Phrase), time.Now()
	c := train.Config{
		Phrase: phrase, Embedding: a.home.embedding(), Voices: a.teachers(), Seed: o.Seed,
		Model: a.ownWord(phrase), Tell: tenths(tell),
	}
	if err := train.Possible(c); err != nil { // before the user is asked to say anything
		return untrained(err)
	}
	if err := os.MkdirAll(a.home.ownWords(), 0o700); err != nil {
		return fmt.Errorf("make the folder for wake words: %w", err)
	}
	var err error
	if c.Samples, err = folderOfSound(o.Samples); err != nil {
		return err
	}
	if c.Background, err = folderOfSound(o.Background); err != nil {
		return err
	}
	if o.Record > 0 {
		said, read, err := a.recordUser(ctx, phrase, o.Record, tell)
		if err != nil {
			return err
		}
		c.Samples, c.Background = append(c.Samples, said...), append(c.Background, read...)
	}
	m, err := train.Train(ctx, c)
	if err != nil {
		return untrained(err)
	}
	tell(trained(m, c.Model, time.Since(began)))
	a.tellRunning(ctx, phrase)
	return nil
}

// untrained says what to do where the weights are missing.
func untrained(err error) error {
	if errors.Is(err, own.ErrAbsent) {
		return &cli.Failure{Code: "no_embedding", Err: err}
	}
	return err
}

// tenths tells of a training's progress ten times for each of its parts.
func tenths(tell cli.Tell) func(train.Progress) {
	doing, next := "", 0.0
	return func(p train.Progress) {
		if p.Doing != doing {
			doing, next = p.Doing, 0
		}
		if p.Done >= next {
			next = math.Floor(10*p.Done)/10 + 0.0999
			tell(cli.Training{Doing: p.Doing, Done: p.Done})
		}
	}
}

func trained(m *own.Model, file string, took time.Duration) cli.Trained {
	share := func(n, of int) cli.Share {
		low, high := train.Wilson(n, of)
		return cli.Share{Count: n, Of: of, Low: low, High: high}
	}
	h := m.Held
	return cli.Trained{
		Phrase: m.Phrase, File: file, Threshold: m.Threshold,
		Missed: share(h.Missed, h.Words), MissedNoisy: share(h.NoisyMissed, h.Noisy), MissedYours: share(h.UserMissed, h.User),
		FalseNear: share(h.NearFalse, h.Near), False: h.False, Other: cli.Seconds(h.Other * float64(time.Second)),
		FalseHigh: train.AtMost(h.False) / max(h.Other/3600, 1e-3), Elapsed: cli.Seconds(took),
	}
}

// guises are voices of espeak-ng, each an accent in a disguise.
var guises = strings.Fields(`en-us+f1 en-gb+f2 en-gb-scotland+f3 en-gb-x-rp+f4 en-029+f5 en-us-nyc+m1 en-gb-x-gbclan+m2 en-us+m3 en-gb+m4
	en-gb-scotland+m5 en-gb-x-rp+m6 en-029+m7 en-us-nyc+m8 en-gb-x-gbclan+belinda en-us+benjamin en-gb+david en-gb-scotland+edward en-gb-x-rp+linda
	en-029+marcelo en-us-nyc+Mike en-gb-x-gbclan+norbert en-us+paul en-gb+quincy en-gb-scotland+rob en-gb-x-rp+shelby en-029+steph en-us-nyc+travis
	en-gb-x-gbclan+victor en-us+Lee en-gb+Jacky en-gb-scotland+Hugo en-gb-x-rp+Andy en-029+Annie en-us-nyc+Alicia`)

// teachers are the English voices at hand. Those that sound like people say as much as espeak-ng's many.
func (a *app) teachers() []train.Voice {
	var human, robots []train.Voice
	for _, m := range a.speechEngines() {
		e, err := m.make()
		if err != nil {
			continue // solo doctor tells why
		}
		if m.name == "espeak" {
			for _, g := range guises {
				robots = append(robots, teacher(m.name, e, g))
			}
			continue
		}
		for _, v := range e.Voices() {
			if inLanguage(v.Lang, "en") {
				human = append(human, teacher(m.name, e, strings.TrimPrefix(v.ID, m.name+"/")))
			}
		}
	}
	all := robots
	for len(human) > 0 && (len(all) < len(robots)+max(len(robots)/2, 1)) {
		all = append(all, human...)
	}
	return all
}

func teacher(engine string, e synth, name string) train.Voice {
	return train.Voice{Name: engine + " " + name, Say: func(ctx context.Context, text string, pace float64) (audio.Clip, error) {
		return spoken(ctx, e, text, voices.Phrase{Voice: name, Pace: pace})
	}}
}
