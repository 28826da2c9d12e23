package autostart

import (
	"strings"
	"testing"

	"golang.org/x/sys/windows/registry"
)

var entry = Entry{Program: `C:\Program Files\Solo\solo.exe`, Args: []string{"--home", `C:\Users\A B\solo\`, "run", "--no-input"}}

const wantCommand = `"C:\Program Files\Solo\solo.exe" --home "C:\Users\A B\solo\\" run --no-input`

func TestRegistry(t *testing.T) {
	t.Cleanup(func() { _, _ = Off(t.Context(), entry) })
	for range 2 {
		if s, err := Off(t.Context(), entry); err != nil || s.On || s.Starts != "" {
			t.Fatalf("off: %+v, %v", s, err)
		}
		s, err := On(t.Context(), entry)
		if err != nil || !s.On || s.Starts != wantCommand || s.Trouble != "" {
			t.Fatalf("on: %+v, %v", s, err)
		}
	}
	if s, err := Status(t.Context(), Entry{Program: `D:\solo.exe`}); err != nil || !s.On || !strings.Contains(s.Trouble, "renews it") {
		t.Errorf("another program: %+v, %v", s, err)
	}
}

// What the user switched off in the Task Manager is off, until it is switched on here.
func TestSwitchedOffInTheTaskManager(t *testing.T) {
	t.Cleanup(func() { _, _ = Off(t.Context(), entry) })
	if _, err := On(t.Context(), entry); err != nil {
		t.Fatal(err)
	}
	k, _, err := registry.CreateKey(registry.CURRENT_USER, approvedPath, registry.SET_VALUE)
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	for first, on := range map[byte]bool{2: true, 3: false, 6: true, 7: false} {
		if err := k.SetBinaryValue(valueName, []byte{first, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8}); err != nil {
			t.Fatal(err)
		}
		if s, err := Status(t.Context(), entry); err != nil || s.On != on || (s.Trouble == "") != on {
			t.Errorf("%d: %+v, %v", first, s, err)
		}
	}
	if s, err := On(t.Context(), entry); err != nil || !s.On {
		t.Errorf("on again: %+v, %v", s, err)
	}
}

func TestTooLong(t *testing.T) {
	if s, err := On(t.Context(), Entry{Program: `C:\` + strings.Repeat("long\\", 60) + "solo.exe"}); err == nil || s.On {
		t.Errorf("%+v, %v", s, err)
	}
}
