// Package sapi speaks with the voices that Windows has, through one PowerShell that is kept.
//
// The child runs a script of its own (sapi.ps1), given as an argument. Orders and answers are lines of ASCII: texts,
// names and sound travel in base64, so that no code page and no quoting can change them.
package sapi

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/core/proc"
	"github.com/solo-assistant/solo/voices"
	"github.com/solo-assistant/solo/voices/internal/clerk"
)

// ErrAbsent says that this is no Windows, or one without PowerShell.
var ErrAbsent = errors.New("the voices of Windows are not here; they need Windows and its PowerShell")

//go:embed sapi.ps1
var script string

// Config is what an Engine needs to know; its zero value is enough.
type Config struct {
	Program string        // a PowerShell 5, "" for the one that Windows has
	Limit   time.Duration // how long a sentence may take, 20 s and more for long ones
	Idle    time.Duration // how long the child is kept in silence, 10 minutes
}

// Engine speaks with the voices of Windows. It may be used by several goroutines at once.
type Engine struct {
	limit time.Duration
	clerk *clerk.Clerk[order, answer]

	mu    sync.Mutex
	known []voices.Voice // asked once
}

// order is a line for the script; answer is what came back.
type (
	order  string
	answer struct {
		wav    []byte
		voices []voices.Voice
	}
)

// New finds PowerShell and starts nothing; ErrAbsent where there is none.
func New(c Config) (*Engine, error) {
	path, err := c.program()
	if err != nil {
		return nil, ErrAbsent
	}
	e := &Engine{limit: cmp.Or(c.Limit, 20*time.Second)}
	e.clerk = clerk.New(clerk.Config[order, answer]{
		Proc: proc.Config{Name: "powershell", Path: path, Args: []string{"-NoLogo", "-NoProfile", "-NonInteractive", "-EncodedCommand", encoded(script)}, Words: 12},
		Do:   do,
		Idle: cmp.Or(c.Idle, 10*time.Minute),
	})
	return e, nil
}

func (c Config) program() (string, error) {
	switch {
	case c.Program != "":
		return exec.LookPath(c.Program)
	case runtime.GOOS != "windows":
		return "", ErrAbsent
	}
	// Not the one in PATH, which may be PowerShell 7: that has no System.Speech.
	return exec.LookPath(filepath.Join(cmp.Or(os.Getenv("SystemRoot"), `C:\Windows`), "System32", "WindowsPowerShell", "v1.0", "powershell.exe"))
}

// encoded is a script as -EncodedCommand takes it: UTF-16, little endian, in base64.
func encoded(script string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(script)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return base64.StdEncoding.EncodeToString(b)
}

// Version names the engine's age.
func (e *Engine) Version(context.Context) string { return "SAPI 5" }

// Close ends the child.
func (e *Engine) Close() error { return e.clerk.Close() }

// Warm starts the child ahead of the first sentence.
func (e *Engine) Warm() error { return e.clerk.Warm() }

// Voices lists the voices that are installed, such as "sapi/Microsoft Zira Desktop".
func (e *Engine) Voices() []voices.Voice {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.known == nil {
		a, err := e.clerk.Ask(context.Background(), "VOICES", e.limit)
		if err != nil {
			return nil
		}
		e.known = a.voices
	}
	return e.known
}

// Synthesize speaks one phrase as one mono clip, at 22,050 Hz for most voices.
func (e *Engine) Synthesize(ctx context.Context, p voices.Phrase) iter.Seq2[audio.Clip, error] {
	return func(yield func(audio.Clip, error) bool) {
		clip, err := e.say(ctx, p)
		if err != nil {
			err = fmt.Errorf("sapi: %w", err)
		}
		yield(clip, err)
	}
}

func (e *Engine) say(ctx context.Context, p voices.Phrase) (audio.Clip, error) {
	name := "-"
	if p.Voice != "" {
		name = packed(p.Voice)
	}
	o := fmt.Sprintf("SAY %d %s %s", rate(p.Pace), name, packed(strings.ToValidUTF8(p.Text, " ")))
	a, err := e.clerk.Ask(ctx, order(o), e.limit+time.Duration(len(p.Text))*100*time.Millisecond)
	if err != nil {
		return audio.Clip{}, err
	}
	c, err := audio.ReadWAV(bytes.NewReader(a.wav))
	if err != nil {
		return c, err
	}
	return c.Mono(c.Format.Rate), nil
}

// rate is the engine's measure of pace: 10 is three times as fast, -10 a third.
func rate(pace float64) int {
	pace = min(max(cmp.Or(pace, 1), 0.5), 3)
	return int(math.Round(10 * math.Log(pace) / math.Log(3)))
}

func packed(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// longestAnswer bounds one line: 64 MB of sound in base64.
const longestAnswer = 86 << 20

// do gives an order and reads the lines that answer it.
func do(w *clerk.Wires, o order) (answer, error) {
	var a answer
	if _, err := w.Out.Discard(w.Out.Buffered()); err != nil { // what came unasked
		return a, err
	}
	if _, err := io.WriteString(w.In, string(o)+"\n"); err != nil {
		return a, err
	}
	for {
		line, err := readLine(w.Out)
		if err != nil {
			return a, err
		}
		kind, rest, _ := strings.Cut(line, " ")
		switch kind {
		case "WAV":
			a.wav, err = base64.StdEncoding.DecodeString(rest)
			return a, err
		case "END":
			return a, nil
		case "VOICE":
			if v, ok := voice(rest); ok {
				a.voices = append(a.voices, v)
			}
		case "ERR":
			text, err := base64.StdEncoding.DecodeString(rest)
			if err != nil {
				return a, fmt.Errorf("an error that cannot be read: %w", err)
			}
			return a, &clerk.Refusal{Err: errors.New(strings.ToValidUTF8(string(text[:min(len(text), 300)]), "?"))}
		} // anything else is chatter
	}
}

func readLine(r *bufio.Reader) (string, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return strings.TrimRight(string(line), "\r\n"), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return "", err
		case len(line) > longestAnswer:
			return "", errors.New("its answer does not end")
		}
	}
}

// voice reads "NAME-IN-BASE64 en-US Female".
func voice(text string) (voices.Voice, bool) {
	f := strings.Fields(text)
	if len(f) == 0 {
		return voices.Voice{}, false
	}
	name, err := base64.StdEncoding.DecodeString(f[0])
	if err != nil || len(name) == 0 {
		return voices.Voice{}, false
	}
	v := voices.Voice{ID: "sapi/" + string(name)}
	if len(f) > 1 {
		v.Lang = f[1]
	}
	if len(f) > 2 && (f[2] == "Female" || f[2] == "Male") {
		v.Gender = strings.ToLower(f[2])
	}
	return v, true
}
