package ollama

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"unicode"

	"github.com/solo-assistant/solo/models/internal/wire"
)

const port = "11434" // Ollama's own

// Address makes an address of what OLLAMA_HOST may hold: "", a host, host:port, ":port", a port, or a URL. A URL
// without a port has its scheme's, as Ollama itself understands it. Addresses that a server listens on and nobody
// can reach, such as 0.0.0.0, stand for this machine.
func Address(host string) (string, error) {
	given := strings.TrimSpace(strings.Trim(strings.TrimSpace(host), `"'`))
	scheme, rest, isURL := strings.Cut(given, "://")
	usual := map[string]string{"http": "80", "https": "443"}[scheme]
	switch {
	case !isURL:
		scheme, rest, usual = "http", given, port
	case usual == "":
		return "", fmt.Errorf("%q is no address of an Ollama server: %s is not http or https", wire.Line(host), wire.Line(scheme))
	}
	rest, path, _ := strings.Cut(rest, "/")
	name, number, err := split(rest, usual)
	if err != nil {
		return "", fmt.Errorf("%q is no address of an Ollama server: %w", wire.Line(host), err)
	}
	address := scheme + "://" + net.JoinHostPort(name, number)
	if path = strings.Trim(path, "/"); path != "" {
		address += "/" + path
	}
	return address, nil
}

// split divides a host and a port, of which either may be missing.
func split(text, usual string) (host, number string, err error) {
	switch ip, ipErr := netip.ParseAddr(strings.Trim(text, "[]")); {
	case text == "":
		return "127.0.0.1", usual, nil
	case ipErr == nil:
		return reachable(ip), usual, nil
	case strings.Trim(text, "0123456789") == "":
		host, number = "", text
	case strings.Contains(text, ":"):
		if host, number, err = net.SplitHostPort(text); err != nil {
			return "", "", err
		}
	default:
		host = text
	}
	if number == "" {
		number = usual
	}
	if n, err := strconv.Atoi(number); err != nil || n < 1 || n > 65535 {
		return "", "", fmt.Errorf("%q is no port", wire.Line(number))
	}
	if host == "" {
		host = "127.0.0.1"
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		return reachable(ip), number, nil
	}
	if strings.ContainsFunc(host, func(r rune) bool { return !unicode.IsPrint(r) || strings.ContainsRune(" []:@?#%\\\"'<>{}|^`", r) }) {
		return "", "", fmt.Errorf("%q is no host", wire.Line(host))
	}
	return host, number, nil
}

func reachable(ip netip.Addr) string {
	switch {
	case ip.IsUnspecified() && ip.Is4():
		return "127.0.0.1"
	case ip.IsUnspecified():
		return "::1"
	}
	return ip.String()
}
