//go:build darwin && hotkey && cgo

package mackeys

import (
	"context"
	"errors"
	"sync"

	"golang.design/x/hotkey"

	"github.com/solo-assistant/solo/core/channel/ptt/internal/keys"
)

// Watcher watches keys through the system's event tap.
type Watcher struct{}

// String names the way in which keys are watched.
func (Watcher) String() string { return "macOS" }

// mods are the modifiers as the library names them.
var mods = []struct {
	mod keys.Mods
	as  hotkey.Modifier
}{{keys.Ctrl, hotkey.ModCtrl}, {keys.Alt, hotkey.ModOption}, {keys.Shift, hotkey.ModShift}, {keys.Super, hotkey.ModCmd}}

// Watch takes the chords and tells each time one goes down or up, until ctx ends.
func (Watcher) Watch(ctx context.Context, want []keys.Wish, ready func(), told func(keys.Event)) (err error) {
	var taken []*hotkey.Hotkey
	defer func() {
		for _, h := range taken {
			err = errors.Join(err, h.Unregister())
		}
	}()
	for _, w := range want {
		h, err := register(w.Chord)
		if err != nil {
			return err
		}
		taken = append(taken, h)
	}
	ready()
	changes := make(chan keys.Event)
	var wg sync.WaitGroup
	defer wg.Wait()
	for i, h := range taken {
		wg.Go(func() { follow(ctx, i, h, changes) })
	}
	for {
		select {
		case e := <-changes:
			told(e)
		case <-ctx.Done():
			return nil
		}
	}
}

func register(c keys.Chord) (*hotkey.Hotkey, error) {
	code, err := codeOf(c)
	if err != nil {
		return nil, err
	}
	var with []hotkey.Modifier
	for _, m := range mods {
		if c.Mods&m.mod != 0 {
			with = append(with, m.as)
		}
	}
	h := hotkey.New(with, hotkey.Key(code))
	if err := h.Register(); err != nil {
		return nil, &keys.Trouble{Kind: keys.ErrRefused, Err: err,
			Say: "macOS gives no keys to Solo; allow it in System Settings, Privacy and Security, Accessibility, and start it again"}
	}
	return h, nil
}

// follow tells the changes of one key until ctx ends.
func follow(ctx context.Context, which int, h *hotkey.Hotkey, changes chan<- keys.Event) {
	for {
		var e keys.Event
		select {
		case <-h.Keydown():
			e = keys.Event{Which: which, Down: true}
		case <-h.Keyup():
			e = keys.Event{Which: which}
		case <-ctx.Done():
			return
		}
		select {
		case changes <- e:
		case <-ctx.Done():
			return
		}
	}
}
