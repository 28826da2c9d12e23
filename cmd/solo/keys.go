package main

import (
	"context"
	"time"

	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/channel/ptt"
	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/models"
)

// giveKeys watches the keys that open and close the microphone; nil where there is nothing to open.
func (s *assistant) giveKeys() (supervise.Service, error) {
	if s.listener == nil || s.app.settings.PTT.Mode == "off" {
		return nil, nil
	}
	c := s.app.settings.PTT
	c.Log = s.app.part("keys")
	c.Press, c.Release, c.Mute = s.pressed, s.listener.Release, s.muteKey
	return ptt.New(c)
}

// pressed is the wake word by key.
func (s *assistant) pressed() {
	s.rouse()
	s.listener.Press()
}

// muteKey turns the microphone off, or on again, as the spoken command does: it is shown, and survives a restart.
func (s *assistant) muteKey() {
	name := "microphone.mute"
	if s.listener.Muted() {
		name = "microphone.unmute"
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if _, err := s.box.Call(ctx, models.Call{Tool: name}); err != nil {
		s.app.log.Warn().Err(err).Msg("the mute key did nothing")
	}
}

// examineKeys tells whether the keys can be watched here.
func (a *app) examineKeys(ctx context.Context) cli.Engine {
	if a.settings.PTT.Mode == "off" {
		return cli.Engine{Job: "keys", Name: "push to talk", Missing: "off by ptt.mode"}
	}
	d, err := ptt.New(a.settings.PTT)
	if err != nil {
		return examined("keys", "push to talk", "", err)
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	return examined("keys", "push to talk", d.How(), d.Check(ctx))
}
