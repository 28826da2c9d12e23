package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/stt/sphinx"
	"github.com/solo-assistant/solo/audio/stt/wer"
	"github.com/solo-assistant/solo/core/channel/cli"
)

// JudgeHearing measures recognisers with recordings whose words are known.
func (a *app) JudgeHearing(ctx context.Context, o cli.JudgeHearing, tell cli.Tell) error {
	f, err := os.Open(o.Manifest)
	if err != nil {
		return unreadable(o.Manifest, err)
	}
	cases, err := wer.Manifest(f, filepath.Dir(o.Manifest))
	if err = errors.Join(err, f.Close()); err != nil {
		return &cli.Failure{File: o.Manifest, Code: "manifest", Hint: "solo bench stt --help tells what it may hold", Exit: cli.ExitUsage, Err: err}
	}
	if o.Most > 0 {
		cases = cases[:min(o.Most, len(cases))]
	}
	engines := o.Engines
	if len(engines) == 0 {
		engines = []string{""}
	}
	for _, name := range engines { // all of them before the first works for an hour
		if name != "" && !knownPen(name) {
			return &cli.Failure{Code: "unknown", Exit: cli.ExitUsage, Err: fmt.Errorf("there is no recogniser %q for recordings; there are %s", name, strings.Join(penNames, " and "))}
		}
	}
	for _, name := range engines {
		if err := a.judge(ctx, name, cases, tell); err != nil {
			return err
		}
	}
	return nil
}

// judge measures one recogniser.
func (a *app) judge(ctx context.Context, engine string, cases []wer.Case, tell cli.Tell) error {
	p, err := a.newPen(ctx, engine, "")
	if err != nil {
		return err
	}
	defer p.Close()
	line := cli.Scored{Engine: p.name}
	var scores []wer.Score
	var rtf []float64
	for _, c := range cases {
		heard, err := transcribe(ctx, c.Audio, p.write)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		silent := errors.Is(err, audio.ErrNoSpeech)
		if err != nil && !silent {
			line.Failed++
			tell(cli.Fail(fmt.Errorf("line %d of the manifest: %w", c.Line, err)))
			continue
		}
		j := cli.Judged{Engine: p.name, File: c.Audio}
		want := wer.Normal(c.Text)
		var got []string
		if silent {
			line.Silent++
		} else {
			got = wer.Normal(heard.Text)
			line.Duration += heard.Duration
			j.RTF = heard.RTF
			rtf = append(rtf, heard.RTF)
		}
		j.Want, j.Heard, j.Words, j.Errors = strings.Join(want, " "), strings.Join(got, " "), len(want), wer.Errors(want, got)
		tell(j)
		scores = append(scores, wer.Score{Words: j.Words, Errors: j.Errors})
		line.Files, line.Words, line.Errors = line.Files+1, line.Words+j.Words, line.Errors+j.Errors
	}
	if line.Files == 0 {
		return &cli.Failure{Code: "unreadable", Err: fmt.Errorf("none of the %d recordings could be used", len(cases))}
	}
	line.WER = wer.Rate(scores)
	line.Low, line.High = wer.Interval(scores)
	line.RTF50, line.RTF95 = wer.Percentile(rtf, 0.5), wer.Percentile(rtf, 0.95)
	tell(line)
	return nil
}

// penNames are the recognisers of recordings.
var penNames = []string{"whisper", "pocketsphinx"}

func knownPen(name string) bool { return name == penNames[0] || name == penNames[1] }

// pen writes recordings down.
type pen struct {
	name  string
	write writer
	close func() error
}

func (p *pen) Close() error { return p.close() }

// newPen makes a recogniser of recordings: the one named, else Whisper where it is there, else pocketsphinx. A grammar is
// pocketsphinx's.
func (a *app) newPen(ctx context.Context, engine, grammar string) (*pen, error) {
	if grammar == "" && engine != "pocketsphinx" {
		p, err := a.whisperPen(ctx, engine == "whisper")
		if p != nil || err != nil {
			return p, err
		}
	}
	write, free, err := a.scribe(grammar)
	if err != nil {
		return nil, err
	}
	return &pen{"pocketsphinx", write, free.Close}, nil
}

// whisperPen is Whisper's; nil, nil where it is not there and not wanted.
func (a *app) whisperPen(ctx context.Context, wanted bool) (*pen, error) {
	b := *a
	if wanted {
		b.settings.Whisper.Use = "on"
	}
	e, err := b.newWhisper(nil)
	if e == nil || err != nil {
		return nil, err
	}
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	go func() { // it ends with life
		defer close(ended)
		for life.Err() == nil {
			if err := e.Serve(life); err != nil && life.Err() == nil {
				a.log.Warn().Err(err).Msg("whisper failed")
				time.Sleep(50 * time.Millisecond)
			}
		}
	}()
	return &pen{"whisper", func(ctx context.Context, in sphinx.Samples) (audio.Transcript, error) { return e.Transcribe(ctx, in) }, func() error { stop(); <-ended; return e.Close() }}, nil
}
