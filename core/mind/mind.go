// Package mind turns what was heard into calls of tools and sentences.
//
// There is one toolbox and one policy: an understood command becomes the same models.Call that a
// language model would make. A Mind belongs to one conversation and remembers the question that it asked last.
package mind

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/models"
)

// Intents understands commands.
type Intents interface {
	// Understand says which command text is; the name is also the tool's.
	Understand(text string) (name string, slots map[string]string, ok bool)
	// Near finds a text that is a command and that was perhaps meant.
	Near(text string) (suggestion, intent string, ok bool)
}

// Toolbox runs calls. With an error the Result may still hold a sentence for the user.
type Toolbox interface {
	Call(ctx context.Context, c models.Call) (models.Result, error)
}

// describer is a Toolbox that knows the class of its tools; without it every tool but Solo's own reading ones counts as writing.
type describer interface{ Specs() []models.Spec }

// Agent answers what is no command, piece by piece; the last piece may leave a question open.
type Agent interface {
	Answer(ctx context.Context, h event.Heard) iter.Seq2[models.Answer, error]
}

// Config is what a Mind is made of.
type Config struct {
	Intents Intents  `toml:"-"`
	Tools   Toolbox  `toml:"-"`
	Agent   Agent    `toml:"-"` // nil where no language model is configured
	Bus     *bus.Bus `toml:"-"` // gets event.Understood; nil for none
	// Now tells the time in the user's zone; nil is time.Now.
	Now func() time.Time `toml:"-"`
	Log zerolog.Logger   `toml:"-"`
	// Sure is the least trust in the recognised words, 0 to 1, with which a command that changes
	// something is run without asking "Did you say ...?". 0 means 0.35.
	Sure float64 `toml:"sure"`
	// Patience is how long a question waits for its answer. 0 means a minute.
	Patience time.Duration `toml:"patience"`
	// Filler is how long the language model may be silent until a filler is said. 0 means 2.5 s, less than 0 never.
	Filler time.Duration `toml:"filler"`
}

// Mind answers one conversation. Answers are given one at a time; a second waits for the first.
type Mind struct {
	c    Config
	told func(context.Context, event.Understood)

	turn    sync.Mutex // held while one answer is worked out
	open    *question  // asked last, nil for none
	fillers int        // said so far
}

// New builds a Mind.
func New(c Config) *Mind {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Sure == 0 {
		c.Sure = 0.35
	}
	if c.Patience == 0 {
		c.Patience = time.Minute
	}
	if c.Filler == 0 {
		c.Filler = 2500 * time.Millisecond
	}
	m := &Mind{c: c, told: func(context.Context, event.Understood) {}}
	if c.Bus != nil {
		pub := bus.Publisher[event.Understood](c.Bus, "mind")
		m.told = func(ctx context.Context, e event.Understood) {
			// It fails only when the turn has ended, and then nobody waits for it.
			_ = pub.Publish(ctx, e)
		}
	}
	return m
}

// Answer yields what is to be said about the words heard. The error is the ctx's cause when it ends
// early; what goes wrong in a tool becomes a sentence.
func (m *Mind) Answer(ctx context.Context, h event.Heard) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		m.turn.Lock()
		defer m.turn.Unlock()
		if said, done, err := m.reply(ctx, h); done || err != nil {
			if said != "" || err != nil {
				yield(said, err)
			}
			m.note(ctx, h.Text, said, err)
			return
		}
		m.ask(ctx, h, yield)
	}
}

// reply answers a command, or an answer to the question that is open; done is false where it was neither.
func (m *Mind) reply(ctx context.Context, h event.Heard) (said string, done bool, err error) {
	name, slots, ok := m.c.Intents.Understand(h.Text)
	if said, done, err := m.answered(ctx, h.Text, name, ok); done || err != nil {
		return said, true, err
	}
	if !ok {
		return "", false, nil
	}
	if h.Sure < m.c.Sure && !m.harmless(name) {
		m.told(ctx, event.Understood{Intent: name, Slots: slots})
		return m.put(question{text: h.Text}, "Did you say: "+h.Text+"?"), true, nil
	}
	said, err = m.do(ctx, name, slots)
	return said, true, err
}

// do runs a command.
func (m *Mind) do(ctx context.Context, name string, slots map[string]string) (string, error) {
	slots = m.apart(name, slots)
	m.told(ctx, event.Understood{Intent: name, Slots: slots})
	m.c.Log.Debug().Str("intent", name).Interface("slots", slots).Msg("understood")
	args, left, sorry := m.arguments(name, slots)
	if sorry != "" {
		return sorry, nil
	}
	said, err := m.call(ctx, models.Call{Tool: name, Arguments: args})
	if m.open != nil {
		m.open.phrase = left
	}
	return said, err
}

// call runs a tool, keeps the question that it leaves open and gives what is to be said.
func (m *Mind) call(ctx context.Context, c models.Call) (string, error) {
	r, err := m.c.Tools.Call(ctx, c)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		m.c.Log.Warn().Err(err).Str("tool", c.Tool).Msg("tool failed")
		if r.Say == "" {
			r.Say = sorryFor(err)
		}
		return r.Say, nil
	}
	if r.Ask != nil {
		return m.put(question{ask: *r.Ask}, r.Say), nil
	}
	return r.Say, nil
}

// sorryFor words an error of a toolbox that has no words of its own.
func sorryFor(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "Sorry, that took too long."
	}
	return "Sorry, that did not work."
}

// harmless commands are run even when the words are doubtful.
func (m *Mind) harmless(name string) bool {
	switch name {
	case "speech.stop", "microphone.mute", "volume.change", "volume.set", "timers.snooze":
		return true
	}
	d, ok := m.c.Tools.(describer)
	if !ok {
		return reading[name]
	}
	for _, s := range d.Specs() {
		if s.Name == name {
			return s.Class == models.Read
		}
	}
	return false
}

// reading are the tools that change nothing.
var reading = map[string]bool{"clock.time": true, "clock.date": true, "clock.day": true, "timers.list": true, "timers.left": true,
	"alarms.list": true, "reminders.list": true, "memory.recall": true, "tasks.list": true, "calc.compute": true, "calc.convert": true,
	"speech.repeat": true, "help.abilities": true, "help.identity": true, "system.status": true, "profile.name": true,
	"talk.hello": true, "talk.thanks": true, "talk.goodbye": true}
