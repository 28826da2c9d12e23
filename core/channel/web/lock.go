package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/solo-assistant/solo/core/config"
)

const (
	cookieName = "solo"
	cookieLife = 30 * 24 * time.Hour
	linkLife   = 5 * time.Minute
	linksMost  = 32 // open at the same time
)

// key says how a request showed that it may come in.
type key int

const (
	noKey key = iota
	byToken
	byCookie
)

// lock knows who may come in: whoever shows the token, or a cookie that was given for a one-time link. Cookies are signed
// with the token, so that they outlive a restart and end with the token.
type lock struct {
	sum  [32]byte // of the token
	sign []byte
	now  func() time.Time

	mu    sync.Mutex
	links map[[32]byte]time.Time // sum of a link's secret -> when it ends
}

func newLock(token config.Secret, now func() time.Time) *lock {
	sign := hmac.New(sha256.New, []byte(token.Reveal()))
	sign.Write([]byte("cookie"))
	return &lock{sum: sha256.Sum256([]byte(token.Reveal())), sign: sign.Sum(nil), now: now, links: map[[32]byte]time.Time{}}
}

// opens tells how the head of a request opens the door. A wrong token is no key even beside a good cookie.
func (l *lock) opens(h *fasthttp.RequestHeader) key {
	if auth := string(h.Peek(fasthttp.HeaderAuthorization)); auth != "" {
		scheme, token, _ := strings.Cut(auth, " ")
		sum := sha256.Sum256([]byte(token)) // of equal length, whatever came
		if subtle.ConstantTimeCompare(sum[:], l.sum[:]) == 1 && strings.EqualFold(scheme, "bearer") {
			return byToken
		}
		return noKey
	}
	if l.good(string(h.Cookie(cookieName))) {
		return byCookie
	}
	return noKey
}

// good tells a cookie of ours that has not run out.
func (l *lock) good(cookie string) bool {
	end, rest, _ := strings.Cut(cookie, ".")
	nonce, mark, ok := strings.Cut(rest, ".")
	if !ok || len(cookie) > 200 {
		return false
	}
	want := l.mark(end, nonce)
	if subtle.ConstantTimeCompare([]byte(mark), []byte(want)) != 1 {
		return false
	}
	at, err := strconv.ParseInt(end, 10, 64)
	return err == nil && l.now().Before(time.Unix(at, 0))
}

func (l *lock) mark(end, nonce string) string {
	m := hmac.New(sha256.New, l.sign)
	m.Write([]byte(end + "." + nonce))
	return hex.EncodeToString(m.Sum(nil))
}

func (l *lock) cookie() string {
	end, nonce := strconv.FormatInt(l.now().Add(cookieLife).Unix(), 10), random(16)
	return end + "." + nonce + "." + l.mark(end, nonce)
}

// link gives the secret of a new one-time link.
func (l *lock) link() (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for sum, end := range l.links {
		if !l.now().Before(end) {
			delete(l.links, sum)
		}
	}
	if len(l.links) >= linksMost {
		return "", fault(http.StatusTooManyRequests, "too_many_links", "use one of them, or wait five minutes", "%d links are open already.", linksMost)
	}
	secret := random(32)
	l.links[sha256.Sum256([]byte(secret))] = l.now().Add(linkLife)
	return secret, nil
}

// spend uses a link's secret up.
func (l *lock) spend(secret string) bool {
	sum := sha256.Sum256([]byte(secret))
	l.mu.Lock()
	defer l.mu.Unlock()
	end, ok := l.links[sum]
	delete(l.links, sum)
	return ok && l.now().Before(end)
}

// Link is a one-time link that opens the dashboard in the owner's browser, for five minutes.
type Link struct {
	URL string    `json:"url"`
	End time.Time `json:"end"`
}

// Link makes a one-time link. Errors: a *Fault where the door does not listen or too many are open.
func (d *Door) Link() (Link, error) {
	url := d.URL()
	if url == "" {
		return Link{}, fault(http.StatusServiceUnavailable, "closed", "", "The web door is not open.")
	}
	secret, err := d.lock.link()
	if err != nil {
		return Link{}, err
	}
	return Link{URL: url + "/login?once=" + secret, End: d.lock.now().Add(linkLife)}, nil
}

// login trades a one-time link for a cookie.
func (d *Door) login(c *fiber.Ctx) error {
	if !d.lock.spend(c.Query("once")) {
		return fault(http.StatusUnauthorized, "link_used", "solo dashboard makes a new one", "This link was used already, or is too old.")
	}
	d.setCookie(c, d.lock.cookie(), cookieLife)
	return c.Redirect("/", http.StatusSeeOther)
}

func (d *Door) logout(c *fiber.Ctx) error {
	d.setCookie(c, "", -time.Hour)
	return c.SendStatus(http.StatusNoContent)
}

func (d *Door) setCookie(c *fiber.Ctx, value string, life time.Duration) {
	c.Cookie(&fiber.Cookie{Name: cookieName, Value: value, Path: "/", MaxAge: int(life.Seconds()), Expires: d.lock.now().Add(life),
		HTTPOnly: true, Secure: c.Context().IsTLS(), SameSite: fiber.CookieSameSiteStrictMode})
}
