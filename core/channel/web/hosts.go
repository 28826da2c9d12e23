package web

import (
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// hosts are the names that the door answers to.
type hosts struct {
	scheme string
	port   string
	all    []string // in small letters, each with its port
	cert   *papers  // whose names count too; nil for none
}

func newHosts(c Config, at *net.TCPAddr, cert *papers) hosts {
	h := hosts{scheme: "http", port: strconv.Itoa(at.Port), cert: cert}
	if cert != nil {
		h.scheme = "https"
	}
	names := slices.Concat([]string{"127.0.0.1", "localhost", "::1"}, c.Names)
	if !at.IP.IsUnspecified() {
		names = append(names, at.IP.String())
	}
	for _, n := range names {
		h.all = append(h.all, strings.ToLower(net.JoinHostPort(n, h.port)))
		if h.bare() {
			h.all = append(h.all, strings.ToLower(n))
		}
	}
	return h
}

// bare tells whether the port goes without saying.
func (h hosts) bare() bool {
	return h.scheme == "http" && h.port == "80" || h.scheme == "https" && h.port == "443"
}

// url is how the door is called from outside.
func (h hosts) url(at *net.TCPAddr) string {
	if h.cert == nil {
		return "http://" + at.String()
	}
	name := h.cert.name(at.IP)
	if h.bare() {
		return "https://" + name
	}
	return "https://" + net.JoinHostPort(name, h.port)
}

// has tells one of our names, with its port.
func (h hosts) has(name string) bool {
	name = strings.ToLower(name)
	if slices.Contains(h.all, name) {
		return true
	}
	if h.cert == nil {
		return false
	}
	host, port, err := net.SplitHostPort(name)
	if err != nil {
		host, port = name, "443"
	}
	return port == h.port && h.cert.cover(host)
}

// meant tells whether a request was sent to us by name. A page of another site whose name was turned to this machine's
// address (DNS rebinding) shows that name here.
func (h hosts) meant(c *fiber.Ctx) bool {
	head, line := string(c.Request().Header.Host()), string(c.Request().URI().Host())
	return h.has(head) && h.has(line)
}

// page tells whether an Origin is a page that this door served.
func (h hosts) page(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Scheme == h.scheme && u.User == nil && u.Path == "" && h.has(u.Host)
}
