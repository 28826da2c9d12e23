package main

import (
	"cmp"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/solo-assistant/solo/audio/stt/sphinx"
	"github.com/solo-assistant/solo/audio/wake/porcupine"
	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/library"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/dashboard"
	"github.com/solo-assistant/solo/models/router"
)

// giveDoor opens the assistant to browsers and other programs of this machine. It gives the services behind the door and
// the door itself.
func (s *assistant) giveDoor(st *store.Store, db *rows.DB, told func(web.Listening)) (services []supervise.Service, err error) {
	if s.app.settings.Web.Use == "off" {
		return nil, nil
	}
	conversations, vitals := newTalks(s), newVitals(s, st, db)
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
	case library.Progress:
		return "documents", e
	}
	return "", nil
}

// engines are those in use, and those that are missing.
func (s *assistant) engines() []web.Engine {
	vad, err := s.app.vadEngine()
	all := []web.Engine{s.wakeEngine(), {Job: "vad", Name: vad, Found: err == nil}, s.recogniserEngine()}
	tts := web.Engine{Job: "tts", Name: "voice", Missing: "no speech engine was found", Mend: "apt-get install flite"}
	if s.synth != nil {
		tts = web.Engine{Job: "tts", Name: s.synth.title(), Found: true}
	}
	llm := web.Engine{Job: "llm", Name: "language model", Missing: cmp.Or(strings.Join(s.brain.lacks, "; "), "no language model was found"), Mend: "solo doctor tells how to get one"}
	if r := s.brain.router; r != nil {
		llm = web.Engine{Job: "llm", Found: true}
		llm.Name, llm.Version, _ = r.Provider("quick")
	}
	return append(all, tts, llm)
}

func (s *assistant) wakeEngine() web.Engine {
	e := web.Engine{Job: "wake", Name: "porcupine", Version: porcupine.Version(), Found: s.hearing.now() != nil}
	if s.app.settings.Wake.Engine == "own" {
		e.Name, e.Version = "own wake word", strings.Join(s.app.ownPhrases(), ", ")
	}
	if !e.Found {
		e.Missing = "there is no microphone"
		if why := s.hearing.why(); why != nil {
			e.Missing = why.Error()
		}
	}
	return e
}

func (s *assistant) recogniserEngine() web.Engine {
	if s.whisper != nil {
		return web.Engine{Job: "stt", Name: "whisper-server", Found: true}
	}
	e := web.Engine{Job: "stt", Name: "pocketsphinx", Version: sphinx.Version(), Found: sphinx.Version() != ""}
	if !e.Found {
		e.Missing, e.Mend = "this build has no recogniser", "apt-get install libpocketsphinx-dev pocketsphinx-en-us, then make build"
	}
	return e
}

// libraries are the versions of the libraries in this build, by their paths.
var libraries = sync.OnceValue(func() map[string]string {
	versions := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			versions[m.Path] = m.Version
		}
	}
	return versions
})
