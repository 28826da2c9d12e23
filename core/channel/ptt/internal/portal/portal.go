// Package portal watches chords of keys through the desktop portal's global shortcuts, the only way
// in a Wayland session. The user may be asked by the desktop, and may choose other keys there.
package portal

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/solo-assistant/solo/core/channel/ptt/internal/keys"
)

// Names of the portal, from the XDG Desktop Portal documentation.
const (
	service   = "org.freedesktop.portal.Desktop"
	object    = dbus.ObjectPath("/org/freedesktop/portal/desktop")
	shortcuts = "org.freedesktop.portal.GlobalShortcuts"
	session   = "org.freedesktop.portal.Session"
	request   = "org.freedesktop.portal.Request"
	registry  = "org.freedesktop.host.portal.Registry"
	appID     = "io.github.solo_assistant.Solo"
)

// patience bounds what needs no user.
const patience = 10 * time.Second

// Watcher watches through one session bus.
type Watcher struct {
	Bus string // address of the session bus, "" for none
}

func (w Watcher) String() string { return "the desktop portal" }

// Watch binds the chords, calls ready, and tells each time one goes down or up until ctx ends (nil)
// or the portal fails (a *keys.Trouble). What was down at the end is not told to be up.
func (w Watcher) Watch(ctx context.Context, want []keys.Wish, ready func(), told func(keys.Event)) error {
	err := w.watch(ctx, want, ready, told)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (w Watcher) watch(ctx context.Context, want []keys.Wish, ready func(), told func(keys.Event)) error {
	if w.Bus == "" {
		return &keys.Trouble{Kind: keys.ErrAbsent, Say: "there is no D-Bus session, so the desktop cannot be asked for a global key"}
	}
	conn, err := connect(ctx, w.Bus)
	if err != nil {
		return &keys.Trouble{Kind: keys.ErrAbsent, Err: err,
			Say: "the D-Bus session cannot be reached, so the desktop cannot be asked for a global key"}
	}
	defer conn.Close()
	p := &talk{conn: conn, portal: conn.Object(service, object), signals: make(chan *dbus.Signal, 64), want: want}
	if err := p.open(ctx); err != nil {
		return explain(err)
	}
	defer p.close()
	if err := p.bind(ctx); err != nil {
		return explain(err)
	}
	ready()
	return p.listen(ctx, told)
}

// connect reaches the bus. The connection outlives ctx, so that the session can be closed in order.
func connect(ctx context.Context, bus string) (*dbus.Conn, error) {
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	unhook := context.AfterFunc(ctx, end)
	conn, err := dbus.Connect(bus, dbus.WithContext(life))
	if !unhook() && err == nil {
		_ = conn.Close() // too late
		err = context.Cause(ctx)
	}
	if err != nil {
		end()
		return nil, err
	}
	return conn, nil
}

// talk is one talk with the portal.
type talk struct {
	conn    *dbus.Conn
	portal  dbus.BusObject
	owner   string // the bus name of the portal itself; others' signals do not count
	signals chan *dbus.Signal
	session dbus.ObjectPath
	want    []keys.Wish
	asked   int
}

// open finds the portal and makes a session.
func (t *talk) open(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	t.conn.Signal(t.signals)
	for _, match := range [][]dbus.MatchOption{
		{dbus.WithMatchSender(service), dbus.WithMatchPathNamespace(object)},
		{dbus.WithMatchSender("org.freedesktop.DBus"), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, service)},
	} {
		if err := t.conn.AddMatchSignalContext(ctx, match...); err != nil {
			return err
		}
	}
	// A portal that is not running is started by this. Its answer does not matter: older ones lack it.
	_ = t.portal.CallWithContext(ctx, registry+".Register", 0, appID, map[string]dbus.Variant{}).Err
	if err := t.conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.GetNameOwner", 0, service).Store(&t.owner); err != nil {
		return err
	}
	results, err := t.ask(ctx, "CreateSession", func(o options) []any {
		o["session_handle_token"] = dbus.MakeVariant(t.token())
		return []any{o}
	})
	if err != nil {
		return err
	}
	handle, ok := results["session_handle"].Value().(string)
	if path, isPath := results["session_handle"].Value().(dbus.ObjectPath); isPath {
		handle, ok = string(path), true
	}
	t.session = dbus.ObjectPath(handle)
	if !ok || !t.session.IsValid() {
		return fmt.Errorf("the portal made no session")
	}
	return nil
}

// shortcut is one line of BindShortcuts: a(sa{sv}).
type shortcut struct {
	ID   string
	Data map[string]dbus.Variant
}

// bind asks for the keys; the desktop may ask its user, which takes as long as it takes.
func (t *talk) bind(ctx context.Context) error {
	var all []shortcut
	for _, w := range t.want {
		all = append(all, shortcut{w.Name, map[string]dbus.Variant{
			"description":       dbus.MakeVariant(w.Say),
			"preferred_trigger": dbus.MakeVariant(Trigger(w.Chord)),
		}})
	}
	results, err := t.ask(ctx, "BindShortcuts", func(o options) []any { return []any{t.session, all, "", o} })
	if err != nil {
		return err
	}
	var bound []shortcut
	if v, ok := results["shortcuts"]; ok {
		if err := dbus.Store([]any{v.Value()}, &bound); err != nil {
			return fmt.Errorf("read the bound shortcuts: %w", err)
		}
	}
	for _, w := range t.want {
		if !has(bound, w.Name) {
			return &keys.Trouble{Kind: keys.ErrTaken,
				Say: fmt.Sprintf("the desktop gave Solo no key like %s; set one in the desktop's settings for shortcuts", w.Chord)}
		}
	}
	return nil
}

func has(all []shortcut, id string) bool {
	for _, s := range all {
		if s.ID == id {
			return true
		}
	}
	return false
}

// close gives the keys back, also when ctx is over.
func (t *talk) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = t.conn.Object(service, t.session).CallWithContext(ctx, session+".Close", 0).Err // the bus drops it otherwise
}

// Trigger writes a chord as the portal wants it: "CTRL+ALT+space".
func Trigger(c keys.Chord) string {
	var parts []string
	for _, m := range []struct {
		mod  keys.Mods
		name string
	}{{keys.Ctrl, "CTRL"}, {keys.Alt, "ALT"}, {keys.Shift, "SHIFT"}, {keys.Super, "LOGO"}} {
		if c.Mods&m.mod != 0 {
			parts = append(parts, m.name)
		}
	}
	return strings.Join(append(parts, c.Key.SymX), "+")
}
