package rows

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync"
	"time"
)

const (
	backIn    = 2 * time.Second // a server that is started again is waited for so long
	againIn   = 100 * time.Millisecond
	probeEach = time.Second
)

// link knows whether a server answers. While it does not, all who ask are told at once, and one goroutine looks for it.
type link struct {
	tell   func(err error)                 // told of each change, nil where it is back
	settle func(ctx context.Context) error // makes a server that is back fit
	ctx    context.Context                 // of the goroutine; New-made things have no other to give it
	end    context.CancelFunc
	wait   sync.WaitGroup

	mu    sync.Mutex
	why   error  // nil: it answers
	owner string // who was given ID 1 while it did not answer
}

func newLink(tell func(error), settle func(context.Context) error) *link {
	l := &link{tell: tell, settle: settle}
	if tell == nil {
		l.tell = func(error) {}
	}
	l.ctx, l.end = context.WithCancel(context.Background())
	return l
}

func (l *link) close() {
	l.end()
	l.wait.Wait()
}

// state is why the server cannot be asked, nil where it can.
func (l *link) state() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.why
}

// down says that the server does not answer, and has it looked for.
func (l *link) down(why error) {
	l.mu.Lock()
	first := l.why == nil && l.ctx.Err() == nil
	if first {
		l.why = why
		l.wait.Go(l.probe)
	}
	l.mu.Unlock()
	if first {
		l.tell(fault("asking the database", why))
	}
}

// probe looks for the server until it is there and fit.
func (l *link) probe() {
	for {
		select {
		case <-l.ctx.Done():
			return
		case <-time.After(probeEach):
		}
		err := l.settle(l.ctx)
		if l.ctx.Err() != nil {
			return
		}
		l.mu.Lock()
		changed := err != nil && fmt.Sprint(kindOf(err)) != fmt.Sprint(kindOf(l.why))
		l.why = err
		l.mu.Unlock()
		if err == nil || changed {
			l.tell(fault("asking the database", err))
		}
		if err == nil {
			return
		}
	}
}

// assume gives the first user's ID before the server could be asked for it.
func (l *link) assume(name string) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.owner = name
	return 1
}

// assumed gives the user who was held to be the first one, "" for none.
func (l *link) assumed() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.owner
}

type pastGate struct{}

// past lets a caller through to a server that is held to be down.
func past(ctx context.Context) context.Context { return context.WithValue(ctx, pastGate{}, true) }

// gate makes a pool's connections, as long as the server answers.
type gate struct {
	link *link
	driver.Connector
}

func (g gate) Connect(ctx context.Context) (driver.Conn, error) {
	through := ctx.Value(pastGate{}) != nil
	if why := g.link.state(); why != nil && !through {
		return nil, why
	}
	until := time.Now().Add(backIn)
	for {
		conn, err := g.Connector.Connect(ctx)
		if err == nil || through || !errors.Is(kindOf(err), ErrDown) {
			return conn, err
		}
		if ctx.Err() != nil {
			return nil, err
		}
		if time.Now().After(until) {
			g.link.down(err)
			return nil, err
		}
		select {
		case <-ctx.Done():
		case <-g.link.ctx.Done():
			return nil, err
		case <-time.After(againIn):
		}
	}
}
