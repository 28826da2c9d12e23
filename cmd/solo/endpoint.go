package main

import (
	"errors"
	"path/filepath"
	"slices"

	"github.com/solo-assistant/solo/audio/endpoint/smartturn"
	"github.com/solo-assistant/solo/audio/listen"
	"github.com/solo-assistant/solo/core/channel/cli"
)

// newTurns makes what hears that a turn is over; nil, nil where it is not wanted, or not there and not missed. It must be
// closed.
func (a *app) newTurns() (*smartturn.Model, error) {
	if a.settings.Listen.Endpoint == "off" {
		return nil, nil
	}
	m, err := smartturn.New(smartturn.Config{Model: a.smartTurn()})
	if a.settings.Listen.Endpoint != "on" && (errors.Is(err, smartturn.ErrAbsent) || errors.Is(err, smartturn.ErrNoModel)) {
		return nil, nil
	}
	return m, err
}

// smartTurn is the newest of its models in the data folder.
func (a *app) smartTurn() string {
	found, _ := filepath.Glob(filepath.Join(a.home.weights(), "smartturn", "*.onnx")) // the pattern is well formed
	if len(found) == 0 {
		return ""
	}
	return slices.Max(found)
}

// giveTurns makes it for the microphones. Without it, pauses and words alone tell.
func (s *assistant) giveTurns() listen.Turns {
	m, err := s.app.newTurns()
	if err != nil {
		s.app.log.Warn().Err(err).Msg("the end of a turn is told by pauses and words alone")
		return nil
	}
	if m == nil {
		return nil // not a nil *smartturn.Model in an interface
	}
	s.hold(m)
	return m
}

// examineTurns tells the doctor.
func (a *app) examineTurns() cli.Engine {
	m, err := smartturn.New(smartturn.Config{Model: a.smartTurn()})
	if err != nil {
		return examined("end of turn", "smart-turn", "", err)
	}
	return examined("end of turn", "smart-turn", filepath.Base(a.smartTurn()), m.Close())
}
