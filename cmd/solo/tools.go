package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/solo-assistant/solo/core/consent"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/tool/alarms"
	"github.com/solo-assistant/solo/core/tool/approvals"
	"github.com/solo-assistant/solo/core/tool/apps"
	"github.com/solo-assistant/solo/core/tool/calc"
	"github.com/solo-assistant/solo/core/tool/clock"
	"github.com/solo-assistant/solo/core/tool/documents"
	"github.com/solo-assistant/solo/core/tool/help"
	"github.com/solo-assistant/solo/core/tool/jobs"
	"github.com/solo-assistant/solo/core/tool/machine"
	remember "github.com/solo-assistant/solo/core/tool/memory"
	"github.com/solo-assistant/solo/core/tool/microphone"
	"github.com/solo-assistant/solo/core/tool/profile"
	"github.com/solo-assistant/solo/core/tool/reminders"
	"github.com/solo-assistant/solo/core/tool/scripts"
	"github.com/solo-assistant/solo/core/tool/speech"
	"github.com/solo-assistant/solo/core/tool/system"
	"github.com/solo-assistant/solo/core/tool/talk"
	"github.com/solo-assistant/solo/core/tool/think"
	"github.com/solo-assistant/solo/core/tool/timers"
	"github.com/solo-assistant/solo/core/tool/undo"
	"github.com/solo-assistant/solo/core/tool/volume"
	"github.com/solo-assistant/solo/core/tool/wake"
	"github.com/solo-assistant/solo/models/gpu"
)

// giveBox makes the toolbox, still empty, and the book of what the user agreed to, which guards it.
func (s *assistant) giveBox(st *store.Store) {
	s.brain.consent = consent.New(consent.Config{Rows: st.Consent(), Bus: &s.bus, Now: s.app.now, Log: s.app.part("consent")})
	c := s.app.settings.Tools
	c.Bus, c.Log, c.Consent, c.Spend = &s.bus, s.app.part("tool"), s.brain.consent, s.brain.consent.Spend
	s.box = tool.New(c)
}

// giveTools fills the toolbox.
func (s *assistant) giveTools() error {
	now := s.app.now
	for _, tools := range append(s.workTools(), [][]tool.Tool{
		clock.Tools(clock.Config{Now: now}),
		timers.Tools(timers.Config{Book: s.book, Now: now}),
		alarms.Tools(alarms.Config{Book: s.book, Now: now}),
		reminders.Tools(reminders.Config{Book: s.book, Now: now}),
		remember.Tools(remember.Config{Memory: s.memory, Now: now}),
		calc.Tools(),
		speech.Tools(speech.Config{Speaker: mouth{s}, Bell: s.book}),
		volume.Tools(volume.Config{Speaker: s.speaker, Preferences: s.memory}),
		wake.Tools(learner{s}),
		microphone.Tools(microphone.Config{Microphone: ears{s}, Preferences: s.memory}),
		undo.Tools(s.box),
		help.Tools(),
		system.Tools(health{s}),
		profile.Tools(s.memory),
		talk.Tools(talk.Config{Preferences: s.memory, Now: now}),
		approvals.Tools(approvals.Config{Book: s.brain.consent, Box: s.box, Jobs: s.jobs, Now: now}),
		jobs.Tools(s.jobs),
		think.Tools(s.deep()),
		documents.Tools(s.shelf()),
		apps.Tools(apps.Config{}),
		scripts.Tools(s.scripts()),
		machine.Tools(machine.Config{GPU: s.cards()}),
	}...) {
		if err := s.box.Add(tools...); err != nil {
			return err
		}
	}
	if strays := s.app.settings.Tools.Rules.Strays(s.box.Specs()); len(strays) > 0 {
		s.hints = append(s.hints, fmt.Sprintf("the settings tools.allow, ask or deny name what is no tool: %s; solo tools list tells what there is", strings.Join(strays, ", ")))
	}
	return nil
}

// deep is thinking with the strongest model, where there is one.
func (s *assistant) deep() think.Config {
	c := think.Config{Book: s.brain.consent}
	if s.brain.router != nil { // an interface that holds nothing is not nil
		c.Agent, c.Model = s.brain.agent, s.brain.router
	}
	return c
}

// shelf is where the user's documents are read.
func (s *assistant) shelf() documents.Config {
	c := s.app.settings.Documents
	c.Reader, c.Workspace, c.Roots, c.Library = s.bookcase.reader, s.app.settings.Workspace, s.named.paths, s.bookcase
	return c
}

// cards reads the graphics cards.
func (s *assistant) cards() *gpu.Reader {
	r := gpu.New(gpu.Config{})
	s.hold(closing(r.Close))
	return r
}

func (s *assistant) scripts() scripts.Config {
	c := s.app.settings.Scripts
	c.Workspace = s.app.settings.Workspace
	return c
}

// mouth is what was said, for the tools that repeat it or stop it.
type mouth struct{ s *assistant }

func (m mouth) Last() string { return withoutFiller(m.s.dialog.Last()) }

// Hush has nothing to do: the turn that asks for silence has ended the one that spoke.
func (m mouth) Hush() {}

// Mute closes the microphone, or opens it, and shows it.
func (e ears) Mute(on bool) {
	if l := e.s.hearing.now(); l != nil {
		l.Mute(on)
	}
}

// health knows how the services are.
type health struct{ s *assistant }

// names are the services as the user would call them.
var names = map[string]string{"listen": "the ears", "speak": "the voice", "dialog": "the conversation", "history": "the history", "schedule": "the timers and reminders",
	"llama": "the language model", "agent": "the thinking", "jobs": "the work in the background", "push-to-talk": "the key"}

func (h health) Services() []system.Service {
	var list []system.Service
	for _, st := range h.s.tree.States() {
		name := st.Name
		if known, ok := names[name]; ok {
			name = known
		} else if !strings.HasPrefix(name, "the ") {
			name = "the " + name
		}
		sick := st.State == supervise.Waiting || st.State == supervise.Late || st.State == supervise.Stuck
		why := ""
		if st.Err != nil && sick {
			why = st.Err.Error()
		}
		list = append(list, system.Service{Name: name, Healthy: !sick, Why: why})
	}
	if why := h.s.hearing.why(); why != nil {
		list = append(list, system.Service{Name: "the ears", Why: why.Error()})
	}
	for _, lack := range h.s.brain.lacks {
		list = append(list, system.Service{Name: "the language model", Why: lack})
	}
	for _, lack := range h.s.lacks {
		list = append(list, system.Service{Name: "the voice", Why: lack})
	}
	return list
}

// number is a preference that holds a number.
func (s *assistant) number(ctx context.Context, key string) (int, bool) {
	text, ok, err := s.memory.Get(ctx, key)
	if err != nil || !ok {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}
