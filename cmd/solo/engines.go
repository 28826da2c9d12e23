package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"

	"github.com/solo-assistant/solo/audio/listen"
	"github.com/solo-assistant/solo/audio/stt/sphinx"
	"github.com/solo-assistant/solo/audio/vad/silero"
	"github.com/solo-assistant/solo/audio/vad/webrtc"
	"github.com/solo-assistant/solo/core/intent"
	"github.com/solo-assistant/solo/voices"
	"github.com/solo-assistant/solo/voices/espeak"
	"github.com/solo-assistant/solo/voices/flite"
	"github.com/solo-assistant/solo/voices/macsay"
	"github.com/solo-assistant/solo/voices/piper"
	"github.com/solo-assistant/solo/voices/sapi"
	"github.com/solo-assistant/solo/voices/sherpa"
	"github.com/solo-assistant/solo/voices/speak"
)

// This file is the table of engines: the one place that knows them by name.

// synth is a speech engine with its voices.
type synth interface {
	speak.Synth
	Voices() []voices.Voice
	Version(ctx context.Context) string
}

// newWake makes the wake word detector, for the configured words or the one given.
func (a *app) newWake(word string) (wakeEngine, error) {
	if a.settings.Wake.Engine == "own" || a.trainedFor(word) {
		return a.ownWake(word)
	}
	return a.porcupineWake(word)
}

// silero's weights in the data folder.
func (a *app) sileroWeights() string {
	return filepath.Join(a.home.weights(), "silero_vad_16k.safetensors")
}

// newVAD makes the configured voice activity detector.
func (a *app) newVAD() (listen.VAD, error) {
	if name, _ := a.vadEngine(); name == "silero" {
		return silero.New(silero.Config{Weights: a.sileroWeights()})
	}
	return webrtc.New(webrtc.Config{})
}

// vadEngine is the configured voice activity detector, or the best that is there. The error says that its weights are not.
func (a *app) vadEngine() (string, error) {
	_, err := os.Stat(a.sileroWeights())
	if want := a.settings.VAD.Engine; want == "silero" || want == "auto" && err == nil {
		return "silero", err
	}
	return "webrtc", nil
}

// commands are what Solo understands without a model; they are read once.
var commands = sync.OnceValue(intent.English)

// english is commands for those who are put together before the first of them is said.
type english struct{}

func (english) Understand(text string) (name string, slots map[string]string, ok bool) {
	return commands().Understand(text)
}

func (english) Near(text string) (suggestion, intent string, ok bool) { return commands().Near(text) }

// newRecogniser makes the recogniser for Solo's own commands.
func (a *app) newRecogniser() (*sphinx.Engine, error) {
	c := a.settings.STT
	c.Cache = filepath.Join(a.home.cache, "sphinx")
	c.Grammar, c.Sentences, c.Classes = commands().JSGF(), commands().Sentences(), commands().Classes()
	c.FreeSpan = commands().Free
	c.Meaning = commands().Meaning
	c.Log = a.log
	return sphinx.New(c)
}

// speechEngine is a way to speak.
type speechEngine struct {
	name     string
	optional bool // not worth a word where it is missing
	make     func() (synth, error)
}

// speechEngines are all of them, the best first.
func (a *app) speechEngines() []speechEngine {
	return []speechEngine{
		{"piper", true, func() (synth, error) { return piper.New(a.piperConfig()) }},
		{"sherpa", true, func() (synth, error) { return sherpa.New(a.sherpaConfig()) }},
		{"sapi", true, func() (synth, error) { return sapi.New(sapi.Config{}) }},
		{"say", true, func() (synth, error) { return macsay.New(macsay.Config{}) }},
		{"flite", false, func() (synth, error) { return flite.New() }},
		{"espeak", false, func() (synth, error) { return espeak.New() }},
	}
}

func (a *app) piperConfig() piper.Config {
	return piper.Config{Settings: a.settings.Piper, Data: a.home.data, Temp: filepath.Join(a.home.cache, "piper"), First: a.settings.Voice.Name, Log: a.log}
}

// builtWith names what the build has that others may lack.
func builtWith() []string {
	var with []string
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "CGO_ENABLED" && s.Value == "1":
			with = append(with, "cgo")
		case s.Key == "-tags" && s.Value != "":
			with = append(with, s.Value)
		}
	}
	if with == nil {
		with = []string{"pure Go"}
	}
	return with
}
