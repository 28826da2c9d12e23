// Package sherpa speaks with Piper and Kokoro voices within Solo, by sherpa-onnx.
//
// A voice is a folder, as sherpa-onnx's release archives hold them: a model (.onnx), tokens.txt, espeak-ng-data, and
// voices.bin where it is Kokoro's. The library ends the whole program where a model lacks what it looks for, so every file
// is looked into before it gets one, and a voice is tried in another program first. It is compiled in with cgo and the build tag sherpa; without them New returns
// ErrAbsent. An Engine may be used by several goroutines; sentences are spoken one after the other.
package sherpa

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/voices"
)

var (
	// ErrAbsent says that this program was built without sherpa-onnx.
	ErrAbsent = errors.New("this Solo was built without sherpa-onnx; build it with -tags \"sphinx sherpa\"")
	// ErrNoVoice says that there is no voice.
	ErrNoVoice = errors.New("there is no voice for sherpa-onnx; unpack one of its archives (vits-piper-... or kokoro-...) into voices/sherpa in Solo's data folder")
)

// Config says where voices are.
type Config struct {
	Folder  string // of voices, each a folder
	Threads int    // 0 is one
	// Try opens a voice's folder in a program of its own, by Trial, before it is opened in this one; nil: no try.
	Try func(ctx context.Context, dir string) error
	Log zerolog.Logger
}

// Engine speaks with the voices of one folder.
type Engine struct {
	c     Config
	open  func(p place, threads int) (talker, error)
	found []place
	turn  chan struct{} // held while a voice is loaded or speaks

	now  string // the voice that is loaded, "" for none
	talk talker

	tried map[string]bool // voices that work
}

// talker is a voice in memory.
type talker interface {
	speak(text string, speaker int, pace float64) (audio.Clip, error)
	free()
}

// New finds the voices; it loads none. Errors: ErrAbsent, ErrNoVoice; a voice that cannot be used is logged and left out.
func New(c Config) (*Engine, error) {
	if !builtIn {
		return nil, ErrAbsent
	}
	return newEngine(c, open)
}

func newEngine(c Config, open func(place, int) (talker, error)) (*Engine, error) {
	e := &Engine{c: c, open: open, tried: map[string]bool{}, turn: make(chan struct{}, 1)}
	dirs, _ := filepath.Glob(filepath.Join(escaped(c.Folder), "*", "tokens.txt")) // the pattern is well formed
	var flaws []error
	for _, d := range dirs {
		p, err := look(filepath.Dir(d))
		if err != nil {
			flaws = append(flaws, err)
			c.Log.Warn().Err(err).Str("engine", "sherpa").Msg("a voice cannot be used")
			continue
		}
		e.found = append(e.found, p)
	}
	if len(e.found) == 0 {
		return nil, errors.Join(append([]error{ErrNoVoice}, flaws...)...)
	}
	return e, nil
}

// escaped is a folder's name as a pattern that fits it alone.
func escaped(dir string) string {
	return strings.NewReplacer(`[`, `[[]`, `*`, `[*]`, `?`, `[?]`).Replace(dir)
}

// Version names the library.
func (e *Engine) Version(context.Context) string { return "sherpa-onnx " + library }

// Voices are all that were found; one of many speakers is named once.
func (e *Engine) Voices() []voices.Voice {
	var all []voices.Voice
	for _, p := range e.found {
		all = append(all, voices.Voice{ID: "sherpa/" + p.name, Lang: p.lang})
	}
	return all
}

// Synthesize speaks one phrase as one mono clip at the voice's own rate. Phrase.Voice is a voice as Voices names it,
// perhaps with a speaker's number behind a #: "kokoro-en-v0_19#3".
func (e *Engine) Synthesize(ctx context.Context, p voices.Phrase) iter.Seq2[audio.Clip, error] {
	return func(yield func(audio.Clip, error) bool) {
		clip, err := e.say(ctx, p)
		if err != nil {
			err = fmt.Errorf("sherpa-onnx: %w", err)
		}
		yield(clip, err)
	}
}

func (e *Engine) say(ctx context.Context, p voices.Phrase) (audio.Clip, error) {
	v, speaker, err := e.find(p.Voice)
	if err != nil {
		return audio.Clip{}, err
	}
	text := spoken(p.Text)
	if text == "" {
		return audio.Clip{Format: audio.Format{Rate: v.rate, Channels: 1}}, nil
	}
	select {
	case e.turn <- struct{}{}:
	case <-ctx.Done():
		return audio.Clip{}, context.Cause(ctx)
	}
	defer func() { <-e.turn }()
	if ctx.Err() != nil {
		return audio.Clip{}, context.Cause(ctx)
	}
	if err := e.load(ctx, v); err != nil {
		return audio.Clip{}, err
	}
	pace := p.Pace
	if pace <= 0 {
		pace = 1
	}
	clip, err := e.talk.speak(text, speaker, min(max(pace, 0.3), 4))
	if ctx.Err() != nil {
		return audio.Clip{}, context.Cause(ctx)
	}
	return clip, err
}

// load brings a voice into memory in place of the one before. The turn is held.
func (e *Engine) load(ctx context.Context, p place) error {
	if e.now == p.name {
		return nil
	}
	if e.c.Try != nil && !e.tried[p.name] {
		if err := e.c.Try(ctx, p.dir); err != nil {
			return fmt.Errorf("the voice %s does not work; unpack its archive again: %w", p.name, err)
		}
		e.tried[p.name] = true
	}
	e.free()
	t, err := e.open(p, max(e.c.Threads, 1))
	if err != nil {
		return fmt.Errorf("loading the voice %s: %w", p.name, err)
	}
	e.now, e.talk = p.name, t
	return nil
}

func (e *Engine) free() {
	if e.talk != nil {
		e.talk.free()
	}
	e.now, e.talk = "", nil
}

// Close frees the voice in memory; the next phrase loads one again.
func (e *Engine) Close() error {
	e.turn <- struct{}{}
	defer func() { <-e.turn }()
	e.free()
	return nil
}

// find is a voice and a speaker by name; "" is the first.
func (e *Engine) find(name string) (place, int, error) {
	name, number, has := strings.Cut(strings.TrimPrefix(name, "sherpa/"), "#")
	i := slices.IndexFunc(e.found, func(p place) bool { return p.name == name || name == "" })
	if i < 0 {
		return place{}, 0, fmt.Errorf("there is no voice %q; solo voices list tells which there are", name)
	}
	speaker := 0
	if has {
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 || n >= e.found[i].speakers {
			return place{}, 0, fmt.Errorf("the voice %s has speakers 0 to %d, not %q", e.found[i].name, e.found[i].speakers-1, number)
		}
		speaker = n
	}
	return e.found[i], speaker, nil
}

// spoken is a text as one line, "" where nothing in it can be said.
func spoken(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, " "))
	if !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return ""
	}
	return strings.Join(strings.Fields(text), " ")
}

// Trial opens the voice in a folder and says a word. Where its files are damaged the library may end the program.
func Trial(dir string) error {
	p, err := look(dir)
	if err != nil {
		return err
	}
	t, err := open(p, 1)
	if err != nil {
		return err
	}
	defer t.free()
	_, err = t.speak("yes", 0, 1)
	return err
}
