package wire

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"syscall"

	"github.com/solo-assistant/solo/models"
)

// homely are the endings of names that only a private network knows.
var homely = []string{"localhost", "local", "lan", "home", "internal", "home.arpa", "intranet", "fritz.box"}

// carrier is the network of addresses that VPNs of one's own machines use (RFC 6598).
var carrier = netip.MustParsePrefix("100.64.0.0/10")

// Home is true for a host that lies on the user's own machines by its address: loopback, a private network, or
// a name that only such a network knows. Names are believed here and checked when they are dialled.
func Home(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if addr, err := netip.ParseAddr(host); err == nil {
		return homeAddr(addr)
	}
	return host != "" && (!strings.Contains(host, ".") || slices.ContainsFunc(homely, func(end string) bool {
		return host == end || strings.HasSuffix(host, "."+end)
	}))
}

func homeAddr(addr netip.Addr) bool {
	addr = addr.Unmap()
	return addr.IsLoopback() || addr.IsPrivate() || addr.IsLinkLocalUnicast() || carrier.Contains(addr)
}

// stayHome refuses a connection to an address that is not the user's.
func stayHome(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !homeAddr(at.Addr()) {
		return fmt.Errorf("%w: %s is no address of a private network", models.ErrPrivate, address)
	}
	return nil
}

// dress makes the client: one that fits, or the given one with our rule for redirects.
func (p *Peer) dress(given *http.Client, guard bool) *http.Client {
	c := &http.Client{}
	if given != nil {
		*c = *given
	} else {
		c.Transport = p.transport(guard)
	}
	c.CheckRedirect = p.redirect
	return c
}

// transport suits the server's place. At home no proxy is asked, which would be told the conversation, and no
// connection is kept, because llama-server closes those that it promised to keep.
func (p *Peer) transport(guard bool) *http.Transport {
	d := &net.Dialer{Timeout: reach}
	t := &http.Transport{DialContext: d.DialContext, TLSHandshakeTimeout: reach, MaxIdleConnsPerHost: 2, IdleConnTimeout: 10 * reach, ForceAttemptHTTP2: true,
		DisableCompression: true} // a compressed stream waits until there is enough to compress
	if p.cloud {
		t.Proxy = http.ProxyFromEnvironment
		return t
	}
	t.DisableKeepAlives = true
	if guard {
		d.ControlContext = func(_ context.Context, network, address string, c syscall.RawConn) error {
			return stayHome(network, address, c)
		}
	}
	return t
}

// redirect keeps the conversation, and the key, with the host that the user chose.
func (p *Peer) redirect(req *http.Request, via []*http.Request) error {
	if req.URL.Host != p.base.Host || req.URL.Scheme != p.base.Scheme {
		return fmt.Errorf("%w: %s sends on to %s", models.ErrPrivate, p.base.Host, req.URL.Host)
	}
	if len(via) > 3 {
		return http.ErrUseLastResponse
	}
	return nil
}
