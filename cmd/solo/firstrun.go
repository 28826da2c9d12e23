package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/solo-assistant/solo/audio/device"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/config"
)

// firstRun makes the settings file. With a person at the terminal it asks for name, time zone and
// voice first, and tries the microphone; nobody has to answer.
func (a *app) firstRun(ctx context.Context, person bool, tell cli.Tell) error {
	if _, err := os.Stat(a.home.file()); !errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err := os.MkdirAll(a.home.config, 0o700); err != nil {
		return fmt.Errorf("make the folder for settings: %w", err)
	}
	if err := os.WriteFile(a.home.file(), []byte(config.Example(&settings{})), 0o600); err != nil {
		return fmt.Errorf("write the settings: %w", err)
	}
	if !person {
		return nil
	}
	tell(cli.Note{Text: "Welcome. Three questions, each with Enter for what stands in brackets."})
	q := questions{in: bufio.NewReader(os.Stdin), out: os.Stdout}
	if err := a.askAll(q); err != nil {
		return err
	}
	a.tryMicrophone(ctx, tell)
	tell(cli.Note{Text: "Your answers are in " + a.home.file() + "; change them there whenever you like."})
	return nil
}

// questions asks at a terminal.
type questions struct {
	in  *bufio.Reader
	out io.Writer
}

// ask repeats a question until fit accepts the answer; the end of the input takes the default.
func (q questions) ask(text, def string, fit func(string) error) string {
	for {
		fmt.Fprintf(q.out, "%s [%s]: ", text, def)
		line, err := q.in.ReadString('\n')
		answer := strings.TrimSpace(line)
		if answer == "" || err != nil {
			return def
		}
		if err := fit(answer); err != nil {
			fmt.Fprintln(q.out, "  "+err.Error())
			continue
		}
		return answer
	}
}

func (a *app) askAll(q questions) error {
	any := func(string) error { return nil }
	name := q.ask("What shall I call you?", os.Getenv("USER"), any)
	zone := q.ask("Which time zone do you live in?", time.Local.String(), func(z string) error {
		if _, err := time.LoadLocation(z); err != nil {
			return fmt.Errorf("%q is no IANA time zone such as Europe/Berlin", z)
		}
		return nil
	})
	names := a.voiceNames()
	def := ""
	if len(names) > 0 {
		def = names[0]
	}
	voice := q.ask("Which voice? "+strings.Join(names, ", "), def, func(v string) error {
		for _, n := range names {
			if n == v {
				return nil
			}
		}
		return fmt.Errorf("there is no voice %q", v)
	})
	if zone == "Local" {
		zone = ""
	}
	a.settings.User.Name, a.settings.User.Zone, a.settings.Voice.Name = name, zone, voice
	var errs []error
	for key, value := range map[string]string{"user.name": name, "user.zone": zone, "voice.name": voice} {
		errs = append(errs, config.Set(a.home.file(), key, value))
	}
	return errors.Join(errs...)
}

// voiceNames are the first few voices of the engine at hand.
func (a *app) voiceNames() []string {
	v, err := a.newVoice()
	if err != nil {
		return nil
	}
	var names []string
	for _, voice := range v.Voices() {
		_, name, _ := strings.Cut(voice.ID, "/")
		if names = append(names, name); len(names) == 8 {
			break
		}
	}
	return names
}

// tryMicrophone listens for three seconds and says what came.
func (a *app) tryMicrophone(ctx context.Context, tell cli.Tell) {
	if _, err := device.List(device.Capture); err != nil {
		return // said when Solo starts
	}
	tell(cli.Note{Text: "Say something, I listen for three seconds."})
	d := device.Info{Name: a.settings.Audio.Microphone}
	r := a.examineMic(ctx, d, 3*time.Second, true)
	for _, f := range r.Findings {
		tell(cli.Note{Text: "The microphone: " + f.String() + "."})
	}
	if r.Fit() {
		tell(cli.Note{Text: "I hear you well."})
	}
}
