package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"github.com/solo-assistant/solo/audio/device"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/channel/local"
	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/dialog"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/supervise"
	"golang.org/x/term"
)

// openLog makes the program's log; the closer ends it.
func (a *app) openLog() (io.Closer, error) {
	log, file, err := newLog(a.home.log(), a.settings.Log)
	if err != nil {
		return nil, err
	}
	a.log = log
	return file, nil
}

// Run is the assistant: it listens until ctx ends.
func (a *app) Run(ctx context.Context, o cli.Run, tell cli.Tell) error {
	logFile, err := a.openLog()
	if err != nil {
		return err
	}
	defer logFile.Close()
	if o.Check {
		return a.check(ctx, tell)
	}
	claim, err := local.Take(a.home.data)
	if err != nil {
		return taken(err)
	}
	defer claim.Release()
	h := &herald{app: a, tell: tell, ctx: ctx}
	defer h.wait.Wait()
	db, news, err := a.openRows(ctx, tell, h.state)
	if err != nil {
		return dbFailure(err)
	}
	defer db.Close()
	person := !o.Plain && term.IsTerminal(int(os.Stdin.Fd()))
	if err := a.firstRun(ctx, person, tell); err != nil {
		return err
	}
	e := a.devices(tell)
	e.herald, h.news = h, news
	return a.serve(ctx, db, claim, e, person, tell)
}

func taken(err error) error {
	var t *local.TakenError
	if errors.As(err, &t) {
		return &cli.Failure{Code: "taken", Exit: cli.ExitTaken, Err: err}
	}
	return err
}

// devices opens microphone and loudspeaker and says in one line each what is not there.
func (a *app) devices(tell cli.Tell) ends {
	e := ends{sink: silence{}, think: true, keys: true, levels: &levels{}, opened: func(l web.Listening) { tell(listening{l}) }}
	if _, err := device.List(device.Playback); err != nil {
		tell(cli.Note{Text: "Solo will answer in writing: " + err.Error()})
	} else {
		c := a.speakerConfig(e.levels.output)
		c.Played = e.levels.played
		out := device.NewSpeaker(c)
		e.sink, e.devices = out, append(e.devices, service{"loudspeaker", out.Serve})
	}
	if _, err := device.List(device.Capture); err != nil {
		tell(cli.Note{Text: "Solo cannot listen: " + err.Error()})
	} else {
		in := device.NewMic(a.micConfig(e.levels))
		e.source, e.devices = a.ears(in, e.levels, tell), append(e.devices, service{"microphone", in.Serve})
	}
	return e
}

// serve runs the assistant until ctx ends.
func (a *app) serve(ctx context.Context, db *rows.DB, claim *local.Claim, e ends, person bool, tell cli.Tell) error {
	door := &local.Door{Claim: claim, Log: a.part("door")}
	var s *assistant
	last := []supervise.Service{door, opened{func() { s.greet(person, tell); e.herald.begin(s) }}}
	if e.herald != nil {
		last = append(last, upkeep{a, db, e.herald.say})
	}
	if e.source == nil {
		last = slices.Insert(last, 1, supervise.Service(supervise.Keep{Service: check{a, tell}, Patience: time.Minute}))
	}
	s, err := a.assemble(ctx, db, e, last...)
	if err != nil {
		return err
	}
	defer s.Close()
	door.Verbs = s.verbs()
	for _, lack := range slices.Concat(s.lacks, s.brain.lacks, s.hints) {
		tell(cli.Note{Text: lack})
	}
	if s.read = person; person {
		defer show(&s.bus, tell)()
		go s.readLines(ctx, os.Stdin) // it ends with the program: a terminal's read cannot be called off
	}
	a.log.Info().Str("version", version).Msg("solo starts")
	err = s.Serve(ctx)
	a.log.Info().Err(err).Msg("solo ends")
	if errors.Is(err, supervise.ErrStuck) {
		return &cli.Failure{Code: "stuck", Hint: "solo logs tells which", Err: err}
	}
	return err
}

// greet tells the user that Solo can be spoken to.
func (s *assistant) greet(person bool, tell cli.Tell) {
	l := s.hearing.now()
	if why := s.hearing.why(); why != nil {
		tell(cli.Note{Text: "Solo cannot listen: " + why.Error()})
	}
	switch {
	case l != nil && l.Muted():
		tell(ready{"The microphone is muted, as you left it. To open it: solo understand --do unmute"})
	case l != nil:
		s.app.log.Info().Str("chain", l.Chain()).Msg("solo listens")
		tell(ready{fmt.Sprintf("Listening. Say %q and what you want%s; Ctrl-C ends.", s.app.wakeWord(), s.orByKey(tell))})
	case person:
		tell(ready{"Type what you want; Ctrl-C ends."})
	default:
		tell(ready{"Solo runs; \"solo understand --do TEXT\" talks to it."})
	}
}

// listening is the line that says where the web door is.
type listening struct{ web.Listening }

func (listening) Event() string { return "listening" }
func (l listening) Human() string {
	return "The dashboard is at " + l.URL + "; solo dashboard opens it."
}

// ready is the line that says that Solo can be spoken to.
type ready struct {
	Text string `json:"text"`
}

func (ready) Event() string   { return "ready" }
func (r ready) Human() string { return r.Text }

// opened is the last service: when it starts, all others have.
type opened struct{ tell func() }

func (opened) String() string { return "greeting" }

func (o opened) Serve(ctx context.Context) error {
	supervise.Ready(ctx)
	o.tell()
	// Reading templates, dictionaries and keyword files leaves some 30 MB behind, of which Go would keep a part for hours.
	debug.FreeOSMemory()
	return nil
}

// readLines answers what is typed, aloud where there is a voice.
func (s *assistant) readLines(ctx context.Context, in io.Reader) {
	lines := bufio.NewScanner(in)
	for lines.Scan() && ctx.Err() == nil {
		if lines.Text() == "" {
			continue
		}
		if _, err := s.dialog.Typed(ctx, lines.Text(), true, dialog.Reader{}); err != nil && ctx.Err() == nil {
			s.app.log.Error().Err(err).Msg("a typed line was not answered")
		}
	}
}

func (a *app) micConfig(m *levels) device.MicConfig {
	return device.MicConfig{Name: a.settings.Audio.Microphone, OnLevel: m.level, OnDevice: m.input, OnFault: a.fault("microphone"), Log: a.part("device")}
}

// speakerConfig is how the loudspeaker is opened; found is told its name.
func (a *app) speakerConfig(found func(name string)) device.SpeakerConfig {
	return device.SpeakerConfig{Name: a.settings.Audio.Speaker, OnDevice: found, OnFault: a.fault("loudspeaker"), Log: a.part("device")}
}

// fault logs what befalls a device; it recovers by itself.
func (a *app) fault(what string) func(error) {
	log := a.part("device")
	return func(err error) { log.Warn().Err(err).Str("device", what).Msg("device fault") }
}
