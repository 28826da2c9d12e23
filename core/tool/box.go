package tool

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/models"
)

// Config is what a Box is made of. The zero Config works.
type Config struct {
	Bus     *bus.Bus // told of every call as event.Acted; nil tells nobody
	Log     zerolog.Logger
	Policy  Policy  // nil is Careful
	Consent Consent // nil is nobody to ask: what needs asking is denied
	// Limit is the longest that a call may take; 0 is 10 s.
	Limit time.Duration `toml:"limit"`
	// Undos is how many actions can be undone; 0 is 20.
	Undos int `toml:"undos"`
}

// Box holds the tools by name.
type Box struct {
	c      Config
	acted  func(context.Context, event.Acted)
	tools  map[string]Tool
	order  []string // of public tools, as added
	hidden map[string]bool
	strays sync.WaitGroup // calls that outlived their time limit

	mu     sync.Mutex
	undos  []undo // latest last
	offers []offer
}

// undo is how an action is taken back.
type undo struct {
	tool string
	call models.Call
}

var (
	ErrUnknown = errors.New("no such tool")
	ErrNothing = errors.New("nothing to undo")
)

// New builds an empty Box.
func New(c Config) *Box {
	if c.Policy == nil {
		c.Policy = Careful
	}
	if c.Limit <= 0 {
		c.Limit = 10 * time.Second
	}
	if c.Undos <= 0 {
		c.Undos = 20
	}
	b := &Box{c: c, tools: map[string]Tool{}, hidden: map[string]bool{}, acted: func(context.Context, event.Acted) {}}
	if c.Bus != nil {
		pub := bus.Publisher[event.Acted](c.Bus, "tool")
		b.acted = func(ctx context.Context, e event.Acted) {
			// The action is done even where the turn was given up meanwhile; nobody is left to tell then.
			_ = pub.Publish(ctx, e)
		}
	}
	return b
}

// Add puts tools into the box, before the first Call. It fails for a name that is there already, or is not of the form
// "theme.verb", and for a tool whose arguments fit no schema.
func (b *Box) Add(tools ...Tool) error {
	for _, t := range tools {
		name := t.Spec().Name
		if theme, verb, ok := strings.Cut(name, "."); !ok || theme == "" || verb == "" {
			return fmt.Errorf("adding tool %q: a name looks like theme.verb", name)
		}
		if b.tools[name] != nil {
			return fmt.Errorf("adding tool %q: there is one already", name)
		}
		if err := usable(t); err != nil {
			return fmt.Errorf("adding tool %q: %w", name, err)
		}
		if _, ok := t.(internal); ok {
			b.hidden[name] = true
		} else {
			b.order = append(b.order, name)
		}
		b.tools[name] = b.dress(t)
	}
	return nil
}

// dress puts the decorators around a tool; the last is the outermost.
func (b *Box) dress(t Tool) Tool {
	t = caught(t)
	t = limited(t, b.c.Limit, &b.strays)
	t = guarded(t, b.c.Policy, b.c.Consent)
	t = spoken(t)
	return logged(t, b.c.Log, b.acted)
}

// Specs describes the tools in the order in which they were added, Internal ones left out.
func (b *Box) Specs() []models.Spec {
	var all []models.Spec
	for _, name := range b.order {
		all = append(all, b.tools[name].Spec())
	}
	return all
}

// Call runs one tool. On error the Result still has a sentence to say.
// Errors: ErrUnknown, ErrArguments, ErrDenied, ErrLate, ErrPanic, or the tool's own.
func (b *Box) Call(ctx context.Context, c models.Call) (models.Result, error) {
	t := b.tools[c.Tool]
	if t == nil || b.hidden[c.Tool] && !b.take(c) {
		b.c.Log.Warn().Str("tool", c.Tool).Bool("internal", t != nil).Msg("called a tool that is not there")
		return models.Result{Say: "I don't know how to do that."}, fmt.Errorf("calling %q: %w", c.Tool, ErrUnknown)
	}
	r, err := t.Run(ctx, c.Arguments)
	if err != nil {
		return r, fmt.Errorf("calling %s: %w", c.Tool, err)
	}
	b.remember(c.Tool, r)
	return r, nil
}

// Undo takes back the last action that can be, and says so. ErrNothing, where there is none.
func (b *Box) Undo(ctx context.Context) (models.Result, error) {
	u, ok := b.last()
	if !ok {
		return models.Result{Say: "There's nothing to undo."}, ErrNothing
	}
	t := b.tools[u.call.Tool]
	if t == nil {
		return models.Result{Say: "I can't undo that."}, fmt.Errorf("undoing %s by %q: %w", u.tool, u.call.Tool, ErrUnknown)
	}
	r, err := t.Run(ctx, u.call.Arguments)
	if err != nil {
		return models.Result{Say: "I couldn't undo that."}, fmt.Errorf("undoing %s: %w", u.tool, err)
	}
	r.Undo = nil // undoing is not undone: the one before it is next
	return r, nil
}

func (b *Box) last() (undo, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := len(b.undos)
	if n == 0 {
		return undo{}, false
	}
	u := b.undos[n-1]
	b.undos = b.undos[:n-1]
	return u, true
}

// remember keeps how to undo what was done, and what was offered to the user.
func (b *Box) remember(name string, r models.Result) {
	if r.Undo != nil {
		b.mu.Lock()
		b.undos = append(b.undos, undo{name, *r.Undo})
		b.undos = slices.Delete(b.undos, 0, max(0, len(b.undos)-b.c.Undos))
		b.mu.Unlock()
	}
	if r.Ask != nil {
		b.offer(r.Ask.Call)
		if r.Ask.No != nil {
			b.offer(*r.Ask.No)
		}
	}
}

// Wait returns when no call runs any more that outlived its time limit, or when ctx ends.
func (b *Box) Wait(ctx context.Context) error {
	done := make(chan struct{})
	go func() { b.strays.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
