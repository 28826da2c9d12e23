package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/codec"
	"github.com/solo-assistant/solo/audio/wake/own"
	"github.com/solo-assistant/solo/audio/wake/own/train"
	"github.com/solo-assistant/solo/core/channel/cli"
)

// reading is what the user reads aloud, so that Solo knows the user's voice without the word.
var reading = []string{
	"The kettle sings, the cat is asleep on the warm stone, and somebody has left the garden gate open again.",
	"Please put the blue cups beside the window and tell my brother that supper will be ready at a quarter past seven.",
	"In the middle of the week the market is quiet, so we buy apples, onions and a little cheese.",
}

// recordUser asks the user to say the phrase, and to read something else. Without a person or a microphone
// there is nothing to record.
func (a *app) recordUser(ctx context.Context, phrase string, n int, tell cli.Tell) (said, read [][]int16, err error) {
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		tell(cli.Note{Text: "Nobody sits at a terminal, so the wake word is learnt from the voices alone."})
		return nil, nil, nil
	}
	r, err := a.openRecorder(ctx)
	if err != nil {
		tell(cli.Note{Text: "There is no microphone (" + err.Error() + "), so the wake word is learnt from the voices alone."})
		return nil, nil, nil
	}
	defer r.close()
	a.guide(ctx, fmt.Sprintf("Please say %s each time that I ask, %d times in all. Now near, now from across the room, now quickly, now slowly.", phrase, n), tell)
	for tries := 0; len(said) < n; tries++ {
		if tries == 3*n {
			return nil, nil, &cli.Failure{Code: "silence", Exit: cli.ExitSilence, Hint: "see solo devices, or give recordings with --samples", Err: errors.New("too little of it could be heard")}
		}
		a.guide(ctx, fmt.Sprintf("Number %d.", len(said)+1), tell)
		pcm, err := r.record(ctx, 2500*time.Millisecond)
		if err != nil {
			return nil, nil, err
		}
		if flaw := train.Flaw(pcm); flaw != "" {
			a.guide(ctx, flaw+" Once more, please.", tell)
			continue
		}
		said = append(said, pcm)
	}
	a.guide(ctx, "Thank you. Now please read three sentences aloud, so that I know your voice without the word.", tell)
	for _, line := range reading {
		tell(cli.Note{Text: "  " + line})
		pcm, err := r.record(ctx, 9*time.Second)
		if err != nil {
			return nil, nil, err
		}
		read = append(read, pcm)
	}
	a.guide(ctx, "That was all. I need a few minutes now.", tell)
	return said, read, a.keepSamples(phrase, said)
}

// guide shows a sentence and says it where there is something to say it with.
func (a *app) guide(ctx context.Context, text string, tell cli.Tell) {
	tell(cli.Note{Text: text})
	if err := a.sayAloud(ctx, text); err != nil && ctx.Err() == nil {
		a.log.Debug().Err(err).Msg("guidance was not said aloud")
	}
}

// keepSamples keeps what the user said beside the word, for the next training.
func (a *app) keepSamples(phrase string, said [][]int16) error {
	dir := filepath.Join(a.home.ownWords(), strings.TrimSuffix(own.FileName(phrase), own.Extension))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the folder for your recordings: %w", err)
	}
	for i, pcm := range said {
		name := filepath.Join(dir, fmt.Sprintf("%s-%02d.wav", time.Now().Format("20060102-150405"), i+1))
		if err := writeWAV(name, audio.Clip{Format: audio.Mono16k, PCM: pcm}); err != nil {
			return err
		}
	}
	return nil
}

// folderOfSound reads all recordings of a folder; "" is none.
func folderOfSound(dir string) ([][]int16, error) {
	if dir == "" {
		return nil, nil
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, &cli.Failure{File: dir, Code: "unreadable", Hint: "check the name of the folder", Err: err}
	}
	var all [][]int16
	for _, e := range list {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		pcm, err := wholeSound(path)
		if err != nil {
			return nil, unreadable(path, err)
		}
		all = append(all, pcm)
	}
	if len(all) == 0 {
		return nil, &cli.Failure{File: dir, Code: "unreadable", Err: errors.New("there is no recording in it")}
	}
	return all, nil
}

// wholeSound is one recording of at most ten minutes.
func wholeSound(path string) ([]int16, error) {
	in, err := codec.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var pcm []int16
	piece := make([]int16, audio.Rate)
	for len(pcm) < 600*audio.Rate {
		n, err := in.Read(piece)
		pcm = append(pcm, piece[:n]...)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return pcm, nil
}
