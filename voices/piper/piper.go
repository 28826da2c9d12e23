// Package piper speaks through Piper, a neural speech engine, in a child program that keeps its voice loaded.
//
// Three programs of that name are known: the C++ build of rhasspy/piper (MIT), and the C++ and the Python builds of
// piper1-gpl (GPL-3, run as programs and never linked). They take a line of text and give a WAV, each in its own way;
// which one is at hand is found out from what it says of itself (see build.go). A program holds one voice, one speaker
// and one pace; two are kept at once, and the one that was not used for longest makes room.
//
// An Engine may be used by several goroutines at once. Serve keeps the first voice loaded; without it, the first
// sentence waits for the voice.
package piper

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/voices"
)

// ErrAbsent says that there is no Piper program.
var ErrAbsent = errors.New("piper is not installed; solo models pull piper")

// ErrNoVoice says that there is a program, but no voice for it.
var ErrNoVoice = errors.New("there is no Piper voice; put a voice's .onnx and .onnx.json into Solo's voices folder")

// Settings are the user's.
type Settings struct {
	Program  string        `toml:"program" default:"" doc:"Piper program, or a Python that has piper-tts; empty: the one in PATH or in Solo's data folder"`
	Folder   string        `toml:"folder" default:"" doc:"folder of voices (.onnx with .onnx.json); empty: voices in Solo's data folder"`
	Pause    float64       `toml:"pause" default:"0.1" min:"0" max:"2" doc:"seconds of silence between the sentences of one text"`
	CUDA     bool          `toml:"cuda" default:"false" doc:"speak by the graphics card, where the program can"`
	Limit    time.Duration `toml:"limit" default:"20s" min:"1s" max:"5m" doc:"how long a sentence may take before the program is started anew; long ones get more"`
	KeepIdle time.Duration `toml:"keep_idle" default:"0s" min:"0s" max:"168h" doc:"give a voice's memory back after so long in silence; 0s: never"`
}

// Config is what an Engine needs to know.
type Config struct {
	Settings
	Data  string         `toml:"-"` // Solo's data folder: voices in voices/ and models/, programs in bin/ or piper*/
	Temp  string         `toml:"-"` // folder for sound on its way, "" for the system's
	First string         `toml:"-"` // the voice that a Phrase without one means, "" for the best that is there
	Log   zerolog.Logger `toml:"-"`
}

// Engine speaks with the voices of one folder.
type Engine struct {
	conf  Config
	build build
	pool  pool
}

// New finds the program and at least one voice; it starts nothing that stays. The error is ErrAbsent, ErrNoVoice, or
// says which setting is wrong.
func New(c Config) (*Engine, error) {
	if c.Limit <= 0 {
		c.Limit = 20 * time.Second
	}
	c.Log = c.Log.With().Str("engine", "piper").Logger()
	e := &Engine{conf: c}
	e.pool.open = e.open
	if _, err := e.first(); err != nil {
		if _, absent := c.program(context.Background()); absent != nil {
			err = absent
		}
		return nil, err
	}
	var err error
	e.build, err = c.program(context.Background())
	return e, err
}

// String names the service.
func (e *Engine) String() string { return "piper" }

// Version tells which Piper it is, such as "1.7.0 (C++, GPL-3)".
func (e *Engine) Version(context.Context) string { return e.build.String() }

// Serve keeps the first voice loaded until ctx ends.
func (e *Engine) Serve(ctx context.Context) error {
	v, err := e.first()
	if err == nil {
		err = e.pool.warm(e.key(v, 1))
	}
	if err != nil {
		return fmt.Errorf("piper: %w", err)
	}
	supervise.Ready(ctx)
	<-ctx.Done()
	return e.pool.close(false)
}

// Close ends all programs.
func (e *Engine) Close() error { return e.pool.close(true) }

// Synthesize speaks one phrase as one mono clip at the voice's own rate, 16 or 22.05 kHz. Phrase.Voice is a voice as
// Voices names it, perhaps with a speaker's name or number behind a #: "en_US-libritts-high#12".
func (e *Engine) Synthesize(ctx context.Context, p voices.Phrase) iter.Seq2[audio.Clip, error] {
	return func(yield func(audio.Clip, error) bool) {
		clip, err := e.say(ctx, p)
		if err != nil {
			err = fmt.Errorf("piper: %w", err)
		}
		yield(clip, err)
	}
}

func (e *Engine) say(ctx context.Context, p voices.Phrase) (audio.Clip, error) {
	if ctx.Err() != nil {
		return audio.Clip{}, context.Cause(ctx)
	}
	v, err := e.find(p.Voice)
	if err != nil {
		return audio.Clip{}, err
	}
	text := line(p.Text)
	if text == "" { // some builds die of a line without a word
		return audio.Clip{Format: audio.Format{Rate: v.Rate, Channels: 1}}, nil
	}
	limit := e.conf.Limit + time.Duration(len(text))*100*time.Millisecond
	return e.pool.ask(ctx, e.key(v, p.Pace), text, limit)
}

// line makes text one line: a line is one sentence to all programs. "" where nothing in it can be spoken.
func line(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, " "))
	if !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return ""
	}
	return strings.Join(strings.Fields(text), " ")
}

// folders are where voices may lie.
func (c Config) folders() []string {
	if c.Folder != "" {
		return []string{c.Folder}
	}
	if c.Data == "" {
		return nil
	}
	return []string{filepath.Join(c.Data, "voices"), filepath.Join(c.Data, "voices", "piper"), filepath.Join(c.Data, "models"), filepath.Join(c.Data, "models", "piper")}
}
