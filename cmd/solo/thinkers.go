package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/anthropic"
	"github.com/solo-assistant/solo/models/llama"
	"github.com/solo-assistant/solo/models/ollama"
	"github.com/solo-assistant/solo/models/openai"
	"github.com/solo-assistant/solo/models/router"
)

// This file is the table of what language models run on.

// probing is how long an engine that nobody set up may take to show that it is there.
const probing = 300 * time.Millisecond

// thinkers are the engines that are set up or were found, the preferred first.
type thinkers struct {
	engines  []router.Engine
	services []supervise.Service // those that Solo runs itself
	lacks    []string            // what was set up and cannot be used
	context  int                 // tokens of a talk with the first engine, 0 where it is not known yet
}

// newThinkers makes the engines. prefix gives the words that every talk begins with.
func (a *app) newThinkers(ctx context.Context, prefix func(context.Context) []models.Message) (thinkers, error) {
	var t thinkers
	if err := a.addLlama(ctx, &t, prefix); err != nil {
		return t, err
	}
	if err := a.addOllama(ctx, &t); err != nil {
		return t, err
	}
	for _, o := range a.openAIs() {
		if o.BaseURL == "" || o.needsKey && o.Key.Reveal() == "" {
			continue
		}
		o.Log = a.part(o.Name)
		e, err := openai.New(o.Config)
		if err != nil {
			return t, fmt.Errorf("%s: %w", o.Name, err)
		}
		t.engines = append(t.engines, e)
	}
	c := a.settings.Anthropic
	if c.Key.Reveal() != "" {
		c.Log = a.part("anthropic")
		e, err := anthropic.New(c)
		if err != nil {
			return t, fmt.Errorf("anthropic: %w", err)
		}
		t.engines = append(t.engines, e)
	}
	return t, nil
}

// llama makes the server that Solo would run.
func (a *app) llama(prefix func(context.Context) []models.Message) (*llama.Server, error) {
	return llama.New(llama.Config{Settings: a.settings.Llama.Settings, Data: a.home.data, Prefix: prefix, Log: a.part("llama")})
}

func (a *app) addLlama(ctx context.Context, t *thinkers, prefix func(context.Context) []models.Message) error {
	if a.settings.Llama.Use == "off" {
		return nil
	}
	s, err := a.llama(prefix)
	if err != nil {
		return fmt.Errorf("llama: %w", err)
	}
	found, err := s.Find(ctx)
	if err != nil {
		wanted := a.settings.Llama.Use == "on" || a.settings.Llama.Model != "" || a.settings.Llama.Server != ""
		if !wanted && (errors.Is(err, models.ErrAbsent) || errors.Is(err, models.ErrNoModel)) {
			return nil
		}
		t.lacks = append(t.lacks, "Solo's language model: "+err.Error())
	}
	t.context = found.Context
	t.engines, t.services = append(t.engines, s), append(t.services, s.Keep())
	if e := s.Embedder(); e != nil {
		t.services = append(t.services, e.Keep())
	}
	return nil
}

func (a *app) ollama() (*ollama.Engine, error) {
	c := a.settings.Ollama.Config
	c.Log, c.LocalOnly = a.part("ollama"), c.LocalOnly || a.settings.Model.LocalOnly
	return ollama.New(c)
}

func (a *app) addOllama(ctx context.Context, t *thinkers) error {
	if a.settings.Ollama.Use == "off" {
		return nil
	}
	e, err := a.ollama()
	if err != nil {
		return fmt.Errorf("ollama: %w", err)
	}
	if a.settings.Ollama.Use == "auto" && a.settings.Ollama.Host == "" {
		ctx, cancel := context.WithTimeout(ctx, probing)
		defer cancel()
		if _, err := e.Found(ctx); err != nil {
			return nil // nobody set it up
		}
	}
	if len(t.engines) == 0 {
		t.context = a.settings.Ollama.Context
	}
	t.engines = append(t.engines, e)
	return nil
}

// served is an OpenAI-compatible server that has a section of its own.
type served struct {
	openai.Config
	needsKey bool
}

// openAIs are those servers, with the addresses that are well known.
func (a *app) openAIs() []served {
	known := func(c openai.Config, name, url string, needsKey bool) served {
		c.Name = name
		if c.BaseURL == "" && c.Key.Reveal() != "" {
			c.BaseURL = url
		}
		return served{c, needsKey}
	}
	s := a.settings
	return []served{
		known(s.Server, "server", "", false),
		known(s.LMStudio, "lmstudio", "http://127.0.0.1:1234/v1", false),
		known(s.OpenAI, "openai", "https://api.openai.com/v1", true),
		known(s.Groq, "groq", "https://api.groq.com/openai/v1", true),
	}
}

// newRouter chooses among the engines. Thinking deeply goes to a cloud where one is set up and nothing else is said:
// it is asked only with the user's word.
func (a *app) newRouter(t thinkers, c router.Config) (*router.Router, error) {
	c.Engines, c.Log, c.Now = t.engines, a.part("router"), a.now
	for _, e := range t.engines {
		if c.Deep == "" && !c.LocalOnly && e.Cloud("") {
			c.Deep = e.Name()
		}
	}
	return router.New(c)
}
