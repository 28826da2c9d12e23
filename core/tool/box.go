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
	Bus     *bus.Bus       `toml:"-"` // told of every call as event.Acted; nil tells nobody
	Log     zerolog.Logger `toml:"-"`
	Policy  Policy         `toml:"-"` // nil is that of Rules
	Consent Consent        `toml:"-"` // nil is nobody to ask: what needs asking is denied
	// Spend uses up the approval of exactly a call, or says why it cannot; nil lets Approved run nothing.
	Spend func(ctx context.Context, approval string, c models.Call) error `toml:"-"`

	Limit time.Duration `toml:"limit" default:"10s" min:"1s" max:"10m" doc:"longest time for one call of a tool, where it needs no other"`
	Undos int           `toml:"undos" default:"20" min:"1" max:"1000" doc:"how many actions can be undone"`
	Rules
	Rates
}

// Box holds the tools by name.
type Box struct {
	c      Config
	acted  func(context.Context, event.Acted)
	rates  map[string]int // of single tools
	wrong  error          // why the settings cannot be read
	pails  map[models.Class]*bucket
	bare   map[string]Tool // as added
	tools  map[string]Tool // under policy
	passed map[string]Tool // past policy, by an approval
	order  []string        // of public tools, as added
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
	if c.May == nil {
		c.May = strangers
	}
	if c.Policy == nil {
		c.Policy = c.Rules.Decide
	}
	if c.Limit <= 0 {
		c.Limit = 10 * time.Second
	}
	if c.Undos <= 0 {
		c.Undos = 20
	}
	b := &Box{c: c, bare: map[string]Tool{}, tools: map[string]Tool{}, passed: map[string]Tool{}, hidden: map[string]bool{},
		pails: map[models.Class]*bucket{}, acted: func(context.Context, event.Acted) {}}
	b.rates, b.wrong = c.each()
	b.wrong = errors.Join(b.wrong, c.Rules.wrong())
	for _, class := range []models.Class{models.Read, models.Write, models.Outward, models.Dangerous} {
		b.pails[class] = bucketOf(c.class(class))
	}
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
// "theme.verb", for a tool whose arguments fit no schema, and for Rules and Rates that cannot be read.
func (b *Box) Add(tools ...Tool) error {
	if b.wrong != nil {
		return fmt.Errorf("adding tools: %w", b.wrong)
	}
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
		limit, err := term(t, b.c.Limit)
		if err != nil {
			return fmt.Errorf("adding tool %q: %w", name, err)
		}
		if _, ok := find[internal](t); ok {
			b.hidden[name] = true
		} else {
			b.order = append(b.order, name)
		}
		b.bare[name] = t
		b.dress(name, t, limit)
	}
	return nil
}

// dress puts the decorators around a tool; the last is the outermost.
func (b *Box) dress(name string, t Tool, limit time.Duration) {
	t = limited(caught(t), limit, &b.strays)
	ruled := rated(guarded(t, b.c.Policy, b.c.Consent), bucketOf(b.rates[name]), b.pails[t.Spec().Class])
	b.tools[name] = logged(spoken(ruled), b.c.Log, b.acted)
	b.passed[name] = logged(spoken(spent(t, b.c.Policy, b.c.Spend)), b.c.Log, b.acted)
}

// Specs describes the tools in the order in which they were added, Internal ones left out.
func (b *Box) Specs() []models.Spec {
	var all []models.Spec
	for _, name := range b.order {
		all = append(all, b.tools[name].Spec())
	}
	return all
}

// Check tells what is wrong with a call, all at once, and runs nothing. Errors: ErrUnknown, ErrArguments.
func (b *Box) Check(c models.Call) error {
	t := b.bare[c.Tool]
	if t == nil || b.hidden[c.Tool] {
		return fmt.Errorf("checking %q: %w", c.Tool, ErrUnknown)
	}
	return fit(t, c.Arguments)
}

// Call runs one tool, or gives the question whether it may be run: then the Result's Ask names an approval.
// On error the Result still has a sentence to say.
// Errors: ErrUnknown, ErrArguments, ErrDenied, ErrOften, ErrLate, ErrPanic, or the tool's own.
func (b *Box) Call(ctx context.Context, c models.Call) (models.Result, error) {
	t := b.tools[c.Tool]
	if b.hidden[c.Tool] {
		word, ok := false, false
		if !models.OriginOf(ctx).Model {
			word, ok = b.take(c)
		}
		if !ok {
			t = nil
		} else if word {
			ctx = context.WithValue(ctx, approvedKey{}, c.Tool)
		}
	}
	return b.run(ctx, t, c)
}

// Approved runs a call that policy wants to be approved: Config.Spend uses the approval up first, for exactly this call.
// What policy denies stays denied. Errors are those of Call; ErrDenied wraps what Spend said.
func (b *Box) Approved(ctx context.Context, c models.Call, approval string) (models.Result, error) {
	return b.run(context.WithValue(ctx, approvalKey{}, approval), b.passed[c.Tool], c)
}

func (b *Box) run(ctx context.Context, t Tool, c models.Call) (models.Result, error) {
	if t == nil {
		b.c.Log.Warn().Str("tool", c.Tool).Bool("internal", b.hidden[c.Tool]).Msg("called a tool that is not there")
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
		b.offer(r.Ask.Call, waits(r))
		if r.Ask.No != nil {
			b.offer(*r.Ask.No, waits(r))
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
