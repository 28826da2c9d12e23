package apps

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

type urlArgs struct {
	URL string `json:"url" jsonschema:"address of the page, http or https" limits:"1..2000"`
}

func (a apps) openURL(_ context.Context, args urlArgs) (models.Result, error) {
	u, err := address(args.URL)
	if err != nil {
		return tool.Said("I won't open that: %v.", err), nil
	}
	if err := a.screen(); err != nil {
		return tool.Said("%s.", tool.Upper(err.Error())), nil
	}
	c, err := browse(u.String())
	if err != nil {
		return tool.Said("I can't open a page: %v.", err), nil
	}
	if err := a.Start(c); err != nil {
		return models.Result{Say: "I couldn't open the browser."}, fmt.Errorf("opening a page: %w", err)
	}
	return tool.With(tool.Said("Opening %s.", u.Hostname()), map[string]string{"url": u.String()}), nil
}

// address checks what is to be opened. Letters that only look like others become visible in the host's name.
func address(text string) (*url.URL, error) {
	text = strings.TrimSpace(text)
	if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || r == '\\'
	}) {
		return nil, errors.New("the address holds letters that no address has")
	}
	if !strings.Contains(text, "://") && !strings.HasPrefix(text, "/") {
		if head, _, _ := strings.Cut(text, "/"); !strings.Contains(head, ".") && !strings.HasPrefix(head, "localhost") {
			return nil, errors.New("that is no address of a page")
		}
		text = "https://" + text
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, errors.New("that is no address of a page")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("only pages of the web can be opened")
	case u.User != nil:
		return nil, errors.New("the address holds a name or a password")
	case u.Hostname() == "":
		return nil, errors.New("the address names no place")
	}
	host := u.Hostname()
	if net.ParseIP(host) == nil {
		if host, err = idna.Lookup.ToASCII(host); err != nil {
			return nil, errors.New("the address names no place that there can be")
		}
		if u.Port() != "" {
			host += ":" + u.Port()
		}
		u.Host = host
	}
	u.RawQuery = ascii(u.RawQuery)
	return u, nil
}

// ascii escapes what a query may hold only escaped; package url leaves it as it is.
func ascii(query string) string {
	var out strings.Builder
	for i := range len(query) {
		if c := query[i]; c <= ' ' || c > '~' {
			fmt.Fprintf(&out, "%%%02X", c)
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}
