package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/solo-assistant/solo/audio/codec"
	"github.com/solo-assistant/solo/audio/device"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/channel/local"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/supervise"
)

// Talk holds a session with a recording as the microphone, through everything that a real one goes through.
func (a *app) Talk(ctx context.Context, o cli.Talk, tell cli.Tell) error {
	logFile, err := a.openLog()
	if err != nil {
		return err
	}
	defer logFile.Close()
	in, err := codec.OpenFile(o.In)
	if err != nil {
		return unreadable(o.In, err)
	}
	defer in.Close()
	out, err := newSink(o.Out)
	if err != nil {
		return err
	}
	db, err := rows.Open(ctx, a.settings.Store)
	if err != nil {
		return err
	}
	defer db.Close()
	// Two that keep the same promises would both ring: where Solo runs already, that one rings.
	claim, err := local.Take(a.home.data)
	if err == nil {
		defer claim.Release()
	}
	t := tape{in: in, out: out, clocked: o.Clocked, promises: err == nil}
	heard, err := a.play(ctx, db, t, tell)
	if err := errors.Join(err, out.Close()); err != nil {
		return err
	}
	if heard == 0 {
		return &cli.Failure{File: o.In, Code: "silence", Hint: "say the wake word first, then the order", Exit: cli.ExitSilence, Err: errors.New("nothing was heard")}
	}
	return nil
}

// tape is a recording to talk with.
type tape struct {
	in       device.Samples
	out      *sink
	clocked  bool
	promises bool // timers ring on it
}

// play runs an assistant around a tape until the tape is over and tells how many turns were heard.
func (a *app) play(ctx context.Context, db *rows.DB, t tape, tell cli.Tell) (heard int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var s *assistant
	c := device.TapeConfig{In: t.in, Clocked: t.clocked, Busy: func() bool { return s.dialog.Busy() }}
	if t.out != nil && t.out.w != nil {
		c.To = t.out.w
	}
	reel := device.NewTape(c)
	s, err = a.assemble(ctx, db, ends{source: reel, sink: reel, last: cancel, think: true, mute: !t.promises})
	if err != nil {
		return 0, err
	}
	defer s.Close()
	for _, lack := range s.lacks {
		tell(cli.Note{Text: lack})
	}
	var count tally
	defer count.of(&s.bus)()
	defer show(&s.bus, tell)()
	err = s.Serve(ctx)
	if errors.Is(err, supervise.ErrStuck) {
		a.log.Warn().Err(err).Msg("the session left something behind")
		err = nil
	}
	if broken := reel.Err(); broken != nil && err == nil {
		tell(cli.Fail(broken))
	}
	heard, _ = count.turns()
	return heard, errors.Join(err, s.hearing.why(), reel.Close())
}

// sink is the WAV file for what Solo says; one without a file swallows it.
type sink struct {
	f *os.File
	w io.Writer // nil without a file
}

func newSink(path string) (*sink, error) {
	if path == "" {
		return &sink{}, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, &cli.Failure{File: path, Code: "unwritable", Hint: "choose another file for --out", Err: err}
	}
	return &sink{f: f, w: f}, nil
}

func (s *sink) Close() error {
	if s.f == nil {
		return nil
	}
	return s.f.Close()
}

// unreadable is a sound file that could not be opened.
func unreadable(path string, err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return &cli.Failure{File: path, Code: "absent", Hint: "check the name", Err: errors.New("there is no such file")}
	}
	return &cli.Failure{File: path, Code: "unreadable", Err: err}
}
