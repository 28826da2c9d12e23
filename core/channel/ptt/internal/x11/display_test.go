package x11

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/channel/ptt/internal/keys"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestParseDisplay(t *testing.T) {
	for text, want := range map[string]address{
		":0":             {"unix", "/tmp/.X11-unix/X0", "", "0"},
		":10.1":          {"unix", "/tmp/.X11-unix/X10", "", "10"},
		"unix:3":         {"unix", "/tmp/.X11-unix/X3", "", "3"},
		"unix/box:3":     {"unix", "/tmp/.X11-unix/X3", "", "3"},
		"box:1":          {"tcp", "box:6001", "box", "1"},
		"tcp/box:1.0":    {"tcp", "box:6001", "box", "1"},
		"localhost:10.0": {"tcp", "localhost:6010", "localhost", "10"},
		"[::1]:2":        {"tcp", "[::1]:6002", "[::1]", "2"},
		"/run/x/d:0":     {"unix", "/run/x/d:0", "", "0"},
	} {
		if got, err := parseDisplay(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", ":", "0", ":x", ":-1", ":99999", "decnet/a:0", "a:", ":0x1"} {
		if got, err := parseDisplay(text); err == nil {
			t.Errorf("%q is %+v", text, got)
		}
	}
}

// entry is one line of an authority file.
func entry(family uint16, texts ...string) []byte {
	out := binary.BigEndian.AppendUint16(nil, family)
	for _, s := range texts {
		out = append(binary.BigEndian.AppendUint16(out, uint16(len(s))), s...)
	}
	return out
}

func TestCookie(t *testing.T) {
	const method = "MIT-MAGIC-COOKIE-1"
	file := bytes.Join([][]byte{
		entry(familyLocal, "other", "0", method, "0000000000000000"),
		entry(familyLocal, "box", "1", method, "1111111111111111"),
		entry(familyLocal, "box", "0", "XDM-AUTHORIZATION-1", "2222"),
		entry(0, "box", "0", method, "3333333333333333"),
		entry(familyLocal, "box", "0", method, "4444444444444444"),
		entry(familyWild, "", "", method, "5555555555555555"),
	}, nil)
	for number, want := range map[string]string{"0": "4444444444444444", "1": "1111111111111111", "7": "5555555555555555"} {
		if got, err := findCookie(bytes.NewReader(file), "box", number); err != nil || string(got) != want {
			t.Errorf("display %s: %q, %v", number, got, err)
		}
	}
	if _, err := findCookie(bytes.NewReader(file[:10]), "none", "0"); err == nil {
		t.Error("half a file is no error")
	}
	if got, err := findCookie(bytes.NewReader(nil), "box", "0"); got != nil || err != nil {
		t.Errorf("an empty file has %q, %v", got, err)
	}
}

func FuzzParseDisplay(f *testing.F) {
	for _, s := range []string{":0", "unix:1.2", "tcp/h:3", "[::1]:2", "/a/b:0", "::", "/:", "a/b/c:1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := parseDisplay(text)
		if err == nil && (a.at == "" || a.number == "" || a.network != "unix" && a.network != "tcp") {
			t.Errorf("%q is %+v", text, a)
		}
	})
}

func FuzzCookie(f *testing.F) {
	f.Add(entry(familyLocal, "box", "0", "MIT-MAGIC-COOKIE-1", "0123456789abcdef"))
	f.Add([]byte{1, 0, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, file []byte) {
		if got, _ := findCookie(bytes.NewReader(file), "box", "0"); len(got) > len(file) {
			t.Errorf("%d bytes out of %d", len(got), len(file))
		}
	})
}

// A server that says nothing, rubbish, or leaves in the middle is an absent display, in one sentence
// and in time.
func TestBadServers(t *testing.T) {
	for name, say := range map[string][]byte{
		"rubbish":   bytes.Repeat([]byte{0xff}, 64),
		"refused":   append([]byte{0, 4, 11, 0, 0, 0, 1, 0}, "nope"...),
		"leaves":    {1, 0, 11, 0},
		"empty":     {1, 0, 11, 0, 0, 0, 0, 0},
		"no screen": append([]byte{1, 0, 11, 0, 0, 0, 8, 0}, make([]byte, 32)...),
		"short end": {0, 200, 11, 0, 0, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			display := serve(t, say)
			err := Watcher{Display: display}.Watch(t.Context(), nil, func() { t.Error("ready") }, nil)
			if !errors.Is(err, keys.ErrAbsent) {
				t.Errorf("%v", err)
			}
		})
	}
}

// Who ends while a server says nothing need not wait for it.
func TestSilentServer(t *testing.T) {
	display := serve(t, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	err := Watcher{Display: display}.Watch(ctx, nil, func() { t.Error("ready") }, nil)
	if took := time.Since(began); took > time.Second || err == nil {
		t.Errorf("%v after %v", err, took)
	}
}

// serve is a server that says one thing; with nothing to say it keeps the line open.
func serve(t *testing.T, say []byte) (display string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "x")
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(dir, "d:0"))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	over := make(chan struct{})
	go func() {
		defer close(done)
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		if say == nil {
			<-over
			return
		}
		_, _ = c.Read(make([]byte, 64))
		_, _ = c.Write(say)
	}()
	t.Cleanup(func() { close(over); l.Close(); <-done; os.RemoveAll(dir) })
	return filepath.Join(dir, "d:0")
}
