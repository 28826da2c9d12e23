package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/solo-assistant/solo/core/backup"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/supervise"
)

// keepSettings are how many days it takes until a row that is of no more use is removed.
type keepSettings struct {
	Turns     int `toml:"turns" default:"365" min:"0" max:"36500" doc:"days that what you said and what Solo answered is kept in the history; 0: for ever"`
	Promises  int `toml:"promises" default:"365" min:"0" max:"36500" doc:"days that timers, alarms, reminders and their receipts are kept when they are over; 0: for ever"`
	Approvals int `toml:"approvals" default:"90" min:"0" max:"36500" doc:"days that questions for your consent are kept; what was sent stays in the ledger; 0: for ever"`
	Jobs      int `toml:"jobs" default:"90" min:"0" max:"36500" doc:"days that long work is kept when it has ended; 0: for ever"`
}

// prune removes what is older than the settings say.
func (a *app) prune(ctx context.Context, db *rows.DB) (rows.Pruned, error) {
	user, err := db.User(ctx, owner)
	if err != nil {
		return rows.Pruned{}, err
	}
	k := a.settings.Keep
	days := func(n int) time.Duration { return time.Duration(n) * 24 * time.Hour }
	return db.Of(user).Prune(ctx, time.Now(), rows.Ages{Turns: days(k.Turns), Promises: days(k.Promises), Asked: days(k.Approvals), Jobs: days(k.Jobs)})
}

const (
	upkeepAfter = 5 * time.Minute // after the start, which has better things to do
	upkeepEach  = 24 * time.Hour
)

// upkeep looks after the rows while Solo runs: old ones go, damage is found, and there is a backup of every day.
type upkeep struct {
	app  *app
	db   *rows.DB
	says func(string) // to the user
}

func (upkeep) String() string { return "upkeep" }

func (u upkeep) Serve(ctx context.Context) error {
	supervise.Ready(ctx)
	var wait sync.WaitGroup
	defer wait.Wait()
	if u.app.settings.Backup.Use == "on" {
		wait.Go(func() { _ = u.app.vault().Serve(ctx, u.db, u.backedUp) }) // it ends with ctx alone
	}
	for pause := upkeepAfter; ; pause = upkeepEach {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
			u.tidy(ctx)
		}
	}
}

func (u upkeep) backedUp(b backup.Backup, err error) {
	log := u.app.part("backup")
	if err != nil {
		log.Warn().Err(err).Msg("no backup was made")
		return
	}
	log.Info().Str("backup", b.Name).Int64("bytes", b.Size).Msg("a backup was made")
	if b.NewKey != "" {
		u.says(keyNote(b.NewKey))
	}
}

func (u upkeep) tidy(ctx context.Context) {
	log := u.app.part("rows")
	if err := u.db.Check(ctx); errors.Is(err, rows.ErrCorrupt) {
		log.Error().Err(err).Msg("the database is damaged")
		if err := u.db.Condemn(); err != nil {
			log.Error().Err(err).Msg("the damage was not marked")
		}
		u.says("My database file is damaged. Please start me again: I will then save what can be read of it.")
		return
	}
	p, err := u.app.prune(ctx, u.db)
	if err != nil {
		log.Warn().Err(err).Msg("old rows were not removed")
		return
	}
	log.Info().Int64("turns", p.Turns).Int64("promises", p.Promises).Int64("approvals", p.Asked).Int64("jobs", p.Jobs).Msg("old rows were removed")
}

// openRows opens the rows for the assistant. A damaged file is put aside, and what can be read of it saved; a PostgreSQL
// that does not answer is waited for while Solo does what it can without. What the user is to hear of it comes back.
func (a *app) openRows(ctx context.Context, tell cli.Tell, state func(error)) (*rows.DB, string, error) {
	c := a.settings.Store
	c.Patient, c.OnState = true, state
	if c.DSN == "" && rows.Damaged(c.Path) {
		return a.salvage(ctx, c, tell)
	}
	db, err := rows.Open(ctx, c)
	if errors.Is(err, rows.ErrCorrupt) && c.DSN == "" {
		return a.salvage(ctx, c, tell)
	}
	return db, "", err
}

func (a *app) salvage(ctx context.Context, c rows.Config, tell cli.Tell) (*rows.DB, string, error) {
	s, err := rows.Salvage(ctx, c.Path)
	if err != nil {
		return nil, "", err
	}
	a.log.Error().Str("aside", s.Aside).Int64("rows", s.Rows).Strs("torn", s.Torn).Msg("the database was damaged")
	text := fmt.Sprintf("The database was damaged. It is now %s, and Solo goes on with %d rows that could be read.", s.Aside, s.Rows)
	say := "My database was damaged. I saved what I could read, and begin anew with that."
	if list, err := a.vault().List(); err == nil && len(list) > 0 {
		text += fmt.Sprintf(" The newest backup is of %s: solo backup restore --replace.", list[0].Made.Local().Format("2 January 2006 15:04"))
		say += " There is also a backup."
	}
	tell(cli.Note{Text: text})
	db, err := rows.Open(ctx, c)
	return db, say, err
}

// herald says aloud how the rows are, as soon as there is a voice. A nil one says nothing.
type herald struct {
	app  *app
	tell cli.Tell
	news string // to be said first
	s    atomic.Pointer[assistant]
	wait sync.WaitGroup
	ctx  context.Context //nolint:containedctx // of what it says: it is told of the rows from a goroutine that has no other
}

// state is told when the server stops answering, and when it is back.
func (h *herald) state(err error) {
	log := h.app.part("rows")
	switch {
	case err == nil:
		log.Info().Msg("the database answers again")
		h.say("My database is back.")
	case errors.Is(err, rows.ErrDown):
		log.Error().Err(err).Msg("the database does not answer")
		h.say("My database does not answer. I go on with what I can, but I cannot keep anything new until it is back.")
	default:
		log.Error().Err(err).Msg("the database cannot be used")
		h.say("My database cannot be used: the log tells why.")
	}
}

// begin gives the herald its voice.
func (h *herald) begin(s *assistant) {
	if h == nil {
		return
	}
	h.s.Store(s)
	if h.news != "" {
		h.speak(h.news)
	}
}

// say tells and speaks a text, and does not wait for it.
func (h *herald) say(text string) {
	h.tell(cli.Note{Text: text})
	h.speak(text)
}

func (h *herald) speak(text string) {
	s := h.s.Load()
	if s == nil || h.ctx.Err() != nil {
		return
	}
	h.wait.Go(func() {
		if err := s.dialog.Say(h.ctx, text); err != nil && h.ctx.Err() == nil {
			h.app.log.Warn().Err(err).Msg("a notice was not spoken")
		}
	})
}
