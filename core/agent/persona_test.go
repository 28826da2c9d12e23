package agent

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
)

func TestPersonaIsWrittenAndReadAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "workspace")
	p := NewPersona(dir, zerolog.Nop())
	if _, err := os.Stat(dir); err == nil {
		t.Error("New wrote something")
	}
	contains(t, p.Show(), "# SOUL.md\nYou are Solo", "# USER.md\n(empty)", "# TOOLS.md\n(empty)")
	lacks(t, p.Show(), "<!--")
	for _, name := range p.Files() {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !bytes.Contains(raw, []byte("<!--")) {
			t.Errorf("%s: %v", name, err)
		}
	}
	path, err := p.Path("user")
	if err != nil || path != filepath.Join(dir, Person) {
		t.Errorf("%s, %v", path, err)
	}
	write(t, path, "My name is Kim.\r\n<!-- a secret -->\nI like tea.")
	contains(t, p.Show(), "My name is Kim.\n\nI like tea.")
	lacks(t, p.Show(), "secret")
	a := New(Config{Model: says(), Tools: toolbox(), Workspace: dir})
	contains(t, a.Prefix(t.Context())[0].Text, "# The user\nMy name is Kim.")
	write(t, path, "My name is Lou.")
	contains(t, a.Prefix(t.Context())[0].Text, "# The user\nMy name is Lou.")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	contains(t, p.Show(), "Kim") // what it knew last
}

var stamp = time.Now()

// write gives the file a time of its own, as an editor does a moment later.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	stamp = stamp.Add(time.Second)
	if err := os.Chtimes(path, stamp, stamp); err != nil {
		t.Fatal(err)
	}
}

func TestPersonaInTrouble(t *testing.T) {
	if _, err := NewPersona(t.TempDir(), zerolog.Nop()).Path("../secrets"); !errors.Is(err, ErrPersona) {
		t.Error(err)
	}
	if _, err := NewPersona("", zerolog.Nop()).Path("SOUL.md"); err == nil {
		t.Error("a path without a workspace")
	}
	contains(t, NewPersona("", zerolog.Nop()).Show(), "You are Solo")

	var log bytes.Buffer
	dir := t.TempDir()
	p := NewPersona(dir, zerolog.New(&log))
	write(t, filepath.Join(dir, Soul), strings.Repeat("Be kind. ", 2000))
	if text := p.text(Soul); len(text) > maxPersona {
		t.Errorf("%d bytes", len(text))
	}
	contains(t, log.String(), "too long")
	log.Reset()
	p.text(Soul)
	if log.Len() > 0 {
		t.Error("told twice:", log.String())
	}
	write(t, filepath.Join(dir, Person), "\xff\xfeI am Kim.\x00")
	contains(t, p.text(Person), "I am Kim.")

	// A folder in place of a file cannot be read; the answer goes on with the default.
	if err := os.Mkdir(filepath.Join(dir, Habits), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, Soul), "You are Solo, and short.")
	a := New(Config{Model: says(reply("Hello.")), Tools: toolbox(), Workspace: dir, Log: zerolog.New(&log)})
	if got := hear(t.Context(), a, "hi"); got.text != "Hello." {
		t.Errorf("%+v", got)
	}
	contains(t, log.String(), "persona not read")
	if runtime.GOOS != "windows" && os.Getuid() != 0 {
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		contains(t, NewPersona(filepath.Join(dir, "x"), zerolog.Nop()).Show(), "You are Solo")
	}
}
