package web

import (
	"cmp"
	"io/fs"
	"net/http"
	"path"
	"reflect"
	"strings"

	"github.com/gofiber/fiber/v2"
)

const lockedText = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Solo is locked</title></head>
<body><main><h1>Solo is locked</h1><p>Run <code>solo dashboard</code> in a terminal. It opens this page with a link that works once.</p></main></body></html>
`

// lockedPage is what a browser without a key sees.
func (d *Door) lockedPage(c *fiber.Ctx) error {
	c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	return c.Status(http.StatusUnauthorized).SendString(lockedText)
}

func wantsPage(c *fiber.Ctx) bool {
	return c.Method() == fiber.MethodGet && strings.Contains(c.Get(fiber.HeaderAccept), "text/html")
}

func (d *Door) keyRoutes() []route {
	link := route{method: http.MethodPost, path: "/links", does: "makes a link that opens the dashboard once", out: reflect.TypeFor[Link](),
		handle: func(c *fiber.Ctx) error {
			l, err := d.Link()
			if err != nil {
				return err
			}
			return c.JSON(l)
		}}
	return []route{link,
		{method: http.MethodGet, path: "/login", does: "trades a one-time link for a cookie", status: http.StatusSeeOther, handle: d.login,
			query: []param{{name: "once", does: "the secret of the link", is: "string"}}},
		{method: http.MethodPost, path: "/logout", does: "takes the cookie back", status: http.StatusNoContent, handle: d.logout},
	}
}

// pageRoutes serve the dashboard. The names below /assets/ tell their content, so a browser may keep those files.
func (d *Door) pageRoutes() []route {
	if d.c.Page == nil {
		return nil
	}
	html := []string{"text/html"}
	return []route{
		{method: http.MethodGet, path: "/", does: "the dashboard", gives: html, handle: func(c *fiber.Ctx) error { return d.file(c, "index.html") }},
		{method: http.MethodGet, path: "/assets/*", does: "a part of the dashboard", gives: []string{"*/*"}, handle: func(c *fiber.Ctx) error {
			return d.file(c, "assets/"+c.Params("*"))
		}},
	}
}

// kinds are the media types of the page's files. The system's own table is not asked: on Windows any program may have
// changed it, and a browser runs no script of a wrong type.
var kinds = map[string]string{
	".html": fiber.MIMETextHTMLCharsetUTF8, ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
	".png": "image/png", ".ico": "image/x-icon", ".woff2": "font/woff2", ".json": fiber.MIMEApplicationJSON, ".webmanifest": "application/manifest+json",
}

func (d *Door) file(c *fiber.Ctx, name string) error {
	if !fs.ValidPath(name) {
		return fiber.ErrNotFound
	}
	text, err := fs.ReadFile(d.c.Page, name)
	if err != nil {
		return fiber.ErrNotFound // nothing, or a folder
	}
	c.Set(fiber.HeaderContentType, cmp.Or(kinds[path.Ext(name)], fiber.MIMEOctetStream))
	if strings.HasPrefix(name, "assets/") {
		c.Set(fiber.HeaderCacheControl, "private, max-age=31536000, immutable")
	}
	return c.Send(text)
}
