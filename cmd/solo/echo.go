package main

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/solo-assistant/solo/audio/checkup"
	"github.com/solo-assistant/solo/audio/device"
	"github.com/solo-assistant/solo/audio/echo"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/channel/local"
	"github.com/solo-assistant/solo/core/channel/web"
)

// ears are what stands between a microphone and who listens: what watches it, and the canceller.
func (a *app) ears(in *device.Mic, m *levels, tell cli.Tell) *echo.Canceller {
	log := a.part("device")
	m.watch = checkup.NewWatch(in, func(f checkup.Finding, over bool) {
		if over {
			log.Info().Str("fault", string(f.Kind)).Msg("the microphone is well again")
			return
		}
		log.Warn().Str("fault", string(f.Kind)).Msg("the microphone is not well: " + f.What)
		tell(cli.Note{Text: "The microphone: " + f.String() + "."})
	})
	var once sync.Once // it may go to and fro; the status tells
	m.echo = echo.New(echo.Config{Source: m.watch, Now: in.Heard, Use: a.settings.Audio.Echo, Log: a.log, OnState: func(st echo.State) {
		if st.Mode == echo.HalfDuplex {
			once.Do(func() {
				tell(cli.Note{Text: "While Solo speaks it hears only who is much louder than itself: " + st.Why + ". Headphones, or a loudspeaker farther from the microphone, help."})
			})
		}
	}})
	return m.echo
}

// troubles are the microphone's faults of now, each with what mends it.
func (m *levels) troubles() (list []string) {
	if m == nil || m.watch == nil {
		return nil
	}
	for _, f := range m.watch.Findings() {
		list = append(list, "The microphone: "+f.String())
	}
	return list
}

// played is told what the loudspeaker gets.
func (m *levels) played(pcm []int16, rate int) {
	if m.echo != nil {
		m.echo.Played(pcm, rate)
	}
}

// own says whether a wake word may be Solo's own; said tells that it is in the sentence that is spoken now.
func (m *levels) own(said bool) bool {
	if m == nil || m.echo == nil {
		return said
	}
	return m.echo.Own(said)
}

// heardSound is what a running Solo tells of its devices.
type heardSound struct {
	Audio    web.Audio `json:"audio"`
	Troubles []string  `json:"troubles"`
}

// tellSound tells how the devices are.
func (s *assistant) tellSound(tell func(any) error) error {
	return tell(heardSound{Audio: s.levels.audio(), Troubles: s.levels.troubles()})
}

// examineEcho tells of the canceller, and of a running Solo how it goes.
func (a *app) examineEcho(ctx context.Context) cli.Engine {
	e := cli.Engine{Job: "echo", Name: "speexdsp", Found: echo.Built, Version: "1.2"}
	if !echo.Built {
		e.Version = ""
		e.Missing = "this build has no canceller: with loudspeakers, Solo hears only who is much louder than itself while it speaks"
		e.Mend = "apt-get install libspeexdsp-dev && make build"
	}
	if a.settings.Audio.Echo == echo.Off {
		e.Version = "off by audio.echo"
		return e
	}
	var now heardSound
	err := local.Call(ctx, a.home.data, "sound", nil, func(raw json.RawMessage) error { return json.Unmarshal(raw, &now) })
	if err == nil && now.Audio.Echo != "" {
		e.Version += "; now " + now.Audio.Echo
	}
	return e
}
