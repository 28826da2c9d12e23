package whisper

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrNotInside says that this program was built without whisper.cpp.
var ErrNotInside = errors.New("this Solo was built without whisper.cpp; scripts/whisper-lib.sh tells how to build one with it, or set whisper.inside = false to use whisper-server")

// NewInside builds an engine that has the model in this program, instead of in a server: a few milliseconds quicker, but a
// fault in whisper.cpp ends Solo. It loads nothing yet. Errors: ErrNotInside, ErrNoModel.
func NewInside(c Config) (*Engine, error) {
	c = c.withDefaults()
	if err := c.check(); err != nil {
		return nil, err
	}
	if !builtIn {
		return nil, ErrNotInside
	}
	c.Log = c.Log.With().Str("engine", "whisper inside").Logger()
	path, err := c.weights()
	if err != nil {
		return nil, err
	}
	e := &Engine{conf: c, used: make(chan struct{}, 1), changed: make(chan struct{})}
	e.inside = &resident{conf: c, path: path, turn: make(chan struct{}, 1)}
	return e, nil
}

// Weights is the path of the model that an engine made by NewInside has, "" for a server's.
func (e *Engine) Weights() string {
	if r, ok := e.inside.(*resident); ok {
		return r.path
	}
	return ""
}

// resident keeps a model in memory while it is used.
type resident struct {
	conf Config
	path string
	turn chan struct{} // held while the model is loaded, used or freed

	m    *loaded // nil while it is not in memory
	lame bool    // the graphics card did not work

	mu   sync.Mutex
	last time.Time
}

// take waits for the model to be free.
func (r *resident) take(ctx context.Context) error {
	select {
	case r.turn <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	r.mu.Lock()
	r.last = time.Now()
	r.mu.Unlock()
	return nil
}

func (r *resident) give() {
	r.mu.Lock()
	r.last = time.Now()
	r.mu.Unlock()
	<-r.turn
}

func (r *resident) ready(ctx context.Context) error {
	if err := r.take(ctx); err != nil {
		return err
	}
	defer r.give()
	return r.load()
}

// load brings the model into memory, without the graphics card where that does not work. The turn is held.
func (r *resident) load() error {
	if r.m != nil {
		return nil
	}
	card := r.conf.GPU != "off" && !r.lame
	began := time.Now()
	m, err := loadModel(r.path, card, r.conf.Device)
	if err != nil && card && r.conf.GPU == "auto" {
		r.lame = true
		m, err = loadModel(r.path, false, 0)
	}
	if err != nil {
		return err
	}
	r.m = m
	r.conf.Log.Info().Str("model", r.path).Bool("gpu", card && !r.lame).Dur("took", time.Since(began)).Msg("the model is loaded")
	return nil
}

func (r *resident) read(ctx context.Context, pcm []int16, prompt string) (reading, error) {
	if err := r.take(ctx); err != nil {
		return reading{}, err
	}
	defer r.give()
	if err := r.load(); err != nil {
		return reading{}, err
	}
	got, err := r.m.read(ctx, r.conf, pcm, prompt)
	if ctx.Err() != nil {
		return reading{}, context.Cause(ctx)
	}
	return got, err
}

// serve frees the model when it rests, and at the end.
func (r *resident) serve(ctx context.Context) error {
	defer r.free()
	every := time.Hour
	if r.conf.SleepIdle > 0 {
		every = max(r.conf.SleepIdle/4, 10*time.Millisecond)
	}
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
			r.mu.Lock()
			rests := r.conf.SleepIdle > 0 && time.Since(r.last) >= r.conf.SleepIdle
			r.mu.Unlock()
			if rests {
				r.free()
			}
		}
	}
}

func (r *resident) free() {
	r.turn <- struct{}{}
	defer func() { <-r.turn }()
	if r.m != nil {
		r.m.free()
		r.m = nil
		r.conf.Log.Info().Msg("the model's memory is given back")
	}
}
