package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/solo-assistant/solo/core/config"
)

var update = flag.Bool("update", false, "renew .env.example")

// The example in the repository is made from the settings themselves.
func TestEnvExampleIsFresh(t *testing.T) {
	const path = "../../.env.example"
	want := config.ExampleEnv(&settings{}, aliases)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Fatalf("stale (%v): run go test ./cmd/solo -run EnvExample -update", err)
	}
}

// What the first run writes must be read without a complaint, and change nothing.
func TestTheFirstSettingsFileLoads(t *testing.T) {
	h := home{config: t.TempDir(), data: t.TempDir(), cache: t.TempDir()}
	if err := os.WriteFile(h.file(), []byte(config.Example(&settings{})), 0o600); err != nil {
		t.Fatal(err)
	}
	written, _, err := loadSettings(h, nil)
	if err != nil {
		t.Fatal(err)
	}
	bare, _, err := loadSettings(home{config: t.TempDir(), data: h.data, cache: h.cache}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if written.Voice.Volume != bare.Voice.Volume || written.Listen != bare.Listen || written.User != bare.User {
		t.Errorf("with the file %+v, without it %+v", written, bare)
	}
}

func TestHomeFolders(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("SOLO_HOME", filepath.Join(dir, "env"))
	for _, tt := range []struct{ flag, want string }{{filepath.Join(dir, "flag"), "flag"}, {"", "env"}} {
		h, err := findHome(tt.flag)
		if err != nil || h.config != filepath.Join(dir, tt.want) || h.data != filepath.Join(dir, tt.want, "data") {
			t.Errorf("%q: %+v, %v", tt.flag, h, err)
		}
	}
	t.Setenv("SOLO_HOME", "")
	t.Setenv("XDG_DATA_HOME", filepath.Join(dir, "xdg"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "conf"))
	h, err := findHome("")
	if err != nil || h.config == h.data {
		t.Errorf("%+v, %v", h, err)
	}
}
