package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/consent"
	"github.com/solo-assistant/solo/core/memory"
	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/models"
)

// rooms show the dashboard what the parts keep.
type rooms struct {
	s     *assistant
	turns store.Turns
}

func (s *assistant) rooms(st *store.Store) web.Rooms {
	r := &rooms{s: s, turns: st.Turns()}
	return web.Rooms{Dialogues: r, Memories: r, Tasks: r, Projects: projectRoom{r.s}, Promises: r, Receipts: r.receipts, Approvals: r, Documents: shelf{s.bookcase}, Searches: seeker{s}, Settings: r.settings, Logs: r.logs, Engines: s.engines, Languages: r.languages}
}

func (r *rooms) Dialogues(ctx context.Context, n int, before int64) ([]web.Dialogue, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	list, err := r.turns.Before(ctx, before, n)
	var out []web.Dialogue
	for _, t := range list {
		out = append(out, web.Dialogue{ID: t.ID, At: t.At, Heard: t.Heard, Reply: t.Reply, Spoken: t.Spoken, Outcome: t.Outcome, Endpoint: t.Endpoint.Milliseconds(),
			STT: t.STT.Milliseconds(), Think: t.Think.Milliseconds(), FirstAudio: t.FirstAudio.Milliseconds(), Total: t.Total().Milliseconds()})
	}
	return out, err
}

func (r *rooms) Recall(ctx context.Context, about string) ([]web.MemoryView, error) {
	list, err := r.s.memory.Recall(ctx, about, 500)
	if errors.Is(err, memory.ErrTooLong) {
		return nil, nil // nothing is about so much
	}
	var out []web.MemoryView
	for _, f := range list {
		out = append(out, web.MemoryView{ID: f.ID, Text: f.Text, Source: f.Source, At: f.At})
	}
	return out, err
}

func (r *rooms) Forget(ctx context.Context, id int64) error {
	_, err := r.s.memory.Forget(ctx, id)
	return goneOr(err, memory.ErrUnknown)
}

// goneOr puts the door's word in the place of a part's.
func goneOr(err, unknown error) error {
	if errors.Is(err, unknown) {
		return web.ErrGone
	}
	return err
}

func (r *rooms) Promises(ctx context.Context) ([]web.PromiseView, error) {
	waiting, err := r.s.book.Waiting(ctx)
	if err != nil {
		return nil, err
	}
	var out []web.PromiseView
	now := r.s.app.now()
	for _, p := range slices.Concat(r.s.book.Ringing(), waiting) {
		out = append(out, web.PromiseView{ID: p.ID, Kind: string(p.Kind), Text: p.Text, At: p.At, Every: p.Every, Left: p.At.Sub(now).Milliseconds(), Ringing: p.State == schedule.Ringing})
	}
	return out, nil
}

func (r *rooms) Cancel(ctx context.Context, kind string, id int64) error {
	_, err := r.s.book.Cancel(ctx, schedule.Kind(kind), id)
	return goneOr(goneOr(err, schedule.ErrUnknown), schedule.ErrKind)
}

func (r *rooms) Approvals(ctx context.Context) ([]web.ApprovalView, error) {
	list, err := r.s.brain.consent.Open(ctx)
	var out []web.ApprovalView
	for _, a := range list {
		out = append(out, viewOf(a))
	}
	return out, err
}

func viewOf(a consent.Approval) web.ApprovalView {
	return web.ApprovalView{ID: a.ID, Say: a.Say, Tool: a.Tool, Arguments: a.Arguments, Provider: a.Provider, Model: a.Model, Messages: a.Messages, Until: a.Until}
}

// Decide runs what a spoken yes or no would run.
func (r *rooms) Decide(ctx context.Context, id string, granted bool) (string, error) {
	a, err := r.s.brain.consent.Get(ctx, id)
	if err != nil {
		return "", goneOr(err, consent.ErrUnknown)
	}
	q := a.Question()
	c := q.Call
	if !granted {
		c = *q.No
	}
	o := models.OriginOf(ctx)
	o.Speaker = owner
	res, err := r.s.box.Call(models.WithOrigin(ctx, o), c)
	if err != nil && res.Say != "" {
		return res.Say, nil
	}
	return res.Say, err
}

func (r *rooms) settings() []web.Setting {
	var out []web.Setting
	for _, v := range r.s.app.report {
		out = append(out, web.Setting{Key: v.Key, Value: v.Value, Origin: v.From, Doc: v.Doc})
	}
	return out
}

func (r *rooms) languages(ctx context.Context) ([]web.LanguageModel, error) {
	var out []web.LanguageModel
	if r.s.brain.router == nil {
		return nil, nil
	}
	err := r.s.listModels(ctx, func(v any) error {
		m := v.(cli.Model)
		out = append(out, web.LanguageModel{Engine: m.Engine, ID: m.ID, Bytes: m.Bytes, Context: m.Context, Loaded: m.Loaded, GPU: m.GPU, Cloud: m.Cloud, For: slices.Concat([]string{}, m.For)})
		return nil
	})
	return out, err
}

// logEnd is how much of the log's end is looked at, in bytes.
const logEnd = 1 << 20

// logs gives the last lines of the log.
func (r *rooms) logs(n int, level string) ([]web.LogLine, error) {
	least, err := zerolog.ParseLevel(level)
	if err != nil || level == "" {
		least = zerolog.DebugLevel
	}
	f, err := os.Open(r.s.app.home.log())
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	defer f.Close()
	if size, err := f.Seek(0, io.SeekEnd); err == nil && size > logEnd {
		_, _ = f.Seek(size-logEnd, io.SeekStart) // else all of it is read
	} else {
		_, _ = f.Seek(0, io.SeekStart)
	}
	var out []web.LogLine
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, logEnd)
	for lines.Scan() {
		if l, ok := logLine(lines.Text(), least); ok {
			out = append(out, l)
		}
	}
	return out[max(0, len(out)-n):], nil
}

// logLine reads one line; false for one that is less grave, or broken.
func logLine(text string, least zerolog.Level) (web.LogLine, bool) {
	var fields map[string]any
	if json.Unmarshal([]byte(text), &fields) != nil {
		if strings.TrimSpace(text) == "" {
			return web.LogLine{}, false
		}
		return web.LogLine{Message: text, Fields: map[string]any{}}, least <= zerolog.InfoLevel // of a console's format
	}
	take := func(name string) string {
		s, _ := fields[name].(string)
		delete(fields, name)
		return s
	}
	l := web.LogLine{Level: take("level"), Part: take("part"), Message: take("message"), Fields: fields}
	l.At, _ = time.Parse(time.RFC3339, take("time")) // the zero time for what has none
	at, err := zerolog.ParseLevel(l.Level)
	return l, err == nil && at >= least
}
