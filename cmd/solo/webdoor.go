package main

import (
	"cmp"
	"context"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/solo-assistant/solo/audio/stt/sphinx"
	"github.com/solo-assistant/solo/audio/wake/porcupine"
	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/dashboard"
	"github.com/solo-assistant/solo/models/router"
)

// giveDoor opens the assistant to browsers and other programs of this machine. It gives the services behind the door and
// the door itself.
func (s *assistant) giveDoor(st *store.Store, database string, told func(web.Listening)) (services []supervise.Service, err error) {
	if s.app.settings.Web.Use == "off" {
		return nil, nil
	}
	conversations, vitals := newTalks(s), newVitals(s, st, database)
	c := s.app.settings.Web.Config
	c.TokenFile, c.Uploads = filepath.Join(s.app.home.data, "token"), filepath.Join(s.app.home.cache, "uploads")
	c.Version, c.Page, c.Listening, c.Now = version, dashboard.Page(), told, s.app.now
	c.User = owner
	c.Assistant, c.Talk, c.Hear, c.Voice, c.Jobs = conversations, conversations.Talk, s.scribe, recital{s}, s.jobs
	if s.brain.router != nil {
		c.Models = s.brain.router
	}
	c.Rooms, c.Status, c.Ready, c.Bus, c.More = s.rooms(st), vitals.Status, s.unready, &s.bus, s.more
	c.Restart = func(name string) error { return s.tree.Restart(name) }
	c.Log = s.app.part("web")
	if s.door, err = web.New(c); err != nil {
		return nil, err
	}
	return []supervise.Service{vitals, conversations, s.door}, nil
}

// more names the events of other parts for those who look in from outside.
func (s *assistant) more(v any) (kind string, data any) {
	switch e := v.(type) {
	case router.Asked:
		l := s.usage(e)
		return "usage", map[string]any{"work": e.Work, "engine": l.Engine, "model": l.Model, "prompt": e.Usage.Prompt, "generated": e.Usage.Generated,
			"prompt_tps": l.PromptTPS, "gen_tps": l.GenTPS, "first_token_ms": l.First, "error": e.Err}
	case supervise.Status:
		return "service", e
	}
	return "", nil
}

// engineNames are what Solo runs on, by their jobs.
func (s *assistant) engineNames() map[string]string {
	names := map[string]string{"database": "sqlite " + moduleVersion("modernc.org/sqlite")}
	for _, e := range s.engines(context.Background()) {
		if e.Found {
			names[e.Job] = strings.TrimSpace(e.Name + " " + e.Version)
		}
	}
	return names
}

// engines are those in use, and those that are missing.
func (s *assistant) engines(context.Context) []web.Engine {
	all := []web.Engine{{Job: "wake", Name: "porcupine", Version: porcupine.Version(), Found: s.hearing.now() != nil}, {Job: "stt", Name: "pocketsphinx", Version: sphinx.Version(), Found: sphinx.Version() != ""}}
	if !all[0].Found {
		all[0].Missing = "there is no microphone"
		if why := s.hearing.why(); why != nil {
			all[0].Missing = why.Error()
		}
	}
	if !all[1].Found {
		all[1].Missing, all[1].Mend = "this build has no recogniser", "apt-get install libpocketsphinx-dev pocketsphinx-en-us, then make build"
	}
	tts := web.Engine{Job: "tts", Name: "voice", Missing: "no speech engine was found", Mend: "apt-get install flite"}
	if s.synth != nil {
		tts = web.Engine{Job: "tts", Name: s.voiceName, Found: true}
	}
	llm := web.Engine{Job: "llm", Name: "language model", Missing: cmp.Or(strings.Join(s.brain.lacks, "; "), "no language model was found"), Mend: "solo doctor tells how to get one"}
	if r := s.brain.router; r != nil {
		llm = web.Engine{Job: "llm", Found: true}
		llm.Name, llm.Version, _ = r.Provider("quick")
	}
	return append(all, tts, llm)
}

// moduleVersion is the version of a library in this build, "" where it is not known.
func moduleVersion(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range info.Deps {
		if m.Path == path {
			return m.Version
		}
	}
	return ""
}
