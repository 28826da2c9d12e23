package supervise

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Config says how patient a tree is. Every zero value has a default.
type Config struct {
	Name     string
	Patience time.Duration // how long a start waits for Ready; 10 s
	Pause    time.Duration // first wait before a retry, doubling up to Longest; 50 ms
	Longest  time.Duration // 10 s
	Steady   time.Duration // a run this long forgives earlier failures; 10 s
	Grace    time.Duration // how long a service may take to stop; 5 s
	Watch    func(Status)  // told of every change, one after the other; must not block
}

func (c Config) withDefaults() Config {
	c.Name = cmp.Or(c.Name, "solo")
	c.Patience = cmp.Or(c.Patience, 10*time.Second)
	c.Pause = cmp.Or(c.Pause, 50*time.Millisecond)
	c.Longest = cmp.Or(c.Longest, 10*time.Second)
	c.Steady = cmp.Or(c.Steady, 10*time.Second)
	c.Grace = cmp.Or(c.Grace, 5*time.Second)
	if c.Watch == nil {
		c.Watch = func(Status) {}
	}
	return c
}

// Tree runs services. It is itself a Service, so trees nest.
type Tree struct {
	conf    Config
	keepers []*keeper  // in starting order
	telling sync.Mutex // keeps Watch in order with the states
	mu      sync.Mutex // guards every keeper's status
}

// New builds a tree of services in their starting order.
func New(c Config, services ...Service) *Tree {
	t := &Tree{conf: c.withDefaults()}
	for _, s := range services {
		t.keepers = append(t.keepers, newKeeper(t, s))
	}
	return t
}

func (t *Tree) String() string { return t.conf.Name }

// Serve runs the tree until ctx ends (nil, or ErrStuck) or a service fails fatally (that error).
// It may be called again when it has returned, not before.
func (t *Tree) Serve(ctx context.Context) error {
	if err := t.check(); err != nil {
		return Fatal(err)
	}
	life, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	fatal := make(chan error, len(t.keepers))
	started := t.start(life, func(err error) { fatal <- err; cancel(err) })
	if life.Err() == nil {
		Ready(ctx)
	}
	<-life.Done()
	left := stop(started, context.Cause(life))
	select {
	case err := <-fatal:
		if left != nil {
			return fmt.Errorf("%w; %w", err, left)
		}
		return err
	default:
		return left
	}
}

func (t *Tree) check() error {
	seen := map[string]bool{}
	for _, k := range t.keepers {
		if seen[k.name] || k.name == "" || strings.Contains(k.name, "/") {
			return fmt.Errorf("tree %s: a second service or a bad name: %q", t, k.name)
		}
		seen[k.name] = true
	}
	return nil
}

// start brings the services up one after the other and returns those it came to.
func (t *Tree) start(ctx context.Context, fail func(error)) []*keeper {
	for i, k := range t.keepers {
		if ctx.Err() != nil {
			return t.keepers[:i]
		}
		k.start(ctx, fail)
		select {
		case <-k.settled:
		case <-ctx.Done():
		}
	}
	return t.keepers
}

// stop ends the services, last started first, and names those that stayed.
func stop(started []*keeper, why error) error {
	var left []string
	for _, k := range slices.Backward(started) {
		k.end(why)
		<-k.gone
		if k.stat().State == Stuck {
			left = append(left, k.name)
		}
	}
	if left == nil {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrStuck, strings.Join(left, ", "))
}

// States returns where each service is, in starting order. The services of a tree inside follow it,
// named "tree/service".
func (t *Tree) States() []Status {
	var all []Status
	for _, k := range t.keepers {
		all = append(all, k.stat())
		inner, ok := k.Service.(interface{ States() []Status })
		if !ok {
			continue
		}
		for _, s := range inner.States() {
			s.Name = k.name + "/" + s.Name
			all = append(all, s)
		}
	}
	return all
}

// Restart asks the named service ("name", or "tree/name") to stop and start again at once, whatever
// it waits for. It returns before that has happened; States and Watch tell how it goes.
func (t *Tree) Restart(name string) error {
	outer, inner, nested := strings.Cut(name, "/")
	i := slices.IndexFunc(t.keepers, func(k *keeper) bool { return k.name == outer })
	if i < 0 {
		return fmt.Errorf("%w: %s", ErrUnknown, name)
	}
	k := t.keepers[i]
	if !nested {
		k.restart()
		return nil
	}
	sub, ok := k.Service.(interface{ Restart(string) error })
	if !ok {
		return fmt.Errorf("%w: %s", ErrUnknown, name)
	}
	return sub.Restart(inner)
}

// grace is how long the whole tree may take to stop: each service's own time, one after the other.
func (t *Tree) grace() (sum time.Duration) {
	for _, k := range t.keepers {
		sum += k.Grace
	}
	return sum + time.Second
}
