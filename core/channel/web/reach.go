package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
)

// local tells whether only this machine can reach the door.
func (c Config) local() bool {
	ip := net.ParseIP(c.Host)
	return c.Host == "localhost" || ip != nil && ip.IsLoopback()
}

// reach refuses settings that would let others in without a lock. Its errors name the setting that is missing.
func (c Config) reach() error {
	switch {
	case c.Host != "localhost" && net.ParseIP(c.Host) == nil:
		return fmt.Errorf("web.host must be an IP address of this machine, 0.0.0.0 for all of them, or localhost: %q is none", c.Host)
	case c.Cert == "" && c.Key != "":
		return errors.New("web.key is set without web.cert: name the certificate that it belongs to")
	case c.Cert != "" && c.Cert != byTailscale && c.Key == "":
		return errors.New("web.cert is set without web.key: name the file of the certificate's key")
	case c.Cert == byTailscale && c.Key != "":
		return errors.New("web.key is set, but web.cert is tailscale, which brings its own key: leave web.key out")
	case !c.local() && !c.Expose:
		return fmt.Errorf("other machines could reach web.host %s: set web.expose as well if they shall, or leave web.host at 127.0.0.1", c.Host)
	case !c.local() && c.Cert == "":
		return errors.New("web.expose needs a certificate: set web.cert and web.key to its files, or web.cert to tailscale")
	}
	return nil
}

// checkPapers finds what is wrong with the certificate before the door is opened.
func (c Config) checkPapers() (*tailnet, error) {
	switch c.Cert {
	case "":
		return nil, nil
	case byTailscale:
		return newTailnet(filepath.Dir(c.TokenFile))
	}
	_, err := newPapers(c)
	return nil, err
}

// papers are what the door shows in this run, nil for plain HTTP.
func (d *Door) papers(ctx context.Context) (*papers, error) {
	c := d.c
	if c.Cert == "" {
		return nil, nil
	}
	if d.tailnet != nil {
		c.Cert, c.Key = d.tailnet.cert, d.tailnet.key
		if err := d.tailnet.fetch(ctx); err != nil {
			if _, there := os.Stat(c.Cert); there != nil || ctx.Err() != nil {
				return nil, err
			}
			d.notRenewed(err)
		}
	}
	return newPapers(c)
}

func (d *Door) notRenewed(err error) {
	d.c.Log.Warn().Err(err).Msg("the certificate of the web door was not renewed")
}

// way is the listener that visitors come through: plain, or with TLS.
func (d *Door) way(crowd *crowd, cert *papers) (ln net.Listener, closed func()) {
	if cert == nil {
		return crowd, func() {}
	}
	g := newGreeter(crowd, cert.settings(), d.c.Head)
	return g, func() { _ = g.Close() } // closed already; its goroutines are waited for
}

// announce says where the door is, and aloud where others can reach it.
func (d *Door) announce(at *net.TCPAddr, cert *papers) {
	l := Listening{URL: d.URL(), TokenFile: d.c.TokenFile}
	if cert != nil {
		l.Cert = cert.cert
	}
	switch {
	case !d.c.local():
		d.c.Log.Warn().Str("url", l.URL).Str("address", at.String()).Strs("names", cert.leaf().DNSNames).
			Msg("other machines can reach the web door; whoever has its token has all that Solo can do")
	case d.c.Expose:
		d.c.Log.Warn().Str("url", l.URL).Msg("web.expose is set, but web.host is this machine's own: others cannot reach the web door")
	default:
		d.c.Log.Info().Str("url", l.URL).Msg("the web door is open")
	}
	if d.c.Listening != nil {
		d.c.Listening(l)
	}
}
