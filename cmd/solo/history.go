package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/supervise"
)

// history writes each finished turn and each call of a tool into the rows. It listens with patience: a turn waits rather
// than be lost.
type history struct {
	turns   store.Turns
	deeds   store.Executions
	log     zerolog.Logger
	turned  *bus.Sub[event.Turned]
	replied *bus.Sub[event.Replied]
	acted   *bus.Sub[event.Acted]
	late    []late // the oldest first
}

func newHistory(b *bus.Bus, st *store.Store, log zerolog.Logger) *history {
	return &history{
		turns: st.Turns(), deeds: st.Executions(), log: log,
		turned:  bus.Subscribe[event.Turned](b, "history", 64, bus.Block),
		replied: bus.Subscribe[event.Replied](b, "history", 64, bus.DropOldest),
		acted:   bus.Subscribe[event.Acted](b, "history", 64, bus.Block),
	}
}

func (h *history) String() string { return "history" }

// Serve keeps what happens until ctx ends; Close keeps what still waits then.
func (h *history) Serve(ctx context.Context) error {
	supervise.Ready(ctx)
	whole := context.WithoutCancel(ctx) // what has begun to be kept is kept
	again := time.NewTicker(5 * time.Second)
	defer again.Stop()
	for {
		select {
		case e := <-h.turned.C:
			h.keep(whole, e)
		case e := <-h.acted.C:
			h.did(whole, e)
		case <-again.C:
			h.catchUp(whole)
		case <-ctx.Done():
			return nil
		}
	}
}

// Close keeps what nobody came to keep: a command may be over before Serve begins.
func (h *history) Close() error {
	ctx := context.Background()
	for {
		select {
		case e := <-h.turned.C:
			h.keep(ctx, e)
		case e := <-h.acted.C:
			h.did(ctx, e)
		default:
			return nil
		}
	}
}

func (h *history) keep(ctx context.Context, e bus.Event[event.Turned]) {
	t := e.Val
	h.log.Info().Uint64("turn", e.Turn).Str("outcome", t.Outcome).Dur("endpoint", t.Endpoint).Dur("stt", t.STT).
		Dur("think", t.Think).Dur("first_audio", t.FirstAudio).Msg("turn")
	if t.Heard == "" {
		return // nothing was said
	}
	h.log.Debug().Uint64("turn", e.Turn).Str("heard", t.Heard).Str("spoken", t.Spoken).Msg("words of a turn")
	turn := store.Turn{At: e.At, Reply: h.reply(e.Turn), Turned: e.Val}
	h.store(ctx, "a turn", func(ctx context.Context) error { _, err := h.turns.Keep(ctx, turn); return err })
}

func (h *history) did(ctx context.Context, e bus.Event[event.Acted]) {
	done := store.Execution{At: e.At, Acted: e.Val}
	h.store(ctx, "what "+e.Val.Tool+" did", func(ctx context.Context) error { _, err := h.deeds.Keep(ctx, done); return err })
}

// late is what waits to be kept.
type late struct {
	what string
	keep func(context.Context) error
}

const mostLate = 1000

// store keeps what waits and then what is new. While a server does not answer all of it waits on, up to mostLate things.
func (h *history) store(ctx context.Context, what string, keep func(context.Context) error) {
	h.late = append(h.late, late{what, keep})
	h.catchUp(ctx)
}

func (h *history) catchUp(ctx context.Context) {
	for len(h.late) > 0 {
		err := h.late[0].keep(ctx)
		if errors.Is(err, rows.ErrDown) && len(h.late) <= mostLate {
			return
		}
		if err != nil {
			h.log.Error().Err(err).Str("what", h.late[0].what).Msg("it was not kept")
		}
		h.late = h.late[1:]
	}
}

// reply joins the sentences of one turn. All of them were published before the turn was closed.
func (h *history) reply(turn uint64) string {
	var text []string
	for {
		select {
		case r := <-h.replied.C:
			if r.Turn == turn {
				text = append(text, r.Val.Text)
			}
		default:
			return strings.Join(text, " ")
		}
	}
}
