package llama

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/llama/internal/gguftest"
)

// Nobody but Solo is answered, and nothing listens outside of this machine.
func TestDoorIsShut(t *testing.T) {
	d := serve(t, build4k(t, config4k(t)))
	v := d.life()
	for _, path := range []string{"/v1/chat/completions", "/v1/models", "/props", "/slots", "/metrics", "/"} {
		code, page, err := get(t.Context(), plainClient, v.url(path), "")
		if err != nil || code == 200 {
			t.Errorf("%s without the key: %d %.80s, %v", path, code, page, err)
		}
	}
	line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", v.pid()))
	if len(line) > 0 && strings.Contains(string(line), v.key) {
		t.Error("the key can be seen by other users")
	}
	if tcp, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/tcp", v.pid())); err == nil {
		if !strings.Contains(string(tcp), fmt.Sprintf("0100007F:%04X", v.port)) || strings.Contains(string(tcp), fmt.Sprintf("00000000:%04X", v.port)) {
			t.Errorf("port %d is not on loopback alone", v.port)
		}
	}
	if len(v.key) != 64 {
		t.Error("a short key")
	}
}

// A program that took the port first is not spoken to.
func TestPortTaken(t *testing.T) {
	s := build4k(t, config4k(t))
	l, err := s.prepare(t.Context())
	if err == nil {
		err = l.door()
	}
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int64
	stranger := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer "+l.key && r.URL.Path != "/health" {
			asked.Add(1)
		}
	}))
	stranger.Listener.Close()
	if stranger.Listener, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", l.port)); err != nil {
		t.Skip("skipped: the port was taken by yet another")
	}
	stranger.Start()
	defer stranger.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := s.live(ctx, l); !errors.Is(err, models.ErrUnreachable) || ctx.Err() != nil || asked.Load() > 0 {
		t.Errorf("asked %d times; %v", asked.Load(), err)
	} else {
		t.Log(err)
	}
}

func TestBadStarts(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.gguf")
	gguftest.Llama(2, 64, 64).Write(t, empty) // a header without a tokenizer
	page := filepath.Join(dir, "page.gguf")
	if err := os.WriteFile(page, []byte("<html>"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		change func(*Config)
		is     error
		want   string
	}{
		"no program":   {func(c *Config) { c.Server = filepath.Join(dir, "llama-server") }, models.ErrAbsent, "llama.server is"},
		"not that one": {func(c *Config) { c.Server = "/bin/true" }, models.ErrAbsent, "is no llama-server"},
		"fails":        {func(c *Config) { c.Server = "/bin/false" }, models.ErrAbsent, "does not run"},
		"no model":     {func(c *Config) { c.Model = "none" }, models.ErrNoModel, "there is no file"},
		"no GGUF":      {func(c *Config) { c.Model = page }, models.ErrNoModel, "does not begin with GGUF"},
		"broken model": {func(c *Config) { c.Model = empty }, models.ErrUnreachable, "load"},
		"too large":    {func(c *Config) { c.Context = 1 << 20; c.Parallel = 16; c.CacheTypeK = "f32"; c.CacheTypeV = "f32" }, models.ErrTooLarge, "stories260K-ctx4k"},
		"bad argument": {func(c *Config) { c.Extra = []string{"--no-such-thing"} }, models.ErrUnreachable, "no-such-thing"},
	} {
		t.Run(name, func(t *testing.T) {
			c := config4k(t)
			tt.change(&c)
			s := build4k(t, c)
			if name == "too large" {
				s.conf.Model = largeModel(t)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			err := s.Serve(ctx)
			if !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.want) || len(err.Error()) > 900 {
				t.Errorf("got %v", err)
			}
		})
	}
}

func largeModel(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "stories260K-ctx4k.gguf")
	gguftest.Llama(80, 1<<30, 1<<30).Write(t, path)
	return path
}
