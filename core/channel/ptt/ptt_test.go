package ptt

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/core/channel/ptt/internal/keys"
	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/core/supervise"
)

var _ supervise.Service = (*Door)(nil)

// script is a watcher that does what a test says.
type script struct {
	mu    sync.Mutex
	tries int
	do    func(ctx context.Context, try int, ready func(), told func(keys.Event)) error
}

func (s *script) String() string { return "a script" }

func (s *script) Watch(ctx context.Context, _ []keys.Wish, ready func(), told func(keys.Event)) error {
	s.mu.Lock()
	s.tries++
	try := s.tries
	s.mu.Unlock()
	return s.do(ctx, try, ready, told)
}

func (s *script) tried() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tries
}

// diary is what the keys did.
type diary struct {
	mu   sync.Mutex
	said []string
}

func (d *diary) add(what string) func() {
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.said = append(d.said, what)
	}
}

func (d *diary) text() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Join(d.said, " ")
}

// door is one whose keyboard is w; the first key talks, the second mutes.
func door(t *testing.T, mode string, w watcher) (*Door, *diary) {
	t.Helper()
	var d diary
	p, err := New(Config{Mode: mode, Key: "ctrl+alt+space", MuteKey: "f9",
		Press: d.add("press"), Release: d.add("release"), Mute: d.add("mute"), Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	p.watcher = w
	return p, &d
}

// serve runs the door in a bubble and returns what ends it.
func serve(t *testing.T, d *Door) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- d.Serve(ctx) }()
	return func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// typing is a keyboard on which the events happen a second apart, and then nothing more.
func typing(events ...keys.Event) *script {
	return &script{do: func(ctx context.Context, _ int, ready func(), told func(keys.Event)) error {
		ready()
		for _, e := range events {
			time.Sleep(time.Second)
			told(e)
		}
		<-ctx.Done()
		return nil
	}}
}

var (
	down     = keys.Event{Down: true}
	up       = keys.Event{}
	muteDown = keys.Event{Which: 1, Down: true}
	muteUp   = keys.Event{Which: 1}
)

func TestKeysDoWhatTheModeSays(t *testing.T) {
	for name, tt := range map[string]struct {
		mode   string
		events []keys.Event
		want   string
	}{
		"hold":                 {"hold", []keys.Event{down, up, down, up}, "press release press release"},
		"down twice":           {"hold", []keys.Event{down, down, up, up}, "press release"},
		"up first":             {"hold", []keys.Event{up, down, up}, "press release"},
		"toggle":               {"toggle", []keys.Event{down, up, down, up, down, up}, "press release press release"},
		"mute":                 {"hold", []keys.Event{muteDown, muteUp, muteDown, muteUp}, "mute mute"},
		"mute while talking":   {"hold", []keys.Event{down, muteDown, muteUp, up}, "press mute release"},
		"held when it ends":    {"hold", []keys.Event{down}, "press release"},
		"toggled when it ends": {"toggle", []keys.Event{down, up}, "press release"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d, did := door(t, tt.mode, typing(tt.events...))
				stop := serve(t, d)
				time.Sleep(time.Minute)
				stop()
				if did.text() != tt.want {
					t.Errorf("%s; want %s", did.text(), tt.want)
				}
			})
		})
	}
}

// A key that never comes up does not leave the microphone open.
func TestLongestPress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, did := door(t, "hold", typing(down))
		stop := serve(t, d)
		defer stop()
		time.Sleep(time.Minute)
		if did.text() != "press" {
			t.Errorf("after a minute: %s", did.text())
		}
		time.Sleep(2 * time.Minute)
		if did.text() != "press release" {
			t.Errorf("after three: %s", did.text())
		}
	})
}

// A taken key is one sentence; the door rests between tries, and works when the key is free.
func TestTroubleRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		taken := &keys.Trouble{Kind: ErrTaken, Say: "another program already holds the key"}
		s := &script{do: func(ctx context.Context, try int, ready func(), told func(keys.Event)) error {
			if try <= 10 {
				return taken
			}
			ready()
			told(down)
			<-ctx.Done()
			return nil
		}}
		d, did := door(t, "hold", s)
		if d.Trouble() != nil {
			t.Error("trouble before it began")
		}
		stop := serve(t, d)
		time.Sleep(3 * time.Minute)
		if n := s.tried(); n < 4 || n > 8 {
			t.Errorf("%d tries in three minutes", n)
		}
		if err := d.Trouble(); !errors.Is(err, ErrTaken) || err.Error() != taken.Say {
			t.Errorf("trouble is %v", err)
		}
		time.Sleep(10 * time.Minute)
		if d.Trouble() != nil {
			t.Errorf("still %v", d.Trouble())
		}
		stop()
		if did.text() != "press release" {
			t.Error(did.text())
		}
	})
}

// In the program's tree a door without a keyboard holds nobody up.
func TestTroubleIsReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _ := door(t, "hold", none{absent})
		ctx, cancel := context.WithCancel(t.Context())
		tree := supervise.New(supervise.Config{Name: "solo"}, d)
		done := make(chan error, 1)
		go func() { done <- tree.Serve(ctx) }()
		time.Sleep(time.Hour)
		if s := tree.States()[0]; s.State != supervise.Up || s.Restarts != 0 || s.Name != "push-to-talk" {
			t.Errorf("%+v", s)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// Who said no is not asked again.
func TestRefusalLasts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{do: func(context.Context, int, func(), func(keys.Event)) error {
			return &keys.Trouble{Kind: ErrRefused, Say: "no"}
		}}
		d, _ := door(t, "hold", s)
		stop := serve(t, d)
		time.Sleep(24 * time.Hour)
		stop()
		if s.tried() != 1 {
			t.Errorf("asked %d times", s.tried())
		}
	})
}

// A keyboard that goes away while the key is down lets go of it.
func TestGoneWhileHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{do: func(ctx context.Context, try int, ready func(), told func(keys.Event)) error {
			ready()
			told(down)
			if try == 1 {
				return &keys.Trouble{Kind: ErrGone, Say: "gone"}
			}
			told(up)
			<-ctx.Done()
			return nil
		}}
		d, did := door(t, "hold", s)
		stop := serve(t, d)
		time.Sleep(time.Second)
		if did.text() != "press release" || !errors.Is(d.Trouble(), ErrGone) {
			t.Errorf("%s, %v", did.text(), d.Trouble())
		}
		time.Sleep(time.Minute)
		stop()
		if did.text() != "press release press release" {
			t.Error(did.text())
		}
	})
}

// A callback that panics is the service's failure, and the talk it began is ended.
func TestPanicReleases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, did := door(t, "hold", typing(down, up))
		d.conf.Press = func() { panic("no microphone") }
		defer func() {
			if p := recover(); p != "no microphone" || did.text() != "release" {
				t.Errorf("%v, %s", p, did.text())
			}
		}()
		_ = d.Serve(t.Context())
	})
}

// While Press takes its time the key may come up; nothing is lost and nothing overlaps.
func TestSlowPress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, did := door(t, "hold", typing(down, up, down, up))
		d.conf.Press = func() { time.Sleep(5 * time.Second); did.add("press")() }
		stop := serve(t, d)
		time.Sleep(time.Minute)
		stop()
		if did.text() != "press release press release" {
			t.Error(did.text())
		}
	})
}

func TestCheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, did := door(t, "hold", typing(down, up))
		if err := d.Check(t.Context()); err != nil {
			t.Error(err)
		}
		if did.text() != "" {
			t.Errorf("a check did %s", did.text())
		}
		d.watcher = none{absent}
		if err := d.Check(t.Context()); !errors.Is(err, ErrAbsent) {
			t.Error(err)
		}
		d.watcher = &script{do: func(ctx context.Context, _ int, _ func(), _ func(keys.Event)) error {
			<-ctx.Done()
			return nil
		}}
		if err := d.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "in time") {
			t.Error(err)
		}
	})
}

// Off is off: nothing is watched, and the service is done at once.
func TestOff(t *testing.T) {
	d, err := New(Config{Mode: "off", Key: "nonsense"})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Serve(t.Context()); err != nil || d.How() != "off" || d.Check(t.Context()) != nil {
		t.Errorf("%v, %s", err, d.How())
	}
}

func TestNewRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		conf Config
		want string
	}{
		"unknown key":  {Config{Key: "ctrl+hyper"}, `push-to-talk: key "ctrl+hyper": there is no key "hyper"; modifiers are ctrl`},
		"unknown mute": {Config{Key: "f9", MuteKey: "q"}, "push-to-talk, mute_key:"},
		"the same":     {Config{Key: "ctrl+return", MuteKey: "Control+Enter"}, "to talk and to mute"},
	} {
		if _, err := New(tt.conf); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHow(t *testing.T) {
	for _, tt := range []struct{ mode, want string }{
		{"hold", "hold ctrl+alt+space to talk, press f9 to mute, through a script"},
		{"toggle", "press ctrl+alt+space before and after you talk, press f9 to mute, through a script"},
		{"off", "press f9 to mute, through a script"},
	} {
		if d, _ := door(t, tt.mode, &script{}); d.How() != tt.want {
			t.Errorf("%s: %s", tt.mode, d.How())
		}
	}
}

// The settings load with the defaults that their tags promise.
func TestSettings(t *testing.T) {
	var all struct {
		Talk Config `toml:"talk"`
	}
	_, err := config.Load(&all, config.Sources{Flags: []string{"talk.mute_key=super+m"}})
	if err != nil {
		t.Fatal(err)
	}
	c := all.Talk
	got := []string{c.Mode, c.Key, c.MuteKey, c.Longest.String(), c.Through}
	if want := []string{"hold", "ctrl+alt+space", "super+m", "2m0s", "auto"}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}
