package web_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/core/channel/web"
)

// tailscale puts a program of that name first in the PATH: it tells what it is asked for and runs a script.
func tailscale(t *testing.T, script string) (said string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped: the stand-in for Tailscale is a shell script")
	}
	dir := t.TempDir()
	said = filepath.Join(dir, "said")
	text := fmt.Sprintf("#!/bin/sh\necho \"$@\" >> %s\n%s\n", said, script)
	if err := os.WriteFile(filepath.Join(dir, "tailscale"), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	return said
}

func TestTailscaleGivesTheCertificate(t *testing.T) {
	p := newPaper(t, "box.tail.example")
	said := tailscale(t, fmt.Sprintf(`case "$1" in
status) echo '{"CertDomains":["box.tail.example"],"Self":{"DNSName":"box.tail.example."}}' ;;
cert) cp %s "$3"; cp %s "$5"; chmod 644 "$5" ;;
esac`, p.cert, p.key))
	l := newLog(t)
	h := openDoor(t, func(c *web.Config) {
		c.Host, c.Expose, c.Cert, c.Status, c.Log = "0.0.0.0", true, "tailscale", status, zerolog.New(l)
	})
	if !strings.HasPrefix(h.URL(), "https://box.tail.example:") {
		t.Error(h.URL())
	}
	l.has("warn", "other machines can reach the web door")
	asked, err := os.ReadFile(said)
	dir := filepath.Dir(h.file)
	want := "status --json --peers=false\ncert --cert-file " + dir + "/tailscale.crt --key-file " + dir + "/tailscale.key box.tail.example\n"
	if err != nil || string(asked) != want {
		t.Errorf("asked %q, want %q", asked, want)
	}
	if info, err := os.Stat(dir + "/tailscale.key"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
}

func TestTailscaleThatCannot(t *testing.T) {
	p := newPaper(t, "box.tail.example")
	for name, tt := range map[string]struct{ script, want string }{
		"logged out":  {`echo 'You are logged out.' >&2; exit 1`, "is it logged in"},
		"no HTTPS":    {`echo '{"CertDomains":null}'`, "turn on HTTPS"},
		"no JSON":     {`echo 'hello'`, "read what Tailscale tells"},
		"a bad name":  {`echo '{"CertDomains":["--help"]}'`, "for a host name"},
		"no renewal":  {`if [ "$1" = cert ]; then echo 'too many already' >&2; exit 1; fi; echo '{"CertDomains":["box.tail.example"]}'`, "too many already"},
		"no such key": {`if [ "$1" = cert ]; then touch "$3"; exit 0; fi; echo '{"CertDomains":["box.tail.example"]}'`, "web.key"},
	} {
		t.Run(name, func(t *testing.T) {
			tailscale(t, tt.script)
			c := web.Config{Host: "0.0.0.0", Expose: true, Cert: "tailscale", TokenFile: filepath.Join(t.TempDir(), "token")}
			d, err := web.New(c)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			if err := d.Serve(ctx); err == nil || !strings.Contains(err.Error(), tt.want) || ctx.Err() != nil {
				t.Errorf("got %v, want something about %s", err, tt.want)
			}
		})
	}
	// A certificate from before is better than none.
	tailscale(t, "exit 1")
	l := newLog(t)
	h := openDoor(t, func(c *web.Config) {
		dir := filepath.Dir(c.TokenFile)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for from, to := range map[string]string{p.cert: "tailscale.crt", p.key: "tailscale.key"} {
			text, _ := os.ReadFile(from)
			if err := os.WriteFile(filepath.Join(dir, to), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		c.Host, c.Expose, c.Cert, c.Log = "0.0.0.0", true, "tailscale", zerolog.New(l)
	})
	l.has("warn", "was not renewed")
	if !strings.HasPrefix(h.URL(), "https://box.tail.example:") {
		t.Error(h.URL())
	}
}
