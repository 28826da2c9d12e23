package winkeys

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/channel/ptt/internal/keys"
)

var keybdEvent = user32.NewProc("keybd_event")

// hit makes the key events that a keyboard would: down keys are positive, up keys negative.
func hit(vks ...int) {
	for _, vk := range vks {
		flags := uintptr(0)
		if vk < 0 {
			vk, flags = -vk, 2 // KEYEVENTF_KEYUP
		}
		if vk == vkRCtrl {
			flags |= 1 // KEYEVENTF_EXTENDEDKEY
		}
		_, _, _ = keybdEvent.Call(uintptr(vk), 0, flags, 0)
		time.Sleep(20 * time.Millisecond)
	}
}

// watch watches in the background; the test skips where there is no desktop.
func watch(t *testing.T, chords ...string) (told chan keys.Event, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	told = make(chan keys.Event, 64)
	ready, done := make(chan struct{}), make(chan error, 1)
	go func() {
		done <- Watcher{}.Watch(ctx, wishes(t, chords...), func() { close(ready) }, func(e keys.Event) { told <- e })
	}()
	select {
	case <-ready:
	case err := <-done:
		cancel()
		if errors.Is(err, keys.ErrAbsent) {
			t.Skip("skipped: ", err)
		}
		t.Fatal(err)
	}
	return told, func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// wants reads what was told, and nothing more for a moment.
func wants(t *testing.T, told chan keys.Event, want ...keys.Event) {
	t.Helper()
	for i, w := range want {
		select {
		case got := <-told:
			if got != w {
				t.Errorf("event %d is %+v; want %+v", i, got, w)
			}
		case <-time.After(3 * time.Second):
			t.Fatalf("event %d did not come", i)
		}
	}
	select {
	case got := <-told:
		t.Errorf("%+v came besides", got)
	case <-time.After(300 * time.Millisecond):
	}
}

func TestWindowsHold(t *testing.T) {
	down, up := keys.Event{Down: true}, keys.Event{}
	for name, tt := range map[string]struct {
		chord string
		keys  []int
	}{
		"a function key":  {"f9", []int{vkF9, vkF9, vkF9, -vkF9}},
		"a chord":         {"ctrl+alt+space", []int{vkCtrl, vkAlt, vkSpace, vkSpace, -vkSpace, -vkAlt, -vkCtrl}},
		"modifiers first": {"ctrl+alt+space", []int{vkCtrl, vkAlt, vkSpace, -vkAlt, -vkCtrl, vkSpace, -vkSpace}},
		"right ctrl":      {"rightctrl", []int{vkRCtrl, vkRCtrl, -vkRCtrl}},
	} {
		t.Run(name, func(t *testing.T) {
			told, stop := watch(t, tt.chord)
			defer stop()
			hit(tt.keys[:len(tt.keys)-1]...)
			if name == "a chord" {
				wants(t, told, down, up)
				hit(tt.keys[len(tt.keys)-1])
				return
			}
			wants(t, told, down)
			hit(tt.keys[len(tt.keys)-1])
			wants(t, told, up)
		})
	}
}

func TestWindowsTaken(t *testing.T) {
	_, stop := watch(t, "ctrl+alt+f9")
	err := Watcher{}.Watch(t.Context(), wishes(t, "ctrl+alt+f9"), func() { t.Error("taken twice") }, nil)
	if !errors.Is(err, keys.ErrTaken) || err.Error() != "another program already holds the key ctrl+alt+f9; choose another one for Solo, or free it there" {
		t.Errorf("%v", err)
	}
	stop()
	_, stop = watch(t, "ctrl+alt+f9")
	stop()
}
