package main

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/channel/local"
	"github.com/solo-assistant/solo/core/channel/ptt"
	"github.com/solo-assistant/solo/models"
)

// giveKeys watches the keys that open and close the microphone, where there is one.
func (s *assistant) giveKeys(microphone bool) (err error) {
	if !microphone || s.app.settings.PTT.Mode == "off" {
		return nil
	}
	c := s.app.settings.PTT
	c.Log = s.app.part("keys")
	c.Press, c.Release, c.Mute = s.pressed, s.released, s.muteKey
	s.keys, err = ptt.New(c)
	return err
}

// pressed is the wake word by key.
func (s *assistant) pressed() {
	if l := s.hearing.now(); l != nil {
		s.rouse()
		l.Press()
	}
}

func (s *assistant) released() {
	if l := s.hearing.now(); l != nil {
		l.Release()
	}
}

// muteKey turns the microphone off, or on again, as the spoken command does: it is shown, and survives a restart.
func (s *assistant) muteKey() {
	name := "microphone.mute"
	if s.hearing.muted() {
		name = "microphone.unmute"
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if _, err := s.box.Call(ctx, models.Call{Tool: name}); err != nil {
		s.app.log.Warn().Err(err).Msg("the mute key did nothing")
	}
}

// orByKey is how the greeting goes on where a key opens the microphone. Where none can, it tells why.
func (s *assistant) orByKey(tell cli.Tell) string {
	if s.keys == nil {
		return ""
	}
	if err := s.keys.Trouble(); err != nil {
		tell(cli.Note{Text: "Push to talk is off: " + err.Error()})
		return ""
	}
	if s.app.settings.PTT.Mode == "toggle" {
		return ", or press " + s.app.settings.PTT.Key + " before and after"
	}
	return ", or hold " + s.app.settings.PTT.Key + " while you talk"
}

// watched is what a running Solo knows of its keys.
type watched struct {
	How     string `json:"how"`
	Trouble string `json:"trouble"`
}

// tellKeys tells the command line whether this assistant watches the keys.
func (s *assistant) tellKeys(_ context.Context, _ typed, tell func(any) error) error {
	if s.keys == nil {
		return nil
	}
	w := watched{How: s.keys.How()}
	if err := s.keys.Trouble(); err != nil {
		w.Trouble = err.Error()
	}
	return tell(w)
}

// examineKeys tells whether the keys are watched by the Solo that runs, or can be watched here.
func (a *app) examineKeys(ctx context.Context) cli.Engine {
	const job, name = "keys", "push to talk"
	if a.settings.PTT.Mode == "off" {
		return cli.Engine{Job: job, Name: name, Missing: "off by ptt.mode"}
	}
	d, err := ptt.New(a.settings.PTT)
	if err != nil {
		return examined(job, name, "", err)
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	var w watched // a Solo that runs holds the keys: they would look taken from here
	if err := local.Call(ctx, a.home.data, "keys", typed{}, func(text json.RawMessage) error { return json.Unmarshal(text, &w) }); err != nil || w.How == "" {
		return examined(job, name, d.How(), d.Check(ctx))
	}
	if w.Trouble != "" {
		return examined(job, name, "", errors.New(w.Trouble))
	}
	return examined(job, name, w.How, nil)
}
