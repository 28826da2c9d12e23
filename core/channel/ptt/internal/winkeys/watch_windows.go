package winkeys

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/solo-assistant/solo/core/channel/ptt/internal/keys"
	"golang.org/x/sys/windows"
)

var (
	user32         = windows.NewLazySystemDLL("user32.dll")
	createWindow   = user32.NewProc("CreateWindowExW")
	destroyWindow  = user32.NewProc("DestroyWindow")
	registerHotKey = user32.NewProc("RegisterHotKey")
	freeHotKey     = user32.NewProc("UnregisterHotKey")
	registerRaw    = user32.NewProc("RegisterRawInputDevices")
	rawData        = user32.NewProc("GetRawInputData")
	keyState       = user32.NewProc("GetAsyncKeyState")
	setTimer       = user32.NewProc("SetTimer")
	getMessage     = user32.NewProc("GetMessageW")
	dispatch       = user32.NewProc("DispatchMessageW")
	postMessage    = user32.NewProc("PostMessageW")
)

const (
	wmInput  = 0x00ff
	wmTimer  = 0x0113
	wmHotKey = 0x0312
	wmLeave  = 0x8000 // ours: ctx is over

	glance = 50 // ms between looks at a held key

	ridInput       = 0x10000003
	ridevInputSink = 0x100
	ridevRemove    = 0x1
	typeKeyboard   = 1

	errAlreadyRegistered = windows.Errno(1409)
)

// Watcher watches the keyboard of this session.
type Watcher struct{}

func (Watcher) String() string { return "Windows" }

// rawDevice is RAWINPUTDEVICE.
type rawDevice struct {
	usagePage, usage uint16
	flags            uint32
	window           windows.HWND
}

// rawKey is RAWINPUT of a keyboard.
type rawKey struct {
	kind, size                  uint32
	device                      windows.Handle
	wParam                      uintptr
	scan, flags, reserved, vkey uint16
	message, extra              uint32
	_                           [8]byte // the union is as large as a mouse's
}

// message is MSG.
type message struct {
	window         windows.HWND
	kind           uint32
	wParam, lParam uintptr
	time           uint32
	x, y           int32
	private        uint32
}

// Watch takes the chords, calls ready, and tells each time one goes down or up until ctx ends (nil) or
// Windows refuses (a *keys.Trouble). What was down at the end is not told to be up.
func (Watcher) Watch(ctx context.Context, want []keys.Wish, ready func(), told func(keys.Event)) error {
	runtime.LockOSThread() // windows and their messages belong to one thread
	defer runtime.UnlockOSThread()
	window, err := open()
	if err != nil {
		return &keys.Trouble{Kind: keys.ErrAbsent, Err: err, Say: "Windows gives Solo no desktop session, so no key can be watched"}
	}
	defer destroyWindow.Call(uintptr(window)) //nolint:errcheck // it goes with the thread
	if err := listen(ridevInputSink, window); err != nil {
		return &keys.Trouble{Kind: keys.ErrUnable, Err: err, Say: "Windows does not let Solo see the keyboard"}
	}
	defer listen(ridevRemove, 0) //nolint:errcheck // it goes with the window
	for i, w := range want {
		if err := take(window, i, w); err != nil {
			return err
		}
		defer freeHotKey.Call(uintptr(window), uintptr(i)) //nolint:errcheck // it goes with the window
	}
	defer context.AfterFunc(ctx, func() { _, _, _ = postMessage.Call(uintptr(window), wmLeave, 0, 0) })()
	if ok, _, err := setTimer.Call(uintptr(window), 1, glance, 0); ok == 0 {
		return &keys.Trouble{Kind: keys.ErrUnable, Err: err, Say: "Windows gives Solo no timer to watch the keyboard with"}
	}
	ready()
	return loop(ctx, window, newBoard(want, told))
}

// open makes a window that nobody sees, to which the messages come.
func open() (windows.HWND, error) {
	class, err := windows.UTF16PtrFromString("Static")
	if err != nil {
		return 0, err
	}
	messageOnly := ^uintptr(2) // HWND_MESSAGE, -3
	window, _, err := createWindow.Call(0, uintptr(unsafe.Pointer(class)), 0, 0, 0, 0, 0, 0, messageOnly, 0, 0, 0)
	if window == 0 {
		return 0, fmt.Errorf("make a window for messages: %w", err)
	}
	return windows.HWND(window), nil
}

// listen asks for the raw keys of every keyboard, or for no more of them.
func listen(flags uint32, window windows.HWND) error {
	keyboard := rawDevice{usagePage: 1, usage: 6, flags: flags, window: window}
	ok, _, err := registerRaw.Call(uintptr(unsafe.Pointer(&keyboard)), 1, unsafe.Sizeof(keyboard))
	if ok == 0 {
		return fmt.Errorf("ask for raw keys: %w", err)
	}
	return nil
}

func take(window windows.HWND, i int, w keys.Wish) error {
	if w.Key.Mod() != 0 {
		return nil // raw input tells of it
	}
	ok, _, err := registerHotKey.Call(uintptr(window), uintptr(i), modifiers(w.Mods), uintptr(w.Key.VK))
	switch {
	case ok != 0:
		return nil
	case errors.Is(err, errAlreadyRegistered):
		return &keys.Trouble{Kind: keys.ErrTaken, Err: err,
			Say: fmt.Sprintf("another program already holds the key %s; choose another one for Solo, or free it there", w.Chord)}
	}
	return &keys.Trouble{Kind: keys.ErrUnable, Err: err, Say: fmt.Sprintf("Windows does not give the key %s: %v", w.Chord, err)}
}

// loop handles messages until ctx ends.
func loop(ctx context.Context, window windows.HWND, b *board) error {
	var m message
	for {
		got, _, err := getMessage.Call(uintptr(unsafe.Pointer(&m)), 0, 0, 0)
		if ctx.Err() != nil {
			return nil
		}
		if int32(got) <= 0 {
			return &keys.Trouble{Kind: keys.ErrGone, Err: err, Say: "Windows closed the window that hears Solo's key"}
		}
		switch {
		case m.window != window:
		case m.kind == wmHotKey:
			b.hotkey(int(m.wParam))
		case m.kind == wmInput:
			if k, ok := read(m.lParam); ok {
				b.raw(k.vkey, k.flags, k.scan)
			}
		case m.kind == wmTimer:
			b.look(isDown)
		}
		_, _, _ = dispatch.Call(uintptr(unsafe.Pointer(&m))) // frees raw input; answers with nothing of use
	}
}

// read fetches the raw key of a message.
func read(handle uintptr) (rawKey, bool) {
	var k rawKey
	size := uint32(unsafe.Sizeof(k))
	header := unsafe.Offsetof(k.scan)
	n, _, _ := rawData.Call(handle, ridInput, uintptr(unsafe.Pointer(&k)), uintptr(unsafe.Pointer(&size)), header)
	return k, int32(n) > 0 && k.kind == typeKeyboard
}

func isDown(vk uint16) bool {
	state, _, _ := keyState.Call(uintptr(vk))
	return state&0x8000 != 0
}
