package main

import (
	"context"
	"errors"
	"sync"

	"github.com/solo-assistant/solo/audio/device"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/channel/local"
	"github.com/solo-assistant/solo/voices"
	"github.com/solo-assistant/solo/voices/speak"
)

// Say speaks a text: into a file, through the running Solo, or on the loudspeaker.
func (a *app) Say(ctx context.Context, o cli.Say) error {
	if o.Out != "" {
		return a.sayTo(ctx, o.Text, o.Out)
	}
	err := local.Call(ctx, a.home.data, "say", typed{Text: o.Text}, nil)
	if !errors.Is(err, local.ErrNobody) {
		return err
	}
	return a.sayAloud(ctx, o.Text)
}

func (a *app) sayTo(ctx context.Context, text, path string) error {
	v, err := a.newVoice()
	if err != nil {
		return err
	}
	defer closeVoice(v)
	said, err := spoken(ctx, v, text, voices.Phrase{Voice: a.settings.Voice.Name, Pace: a.settings.Voice.Pace})
	if err != nil {
		return err
	}
	if len(said.PCM) == 0 {
		return errors.New("there is nothing in that text to be spoken")
	}
	return writeWAV(path, said)
}

func (a *app) sayAloud(ctx context.Context, text string) error {
	v, err := a.newVoice()
	if err != nil {
		return err
	}
	defer closeVoice(v)
	return a.aloud(ctx, v, a.settings.Voice.Config, text)
}

// aloud speaks a text on the loudspeaker.
func (a *app) aloud(ctx context.Context, v synth, c speak.Config, text string) error {
	if _, err := device.List(device.Playback); err != nil {
		return &cli.Failure{Code: "no_speaker", Hint: "or write a file with --out", Err: err}
	}
	out := device.NewSpeaker(a.speakerConfig(nil))
	c.Synth, c.Sink, c.Log = v, out, a.log
	s := speak.New(c)
	work, stop := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() { _ = out.Serve(work) }) // a fault shows in what Flush returns
	wg.Go(func() { _ = s.Serve(work) })
	defer wg.Wait()
	defer stop()
	for _, line := range voices.Split(text) {
		if err := s.Say(ctx, line); err != nil {
			return err
		}
	}
	_, err := s.Flush(ctx)
	return err
}

// Devices lists microphones and loudspeakers.
func (a *app) Devices(_ context.Context, tell cli.Tell) error {
	for _, kind := range []device.Kind{device.Capture, device.Playback} {
		list, err := device.List(kind)
		if err != nil {
			tell(cli.Fail(&cli.Failure{Code: "no_devices", Err: err}))
			continue
		}
		for _, d := range list {
			tell(cli.Device{Kind: kind.String(), Name: d.Name, Default: d.Default})
		}
	}
	return nil
}
