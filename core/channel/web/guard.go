package web

import (
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// policy lets a page of ours load only what the door itself serves, and no inline script.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
	"media-src 'self' blob:; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// secure sets the headers that every answer carries.
func secure(c *fiber.Ctx) {
	c.Set(fiber.HeaderContentSecurityPolicy, policy)
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderXFrameOptions, "DENY")
	c.Set(fiber.HeaderReferrerPolicy, "no-referrer")
	c.Set("Cross-Origin-Resource-Policy", "same-origin")
	c.Set("Cross-Origin-Opener-Policy", "same-origin")
	c.Set(fiber.HeaderPermissionsPolicy, "camera=(), geolocation=(), microphone=(self)")
	c.Set(fiber.HeaderCacheControl, "no-store")
}

// guard stands before every route: who is meant, who asks from where, how much, and with what key.
func (d *Door) guard(c *fiber.Ctx, ours hosts) error {
	secure(c)
	h := &c.Request().Header
	if err := oddHead(h); err != nil {
		c.Context().SetConnectionClose() // what follows may be no request at all
		return err
	}
	if !ours.meant(c) {
		return fault(http.StatusMisdirectedRequest, "wrong_host", "call it by 127.0.0.1 or localhost and its port, or by a name of its certificate, or set web.names", "This host name is not Solo's.")
	}
	if origin := string(h.Peek(fasthttp.HeaderOrigin)); origin != "" && !ours.page(origin) {
		return fault(http.StatusForbidden, "wrong_origin", "", "Another site may not talk to Solo.")
	}
	if len(h.Peek(fasthttp.HeaderContentEncoding)) > 0 {
		return fault(http.StatusUnsupportedMediaType, "content_encoding", "send the body as it is", "Packed bodies are not taken.")
	}
	by := d.lock.opens(h)
	if by == noKey {
		if !d.strangers.take() {
			return often()
		}
		if open[c.Path()] {
			return c.Next()
		}
		return fault(http.StatusUnauthorized, "no_token", "send Authorization: Bearer and the token, or open the link that solo dashboard prints", "This needs a token.")
	}
	if by == byCookie && !sameSite(c) {
		return fault(http.StatusForbidden, "wrong_origin", "", "Another site may not talk to Solo.")
	}
	if !d.owner.take() {
		return often()
	}
	return c.Next()
}

// open are the addresses that need no token. A one-time link brings its own secret.
var open = map[string]bool{"/healthz": true, "/readyz": true, "/login": true}

func often() error {
	f := fault(http.StatusTooManyRequests, "too_often", "wait a moment; web.rate sets the limit", "There were too many requests.")
	f.after = 1
	return f
}

// sameSite tells whether a cookie came with a request of our own page. Cookies know no ports, so SameSite alone would let
// another program's page on this machine use ours. Browsers send Origin with whatever changes something.
func sameSite(c *fiber.Ctx) bool {
	reads := c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead
	switch c.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		if !reads || c.Get("Sec-Fetch-Mode") != "navigate" {
			return false
		}
	}
	changes := !reads || strings.HasPrefix(c.Path(), "/ws")
	return !changes || c.Get(fiber.HeaderOrigin) != ""
}
