//go:build linux

package ptt

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
	"syscall"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"
)

// screen is a real X server without a monitor.
type screen struct {
	display      string
	kill, freeze func()
}

func newScreen(t *testing.T) *screen {
	t.Helper()
	t.Parallel() // each test has its own
	return startScreen(t)
}

// startScreen starts a server; args may name the display, else it takes a free one.
func startScreen(t *testing.T, args ...string) *screen {
	t.Helper()
	for _, need := range []string{"Xvfb", "xdotool"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skipf("skipped: no %s", need)
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	server := exec.Command("Xvfb", append(args, "-displayfd", "3", "-screen", "0", "320x200x8", "-nolisten", "tcp", "-noreset")...)
	server.ExtraFiles = []*os.File{w}
	err = server.Start()
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	kill := sync.OnceFunc(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	t.Cleanup(kill)
	number, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("the X server did not start: %v", err)
	}
	return &screen{display: ":" + strings.TrimSpace(number), kill: kill, freeze: func() {
		if err := server.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
	}}
}

// keys lets xdotool use the keyboard: "keydown ctrl keydown space sleep 0.5 keyup space keyup ctrl".
func (s *screen) keys(t *testing.T, text string) {
	t.Helper()
	c := exec.Command("xdotool", strings.Fields(text)...)
	c.Env = append(os.Environ(), "DISPLAY="+s.display)
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("xdotool: %v: %s", err, out)
	}
}

// solo is a door that watches the screen.
type solo struct {
	*Door
	*diary
	stop func()
}

func (s *screen) solo(t *testing.T, c Config) *solo {
	t.Helper()
	var d diary
	c.Press, c.Release, c.Mute = d.add("press"), d.add("release"), d.add("mute")
	c.Getenv = func(name string) string { return map[string]string{"DISPLAY": s.display}[name] }
	p, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	// That the keys are watched is seen by the log line, which only a watched key writes.
	up := make(chan struct{})
	p.conf.Log = p.conf.Log.Output(onWrite(sync.OnceFunc(func() { close(up) })))
	go func() { done <- p.Serve(ctx) }()
	stop := sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	select {
	case <-up:
	case <-time.After(10 * time.Second):
		t.Fatal("neither watched nor in trouble")
	}
	return &solo{p, &d, stop}
}

type onWrite func()

func (f onWrite) Write(p []byte) (int, error) { f(); return len(p), nil }

// wants waits until the diary says what it should, and a moment more for what it should not.
func (s *solo) wants(t *testing.T, text string) {
	t.Helper()
	eventually(t, func() bool { return len(s.text()) >= len(text) })
	time.Sleep(150 * time.Millisecond)
	if s.text() != text {
		t.Errorf("%q; want %q (trouble: %v)", s.text(), text, s.Trouble())
	}
}

func eventually(t *testing.T, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); !ok() && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
}

// However it is held, a key goes down once and up once: with auto-repeat, whatever modifiers come up
// first, whatever locks are on.
func TestX11Hold(t *testing.T) {
	for name, tt := range map[string]struct{ key, hold, free string }{
		"auto-repeat":            {"ctrl+alt+space", "keydown ctrl keydown alt keydown space sleep 0.9", "keyup space keyup alt keyup ctrl"},
		"modifiers first":        {"ctrl+alt+space", "keydown ctrl keydown alt keydown space sleep 0.2 keyup ctrl sleep 0.2 keyup alt sleep 0.3", "keyup space"},
		"one modifier first":     {"ctrl+alt+space", "keydown alt keydown ctrl keydown space sleep 0.2 keyup alt sleep 0.3", "keyup space keyup ctrl"},
		"super":                  {"super+grave", "keydown super keydown grave sleep 0.2", "keyup super keyup grave"},
		"no modifier":            {"F9", "keydown F9 sleep 0.1", "keyup F9"},
		"right ctrl":             {"rightctrl", "keydown 105 sleep 0.1", "keyup 105"},
		"num lock":               {"f9", "key Num_Lock keydown F9 sleep 0.1", "keyup F9 key Num_Lock"},
		"caps lock":              {"ctrl+k", "key Caps_Lock keydown ctrl keydown k sleep 0.1", "keyup k keyup ctrl key Caps_Lock"},
		"both locks":             {"shift+pause", "key Caps_Lock key Num_Lock keydown shift keydown Pause sleep 0.1", "keyup Pause keyup shift key Caps_Lock key Num_Lock"},
		"others while held":      {"f9", "keydown F9 key a key b key F8 sleep 0.1", "keyup F9"},
		"a mouse button is down": {"f9", "mousedown 1 keydown F9 sleep 0.1", "keyup F9 mouseup 1"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScreen(t)
			p := s.solo(t, Config{Key: tt.key})
			if p.Trouble() != nil {
				t.Fatal(p.Trouble())
			}
			s.keys(t, tt.hold)
			p.wants(t, "press")
			s.keys(t, tt.free)
			p.wants(t, "press release")
			p.stop()
		})
	}
}

// Other keys and other modifiers do nothing.
func TestX11OtherKeys(t *testing.T) {
	s := newScreen(t)
	p := s.solo(t, Config{Key: "ctrl+alt+space", MuteKey: "f9"})
	s.keys(t, "key space key ctrl+space key alt+space key ctrl+alt+shift+space key super+ctrl+alt+space key F8 key shift+F9 key ctrl+alt+a")
	p.wants(t, "")
	s.keys(t, "key F9")
	p.wants(t, "mute")
}

func TestX11Toggle(t *testing.T) {
	s := newScreen(t)
	p := s.solo(t, Config{Mode: "toggle", Key: "f9", MuteKey: "ctrl+m"})
	s.keys(t, "keydown F9 sleep 0.7 keyup F9")
	p.wants(t, "press")
	s.keys(t, "keydown ctrl keydown m sleep 0.1 keyup m keyup ctrl")
	p.wants(t, "press mute")
	s.keys(t, "key F9")
	p.wants(t, "press mute release")
}

// The mute key works while the other is held, and twelve quick presses are twelve.
func TestX11Both(t *testing.T) {
	s := newScreen(t)
	p := s.solo(t, Config{Key: "f9", MuteKey: "f10"})
	s.keys(t, "keydown F9 sleep 0.1 key F10 sleep 0.1 keyup F9")
	p.wants(t, "press mute release")
	s.keys(t, strings.Repeat("keydown F9 sleep 0.03 keyup F9 sleep 0.03 ", 12))
	p.wants(t, "press mute release"+strings.Repeat(" press release", 12))
}

// The window that has the focus sees nothing of the key, and hears of others as ever.
func TestX11FocusElsewhere(t *testing.T) {
	s := newScreen(t)
	p := s.solo(t, Config{Key: "ctrl+alt+space"})
	editor := s.editor(t)
	s.keys(t, "keydown ctrl keydown alt keydown space sleep 0.5 keyup ctrl sleep 0.5 keyup space keyup alt")
	p.wants(t, "press release")
	s.keys(t, "key x")
	eventually(t, func() bool { return editor.pressed("x") > 0 })
	if editor.pressed("space") != 0 || editor.pressed("x") != 1 {
		t.Errorf("the editor saw %d spaces and %d x", editor.pressed("space"), editor.pressed("x"))
	}
}

// editor is another program's window, which has the focus.
type editor struct {
	mu   sync.Mutex
	seen map[xproto.Keycode]int
	sym  func(name string) xproto.Keycode
}

func (e *editor) pressed(name string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.seen[e.sym(name)]
}

func (s *screen) editor(t *testing.T) *editor {
	t.Helper()
	c := s.client(t)
	setup := xproto.Setup(c)
	id, err := xproto.NewWindowId(c)
	if err != nil {
		t.Fatal(err)
	}
	root := setup.Roots[0]
	xproto.CreateWindow(c, 0, id, root.Root, 0, 0, 100, 100, 0, xproto.WindowClassInputOutput, root.RootVisual,
		xproto.CwOverrideRedirect|xproto.CwEventMask, []uint32{1, xproto.EventMaskKeyPress | xproto.EventMaskExposure})
	if err := xproto.MapWindowChecked(c, id).Check(); err != nil {
		t.Fatal(err)
	}
	if err := xproto.SetInputFocusChecked(c, xproto.InputFocusNone, id, xproto.TimeCurrentTime).Check(); err != nil {
		t.Fatal(err)
	}
	m, err := xproto.GetKeyboardMapping(c, setup.MinKeycode, byte(setup.MaxKeycode-setup.MinKeycode+1)).Reply()
	if err != nil {
		t.Fatal(err)
	}
	e := &editor{seen: map[xproto.Keycode]int{}, sym: func(name string) xproto.Keycode {
		sym := map[string]xproto.Keysym{"space": ' ', "x": 'x'}[name]
		for at := 0; at < len(m.Keysyms); at += int(m.KeysymsPerKeycode) {
			if m.Keysyms[at] == sym {
				return setup.MinKeycode + xproto.Keycode(at/int(m.KeysymsPerKeycode))
			}
		}
		return 0
	}}
	go func() {
		for {
			ev, err := c.WaitForEvent()
			if ev == nil && err == nil {
				return
			}
			if k, ok := ev.(xproto.KeyPressEvent); ok {
				e.mu.Lock()
				e.seen[k.Detail]++
				e.mu.Unlock()
			}
		}
	}()
	return e
}

func (s *screen) client(t *testing.T) *xgb.Conn {
	t.Helper()
	c, err := xgb.NewConnDisplay(s.display)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// A key that another program holds is one sentence, and Solo's own other key is not left half taken.
func TestX11Taken(t *testing.T) {
	s := newScreen(t)
	first := s.solo(t, Config{Key: "ctrl+alt+space", MuteKey: "f10"})
	second := s.solo(t, Config{Key: "f9", MuteKey: "ctrl+alt+space"})
	err := second.Trouble()
	if !errors.Is(err, ErrTaken) || err.Error() != "another program already holds the key ctrl+alt+space; choose another one for Solo, or free it there" {
		t.Fatalf("trouble is %v", err)
	}
	third := s.solo(t, Config{Key: "f9"})
	if err := errors.Join(third.Trouble(), first.Trouble()); err != nil {
		t.Fatal(err)
	}
	if err := third.Check(t.Context()); !errors.Is(err, ErrTaken) {
		t.Errorf("a check beside the holder says %v", err)
	}
	third.stop()
	if err := third.Check(t.Context()); err != nil {
		t.Errorf("the key was not given back: %v", err)
	}
	first.stop()
	eventually(t, func() bool { return second.Trouble() == nil })
	s.keys(t, "key F9")
	second.wants(t, "press release")
	third.wants(t, "")
}

// A display that goes away while the key is down lets go of it, in one sentence; when it is back, so
// are the keys.
func TestX11DisplayVanishes(t *testing.T) {
	t.Parallel()
	s := startScreen(t, fmt.Sprint(":", 5000+os.Getpid()%1000)) // one that nobody else takes meanwhile
	p := s.solo(t, Config{Key: "f9"})
	s.keys(t, "keydown F9")
	p.wants(t, "press")
	s.kill()
	p.wants(t, "press release")
	if err := p.Trouble(); !errors.Is(err, ErrGone) && !errors.Is(err, ErrAbsent) {
		t.Errorf("trouble is %v", err)
	}
	again := startScreen(t, s.display)
	eventually(t, func() bool { return p.Trouble() == nil })
	again.keys(t, "key F9")
	p.wants(t, "press release press release")
}

// No display at all is one sentence too.
func TestX11NoDisplay(t *testing.T) {
	for display, want := range map[string]string{
		"":      "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set), so no key can be watched",
		":4711": "the X11 display :4711 cannot be reached, so no key can be watched: ",
		"bad":   `the X11 display bad cannot be reached, so no key can be watched: the display "bad" is not of the form host:number`,
	} {
		d, err := New(Config{Key: "f9", Getenv: func(n string) string { return map[string]string{"DISPLAY": display}[n] }})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Check(t.Context()); !errors.Is(err, ErrAbsent) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", display, err)
		}
	}
}

// A layout that changes while Solo runs is followed: the key keeps its name, not its place.
func TestX11LayoutChanges(t *testing.T) {
	s := newScreen(t)
	p := s.solo(t, Config{Key: "ctrl+f9"})
	c := s.client(t)
	m, err := xproto.GetKeyboardMapping(c, 75, 1).Reply() // F9 on every PC keyboard
	if err != nil {
		t.Fatal(err)
	}
	plain := make([]xproto.Keysym, m.KeysymsPerKeycode)
	for code, syms := range map[xproto.Keycode][]xproto.Keysym{75: plain, 247: m.Keysyms} {
		if err := xproto.ChangeKeyboardMappingChecked(c, 1, code, m.KeysymsPerKeycode, syms).Check(); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, func() bool {
		s.keys(t, "keydown ctrl key 247 keyup ctrl")
		return strings.HasPrefix(p.text(), "press release")
	})
	if !strings.HasPrefix(p.text(), "press release") {
		t.Errorf("%q, %v", p.text(), p.Trouble())
	}
}

// With a second layout switched on the key is where it was.
func TestX11SecondLayout(t *testing.T) {
	s := newScreen(t)
	p := s.solo(t, Config{Key: "ctrl+alt+k", MuteKey: "super+grave"})
	set := exec.Command("setxkbmap", "-display", s.display, "us,ru", "-option", "grp:menu_toggle")
	if out, err := set.CombinedOutput(); err != nil {
		t.Skipf("skipped: setxkbmap: %v: %s", err, out)
	}
	// xdotool goes back to the first layout for each key; the keys are hit here.
	c := s.client(t)
	if err := xtest.Init(c); err != nil {
		t.Fatal(err)
	}
	root := xproto.Setup(c).Roots[0].Root
	hit := func(codes ...int) { // up is negative
		for _, code := range codes {
			kind := byte(xproto.KeyPress)
			if code < 0 {
				code, kind = -code, xproto.KeyRelease
			}
			if err := xtest.FakeInputChecked(c, kind, byte(code), 0, root, 0, 0, 0).Check(); err != nil {
				t.Fatal(err)
			}
		}
	}
	const menu, ctrl, alt, super, k, grave = 135, 37, 64, 133, 45, 49
	hit(menu, -menu)
	pointer, err := xproto.QueryPointer(c, root).Reply()
	if err != nil || pointer.Mask&0x6000 != 0x2000 {
		t.Fatalf("the layout was not switched: %+v, %v", pointer, err)
	}
	hit(ctrl, alt, k)
	p.wants(t, "press")
	hit(-ctrl, -k, -alt)
	p.wants(t, "press release")
	hit(super, grave, -grave, -super)
	p.wants(t, "press release mute")
}

// A server that is stopped does not stop Solo's end.
func TestX11ServerStops(t *testing.T) {
	s := newScreen(t)
	p := s.solo(t, Config{Key: "f9"})
	s.keys(t, "keydown F9")
	p.wants(t, "press")
	s.freeze()
	began := time.Now()
	p.stop()
	if took := time.Since(began); took > 5*time.Second || p.text() != "press release" {
		t.Errorf("%s after %v", p.text(), took)
	}
}

// A display that wants a cookie gets the one from the authority file.
func TestX11Cookie(t *testing.T) {
	file := filepath.Join(t.TempDir(), "authority")
	write := func(path, cookie string) {
		entry := "\xff\xff" + "\x00\x00" + "\x00\x00" + "\x00\x12MIT-MAGIC-COOKIE-1" + "\x00\x10" + cookie // for any host and display
		if err := os.WriteFile(path, []byte(entry), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(file, "0123456789abcdef")
	s := startScreen(t, "-auth", file)
	wrong := file + ".wrong"
	write(wrong, "fedcba9876543210")
	for authority, want := range map[string]error{file: nil, wrong: ErrAbsent, file + ".none": ErrAbsent} {
		env := map[string]string{"DISPLAY": s.display, "XAUTHORITY": authority}
		d, err := New(Config{Key: "f9", Getenv: func(n string) string { return env[n] }})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Check(t.Context()); !errors.Is(err, want) {
			t.Errorf("%s: %v", filepath.Base(authority), err)
		}
	}
}
