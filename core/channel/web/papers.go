package web

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// papers are the certificate and the key that the door shows. They are read again when their files change, so that a
// renewed certificate needs no restart. A pair that cannot be read leaves the one before in use.
type papers struct {
	cert, key string // files, PEM
	now       func() time.Time
	log       zerolog.Logger

	mu     sync.Mutex
	looked time.Time // when the files were last looked at
	mark   string    // of the files that were last read
	pair   *tls.Certificate
}

const (
	lookEvery = time.Second // how often the files are looked at, at most
	endsSoon  = 14 * 24 * time.Hour
)

// newPapers reads a certificate and its key. Errors name the setting that is at fault.
func newPapers(c Config) (*papers, error) {
	p := &papers{cert: c.Cert, key: c.Key, now: c.Now, log: c.Log, looked: c.Now()}
	mark, err := p.marked()
	if err != nil {
		return nil, err
	}
	pair, err := p.read()
	if err != nil {
		return nil, err
	}
	p.mark, p.pair = mark, pair
	p.remark()
	return p, nil
}

// marked tells one state of the files from another.
func (p *papers) marked() (string, error) {
	cert, err := os.Stat(p.cert)
	if err != nil {
		return "", fmt.Errorf("web.cert: %w", err)
	}
	key, err := os.Stat(p.key)
	if err != nil {
		return "", fmt.Errorf("web.key: %w", err)
	}
	if runtime.GOOS != "windows" && key.Mode().Perm()&0o007 != 0 {
		return "", fmt.Errorf("web.key: everybody can read %s; run chmod 600 on it", p.key)
	}
	return fmt.Sprint(cert.Size(), cert.ModTime().UnixNano(), key.Size(), key.ModTime().UnixNano()), nil
}

func (p *papers) read() (*tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(p.cert, p.key)
	if err != nil {
		return nil, fmt.Errorf("web.cert and web.key are no pair that can be used: %w", err)
	}
	if pair.Leaf == nil {
		return nil, errors.New("web.cert holds no certificate")
	}
	if len(pair.Leaf.DNSNames) == 0 && len(pair.Leaf.IPAddresses) == 0 {
		return nil, errors.New("web.cert names no host (subject alternative name): browsers take no such certificate")
	}
	return &pair, nil
}

// remark says what the owner should know of the certificate.
func (p *papers) remark() {
	end := p.pair.Leaf.NotAfter
	switch left := end.Sub(p.now()); {
	case left <= 0:
		p.log.Warn().Time("end", end).Msg("the certificate of the web door has run out")
	case left < endsSoon:
		p.log.Warn().Time("end", end).Msg("the certificate of the web door runs out soon")
	}
}

// current gives the pair as the files are, looking at them once a second at most.
func (p *papers) current() *tls.Certificate {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.now(); now.Sub(p.looked) >= lookEvery || now.Before(p.looked) {
		p.looked = now
		p.renew()
	}
	return p.pair
}

func (p *papers) renew() {
	mark, err := p.marked()
	if err == nil && mark == p.mark {
		return
	}
	var pair *tls.Certificate
	if err == nil {
		pair, err = p.read()
	}
	if err != nil {
		p.complain(mark, err)
		return
	}
	p.mark, p.pair = mark, pair
	p.log.Info().Time("end", pair.Leaf.NotAfter).Strs("names", pair.Leaf.DNSNames).Msg("the web door has a new certificate")
	p.remark()
}

// complain tells of bad files once for each state of them.
func (p *papers) complain(mark string, err error) {
	if mark = "bad" + mark; mark != p.mark {
		p.mark = mark
		p.log.Warn().Err(err).Msg("the new certificate of the web door is not used")
	}
}

func (p *papers) leaf() *x509.Certificate { return p.current().Leaf }

// cover tells whether the certificate speaks for a host name or address.
func (p *papers) cover(name string) bool {
	return !strings.Contains(name, "*") && p.leaf().VerifyHostname(name) == nil
}

// name is how the door is best called, given the address that it listens on.
func (p *papers) name(ip net.IP) string {
	leaf := p.leaf()
	if ip != nil && !ip.IsUnspecified() && leaf.VerifyHostname(ip.String()) == nil {
		return ip.String()
	}
	for _, n := range leaf.DNSNames {
		if !strings.HasPrefix(n, "*") {
			return n
		}
	}
	switch {
	case len(leaf.IPAddresses) > 0:
		return leaf.IPAddresses[0].String()
	case ip != nil && !ip.IsUnspecified():
		return ip.String()
	}
	return "localhost"
}

// settings are those of the door's TLS.
func (p *papers) settings() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return p.current(), nil }}
}
