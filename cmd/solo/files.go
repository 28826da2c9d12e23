package main

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/codec"
	"github.com/solo-assistant/solo/audio/stt/sphinx"
	"github.com/solo-assistant/solo/core/channel/cli"
)

// Transcribe writes down what is said in each file: by the user's grammar, by Whisper where it is there, or by dictation.
func (a *app) Transcribe(ctx context.Context, o cli.Transcribe, tell cli.Tell) error {
	p, err := a.newPen(ctx, o.Engine, o.Grammar)
	if err != nil {
		return err
	}
	defer p.Close()
	for _, path := range o.Files {
		line, err := transcribe(ctx, path, p.write)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			tell(cli.Fail(err))
		}
		if line != nil {
			tell(*line)
		}
	}
	return nil
}

// transcribe writes down one file. One that breaks off gives both what could be had and an error.
func transcribe(ctx context.Context, path string, write writer) (*cli.Transcript, error) {
	in, err := codec.OpenFile(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer in.Close()
	began := time.Now()
	sound := &counted{in: in}
	said, err := write(ctx, sound)
	took := time.Since(began)
	var broken error
	if sound.err != nil {
		broken = &cli.Failure{File: path, Code: "truncated", Hint: "what came before was transcribed", Err: sound.err}
	}
	if err != nil {
		return nil, errors.Join(broken, scribeFailure(path, err))
	}
	length := audio.Time(sound.n, audio.Rate)
	return &cli.Transcript{
		File: path, Text: said.Text, Engine: said.Engine, Duration: cli.Seconds(length), Elapsed: cli.Millis(took),
		RTF: took.Seconds() / max(length.Seconds(), 0.001),
	}, broken
}

func scribeFailure(path string, err error) error {
	if errors.Is(err, audio.ErrNoSpeech) {
		return &cli.Failure{File: path, Code: "silence", Hint: "is it speech, and loud enough?", Err: err}
	}
	return &cli.Failure{File: path, Code: "failed", Err: err}
}

// writer turns sound into text.
type writer func(ctx context.Context, in sphinx.Samples) (audio.Transcript, error)

// scribe makes the recogniser for whole files.
func (a *app) scribe(grammar string) (writer, io.Closer, error) {
	c := a.settings.STT
	c.Log = a.log
	if grammar != "" {
		text, err := os.ReadFile(grammar)
		if err != nil {
			return nil, nil, &cli.Failure{File: grammar, Code: "unreadable", Hint: "check the name of the grammar", Err: err}
		}
		c.Grammar = string(text)
	} else {
		c.Dictate = true
	}
	e, err := sphinx.New(c)
	if err != nil {
		if grammar != "" && !errors.Is(err, sphinx.ErrAbsent) {
			err = &cli.Failure{File: grammar, Code: "grammar", Err: err}
		}
		return nil, nil, err
	}
	return e.Transcribe, e, nil
}

// Wake finds wake words in each file.
func (a *app) Wake(ctx context.Context, o cli.Wake, tell cli.Tell) error {
	wake, err := a.newWake(o.Word)
	if err != nil {
		return err
	}
	defer wake.Close()
	for _, path := range o.Files {
		wake.Reset()
		if err := findWake(ctx, path, wake, tell); err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			tell(cli.Fail(err))
		}
	}
	return nil
}

// feeder is a wake word detector.
type feeder interface {
	Feed(pcm []int16) (audio.Hit, bool, error)
}

func findWake(ctx context.Context, path string, wake feeder, tell cli.Tell) error {
	in, err := codec.OpenFile(path)
	if err != nil {
		return unreadable(path, err)
	}
	defer in.Close()
	began := time.Now()
	sound := &counted{in: in}
	hear := func(pcm []int16) error {
		hit, ok, err := wake.Feed(pcm)
		if ok {
			tell(cli.Found{File: path, At: cli.Seconds(audio.Time(sound.n, audio.Rate)), Word: hit.Word, Score: cli.Score(hit.Score)})
		}
		return err
	}
	pcm := make([]int16, audio.FrameLen)
	for ctx.Err() == nil {
		n, err := sound.Read(pcm)
		if herr := hear(pcm[:n]); herr != nil {
			return &cli.Failure{File: path, Code: "failed", Err: herr}
		}
		if err != nil {
			break
		}
	}
	length := sound.n
	if err := hear(make([]int16, audio.Rate/2)); err != nil { // a word at the very end is only told a little later
		return &cli.Failure{File: path, Code: "failed", Err: err}
	}
	if sound.err != nil {
		tell(cli.Fail(&cli.Failure{File: path, Code: "truncated", Hint: "what came before was searched", Err: sound.err}))
	}
	tell(cli.Scanned{File: path, Duration: cli.Seconds(audio.Time(length, audio.Rate)), Elapsed: cli.Millis(time.Since(began))})
	return context.Cause(ctx)
}

// counted counts samples and keeps an error that is no end, so that what came before it is not lost.
type counted struct {
	in  *codec.Stream
	n   int64
	err error
}

func (c *counted) Read(pcm []int16) (int, error) {
	n, err := c.in.Read(pcm)
	c.n += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		c.err, err = err, io.EOF
	}
	return n, err
}
