package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/channel/local"
	"github.com/solo-assistant/solo/core/dialog"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/supervise"
)

// Understand opens a session of typed texts. Without do it works on a copy of the rows that is thrown
// away, so that answers are true and nothing changes; with do it asks the running Solo, or does the
// work itself where none runs.
func (a *app) Understand(ctx context.Context, do bool) (cli.Understander, error) {
	if do {
		return a.visitor(ctx, true)
	}
	db, err := rows.Open(ctx, a.settings.Store)
	if err != nil {
		return nil, err
	}
	copied, err := db.Scratch(ctx)
	if err := errors.Join(err, db.Close()); err != nil {
		return nil, err
	}
	return a.desk(ctx, copied, false, true)
}

// desk is an assistant for typed texts alone.
type desk struct {
	s    *assistant
	db   *rows.DB
	stop context.CancelFunc
	wait *sync.WaitGroup
	dry  bool // each text stands for itself: an open question does not take the next one for its answer
}

func (a *app) desk(ctx context.Context, db *rows.DB, think, dry bool) (*desk, error) {
	s, err := a.assemble(ctx, db, ends{sink: silence{}, think: think, mute: true})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	d := &desk{s: s, db: db, stop: stop, wait: new(sync.WaitGroup), dry: dry}
	d.wait.Go(func() {
		if err := s.Serve(ctx); err != nil && !errors.Is(err, supervise.ErrStuck) {
			a.log.Error().Err(err).Msg("the session ended")
		}
	})
	return d, nil
}

func (d *desk) Understand(ctx context.Context, text string) (cli.Understood, error) {
	if d.dry {
		d.s.mind.Drop()
	}
	return d.s.understand(ctx, text, false)
}

func (d *desk) Close() error {
	d.stop()
	d.wait.Wait()
	return errors.Join(d.s.Close(), d.db.Close())
}

// understand carries out a typed text and tells what it was taken for.
func (s *assistant) understand(ctx context.Context, text string, aloud bool) (cli.Understood, error) {
	u := cli.Understood{Text: text, Slots: map[string]string{}}
	reply, err := s.dialog.Typed(ctx, text, aloud, dialog.Reader{})
	if err != nil {
		return u, fmt.Errorf("answer %q: %w", text, err)
	}
	u.Reply = reply
	if m, ok := commands().Match(text); ok {
		u.Intent, u.Slots = &m.Name, m.Slots
	}
	return u, nil
}

// remote asks the running Solo.
type remote struct{ home string }

func (r remote) Understand(ctx context.Context, text string) (u cli.Understood, err error) {
	err = local.Call(ctx, r.home, "understand", typed{Text: text}, func(v json.RawMessage) error { return json.Unmarshal(v, &u) })
	return u, err
}

func (r remote) Close() error { return nil }
