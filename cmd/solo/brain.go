package main

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/agent"
	"github.com/solo-assistant/solo/core/consent"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/mind"
	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/router"
)

// brain is what thinks beyond commands. Its router and agent are nil where no language model was found.
type brain struct {
	consent *consent.Book
	router  *router.Router
	agent   *agent.Agent
	lacks   []string
	engines []router.Engine // all that can be asked
}

// giveBrain finds the language models, where the ends want any, and makes the agent that thinks with them. It gives
// the services that they need.
func (s *assistant) giveBrain(ctx context.Context, wanted bool) ([]supervise.Service, error) {
	if !wanted {
		return nil, nil
	}
	t, err := s.app.newThinkers(ctx, func(ctx context.Context) []models.Message { return s.brain.agent.Prefix(ctx) })
	if err != nil {
		return nil, err
	}
	s.brain.lacks = t.lacks
	if len(t.engines) == 0 {
		return nil, nil
	}
	s.brain.engines = t.engines
	c := s.app.settings.Model
	c.Consent, c.Bus = s.brain.consent, &s.bus
	if s.brain.router, err = s.app.newRouter(t, c); err != nil {
		return nil, err
	}
	s.brain.agent = s.newAgent(t.context)
	return append(t.services, service{"agent", s.brain.agent.Serve}, newCompanion(&s.bus, s.brain.agent)), nil
}

// newAgent makes the agent; its tools are in the box by the time it is asked.
func (s *assistant) newAgent(context int) *agent.Agent {
	c := s.app.settings.Agent
	if c.Context == 0 {
		c.Context = context
	}
	c.Model, c.Tools, c.Memory, c.Sessions, c.Jobs = s.brain.router, s.box, remembered{s.memory}, s.sessions, s.jobs
	c.Archive = archived{s.memory}
	c.Bus, c.Log, c.Now, c.Workspace = &s.bus, s.app.part("agent"), s.app.now, s.app.settings.Workspace
	if err := os.MkdirAll(c.Workspace, 0o700); err != nil {
		s.brain.lacks = append(s.brain.lacks, "Solo's workspace cannot be made: "+err.Error())
	}
	return agent.New(c)
}

// thinker is the agent as the mind wants it: a nil interface where there is none.
func (s *assistant) thinker() mind.Agent {
	if s.brain.agent == nil {
		return nil
	}
	return s.brain.agent
}

// companion tells the agent what happens in the talk beside its own answers: what is about to be asked, so that the
// prompt is read early, and where the user spoke over an answer.
type companion struct {
	agent   *agent.Agent
	partial *bus.Sub[event.Partial]
	cut     *bus.Sub[event.Interrupted]
}

func newCompanion(b *bus.Bus, a *agent.Agent) *companion {
	return &companion{a, bus.Subscribe[event.Partial](b, "companion", 1, bus.DropOldest), bus.Subscribe[event.Interrupted](b, "companion", 8, bus.Block)}
}

func (c *companion) String() string { return "companion" }

// Serve listens until ctx ends.
func (c *companion) Serve(ctx context.Context) error {
	supervise.Ready(ctx)
	defer c.agent.Close()
	for {
		select {
		case e := <-c.partial.C:
			if _, known := commands().Match(e.Val.Text); e.Val.Stable && !known {
				c.shorten(ctx)
				c.agent.Prepare(ctx, e.Val.Text)
			}
		case e := <-c.cut.C:
			c.agent.Spoke(ctx, withoutFiller(e.Val.Spoken))
		case <-ctx.Done():
			return nil
		}
	}
}

// shorten takes what waits of the answers that were spoken over, so that the next prompt holds no more of them.
func (c *companion) shorten(ctx context.Context) {
	for {
		select {
		case e := <-c.cut.C:
			c.agent.Spoke(ctx, withoutFiller(e.Val.Spoken))
		default:
			return
		}
	}
}

// withoutFiller is what was said without the words that only covered a wait.
func withoutFiller(spoken string) string {
	for _, f := range mind.Fillers {
		if rest, ok := strings.CutPrefix(spoken, f); ok {
			return strings.TrimSpace(rest)
		}
	}
	return spoken
}

// errNoModel says that nothing here can think beyond commands.
var errNoModel = errors.New("no language model is set up")

// answerWhole asks the model for one whole text, past the agent.
func (s *assistant) answerWhole(ctx context.Context, r models.Request) (string, error) {
	if s.brain.router == nil {
		return "", errNoModel
	}
	var text strings.Builder
	for d, err := range s.brain.router.Stream(ctx, r) {
		if err != nil {
			return text.String(), err
		}
		text.WriteString(d.Text)
	}
	return text.String(), nil
}
