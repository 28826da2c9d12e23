package web_test

import (
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/channel/web"
)

func status() web.Status { return web.Status{State: "idle"} }

func TestWithoutTheTokenNothingIsTold(t *testing.T) {
	h := openDoor(t, func(c *web.Config) { c.Status = status })
	h.wants(200, "", "GET", "/status", "", nil)
	h.wants(200, "", "GET", "/status", "", header{"Authorization": "bearer " + h.token})
	other := strings.Repeat("0", len(h.token))
	for _, auth := range []string{"", "Bearer", "Bearer ", "Bearer " + h.token[1:], "Bearer " + h.token + "0", "Bearer " + other, "Basic " + h.token,
		h.token, "Bearer  " + h.token, "Bearer " + strings.ToUpper(h.token) + "x", "Bearer " + strings.Repeat("a", 5000)} {
		for _, path := range []string{"/status", "/metrics", "/nowhere", "/", "/Healthz", "/healthz/", "//healthz", "/healthz/../status"} {
			h.wants(401, "no_token", "GET", path, "", header{"Authorization": auth})
		}
		h.wants(401, "no_token", "POST", "/links", "", header{"Authorization": auth})
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		h.wants(200, "", "GET", path, "", header{"Authorization": ""})
	}
	h.wants(401, "no_token", "GET", "/status?token="+h.token, "", header{"Authorization": ""})
	resp, _ := h.ask("GET", "/status", "", header{"Authorization": ""})
	if resp.Header.Get("WWW-Authenticate") == "" {
		t.Error("no scheme is named")
	}
}

func TestTheTokenIsPrivateAndStays(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: Windows keeps files of a profile private by their folder")
	}
	h := openDoor(t, nil)
	info, err := os.Stat(h.file)
	if err != nil || info.Mode().Perm() != 0o600 || len(h.token) != 64 {
		t.Fatalf("mode %v, %v, %d digits", info.Mode(), err, len(h.token))
	}
	at := func(path string) string {
		if _, err := web.New(web.Config{TokenFile: path}); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v", info.Mode())
		}
		return strings.TrimSpace(string(text))
	}
	if at(h.file) != h.token {
		t.Error("a second start made another token")
	}
	if err := os.Chmod(h.file, 0o644); err != nil {
		t.Fatal(err)
	}
	if at(h.file) == h.token {
		t.Error("a token that others could read is still in use")
	}
	for _, bad := range []string{"", "abc", strings.Repeat("z", 64), strings.Repeat("a", 65)} {
		if err := os.WriteFile(h.file, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := at(h.file); got == bad || len(got) != 64 {
			t.Errorf("%q: got %q", bad, got)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(h.file, link); err != nil {
		t.Fatal(err)
	}
	if _, err := web.New(web.Config{TokenFile: link}); err == nil {
		t.Error("a link was followed")
	}
}

// cookie opens a one-time link and gives the cookie that came of it.
func (h *home) cookie() string {
	h.t.Helper()
	link, err := h.Link()
	if err != nil {
		h.t.Fatal(err)
	}
	resp, _ := h.ask("GET", strings.TrimPrefix(link.URL, h.url), "", header{"Authorization": ""})
	if resp.StatusCode != http.StatusSeeOther || len(resp.Cookies()) != 1 {
		h.t.Fatalf("got %d, cookies %v", resp.StatusCode, resp.Cookies())
	}
	c := resp.Cookies()[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Domain != "" || c.MaxAge < 3600 {
		h.t.Errorf("cookie %+v", c)
	}
	return c.Name + "=" + c.Value
}

func TestALinkOpensOnce(t *testing.T) {
	h := openDoor(t, func(c *web.Config) { c.Status = status })
	link, err := h.Link()
	if err != nil {
		t.Fatal(err)
	}
	path := strings.TrimPrefix(link.URL, h.url)
	nobody := header{"Authorization": ""}
	if resp, _ := h.ask("HEAD", path, "", nobody); resp.StatusCode == http.StatusSeeOther {
		t.Error("a look ahead used the link")
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	opened := 0
	for range 8 {
		wg.Go(func() {
			if resp, _ := h.ask("GET", path, "", nobody); resp.StatusCode == http.StatusSeeOther {
				mu.Lock()
				opened++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if opened != 1 {
		t.Fatalf("opened %d times", opened)
	}
	for _, once := range []string{"", "?once=", "?once=abc", "?once=" + h.token} {
		h.wants(401, "link_used", "GET", "/login"+once, "", nobody)
	}
	page, text := h.ask("GET", "/login", "", header{"Authorization": "", "Accept": "text/html"})
	if page.StatusCode != 401 || !strings.Contains(text, "solo dashboard") {
		t.Errorf("got %d %s", page.StatusCode, text)
	}
	if got := h.wants(200, "", "POST", "/links", "", nil); !strings.Contains(got, "/login?once=") {
		t.Error(got)
	}
}

func TestLinksEndAndAreFew(t *testing.T) {
	var mu sync.Mutex
	now := time.Now()
	h := openDoor(t, func(c *web.Config) {
		c.Now = func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	})
	first, err := h.Link()
	if err != nil {
		t.Fatal(err)
	}
	made := 1
	for ; made < 1000; made++ {
		if _, err := h.Link(); err != nil {
			break
		}
	}
	if made > 100 {
		t.Error("links pile up")
	}
	mu.Lock()
	now = now.Add(5 * time.Minute)
	mu.Unlock()
	h.wants(401, "link_used", "GET", strings.TrimPrefix(first.URL, h.url), "", header{"Authorization": ""})
	if _, err := h.Link(); err != nil {
		t.Error(err)
	}
}

func TestACookieOpens(t *testing.T) {
	var mu sync.Mutex
	now := time.Now()
	conf := func(c *web.Config) {
		c.Status = status
		c.Now = func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	}
	h := openDoor(t, conf)
	cookie := h.cookie()
	with := func(more header) header {
		all := header{"Authorization": "", "Cookie": cookie}
		for k, v := range more {
			all[k] = v
		}
		return all
	}
	h.wants(200, "", "GET", "/status", "", with(nil))
	h.wants(200, "", "GET", "/status", "", with(header{"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"}))
	h.wants(200, "", "GET", "/status", "", with(header{"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}))
	h.wants(200, "", "POST", "/links", "", with(header{"Origin": h.url}))
	// Cookies know no ports: another program's page on this machine sends ours.
	h.wants(403, "wrong_origin", "GET", "/status", "", with(header{"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"}))
	h.wants(403, "wrong_origin", "GET", "/status", "", with(header{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}))
	h.wants(403, "wrong_origin", "POST", "/links", "", with(nil))
	h.wants(403, "wrong_origin", "POST", "/links", "", with(header{"Origin": "http://127.0.0.1:1"}))
	h.wants(401, "no_token", "GET", "/status", "", with(header{"Authorization": "Bearer wrong"}))
	value := strings.TrimPrefix(cookie, "solo=")
	parts := strings.Split(value, ".")
	for _, forged := range []string{"", value[1:], value + "0", "9" + value, parts[0] + "." + parts[1] + ".", parts[0] + ".00." + parts[2],
		"99999999999." + parts[1] + "." + parts[2], "." + parts[1] + "." + parts[2], h.token, strings.Repeat(".", 5000)} {
		h.wants(401, "no_token", "GET", "/status", "", header{"Authorization": "", "Cookie": "solo=" + forged})
	}
	another := openDoor(t, func(c *web.Config) { conf(c); c.TokenFile = h.file }) // a restart keeps the token
	another.wants(200, "", "GET", "/status", "", with(nil))
	stranger := openDoor(t, conf)
	stranger.wants(401, "no_token", "GET", "/status", "", with(nil))
	resp, _ := h.ask("POST", "/logout", "", with(header{"Origin": h.url}))
	if c := resp.Cookies(); resp.StatusCode != 204 || len(c) != 1 || c[0].Value != "" || c[0].Expires.After(time.Now()) {
		t.Errorf("got %d %v", resp.StatusCode, c)
	}
	mu.Lock()
	now = now.Add(31 * 24 * time.Hour)
	mu.Unlock()
	h.wants(401, "no_token", "GET", "/status", "", with(nil))
}
