package x11

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// patience bounds each talk with the X server: one that is stopped must not stop its watcher.
const patience = 3 * time.Second

// address is where a display listens.
type address struct {
	network, at string
	host        string // "" for this machine
	number      string // the display's number
}

// parseDisplay reads a DISPLAY: ":1", "host:0.1", "tcp/host:0", "unix:0", "/path/to/socket:0".
func parseDisplay(display string) (address, error) {
	host, rest, ok := cutLast(display, ":")
	number, _, _ := strings.Cut(rest, ".")
	n, err := strconv.ParseUint(number, 10, 16)
	if !ok || err != nil {
		return address{}, fmt.Errorf("the display %q is not of the form host:number", display)
	}
	a := address{network: "unix", number: strconv.FormatUint(n, 10)}
	a.at = "/tmp/.X11-unix/X" + a.number
	if strings.HasPrefix(host, "/") {
		a.at = host + ":" + a.number
		return a, nil
	}
	if network, name, ok := strings.Cut(host, "/"); ok {
		if network != "tcp" && network != "unix" {
			return address{}, fmt.Errorf("the display %q names the unknown network %q", display, network)
		}
		host = name
		if network == "unix" {
			host = ""
		}
	}
	if host != "" && host != "unix" {
		a.network, a.host = "tcp", host
		a.at = net.JoinHostPort(strings.Trim(host, "[]"), strconv.FormatUint(6000+n, 10))
	}
	return a, nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// wire is a connection that the X library reads and that the watcher may cut.
type wire struct {
	*xgb.Conn
	raw net.Conn
}

// connect reaches the display; authority is the file with its cookie, which may be absent.
func connect(ctx context.Context, display, authority string) (*wire, error) {
	a, err := parseDisplay(display)
	if err != nil {
		return nil, err
	}
	raw, err := (&net.Dialer{Timeout: patience}).DialContext(ctx, a.network, a.at)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { _ = raw.Close() })()
	if err := raw.SetDeadline(time.Now().Add(patience)); err != nil {
		_ = raw.Close()
		return nil, err
	}
	c, err := handshake(raw, cookie(authority, a))
	if err == nil {
		err = raw.SetDeadline(time.Time{})
	}
	if err != nil {
		_ = raw.Close()
		return nil, err
	}
	return &wire{Conn: c, raw: raw}, nil
}

// handshake greets the server. The library panics at a greeting that is too short.
func handshake(raw net.Conn, cookie []byte) (c *xgb.Conn, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the X server's greeting makes no sense: %v", p)
		}
	}()
	if len(cookie) == 16 {
		c, err = xgb.NewConnNetWithCookieHex(raw, hex.EncodeToString(cookie))
	} else {
		c, err = xgb.NewConnNet(raw)
	}
	if err == nil && len(xproto.Setup(c).Roots) == 0 {
		err = errors.New("the X server has no screen")
	}
	return c, err
}

// quickly does one talk with the server, and cuts the wire when it takes too long.
func (w *wire) quickly(talk func() error) error {
	late := time.AfterFunc(patience, func() { _ = w.raw.Close() })
	defer late.Stop()
	return talk()
}

// end cuts the wire and waits until the library has noticed. The server drops what was grabbed.
func (w *wire) end(events <-chan xgb.Event) {
	_ = w.raw.Close()
	for range events {
	}
}

// cookie finds the display's MIT-MAGIC-COOKIE-1 in an authority file, nil where there is none.
func cookie(file string, a address) []byte {
	if file == "" {
		return nil
	}
	f, err := os.Open(filepath.Clean(file))
	if err != nil {
		return nil
	}
	defer f.Close()
	host := a.host
	if host == "" || host == "localhost" {
		if host, err = os.Hostname(); err != nil {
			return nil
		}
	}
	found, _ := findCookie(bufio.NewReader(io.LimitReader(f, 1<<20)), host, a.number)
	return found
}

// Families of addresses in an authority file.
const (
	familyLocal = 256
	familyWild  = 65535
)

// findCookie reads an authority file: entries of a family and four counted texts (address, display,
// method, data), all big-endian.
func findCookie(r io.Reader, host, number string) ([]byte, error) {
	for {
		var family uint16
		if err := binary.Read(r, binary.BigEndian, &family); err != nil {
			if errors.Is(err, io.EOF) {
				return nil, nil
			}
			return nil, err
		}
		var texts [4][]byte
		for i := range texts {
			var n uint16
			if err := binary.Read(r, binary.BigEndian, &n); err != nil {
				return nil, err
			}
			texts[i] = make([]byte, n)
			if _, err := io.ReadFull(r, texts[i]); err != nil {
				return nil, err
			}
		}
		here := family == familyWild || family == familyLocal && string(texts[0]) == host
		ours := len(texts[1]) == 0 || string(texts[1]) == number
		if here && ours && string(texts[2]) == "MIT-MAGIC-COOKIE-1" {
			return texts[3], nil
		}
	}
}
