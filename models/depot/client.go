package depot

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

const mostRedirects = 6

// newClient makes a client that follows a bounded number of redirects, none of them to plain http.
func newClient(t http.RoundTripper, mirror *url.URL) *http.Client {
	if t == nil {
		own := http.DefaultTransport.(*http.Transport).Clone() // goes by HTTP_PROXY, HTTPS_PROXY and NO_PROXY
		own.DisableCompression = true                          // lengths and ranges are those of the file
		own.ResponseHeaderTimeout = time.Minute
		t = own
	}
	return &http.Client{Transport: t, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		return redirected(r, via, mirror)
	}}
}

func redirected(r *http.Request, via []*http.Request, mirror *url.URL) error {
	first := via[0].URL
	plain := first.Scheme == "http" && r.URL.Host == first.Host // who was asked without encryption may send us around within its house
	switch {
	case len(via) > mostRedirects:
		return final("the server sent us on more than %d times", mostRedirects)
	case r.URL.Scheme == "https", r.URL.Scheme == "http" && plain:
	case mirror != nil && r.URL.Scheme == mirror.Scheme && r.URL.Host == mirror.Host:
	default:
		return final("the server sent us on to %s, which is not encrypted", shown(r.URL))
	}
	r.Header.Del("Referer")
	return nil
}

// shown is an address without what may be secret in it.
func shown(u *url.URL) string { return u.Scheme + "://" + u.Host + u.Path }

// place is an address to ask for a file.
type place struct{ url string }

// places are where a file may be had, the preferred first: a mirror takes the place of all others.
func (d *Depot) places(f File) []place {
	var all []place
	add := func(u string) {
		if !slices.Contains(all, place{u}) {
			all = append(all, place{u})
		}
	}
	for _, text := range f.URLs {
		if d.mirror == nil {
			add(text)
			continue
		}
		u, err := url.Parse(text)
		if err != nil {
			continue // the catalogue was checked
		}
		add(d.mirror.JoinPath(u.Host, u.Path).String()) // a copy of several servers
		add(d.mirror.JoinPath(u.Path).String())         // a copy of one
		add(d.mirror.JoinPath(path.Base(u.Path)).String())
	}
	if d.mirror != nil {
		add(d.mirror.JoinPath(f.Path).String())
	}
	return all
}

// judge tells what a status means for us, nil where the body is what was asked for.
func judge(r *http.Response, now time.Time) error {
	switch code := r.StatusCode; {
	case code == http.StatusOK, code == http.StatusPartialContent:
		return answersFile(r)
	case code == http.StatusRequestedRangeNotSatisfiable:
		return anew("the server has no such part of the file")
	case code == http.StatusTooManyRequests, code == http.StatusRequestTimeout, code == http.StatusTooEarly, code >= 500:
		return &fault{err: fmt.Errorf("the server answers %s", status(r)), after: retryAfter(r.Header.Get("Retry-After"), now)}
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return final("the server answers %s: it wants to know who asks, or the licence accepted on its page", status(r))
	}
	return final("the server answers %s", status(r))
}

func status(r *http.Response) string {
	return strings.TrimSpace(strconv.Itoa(r.StatusCode) + " " + http.StatusText(r.StatusCode))
}

// answersFile refuses pages, which sign-in portals and full servers send with a friendly 200, and packed bodies.
func answersFile(r *http.Response) error {
	kind, _, _ := strings.Cut(strings.ToLower(r.Header.Get("Content-Type")), ";")
	if kind = strings.TrimSpace(kind); kind == "text/html" || kind == "application/xhtml+xml" {
		return final("the server sent a web page instead of the file")
	}
	if packed := r.Header.Get("Content-Encoding"); packed != "" && packed != "identity" {
		return final("the server sent the file packed (%.20q), which was not asked for", packed)
	}
	return nil
}

// retryAfter reads seconds or a date; 0 where there is none or it is past.
func retryAfter(text string, now time.Time) time.Duration {
	if n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 32); err == nil && n > 0 {
		return time.Duration(n) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// contentRange reads "bytes 5-9/10"; total is -1 where it is not told.
func contentRange(text string) (from, to, total int64, err error) {
	wrong := fmt.Errorf("the server speaks of a part of the file that nobody understands (%.60q)", text)
	span, all, ok := strings.Cut(strings.TrimPrefix(text, "bytes "), "/")
	first, last, ok2 := strings.Cut(span, "-")
	if !ok || !ok2 || !strings.HasPrefix(text, "bytes ") {
		return 0, 0, 0, wrong
	}
	from, err1 := strconv.ParseInt(first, 10, 64)
	to, err2 := strconv.ParseInt(last, 10, 64)
	total = -1
	var err3 error
	if all != "*" {
		total, err3 = strconv.ParseInt(all, 10, 64)
	}
	if errors.Join(err1, err2, err3) != nil || from < 0 || to < from || total != -1 && to >= total {
		return 0, 0, 0, wrong
	}
	return from, to, total, nil
}

// stated are the size and hash that a server names on the way to the file: huggingface.co does so in its redirect.
func stated(r *http.Response) (sum string) {
	for hop := r; hop != nil; {
		if tag := strings.Trim(hop.Header.Get("X-Linked-Etag"), `"`); sumForm.MatchString(tag) && hop.Request != nil && hop.Request.URL.Scheme == "https" {
			sum = tag
		}
		if hop.Request == nil {
			break
		}
		hop = hop.Request.Response
	}
	return sum
}
