//go:build linux

package portal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/solo-assistant/solo/core/channel/ptt/internal/keys"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newBus starts a session bus of its own.
func newBus(t *testing.T) (address string, kill func()) {
	t.Helper()
	if _, err := exec.LookPath("dbus-daemon"); err != nil {
		t.Skip("skipped: no dbus-daemon")
	}
	dir, err := os.MkdirTemp("", "bus")
	if err != nil {
		t.Fatal(err)
	}
	// A configuration without service files: nothing that is installed is started.
	conf := filepath.Join(dir, "bus.conf")
	text := fmt.Sprintf(`<busconfig><type>session</type><listen>unix:path=%s/bus</listen><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`, dir)
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	daemon := exec.Command("dbus-daemon", "--config-file="+conf, "--nofork", "--print-address")
	out, err := daemon.StdoutPipe()
	if err == nil {
		err = daemon.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	kill = sync.OnceFunc(func() {
		_ = daemon.Process.Kill()
		_ = daemon.Wait()
		os.RemoveAll(dir)
	})
	t.Cleanup(kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the bus did not start: %v", err)
	}
	return strings.TrimSpace(line), kill
}

// desktop is a small portal that does what a real one does.
type desktop struct {
	conn   *dbus.Conn
	answer uint32 // of BindShortcuts
	grant  func([]shortcut) []shortcut

	mu      sync.Mutex
	session dbus.ObjectPath
	asked   []shortcut
	closed  chan struct{}
}

func newDesktop(t *testing.T, bus string, odd ...func(*desktop)) *desktop {
	t.Helper()
	d := &desktop{conn: dial(t, bus), closed: make(chan struct{}), grant: func(s []shortcut) []shortcut { return s }}
	for _, change := range odd {
		change(d)
	}
	if err := d.conn.Export(d, object, shortcuts); err != nil {
		t.Fatal(err)
	}
	d.own(t)
	return d
}

func (d *desktop) own(t *testing.T) {
	t.Helper()
	if r, err := d.conn.RequestName(service, dbus.NameFlagDoNotQueue); err != nil || r != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(r, err)
	}
}

func dial(t *testing.T, bus string) *dbus.Conn {
	t.Helper()
	c, err := dbus.Connect(bus)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// at is the session that was made.
func (d *desktop) at() dbus.ObjectPath {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.session
}

func under(kind string, sender dbus.Sender, token dbus.Variant) dbus.ObjectPath {
	name := strings.ReplaceAll(strings.TrimPrefix(string(sender), ":"), ".", "_")
	return object + dbus.ObjectPath("/"+kind+"/"+name+"/"+token.Value().(string))
}

// respond answers a request a little later, as the portal does.
func (d *desktop) respond(path dbus.ObjectPath, code uint32, results options) {
	time.AfterFunc(5*time.Millisecond, func() { _ = d.conn.Emit(path, request+".Response", code, results) })
}

func (d *desktop) CreateSession(o options, from dbus.Sender) (dbus.ObjectPath, *dbus.Error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.session = under("session", from, o["session_handle_token"])
	_ = d.conn.Export(sessionObject{d}, d.session, session)
	path := under("request", from, o["handle_token"])
	d.respond(path, 0, options{"session_handle": dbus.MakeVariant(string(d.session))})
	return path, nil
}

func (d *desktop) BindShortcuts(s dbus.ObjectPath, want []shortcut, _ string, o options, from dbus.Sender) (dbus.ObjectPath, *dbus.Error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s != d.session {
		return "", dbus.MakeFailedError(errors.New("no such session"))
	}
	d.asked = want
	path := under("request", from, o["handle_token"])
	d.respond(path, d.answer, options{"shortcuts": dbus.MakeVariant(d.grant(want))})
	return path, nil
}

type sessionObject struct{ d *desktop }

func (s sessionObject) Close() *dbus.Error { close(s.d.closed); return nil }

func (d *desktop) emit(t *testing.T, name string, session dbus.ObjectPath, id string) {
	t.Helper()
	if err := d.conn.Emit(object, shortcuts+"."+name, session, id, uint64(1), options{}); err != nil {
		t.Fatal(err)
	}
}

// watched is a Watch that runs.
type watched struct {
	told  chan keys.Event
	err   chan error
	stop  func()
	ready chan struct{}
}

func watch(t *testing.T, bus string) *watched {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	w := &watched{told: make(chan keys.Event, 16), err: make(chan error, 1), stop: cancel, ready: make(chan struct{})}
	c, err := keys.Parse("ctrl+alt+space")
	if err != nil {
		t.Fatal(err)
	}
	want := []keys.Wish{{Chord: c, Name: "talk", Say: "Hold to talk to Solo"}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.err <- Watcher{Bus: bus}.Watch(ctx, want, func() { close(w.ready) }, func(e keys.Event) { w.told <- e })
	}()
	t.Cleanup(func() { cancel(); <-done })
	return w
}

func (w *watched) ends(t *testing.T) error {
	t.Helper()
	select {
	case err := <-w.err:
		return err
	case <-time.After(5 * time.Second):
		t.Fatal("still watching")
		return nil
	}
}

func (w *watched) isReady(t *testing.T) {
	t.Helper()
	select {
	case <-w.ready:
	case err := <-w.err:
		t.Fatalf("not ready: %v", err)
	case <-time.After(5 * time.Second):
		t.Fatal("not ready")
	}
}

// A key goes down once and up once, whatever else the bus says.
func TestHold(t *testing.T) {
	bus, _ := newBus(t)
	d := newDesktop(t, bus)
	w := watch(t, bus)
	w.isReady(t)
	d.emit(t, "Deactivated", d.at(), "talk")
	d.emit(t, "Activated", d.at(), "other")
	d.emit(t, "Activated", d.at()+"x", "talk")
	d.emit(t, "Activated", d.at(), "talk")
	d.emit(t, "Activated", d.at(), "talk")
	d.emit(t, "Deactivated", d.at(), "talk")
	d.emit(t, "Deactivated", d.at(), "talk")
	d.emit(t, "Activated", d.at(), "talk")
	for i, down := range []bool{true, false, true} {
		if e := <-w.told; e.Down != down || e.Which != 0 {
			t.Errorf("event %d is %+v", i, e)
		}
	}
	w.stop()
	if err := w.ends(t); err != nil || len(w.told) != 0 {
		t.Errorf("%v, and %d events more", err, len(w.told))
	}
	select {
	case <-d.closed:
	case <-time.After(5 * time.Second):
		t.Error("the session was not closed")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if got := d.asked[0].Data["preferred_trigger"].Value(); got != "CTRL+ALT+space" {
		t.Errorf("asked for %v", got)
	}
}

// Another program on the bus cannot open the microphone.
func TestOthersDoNotCount(t *testing.T) {
	bus, _ := newBus(t)
	d := newDesktop(t, bus)
	w := watch(t, bus)
	w.isReady(t)
	parts := strings.Split(string(d.at()), "/")
	name := ":" + strings.Replace(parts[len(parts)-2], "_", ".", 1)
	evil := dial(t, bus)
	evil.Send(&dbus.Message{Type: dbus.TypeSignal, Headers: map[dbus.HeaderField]dbus.Variant{
		dbus.FieldPath: dbus.MakeVariant(object), dbus.FieldInterface: dbus.MakeVariant(shortcuts),
		dbus.FieldMember: dbus.MakeVariant("Activated"), dbus.FieldDestination: dbus.MakeVariant(name),
		dbus.FieldSignature: dbus.MakeVariant(dbus.SignatureOf(object, "", uint64(0), options{})),
	}, Body: []any{d.at(), "talk", uint64(1), options{}}}, nil)
	if err := evil.BusObject().Call("org.freedesktop.DBus.GetId", 0).Err; err != nil { // the signal has passed
		t.Fatal(err)
	}
	d.emit(t, "Deactivated", d.at(), "talk")
	d.emit(t, "Activated", d.at(), "talk")
	d.emit(t, "Deactivated", d.at(), "talk")
	if a, b := <-w.told, <-w.told; !a.Down || b.Down {
		t.Errorf("%v %v", a, b)
	}
	time.Sleep(50 * time.Millisecond)
	if len(w.told) != 0 {
		t.Error("the other program was believed")
	}
}

// What keeps the key away is one sentence of its kind.
func TestTrouble(t *testing.T) {
	for name, tt := range map[string]struct {
		spoil func(t *testing.T, bus string)
		kind  error
		say   string
	}{
		"no portal": {func(*testing.T, string) {}, keys.ErrUnable, "no desktop portal runs in this session"},
		"a portal without shortcuts": {func(t *testing.T, bus string) {
			d := &desktop{conn: dial(t, bus)}
			d.own(t)
		}, keys.ErrUnable, "this desktop's portal gives no global keys"},
		"the user says no": {func(t *testing.T, bus string) { newDesktop(t, bus, func(d *desktop) { d.answer = 1 }) }, keys.ErrRefused, "answered with no"},
		"it fails":         {func(t *testing.T, bus string) { newDesktop(t, bus, func(d *desktop) { d.answer = 2 }) }, keys.ErrAbsent, "BindShortcuts with code 2"},
		"no key given": {func(t *testing.T, bus string) {
			newDesktop(t, bus, func(d *desktop) { d.grant = func([]shortcut) []shortcut { return nil } })
		}, keys.ErrTaken, "the desktop gave Solo no key like ctrl+alt+space"},
	} {
		t.Run(name, func(t *testing.T) {
			bus, _ := newBus(t)
			tt.spoil(t, bus)
			err := watch(t, bus).ends(t)
			if !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.say) {
				t.Errorf("%v", err)
			}
		})
	}
	for bus, say := range map[string]string{"": "there is no D-Bus session", "unix:path=/nowhere/bus": "the D-Bus session cannot be reached", "rubbish": "the D-Bus session cannot be reached"} {
		if err := watch(t, bus).ends(t); !errors.Is(err, keys.ErrAbsent) || !strings.Contains(err.Error(), say) {
			t.Errorf("%q: %v", bus, err)
		}
	}
}

// The session, the portal or the whole bus may end while the key is watched.
func TestGone(t *testing.T) {
	for name, end := range map[string]func(d *desktop, kill func()){
		"the session": func(d *desktop, _ func()) { _ = d.conn.Emit(d.at(), session+".Closed", options{}) },
		"the portal":  func(d *desktop, _ func()) { d.conn.Close() },
		"the bus":     func(_ *desktop, kill func()) { kill() },
	} {
		t.Run(name, func(t *testing.T) {
			bus, kill := newBus(t)
			d := newDesktop(t, bus)
			w := watch(t, bus)
			w.isReady(t)
			end(d, kill)
			if err := w.ends(t); !errors.Is(err, keys.ErrGone) {
				t.Error(err)
			}
		})
	}
}

// Who ends while the user is being asked need not wait for the answer.
func TestEndWhileAsking(t *testing.T) {
	bus, _ := newBus(t)
	entered := make(chan struct{})
	newDesktop(t, bus, func(d *desktop) {
		d.grant = func(s []shortcut) []shortcut { close(entered); time.Sleep(300 * time.Millisecond); return s }
	})
	w := watch(t, bus)
	<-entered
	w.stop()
	if err := w.ends(t); err != nil {
		t.Error(err)
	}
}

func TestTrigger(t *testing.T) {
	for text, want := range map[string]string{
		"ctrl+alt+space": "CTRL+ALT+space", "f9": "F9", "super+grave": "LOGO+grave", "ctrl+alt+shift+super+pageup": "CTRL+ALT+SHIFT+LOGO+Page_Up",
		"rightctrl": "Control_R", "alt+enter": "ALT+Return", "ctrl+a": "CTRL+a",
	} {
		c, err := keys.Parse(text)
		if err != nil || Trigger(c) != want {
			t.Errorf("%s: %s, %v", text, Trigger(c), err)
		}
	}
}
