package main

import (
	"context"
	"path/filepath"

	"github.com/solo-assistant/solo/audio/stt/sphinx"
	"github.com/solo-assistant/solo/audio/wake/own"
	"github.com/solo-assistant/solo/audio/wake/own/doubt"
)

// wakeCheck is the second stage of the user's own wake words: a small decoder of pocketsphinx's looks for them in the
// sound of which the first stage is not sure. nil where it is switched off or cannot be had; free ends it.
func (a *app) wakeCheck(phrases []string) (check own.Check, free func() error) {
	none := func() error { return nil }
	if a.settings.Wake.Sure == 0 || len(phrases) == 0 {
		return nil, none
	}
	e, err := sphinx.New(sphinx.Config{Model: a.settings.STT.Model, Cache: filepath.Join(a.home.cache, "sphinx"), Grammar: doubt.Grammar(phrases), Log: a.log})
	if err != nil {
		a.log.Info().Err(err).Msg("the wake word has no second stage")
		return nil, none
	}
	open := func(ctx context.Context) (doubt.Stream, error) {
		s, err := e.Open(ctx)
		if err != nil {
			return nil, err // not a nil *sphinx.Stream in an interface
		}
		return s, nil
	}
	return doubt.Check(open, phrases), e.Close
}
