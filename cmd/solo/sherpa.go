package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/solo-assistant/solo/core/proc"
	"github.com/solo-assistant/solo/voices/sherpa"
)

// tryWord is the first argument of a Solo that only tries a voice: the library may end it.
const tryWord = "try-voice"

func (a *app) sherpaConfig() sherpa.Config {
	return sherpa.Config{Folder: filepath.Join(a.home.data, "voices", "sherpa"), Try: tryVoice, Log: a.log}
}

// tryVoice opens a voice in another Solo.
func tryVoice(ctx context.Context, dir string) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding Solo's own program: %w", err)
	}
	_, err = proc.Run(ctx, proc.Command{Path: self, Args: []string{tryWord, dir}})
	return err
}

// tries does that work where the arguments ask for it.
func tries(args []string) (code int, asked bool) {
	if len(args) != 2 || args[0] != tryWord {
		return 0, false
	}
	if err := sherpa.Trial(args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1, true
	}
	return 0, true
}
