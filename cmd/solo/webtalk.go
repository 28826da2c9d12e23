package main

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen"
	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/dialog"
	"github.com/solo-assistant/solo/voices"
	"github.com/solo-assistant/solo/voices/speak"
)

// conversation is one of them. Its mouth and ears are a browser's, where one is on the line.
type conversation struct {
	conductor *dialog.Conductor
	end       context.CancelFunc
	used      time.Time

	mu sync.Mutex
	on *browser // nil while no browser is on the line
}

// browser is a browser on the line.
type browser struct {
	speaker  *speak.Speaker
	listener *listen.Listener
}

func (k *conversation) busy() bool { return k.conductor.Busy() || k.now() != nil }

func (k *conversation) now() *browser {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.on
}

// errNoLine says that there is nobody to speak to; written answers go another way.
var errNoLine = errors.New("no browser is on the line")

// Say speaks to the browser that is on the line.
func (k *conversation) Say(ctx context.Context, sentence string) error {
	if c := k.now(); c != nil {
		return c.speaker.Say(ctx, sentence)
	}
	return errNoLine
}

// Flush waits until the browser has played the answer.
func (k *conversation) Flush(ctx context.Context) (voices.Spoken, error) {
	if c := k.now(); c != nil {
		return c.speaker.Flush(ctx)
	}
	return voices.Spoken{}, errNoLine
}

// Cue plays an earcon in the browser.
func (k *conversation) Cue(ctx context.Context, e voices.Earcon) error {
	if c := k.now(); c != nil {
		return c.speaker.Cue(ctx, e)
	}
	return errNoLine
}

// Gate, Attend and Muted lead the browser's microphone.
func (k *conversation) Gate(on bool) {
	if c := k.now(); c != nil {
		c.listener.Gate(on)
	}
}

// Attend does nothing: in the browser only the button opens a turn.
func (k *conversation) Attend(time.Duration) {}

// Muted is never so: whoever holds the button means it.
func (k *conversation) Muted() bool { return false }

// hold keeps a browser on the line until ctx ends or the browser leaves.
func (k *conversation) hold(ctx context.Context, l *web.Line, c *browser) error {
	k.mu.Lock()
	taken := k.on != nil
	if !taken {
		k.on = c
	}
	k.mu.Unlock()
	if taken {
		return &web.Fault{Status: http.StatusConflict, Code: "line_taken", Message: "This talk is held in another window.", Hint: "close the other one, or take another session_id"}
	}
	defer func() {
		k.conductor.Interrupt(dialog.ErrBargeIn)
		k.mu.Lock()
		k.on = nil
		k.mu.Unlock()
	}()
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	wg.Go(func() { _ = c.speaker.Serve(ctx) }) // it ends with ctx and has no other end
	l.Button(func(down bool) {
		if down {
			c.listener.Press()
		} else {
			c.listener.Release()
		}
	})
	err := c.listener.Serve(ctx)
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}

// button is the wake word of a browser: there is none, the button opens a turn.
type button struct{}

func (button) Feed([]int16) (audio.Hit, bool, error) { return audio.Hit{Score: math.NaN()}, false, nil }
func (button) Reset()                                {}
