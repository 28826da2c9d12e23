package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	"github.com/solo-assistant/solo/core/proc"
)

// byTailscale is the value of Config.Cert that has Tailscale's program get a certificate for this machine's name.
const byTailscale = "tailscale"

const (
	renewEvery = 12 * time.Hour // the program itself knows when a certificate is to be renewed
	askWithin  = 2 * time.Minute
)

// tailnet gets the certificate of this machine's name in a Tailscale network.
type tailnet struct {
	program   string
	cert, key string // where it is kept
}

// newTailnet finds the program. Nothing is asked of it yet.
func newTailnet(folder string) (*tailnet, error) {
	path, err := exec.LookPath("tailscale")
	if err != nil {
		return nil, errors.New("web.cert is tailscale, but the program tailscale was not found: install Tailscale and log in, or name the files of a certificate with web.cert and web.key")
	}
	return &tailnet{path, filepath.Join(folder, "tailscale.crt"), filepath.Join(folder, "tailscale.key")}, nil
}

// domain is a host name of a certificate, as Tailscale tells it.
var domain = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$`)

// name asks for the name that a certificate can have.
func (t *tailnet) name(ctx context.Context) (string, error) {
	out, err := proc.Run(ctx, proc.Command{Path: t.program, Args: []string{"status", "--json", "--peers=false"}})
	if err != nil {
		return "", fmt.Errorf("ask Tailscale for this machine's name (is it logged in?): %w", err)
	}
	var s struct {
		CertDomains []string
	}
	if err := json.Unmarshal(out, &s); err != nil {
		return "", fmt.Errorf("read what Tailscale tells of this machine: %w", err)
	}
	if len(s.CertDomains) == 0 {
		return "", errors.New("Tailscale gives this machine no certificate: turn on HTTPS certificates in the admin console of Tailscale, under DNS")
	}
	if !domain.MatchString(s.CertDomains[0]) {
		return "", fmt.Errorf("Tailscale gave %q for a host name", short(s.CertDomains[0]))
	}
	return s.CertDomains[0], nil
}

// fetch gets the certificate, or renews it where that is due.
func (t *tailnet) fetch(ctx context.Context) error {
	name, err := t.name(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(t.cert), 0o700); err != nil {
		return fmt.Errorf("make the folder of Tailscale's certificate: %w", err)
	}
	_, err = proc.Run(ctx, proc.Command{Path: t.program, Args: []string{"cert", "--cert-file", t.cert, "--key-file", t.key, name}, Limit: askWithin})
	if err != nil {
		return fmt.Errorf("get a certificate for %s from Tailscale: %w", name, err)
	}
	if err := os.Chmod(t.key, 0o600); err != nil {
		return fmt.Errorf("keep the key of Tailscale's certificate private: %w", err)
	}
	return nil
}

// keep renews the certificate until ctx ends; tell hears why that failed.
func (t *tailnet) keep(ctx context.Context, tell func(error)) {
	tick := time.NewTicker(renewEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := t.fetch(ctx); err != nil && ctx.Err() == nil {
				tell(err)
			}
		case <-ctx.Done():
			return
		}
	}
}
