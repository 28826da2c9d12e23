package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/solo-assistant/solo/audio/listen"
	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/consent"
	"github.com/solo-assistant/solo/core/dialog"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/mind"
	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/voices/speak"
)

// talks are the conversations that are led through the web door. Each has a mind of its own, so that a yes answers the
// question that was asked in the same conversation. It is a supervise.Service.
type talks struct {
	s *assistant

	mu   sync.Mutex
	open map[string]*conversation // by session
	life context.Context          // of the talks; nil while nobody serves
	work sync.WaitGroup
}

// talksMost is how many conversations are remembered at a time; the one that rests longest ends for a new one.
const talksMost = 64

func newTalks(s *assistant) *talks { return &talks{s: s, open: map[string]*conversation{}} }

func (t *talks) String() string { return "talks" }

// Serve lets conversations be led until ctx ends.
func (t *talks) Serve(ctx context.Context) error {
	life, cancel := context.WithCancel(ctx)
	defer t.work.Wait()
	defer cancel()
	t.mu.Lock()
	t.life, t.open = life, map[string]*conversation{}
	t.mu.Unlock()
	supervise.Ready(ctx)
	<-ctx.Done()
	return nil
}

// of finds or begins the conversation that ctx belongs to.
func (t *talks) of(ctx context.Context) (*conversation, error) {
	o := models.OriginOf(ctx)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.life == nil || t.life.Err() != nil {
		return nil, context.Canceled
	}
	k := t.open[o.Session]
	if k == nil {
		t.room()
		k = t.begin(o)
		t.open[o.Session] = k
	}
	k.used = time.Now()
	return k, nil
}

// room ends the conversation that rests longest where there are too many.
func (t *talks) room() {
	if len(t.open) < talksMost {
		return
	}
	var oldest string
	for name, k := range t.open {
		if !k.busy() && (oldest == "" || k.used.Before(t.open[oldest].used)) {
			oldest = name
		}
	}
	if oldest != "" {
		t.open[oldest].end()
		delete(t.open, oldest)
	}
}

func (t *talks) begin(o models.Origin) *conversation {
	s, k := t.s, &conversation{}
	c := s.app.settings.Dialog
	c.Name, c.Voice, c.Ears, c.Bus, c.Log, c.Rings = "talk", k, k, &s.bus, s.app.part("talk"), s.book.Rings
	c.Mind = mind.New(s.mindConfig())
	k.conductor = dialog.New(c)
	ctx, cancel := context.WithCancel(models.WithOrigin(t.life, o)) // what is spoken is of this session too
	k.end = cancel
	t.work.Go(func() { _ = k.conductor.Serve(ctx) }) // it ends with ctx and has no other end
	return k
}

// Talk serves a browser that speaks and listens.
func (t *talks) Talk(ctx context.Context, l *web.Line) error {
	k, err := t.of(ctx)
	if err != nil {
		return err
	}
	open, err := t.s.opener()
	if err != nil {
		return &web.Fault{Status: http.StatusNotImplemented, Code: "no_recogniser", Message: "Solo cannot hear: " + err.Error(), Hint: "solo doctor tells more"}
	}
	vad, err := t.s.app.newVAD()
	if err != nil {
		return fmt.Errorf("voice activity: %w", err)
	}
	listener, err := listen.New(listen.Config{Source: l, Wake: button{}, VAD: vad, Open: open, Complete: commands().Complete,
		Woke: k.conductor.Woke, Partial: k.conductor.Partial, Missed: k.conductor.Missed, Ended: hearer(k.conductor),
		Tuning: t.s.app.settings.Listen.Tuning, Log: t.s.app.part("talk"),
	})
	if err != nil {
		return err
	}
	return k.hold(ctx, l, &browser{speak.New(t.s.voiceConfig(ctx, l)), listener})
}

// Ask answers a text of the web door.
func (t *talks) Ask(ctx context.Context, text string, tell func(web.Piece)) (web.Reply, error) {
	k, err := t.of(ctx)
	if err != nil {
		return web.Reply{}, err
	}
	r, err := t.s.converse(ctx, k.conductor, text, witness{
		sentence: func(_ uint64, text string) { tell(web.Piece{Sentence: text}) },
		acted: func(e event.Acted) {
			tell(web.Piece{Action: &web.Action{Tool: e.Tool, Arguments: e.Arguments, Status: e.Status, Source: e.Source}})
		},
		wanted: func(a consent.Approval) { tell(web.Piece{Wants: wants(a)}) },
	})
	return web.Reply{Text: r.text, Turn: r.turn, Asks: r.asks}, err
}

// Call runs one tool for the web door.
func (t *talks) Call(ctx context.Context, c models.Call) (models.Result, error) {
	return t.s.box.Call(ctx, c)
}

// wants is all that the user would agree to.
func wants(a consent.Approval) json.RawMessage {
	text, err := json.Marshal(viewOf(a))
	if err != nil {
		return json.RawMessage(`{}`) // it holds nothing that cannot be written
	}
	return text
}
