// Package x11 watches chords of keys in an X11 session, whichever window has the focus.
//
// The X server tells when a grabbed chord goes down. It also repeats a held key as pairs of up and
// down at one time; whether the key is really up is asked of the server at each such up. Where the
// answer is yes because the key came up just then, the down of the pair is still to come, and is none.
package x11

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"sync"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/solo-assistant/solo/core/channel/ptt/internal/keys"
)

// glance is how often a held key is looked at besides, for an up that was never told.
const glance = 50 * time.Millisecond

// repeated is how far apart the server's times of a repeated up and its down may be, in ms. Nobody
// lets go of a key and presses it again within it.
const repeated = 2

// Watcher watches one display.
type Watcher struct {
	Display   string // as in DISPLAY
	Authority string // path of the authority file, "" for none
}

func (w Watcher) String() string { return "X11 display " + w.Display }

// The library prints to standard error what it also returns.
var hushed sync.Once

// Watch grabs the chords, calls ready, and tells each time one goes down or up until ctx ends (nil)
// or the display fails (a *keys.Trouble). What was down at the end is not told to be up.
func (w Watcher) Watch(ctx context.Context, want []keys.Wish, ready func(), told func(keys.Event)) error {
	hushed.Do(func() { xgb.Logger = log.New(io.Discard, "", 0) })
	c, err := connect(ctx, w.Display, w.Authority)
	if err != nil {
		return &keys.Trouble{Kind: keys.ErrAbsent, Err: err,
			Say: fmt.Sprintf("the X11 display %s cannot be reached, so no key can be watched: %v", w.Display, err)}
	}
	events := make(chan xgb.Event)
	go listen(c, events) // ends when the wire is cut
	defer c.end(events)
	h := &hand{wire: c, want: want, down: make([]xproto.Keycode, len(want)), told: told}
	if err := h.grab(); err != nil {
		return w.explain(err)
	}
	ready()
	return w.explain(h.watch(ctx, events))
}

func listen(c *wire, events chan<- xgb.Event) {
	defer close(events)
	for {
		ev, err := c.WaitForEvent()
		if ev == nil && err == nil {
			return
		}
		if ev != nil {
			events <- ev
		}
	}
}

// explain leaves trouble that has its sentence already, and says of the rest that the display is gone.
func (w Watcher) explain(err error) error {
	var told *keys.Trouble
	if err == nil || errors.As(err, &told) {
		return err
	}
	return &keys.Trouble{Kind: keys.ErrGone, Err: err, Say: "the X11 display " + w.Display + " went away, and the keys with it"}
}

// hand is what watches the keys.
type hand struct {
	*wire
	*layout
	want  []keys.Wish
	down  []xproto.Keycode // of each chord the key that holds it, 0 for none
	stale bool             // the layout changed while a key was down
	freed xproto.Keycode   // the key that was told to be up last, by the server, and when
	at    xproto.Timestamp
	told  func(keys.Event)
}

// grab asks the server for the chords, whatever the locks are.
func (h *hand) grab() error {
	return h.quickly(func() error {
		l, err := learn(h.wire)
		if err != nil {
			return err
		}
		h.stale = false
		if h.layout != nil && h.layout.same(l) {
			return nil // another keyboard of the same kind; to grab anew could miss a key
		}
		h.layout = l
		for _, screen := range xproto.Setup(h.Conn).Roots {
			// Those of an older layout must not stay behind.
			if err := xproto.UngrabKeyChecked(h.Conn, xproto.GrabAny, screen.Root, xproto.ModMaskAny).Check(); err != nil {
				return err
			}
			for _, chord := range h.want {
				if err := h.grabOne(screen.Root, chord); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (h *hand) grabOne(root xproto.Window, chord keys.Wish) error {
	mask, err := h.mask(chord.Mods)
	codes := h.codes(xproto.Keysym(chord.Key.Sym))
	if err == nil && len(codes) == 0 {
		err = fmt.Errorf("this keyboard has no key %s", chord.Key.Name)
	}
	if err != nil {
		return &keys.Trouble{Kind: keys.ErrUnable, Err: err, Say: fmt.Sprintf("the key %s cannot be watched: %v", chord, err)}
	}
	for _, code := range codes {
		for _, locks := range h.locks {
			err := xproto.GrabKeyChecked(h.Conn, false, root, mask|locks, code, xproto.GrabModeAsync, xproto.GrabModeAsync).Check()
			var taken xproto.AccessError
			if errors.As(err, &taken) {
				return &keys.Trouble{Kind: keys.ErrTaken, Err: err,
					Say: fmt.Sprintf("another program already holds the key %s; choose another one for Solo, or free it there", chord)}
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// watch tells of keys until ctx ends (nil) or the wire is cut.
func (h *hand) watch(ctx context.Context, events <-chan xgb.Event) error {
	tick := time.NewTicker(glance)
	defer tick.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return nil
		case ev, ok := <-events:
			if !ok {
				return io.ErrUnexpectedEOF
			}
			err = h.note(ev)
		case <-tick.C:
			err = h.look()
		}
		if err == nil && h.stale && !h.holding() {
			err = h.grab()
		}
		if err != nil {
			return err
		}
	}
}

func (h *hand) note(ev xgb.Event) error {
	switch ev := ev.(type) {
	case xproto.KeyPressEvent:
		if ev.Detail != h.freed || ev.Time-h.at > repeated {
			h.pressed(ev)
		}
	case xproto.KeyReleaseEvent:
		h.freed, h.at = ev.Detail, ev.Time
		return h.look()
	case xproto.MappingNotifyEvent:
		h.stale = h.stale || ev.Request != xproto.MappingPointer
	}
	return nil
}

// pressed notes a key that goes down. While one is held all keys come here, so others may not match.
func (h *hand) pressed(ev xproto.KeyPressEvent) {
	for i, chord := range h.want {
		mask, err := h.mask(chord.Mods)
		if err != nil || h.plain(ev.State) != mask || h.down[i] != 0 {
			continue
		}
		for _, code := range h.codes(xproto.Keysym(chord.Key.Sym)) {
			if code == ev.Detail {
				h.down[i] = code
				h.told(keys.Event{Which: i, Down: true})
			}
		}
	}
}

func (h *hand) holding() bool {
	for _, code := range h.down {
		if code != 0 {
			return true
		}
	}
	return false
}

// look asks the server which keys are down, and tells of those that are not any more.
func (h *hand) look() error {
	if !h.holding() {
		return nil
	}
	var now *xproto.QueryKeymapReply
	err := h.quickly(func() (err error) {
		now, err = xproto.QueryKeymap(h.Conn).Reply()
		return err
	})
	if err != nil {
		return err
	}
	for i, code := range h.down {
		if code != 0 && now.Keys[code/8]&(1<<(code%8)) == 0 {
			h.down[i] = 0
			h.told(keys.Event{Which: i})
		}
	}
	return nil
}
