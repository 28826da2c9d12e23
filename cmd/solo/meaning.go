package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/agent"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/memory"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/vector/chromem"
	"github.com/solo-assistant/solo/core/vector/slab"
	"github.com/solo-assistant/solo/models"
)

// fewVectors is as many as chromem-go searches fast enough.
const fewVectors = 20_000

// giveMemory puts the memory over its rows; it finds by meaning once an embedding model is there.
func (s *assistant) giveMemory(st *store.Store) {
	c := memory.Config{Rows: st.Memory(), Now: s.app.now, Log: s.app.part("memory"), Near: nearFor}
	if s.app.settings.Memory.Embedder != "off" {
		c.Embedder = embedder{s}
	}
	s.memory = memory.New(c)
}

// nearFor makes an index for about so many vectors.
func nearFor(many int) memory.Vectors {
	if many <= fewVectors {
		if x, err := chromem.New(); err == nil {
			return x
		}
	}
	return slab.New(many)
}

// embedder makes vectors by whichever engine of this machine can.
type embedder struct{ s *assistant }

const modelProbe = 20 * time.Second // a model may have to be loaded first

// Model names the engine that makes vectors, "" where none does.
func (e embedder) Model(ctx context.Context) string {
	if e.s.brain.router == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, modelProbe)
	defer cancel()
	for _, name := range e.candidates() {
		if v, err := e.s.brain.router.Embed(ctx, name, []string{"hello"}); err == nil && len(v) == 1 && len(v[0]) > 0 {
			return fmt.Sprintf("%s, %d numbers each", name, len(v[0]))
		}
	}
	return ""
}

// candidates are the engines that may be asked: the one of the settings, or all of this machine, for a question of the
// user is not sent away to be made a vector of.
func (e embedder) candidates() []string {
	if set := e.s.app.settings.Memory.Embedder; set != "" && set != "auto" {
		return []string{set}
	}
	var out []string
	for _, engine := range e.s.brain.engines {
		if !engine.Cloud("") {
			out = append(out, engine.Name())
		}
	}
	return out
}

func (e embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	var errs []error
	for _, name := range e.candidates() {
		v, err := e.s.brain.router.Embed(ctx, name, texts)
		if err == nil {
			return v, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(append(errs, models.ErrUnable)...)
}

// remembered is the memory as the agent asks it.
type remembered struct{ m *memory.Memory }

// enoughOf is the share of a question that a memory must hold to be shown to the model.
const enoughOf = 0.2

func (r remembered) About(ctx context.Context, text string, n int) ([]string, error) {
	found, err := r.m.Search(ctx, text, n)
	var out []string
	for _, f := range found {
		if f.Cover >= enoughOf {
			out = append(out, f.Text+toldAt(f.Item))
		}
	}
	return out, err
}

// strange marks a memory that came from what strangers wrote.
const strange = " (from something that was read, "

// toldAt is where a memory comes from.
func toldAt(it memory.Item) string {
	day := it.At.Format("2 January 2006") + ")"
	switch it.Source {
	case memory.Outside:
		return strange + day
	case "voice", "typed", "":
		return " (told " + day
	case "talk":
		return " (said in a talk, " + day
	case "summary":
		return " (a talk in short, " + day
	}
	return fmt.Sprintf(" (%s, %s", strings.ReplaceAll(it.Source, "\n", " "), day)
}

// Outside tells whether a text that About gave came from strangers.
func (r remembered) Outside(text string) bool { return strings.Contains(text, strange) }

// profiled is how many things about the user each prompt holds.
const profiled = 5

// Profile is what is always worth knowing of the user.
func (r remembered) Profile(ctx context.Context) ([]string, error) {
	var out []string
	for key, say := range map[string]string{"name": "The user's name is ", "zone": "The user's time zone is "} {
		v, ok, err := r.m.Get(ctx, key)
		if err != nil {
			return out, err
		}
		if ok && v != "" {
			out = append(out, say+v+".")
		}
	}
	items, err := r.m.Profile(ctx, profiled)
	for _, it := range items {
		if it.Source != memory.Outside && len(it.Text) <= 200 {
			out = append(out, "The user said: "+it.Text)
		}
	}
	return out, err
}

// archived keeps what talks told before they are made short.
type archived struct{ m *memory.Memory }

func (a archived) Archive(ctx context.Context, session string, lines []agent.Line) error {
	said := make([]memory.Said, 0, len(lines))
	for _, l := range lines {
		said = append(said, memory.Said{Turn: l.ID, User: l.Role == models.User, Text: l.Text, At: l.At, Outside: l.Outside})
	}
	return a.m.Archive(ctx, session, said)
}

func (a archived) Summarized(ctx context.Context, session string, upto int64, summary string, outside bool) error {
	return a.m.Summarized(ctx, session, upto, summary, outside)
}

// examineMeaning tells whether memories can be found by their meaning.
func (a *app) examineMeaning(ctx context.Context) cli.Engine {
	const job, name = "memory", "meaning"
	set := a.settings
	switch {
	case set.Memory.Embedder == "off":
		return cli.Engine{Job: job, Name: name, Missing: "it is switched off by memory.embedder; memories are found by their words alone"}
	case set.Llama.EmbeddingModel != "":
		return cli.Engine{Job: job, Name: name, Found: true, Version: "by words, and vectors of " + set.Llama.EmbeddingModel}
	}
	if e, err := a.ollama(); err == nil && set.Ollama.Use != "off" {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		if v, err := e.Embed(ctx, "", []string{"hello"}); err == nil && len(v) == 1 {
			return cli.Engine{Job: job, Name: name, Found: true, Version: fmt.Sprintf("by words, and %d numbers a text by Ollama", len(v[0]))}
		}
	}
	if slices.ContainsFunc([]string{set.Server.BaseURL, set.LMStudio.BaseURL}, func(u string) bool { return u != "" }) && set.Memory.Embedder != "auto" {
		return cli.Engine{Job: job, Name: name, Found: true, Version: "by words, and vectors of " + set.Memory.Embedder}
	}
	return cli.Engine{Job: job, Name: name, Missing: "no embedding model is set up; memories are found by their words alone", Mend: "solo models pull nomic-embed, and set llama.embedding_model to its file; or ollama pull nomic-embed-text"}
}
