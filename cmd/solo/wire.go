package main

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen"
	"github.com/solo-assistant/solo/audio/stt/whisper"
	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/channel/ptt"
	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/core/dialog"
	"github.com/solo-assistant/solo/core/job"
	"github.com/solo-assistant/solo/core/memory"
	"github.com/solo-assistant/solo/core/mind"
	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/core/task"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/voices/speak"
)

// owner is the user of this home folder, as the rows name the first one.
const owner = "owner"

// app is what the commands ask: the settings, and from them whatever a command needs.
type app struct {
	home     home
	settings settings
	report   config.Report
	log      zerolog.Logger

	mendScale float64 // of the learning of a wake word again, 0 for all of it
}

// ends are the microphone and the loudspeaker that an assistant is put together around.
type ends struct {
	source  listen.Source       // nil: nothing to listen with, typed lines only
	sink    speak.Sink          // never nil
	devices []supervise.Service // that keep both alive
	last    func()              // called when the source is over; nil: the listener is started again
	keys    bool                // the keyboard opens and closes the microphone
	think   bool                // what is no command goes to a language model
	mute    bool                // what is due does not ring here, because it rings elsewhere
	levels  *levels             // of the devices, nil for none
	opened  func(web.Listening) // told where the web door is; nil: there is none
	herald  *herald             // says how the rows are; nil: nobody
}

// assistant is Solo, put together and not yet running.
type assistant struct {
	app      *app
	bus      bus.Bus
	started  time.Time
	memory   *memory.Memory
	tasks    *task.List
	book     *schedule.Book
	box      *tool.Box
	bookcase *bookcase
	brain    brain
	sessions store.Sessions
	jobs     *job.Jobs
	named    named
	mind     *mind.Mind
	speaker  *speak.Speaker
	sink     speak.Sink
	keys     *ptt.Door // nil where no key opens the microphone
	dialog   *dialog.Conductor
	hearing  hearing
	whisper  *whisper.Engine // nil where it is not used
	history  *history
	tree     *supervise.Tree
	lacks    []string // what was not found, each with how to mend it
	hints    []string // what else the user should know at the start
	synth    *voice   // nil without a voice
	scribe   *scribe
	door     *web.Door // nil where it is off
	levels   *levels   // nil without sound devices
	work     work
	read     bool    // a person reads what is said
	thrift   *thrift // nil where nothing is to be saved
	wakes    wakes
	menders  menders
	service  bus.Pub[supervise.Status]

	closing sync.Mutex
	closers []io.Closer
}

// assemble puts an assistant together over open rows; it starts nothing.
func (a *app) assemble(ctx context.Context, db *rows.DB, e ends, more ...supervise.Service) (*assistant, error) {
	user, err := db.User(ctx, owner)
	if err != nil {
		return nil, err
	}
	s := &assistant{app: a, started: time.Now(), sink: e.sink, scribe: &scribe{app: a}, levels: e.levels}
	s.scribe.whisper = func() *whisper.Engine { return s.whisper }
	s.service = bus.Publisher[supervise.Status](&s.bus, "supervisor")
	s.menders.app, s.menders.scale = a, a.mendScale
	s.bus.Tap(s.wakes.hear)
	if e.levels != nil {
		e.levels.join(&s.bus)
	}
	st := store.New(db, user)
	s.giveMemory(st)
	s.tasks = task.New(task.Config{Rows: st.Tasks(), Now: a.now})
	s.introduce(ctx)
	s.givePromises(st)
	if err := s.giveVoice(ctx, e.sink); err != nil {
		return nil, err
	}
	s.sessions = st.Sessions()
	s.bus.Tap(s.named.hear)
	s.giveJobs(st)
	s.giveBox(st)
	reading := s.giveLibrary(st, e.opened != nil)
	thinking, err := s.giveBrain(ctx, e.think)
	if err != nil {
		return nil, err
	}
	s.giveWork(st)
	if err := s.giveTools(); err != nil {
		return nil, err
	}
	s.giveMind()
	s.history = newHistory(&s.bus, st, a.part("history"))
	s.hold(s.history)
	services := []supervise.Service{s.history}
	if e.opened != nil {
		doors, err := s.giveDoor(st, db, e.opened)
		if err != nil {
			return nil, err
		}
		services = append(services, doors...)
	}
	services = append(services, thinking...)
	services = append(services, reading...)
	if e.think {
		services = append(services, s.scribe, service{"jobs", s.jobs.Serve}, service{"memory", s.memory.Serve}, newReporter(s))
	}
	services = append(services, e.devices...)
	services = append(services, s.voiceService()...)
	services = append(services, service{"speak", s.speaker.Serve}, s.dialog)
	if e.source != nil || e.opened != nil { // browsers speak too
		services = append(services, s.giveWhisper()...)
	}
	if e.source != nil {
		services = append(services, ear{s, e})
		services = append(services, s.giveThrift()...)
	}
	if !e.mute {
		services = append(services, newPresence(s), service{"schedule", s.book.Serve})
		services = append(services, s.workServices()...)
	}
	if e.keys {
		if err := s.giveKeys(e.source != nil); err != nil {
			return nil, err
		}
		if s.keys != nil {
			services = append(services, s.keys)
		}
	}
	services = append(services, more...)
	s.tree = supervise.New(supervise.Config{Name: "solo", Watch: s.watch}, services...)
	return s, nil
}

// introduce takes the user's name from the settings until the user tells another.
func (s *assistant) introduce(ctx context.Context) {
	name := s.app.settings.User.Name
	if _, told, err := s.memory.Get(ctx, "name"); name == "" || told || err != nil {
		return
	}
	if err := s.memory.Set(ctx, "name", name, "settings"); err != nil {
		s.app.log.Warn().Err(err).Msg("the name in the settings was not kept")
	}
}

// giveVoice makes the speaker; without an engine Solo answers in writing only.
func (s *assistant) giveVoice(ctx context.Context, sink speak.Sink) error {
	engine, err := s.app.newVoice()
	if err != nil {
		s.lacks = append(s.lacks, err.Error())
	} else {
		s.synth = engine
	}
	s.speaker = speak.New(s.voiceConfig(ctx, sink))
	if v, ok := s.number(ctx, "volume"); ok {
		s.speaker.SetVolume(v)
	}
	return nil
}

// voiceConfig is how Solo speaks into a sink.
func (s *assistant) voiceConfig(ctx context.Context, sink speak.Sink) speak.Config {
	c := s.app.settings.Voice.Config
	c.Sink, c.Log = sink, s.app.part("speak")
	if s.synth != nil {
		c.Synth = s.synth
	}
	if name, ok, err := s.memory.Get(ctx, "voice"); err == nil && ok && c.Name == "" {
		c.Name = name
	}
	return c
}

// mindConfig is what every conversation's mind is made of.
func (s *assistant) mindConfig() mind.Config {
	return mind.Config{Intents: s.intents(), Tools: s.box, Agent: s.thinker(), Bus: &s.bus, Now: s.app.now, Log: s.app.part("mind")}
}

// giveMind joins what understands to what acts, and leads the conversation with them.
func (s *assistant) giveMind() {
	s.mind = mind.New(s.mindConfig())
	c := s.app.settings.Dialog
	c.Mind, c.Voice, c.Ears, c.Bus, c.Log = s.mind, s.speaker, ears{s}, &s.bus, s.app.part("dialog")
	c.Rings, c.Telling, c.Told = s.book.Rings, s.telling, s.told
	s.dialog = dialog.New(c)
}

// service is a job of a name that serves as soon as it runs.
type service struct {
	name  string
	serve func(ctx context.Context) error
}

func (s service) String() string { return s.name }

func (s service) Serve(ctx context.Context) error {
	supervise.Ready(ctx)
	return s.serve(ctx)
}

// closing is an io.Closer that cannot fail.
type closing func()

func (c closing) Close() error { c(); return nil }

// Serve runs the assistant until ctx ends.
func (s *assistant) Serve(ctx context.Context) error { return s.tree.Serve(ctx) }

// hold keeps what Close frees.
func (s *assistant) hold(c io.Closer) {
	s.closing.Lock()
	defer s.closing.Unlock()
	s.closers = append(s.closers, c)
}

// Close frees the engines.
func (s *assistant) Close() error {
	s.closing.Lock()
	defer s.closing.Unlock()
	var errs []error
	for _, c := range s.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// watch logs the life of the services.
func (s *assistant) watch(st supervise.Status) {
	l := s.app.log.Info()
	if st.Err != nil && (st.State == supervise.Waiting || st.State == supervise.Stuck) {
		l = s.app.log.Warn().Err(st.Err)
	}
	_ = s.service.Publish(context.Background(), st) // nobody waits for it, so it cannot fail
	l.Str("part", "supervise").Str("service", st.Name).Str("state", string(st.State)).Int("restarts", st.Restarts).Msg("service")
}

func (a *app) part(name string) zerolog.Logger { return a.log.With().Str("part", name).Logger() }

// now is the time in the user's zone.
func (a *app) now() time.Time {
	z, err := a.settings.zone()
	if err != nil {
		z = time.Local // the zone was checked when it was loaded
	}
	return time.Now().In(z)
}

// silence is a loudspeaker for a machine that has none: what is played passes in no time.
type silence struct{}

func (silence) Rate() int                                 { return audio.Rate }
func (silence) Play(ctx context.Context, _ []int16) error { return context.Cause(ctx) }
func (silence) Drain(ctx context.Context) error           { return context.Cause(ctx) }
func (silence) Hush()                                     {}
