package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/device"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/voices"
)

// errCheck says that the voice check did not come to an answer.
var errCheck = errors.New("the voice check failed: the question was not heard and answered; solo doctor tells what is missing")

// check is the voice check as the first thing of a Solo that has no microphone. It is a supervise.Service.
type check struct {
	app  *app
	tell cli.Tell
}

func (check) String() string { return "voice check" }

// Serve checks once.
func (c check) Serve(ctx context.Context) error {
	own, cancel := context.WithCancel(context.Background()) // else the check's own services would say that this one is ready
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	if err := c.app.check(own, c.tell); err != nil && ctx.Err() == nil {
		c.tell(cli.Fail(err))
	}
	supervise.Ready(ctx)
	return nil
}

// check asks itself a spoken question through the real wake word, VAD, recogniser, intents and voice,
// over rows of its own, so that nothing that the user keeps is touched.
func (a *app) check(ctx context.Context, tell cli.Tell) error {
	question, err := a.question(ctx)
	if err != nil {
		return fmt.Errorf("make a spoken question: %w", err)
	}
	dir, err := os.MkdirTemp("", "solo-check-")
	if err != nil {
		return fmt.Errorf("make a folder for the voice check: %w", err)
	}
	defer os.RemoveAll(dir)
	db, err := rows.Open(ctx, rows.Config{Path: filepath.Join(dir, "check.db")})
	if err != nil {
		return err
	}
	defer db.Close()
	tell(cli.Note{Text: fmt.Sprintf("Voice check: a spoken %q goes through wake word, recogniser, intents and voice.", a.wakeWord()+", "+asked)})
	heard, err := a.play(ctx, db, tape{in: device.Clip(question), out: &sink{}}, tell)
	if err == nil && heard == 0 {
		err = errCheck
	}
	return err
}

// asked is the question of the voice check.
const asked = "what time is it?"

func (a *app) wakeWord() string {
	if words := a.ownPhrases(); len(words) > 0 {
		return words[0]
	}
	if words := a.settings.Wake.Words; len(words) > 0 {
		return words[0]
	}
	return "jarvis" // what porcupine.Config says that none means
}

// question is the wake word and a question, as the voice at hand says them.
func (a *app) question(ctx context.Context) (audio.Clip, error) {
	v, err := a.newVoice()
	if err != nil {
		return audio.Clip{}, err
	}
	clip := audio.Clip{Format: audio.Mono16k}
	pause := func(d time.Duration) { clip.PCM = append(clip.PCM, make([]int16, audio.Samples(d, audio.Rate))...) }
	pause(500 * time.Millisecond)
	for _, text := range []string{a.wakeWord(), asked} {
		for c, err := range v.Synthesize(ctx, voices.Phrase{Text: text}) {
			if err != nil {
				return clip, err
			}
			clip.PCM = append(clip.PCM, c.Mono16k().PCM...)
		}
	}
	pause(time.Second)
	return clip, nil
}
