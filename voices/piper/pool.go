package piper

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/voices/internal/clerk"
)

// key is what a program is started with: other keys are other programs.
type key struct {
	path    string
	speaker int     // -1: the voice's own
	length  float64 // how long sounds are made; 0: as the voice is
}

// teller is a program that speaks with one key.
type teller interface {
	Ask(ctx context.Context, text string, limit time.Duration) (audio.Clip, error)
	Warm() error
	Close() error
}

// most is how many programs are kept: the user's voice, and the one for another pace or language.
const most = 2

// pool keeps the programs.
type pool struct {
	open func(key) (teller, error)

	mu     sync.Mutex
	kept   []*place // the last used is the last
	closed bool
}

type place struct {
	key
	teller
	users int
}

func (p *pool) ask(ctx context.Context, k key, text string, limit time.Duration) (audio.Clip, error) {
	pl, err := p.take(k)
	if err != nil {
		return audio.Clip{}, err
	}
	defer p.leave(pl)
	return pl.Ask(ctx, text, limit)
}

func (p *pool) warm(k key) error {
	pl, err := p.take(k)
	if err != nil {
		return err
	}
	defer p.leave(pl)
	return pl.Warm()
}

// take gives the program for a key and makes room for it.
func (p *pool) take(k key) (*place, error) {
	p.mu.Lock()
	old := p.surplus(k)
	pl, err := p.place(k)
	p.mu.Unlock()
	for _, o := range old {
		_ = o.Close() // it cannot fail
	}
	return pl, err
}

func (p *pool) place(k key) (*place, error) {
	if p.closed {
		return nil, clerk.ErrClosed
	}
	for i, pl := range p.kept {
		if pl.key == k {
			p.kept = append(append(p.kept[:i:i], p.kept[i+1:]...), pl)
			pl.users++
			return pl, nil
		}
	}
	t, err := p.open(k)
	if err != nil {
		return nil, err
	}
	pl := &place{key: k, teller: t, users: 1}
	p.kept = append(p.kept, pl)
	return pl, nil
}

// surplus takes out the programs that nobody uses and that a new one has no room beside.
func (p *pool) surplus(k key) (old []*place) {
	for _, pl := range p.kept {
		if pl.key == k {
			return nil
		}
	}
	for i := 0; i < len(p.kept) && len(p.kept) >= most; {
		if p.kept[i].users > 0 {
			i++
			continue
		}
		old = append(old, p.kept[i])
		p.kept = append(p.kept[:i:i], p.kept[i+1:]...)
	}
	return old
}

func (p *pool) leave(pl *place) {
	p.mu.Lock()
	defer p.mu.Unlock()
	pl.users--
}

// close ends all programs; with last set, no other is started.
func (p *pool) close(last bool) error {
	p.mu.Lock()
	p.closed = p.closed || last
	kept := p.kept
	p.kept = nil
	p.mu.Unlock()
	var errs []error
	for _, pl := range kept {
		errs = append(errs, pl.Close())
	}
	return errors.Join(errs...)
}
