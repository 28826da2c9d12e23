// Package agent thinks: what no command understands goes to a language model, which acts through tools and whose
// sentences leave while they are written.
//
// One answer is at most a few requests. The model either replies or calls tools; a call is checked as a whole before
// anything is run, a broken answer is repaired or sent back for mending, and the results go back to the model. What is
// said of a change comes from the tool that made it, never from the model's hopes. Work of many steps is planned, done
// and criticised (see Task), as a background job where there are jobs.
//
// The prompt is laid out for the engine's cache: first what never changes (persona, rules, tools), then what changes by
// the day (date, facts of the user), then the talk, and at the end, beside the user's words, the time and what memory
// holds of them. What strangers wrote is fenced, and every call made after it was read is marked for policy.
//
// An Agent is safe for use by several goroutines. New builds, Serve does what needs no one to wait (it makes old talk
// short), and Close ends what Prepare began.
package agent

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/models"
)

// Model answers a conversation piece by piece. Its errors wrap those of package models.
type Model interface {
	Stream(ctx context.Context, r models.Request) iter.Seq2[models.Delta, error]
}

// Toolbox runs tools.
type Toolbox interface {
	// Call runs one tool under its policy. On error the Result still has a sentence to say.
	Call(ctx context.Context, c models.Call) (models.Result, error)
	// Check tells everything that is wrong with a call and runs nothing.
	Check(c models.Call) error
	Specs() []models.Spec
}

// Memory knows what the user told.
type Memory interface {
	// About gives at most n things that are known about text, the best first.
	About(ctx context.Context, text string, n int) ([]string, error)
	// Profile gives what is always worth knowing of the user: the name, the town.
	Profile(ctx context.Context) ([]string, error)
}

// Sourced is a Memory that can tell which of its texts strangers wrote.
type Sourced interface{ Outside(text string) bool }

// Archive keeps what a talk told before a summary stands for it, so that nothing is lost by making the talk short.
type Archive interface {
	// Archive keeps lines that are about to be folded. It may be given the same lines again.
	Archive(ctx context.Context, session string, lines []Line) error
	// Summarized keeps the summary that stands for the lines up to one of them, in the place of the one before.
	Summarized(ctx context.Context, session string, upto int64, summary string, outside bool) error
}

// Jobs starts work in the background.
type Jobs interface {
	Start(ctx context.Context, kind, title string, input any) (int64, error)
}

// Config is what an Agent is made of. Model and Tools are needed, the rest may be absent.
type Config struct {
	Model     Model            `toml:"-"`
	Tools     Toolbox          `toml:"-"`
	Memory    Memory           `toml:"-"`
	Sessions  Sessions         `toml:"-"` // nil keeps talks until the program ends
	Archive   Archive          `toml:"-"` // nil keeps nothing but the summary and the lines
	Jobs      Jobs             `toml:"-"` // nil works while the user waits
	Bus       *bus.Bus         `toml:"-"`
	Log       zerolog.Logger   `toml:"-"`
	Now       func() time.Time `toml:"-"` // nil is time.Now; its zone is the user's
	Workspace string           `toml:"-"` // folder of the persona's files, "" for the default persona

	Native      bool          `toml:"native" default:"false" doc:"offer tools in the engine's own way in place of a schema for the answer; better with most clouds, worse with most local models"`
	Context     int           `toml:"context" default:"0" min:"0" max:"1000000" doc:"tokens of prompt and answer together; 0: as many as the model has, 4096 where that is not known"`
	MaxTokens   int           `toml:"max_tokens" default:"512" min:"64" max:"32768" doc:"tokens of one answer"`
	Talk        int           `toml:"talk" default:"1000" min:"100" max:"100000" doc:"tokens of earlier talk that are shown to the model; older talk is summarized"`
	Memories    int           `toml:"memories" default:"5" min:"1" max:"50" doc:"memories that are shown to the model beside the user's words"`
	Rounds      int           `toml:"rounds" default:"4" min:"1" max:"20" doc:"times that the model may call tools in one answer"`
	Mends       int           `toml:"mends" default:"2" min:"1" max:"5" doc:"times that a broken answer is sent back to the model"`
	Temperature float64       `toml:"temperature" default:"0" min:"0" max:"2" doc:"0 answers alike every time, higher varies"`
	Limit       time.Duration `toml:"limit" default:"2m" min:"5s" max:"30m" doc:"longest time for one answer"`
	Steps       int           `toml:"steps" default:"8" min:"1" max:"30" doc:"steps that a plan may have"`
	TaskLimit   time.Duration `toml:"task_limit" default:"20m" min:"1m" max:"24h" doc:"longest time for a task of several steps"`
	TaskTokens  int           `toml:"task_tokens" default:"100000" min:"5000" max:"10000000" doc:"tokens, read and written, that a task may cost"`
	Outside     time.Duration `toml:"outside" default:"2h" min:"1m" max:"720h" doc:"how long talk about what strangers wrote is shown to the model; while it is, Solo asks before it changes anything"`
	Hidden      []string      `toml:"hidden" default:"talk,speech,microphone,help.identity" doc:"tools, or themes of tools, that the model is not offered"`
}

// Agent answers with the help of a language model.
type Agent struct {
	c       Config
	persona *Persona
	events  events

	mu      sync.Mutex
	ready   *prepared          // prompt that is being read before it is needed
	last    map[string]string  // the last answer of each session, as it was meant
	offered map[string]*offer  // schemas and tool lines by the names of their tools
	folding context.CancelFunc // ends the summary that is being made
	answers int                // answers in progress
	fold    chan string        // sessions with too long a talk
	work    sync.WaitGroup     // goroutines of Prepare
}

// New builds an Agent.
func New(c Config) *Agent {
	fill(&c)
	a := &Agent{c: c, persona: NewPersona(c.Workspace, c.Log), last: map[string]string{}, offered: map[string]*offer{},
		fold: make(chan string, 16)}
	a.events = newEvents(c.Bus)
	return a
}

func fill(c *Config) {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Sessions == nil {
		c.Sessions = &notes{}
	}
	for into, value := range map[*int]int{&c.Context: 4096, &c.MaxTokens: 512, &c.Talk: 1000, &c.Memories: 5, &c.Rounds: 4, &c.Mends: 2, &c.Steps: 8, &c.TaskTokens: 100_000} {
		if *into == 0 {
			*into = value
		}
	}
	for into, value := range map[*time.Duration]time.Duration{&c.Limit: 2 * time.Minute, &c.TaskLimit: 20 * time.Minute, &c.Outside: 2 * time.Hour} {
		if *into == 0 {
			*into = value
		}
	}
	if c.Hidden == nil {
		c.Hidden = strings.Split("talk,speech,microphone,help.identity", ",")
	}
}

// Persona gives the files that tell who Solo and the user are.
func (a *Agent) Persona() *Persona { return a.persona }

// Close ends what Prepare began and waits for it.
func (a *Agent) Close() {
	a.mu.Lock()
	if a.ready != nil {
		a.ready.end()
		a.ready = nil
	}
	a.mu.Unlock()
	a.work.Wait()
}

// TaskTool is the name under which the model asks for work of several steps. It is the agent's own, not the toolbox's.
const TaskTool = "agent.task"

var taskSpec = models.Spec{Name: TaskTool, Class: models.Read,
	Description: "Plans and does work of three or more steps, in the background.",
	Schema:      json.RawMessage(`{"type":"object","properties":{"goal":{"type":"string"}},"required":["goal"],"additionalProperties":false}`)}
