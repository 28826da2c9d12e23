package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/core/mind"
	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/core/tool/help"
	"github.com/solo-assistant/solo/core/tool/talk"
	"github.com/solo-assistant/solo/voices"
	"github.com/solo-assistant/solo/voices/cached"
	"github.com/solo-assistant/solo/voices/piper"
)

// newVoice makes the configured speech engine, or the best that is installed. Fixed phrases are kept on disk.
func (a *app) newVoice() (*voice, error) {
	name, engine, err := a.chooseVoice()
	if err != nil {
		return nil, err
	}
	// Its programs are asked for their version when somebody wants to know, not while Solo starts.
	title := sync.OnceValue(func() string { return name + " " + engine.Version(context.Background()) })
	return &voice{cached.New(engine, cached.Config{Name: title, Folder: filepath.Join(a.home.cache, "voices"), Fixed: fixed, Log: a.log}), engine, name, title}, nil
}

// voice is the engine in use, with what it can beside speaking.
type voice struct {
	*cached.Engine
	inner synth
	name  string
	title func() string // name and version
}

// Close ends the engine's programs.
func (v *voice) Close() error {
	if c, ok := v.inner.(interface{ Close() error }); ok {
		return c.Close()
	}
	return nil
}

// Serve keeps the engine's programs ready until ctx ends.
func (v *voice) Serve(ctx context.Context) error {
	if s, ok := v.inner.(interface{ Serve(context.Context) error }); ok {
		return s.Serve(ctx)
	}
	<-ctx.Done()
	return nil
}

func (v *voice) String() string { return "voice" }

// voiceService keeps the voice's programs ready, where it has any.
func (s *assistant) voiceService() []supervise.Service {
	if s.synth == nil {
		return nil
	}
	s.hold(s.synth)
	if _, lives := s.synth.inner.(supervise.Service); !lives {
		return nil
	}
	return []supervise.Service{supervise.Keep{Service: s.synth, Patience: time.Millisecond}}
}

// chooseVoice is the configured engine. Without one it is the first that knows the configured voice, else the first.
func (a *app) chooseVoice() (string, synth, error) {
	want, name := a.settings.Voice.Engine, a.settings.Voice.Name
	var errs []error
	var first synth
	var firstName string
	for _, m := range a.speechEngines() {
		if want != "auto" && want != "" && want != m.name {
			continue
		}
		e, err := m.make()
		switch {
		case err != nil:
			if !m.optional || want == m.name {
				errs = append(errs, err)
			}
		case want == m.name, name == "", knows(e, m.name, name):
			return m.name, e, nil
		case first == nil:
			first, firstName = e, m.name
		}
	}
	if first != nil {
		return firstName, first, nil
	}
	return "", nil, errors.Join(errs...)
}

func knows(e synth, engine, name string) bool {
	bare, _, _ := strings.Cut(name, "#")
	return slices.ContainsFunc(e.Voices(), func(v voices.Voice) bool { return v.ID == engine+"/"+bare })
}

// fixedPhrases are sentences that Solo says to everyone; what it says beside them is nobody's business.
var fixedPhrases = append([]string{
	"Sorry, I could not make that out.", "Sorry, something went wrong with that.", "Sorry, that did not work.", "Sorry, that took too long.",
	"Please say yes or no.", "I still did not understand. Let's leave it.", "At what time?", "Let me work through that.", trySentence,
	"I'm at work on it, and I'll tell you when it's done.", "There is more; say go on if you want it.", "One thing at a time; ask me for the rest again afterwards.",
	help.Abilities, help.Identity,
}, slices.Concat(mind.Fillers, talk.Fixed)...)

const trySentence = "This is how I sound. It is twenty past four in the afternoon."

var fixedSet = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for _, p := range fixedPhrases {
		for _, s := range voices.Split(p) {
			set[voices.Plain(s)] = true
		}
	}
	return set
})

func fixed(text string) bool { return fixedSet()[text] }

// Voices lists the voices of every engine that is here.
func (a *app) Voices(_ context.Context, lang string, tell cli.Tell) error {
	used, usedEngine, err := a.chooseVoice()
	if err != nil {
		return err
	}
	own := a.ownVoice(used, usedEngine)
	closeVoice(usedEngine)
	for _, m := range a.speechEngines() {
		e, err := m.make()
		if err != nil {
			continue // solo doctor tells why
		}
		for _, v := range found(m.name, e) {
			v.Used = v.Voice == own
			if inLanguage(v.Lang, lang) {
				tell(v)
			}
		}
		closeVoice(e)
	}
	return nil
}

// inLanguage is whether a voice of one language serves who wants another: en takes en-US, en-GB only itself.
func inLanguage(has, want string) bool {
	has, want = strings.ToLower(has), strings.ToLower(want)
	return want == "" || has == want || strings.HasPrefix(has, want+"-")
}

func closeVoice(e synth) {
	if c, ok := e.(interface{ Close() error }); ok {
		_ = c.Close() // its programs are ended, one way or the other
	}
}

// found describes the voices of one engine.
func found(engine string, e synth) (list []cli.VoiceFound) {
	if p, ok := e.(*piper.Engine); ok {
		for _, v := range p.Installed() {
			list = append(list, cli.VoiceFound{Voice: "piper/" + v.Name, Engine: engine, Name: v.Name, Lang: v.Lang, Quality: v.Quality, Speakers: v.Speakers, Bytes: v.Bytes, From: v.Path})
		}
		return list
	}
	for _, v := range e.Voices() {
		_, name, _ := strings.Cut(v.ID, "/")
		list = append(list, cli.VoiceFound{Voice: engine + "/" + name, Engine: engine, Name: name, Lang: v.Lang, Gender: v.Gender, From: "comes with " + origins[engine]})
	}
	return list
}

var origins = map[string]string{"flite": "flite", "espeak": "espeak-ng", "sapi": "Windows", "say": "macOS", "sherpa": "the model"}

// ownVoice is the voice that speaks now, as solo voices use takes it.
func (a *app) ownVoice(engine string, e synth) string {
	name := a.settings.Voice.Name
	if d, ok := e.(interface{ Default() string }); ok && name == "" {
		name = d.Default()
	}
	if name == "" {
		return engine
	}
	return engine + "/" + name
}

// voiceNamed finds the engine of a voice: "piper/en_US-lessac-medium", "slt", or an engine alone for its first voice.
func (a *app) voiceNamed(name string) (engine string, e synth, bare string, err error) {
	prefix, rest, full := strings.Cut(name, "/")
	var missing error
	for _, m := range a.speechEngines() {
		if full && m.name != prefix {
			continue
		}
		e, err := m.make()
		if err != nil {
			if m.name == prefix {
				missing = err
			}
			continue
		}
		switch {
		case name == m.name:
			return m.name, e, "", nil
		case full && knows(e, m.name, rest):
			return m.name, e, rest, nil
		case !full && knows(e, m.name, name):
			return m.name, e, name, nil
		}
		closeVoice(e)
	}
	if missing == nil {
		missing = fmt.Errorf("there is no voice %q", name)
	}
	return "", nil, "", &cli.Failure{Code: "no_voice", Hint: "solo voices list tells which there are", Err: missing}
}

// TryVoice says a sentence in a voice.
func (a *app) TryVoice(ctx context.Context, o cli.TryVoice) error {
	_, e, name, err := a.voiceNamed(o.Name)
	if err != nil {
		return err
	}
	defer closeVoice(e)
	text := o.Text
	if text == "" {
		text = trySentence
	}
	c := a.settings.Voice.Config
	c.Name = name
	if o.Out == "" {
		return a.aloud(ctx, e, c, text)
	}
	said, err := spoken(ctx, e, text, voices.Phrase{Voice: name, Pace: c.Pace})
	if err != nil {
		return err
	}
	if len(said.PCM) == 0 {
		return errors.New("there is nothing in that text to be spoken")
	}
	return writeWAV(o.Out, said)
}

func writeWAV(path string, clip audio.Clip) error {
	f, err := os.Create(path)
	if err != nil {
		return &cli.Failure{File: path, Code: "unwritable", Hint: "choose another file for --out", Err: err}
	}
	return errors.Join(audio.WriteWAV(f, clip), f.Close())
}

// UseVoice writes a voice into the settings, where the next start finds it.
func (a *app) UseVoice(_ context.Context, name string, tell cli.Tell) error {
	engine, e, bare, err := a.voiceNamed(name)
	if err != nil {
		return err
	}
	defer closeVoice(e)
	used := cli.VoiceUsed{Voice: strings.TrimSuffix(engine+"/"+bare, "/"), File: a.home.file()}
	if old, was, err := a.chooseVoice(); err == nil {
		used.Before = a.ownVoice(old, was)
		closeVoice(was)
	}
	if err := errors.Join(config.Set(a.home.file(), "voice.engine", engine), config.Set(a.home.file(), "voice.name", bare)); err != nil {
		return &cli.Failure{File: a.home.file(), Code: "unwritable", Err: err}
	}
	tell(used)
	for _, v := range a.report {
		if (v.Key == "voice.engine" || v.Key == "voice.name") && (v.From != "default" && !strings.HasPrefix(v.From, a.home.file())) {
			tell(cli.Note{Text: fmt.Sprintf("%s is also set by %s, which is stronger.", v.Key, v.From)})
		}
	}
	return nil
}

func (a *app) examinePiper(ctx context.Context) cli.Engine {
	e, err := piper.New(a.piperConfig())
	if err != nil {
		return examined("voice", "piper", "", err)
	}
	defer closeVoice(e)
	return examined("voice", "piper", fmt.Sprintf("%s, %d voices", e.Version(ctx), len(e.Voices())), nil)
}
