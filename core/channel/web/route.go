package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"
)

// route is one thing that can be asked. The server and /openapi.json are both made of these.
type route struct {
	method string
	path   string // as Fiber writes it: "/jobs/:id"
	does   string // for people, one line
	in     reflect.Type
	out    reflect.Type
	takes  string   // media type of the body, "" is JSON where in is set
	gives  []string // media types of the answer, nil is JSON where out is set
	query  []param
	status int // of the answer, 0 is 200
	handle fiber.Handler
}

// param is a part of the query.
type param struct {
	name string
	does string
	is   string // "string", "integer"
	of   []string
}

// asked makes a route that takes a JSON body and gives a JSON answer.
func asked[In, Out any](path, does string, f func(ctx context.Context, in In) (Out, error)) route {
	r := route{method: http.MethodPost, path: path, does: does, in: reflect.TypeFor[In](), out: reflect.TypeFor[Out]()}
	r.handle = func(c *fiber.Ctx) error {
		in, err := read[In](c, true)
		if err != nil {
			return err
		}
		out, err := f(c.UserContext(), in)
		if err != nil {
			return err
		}
		return c.JSON(out)
	}
	return r
}

// shown makes a route that gives a JSON answer.
func shown[Out any](path, does string, f func(ctx context.Context) (Out, error)) route {
	r := route{method: http.MethodGet, path: path, does: does, out: reflect.TypeFor[Out]()}
	r.handle = func(c *fiber.Ctx) error {
		out, err := f(c.UserContext())
		if err != nil {
			return err
		}
		return c.JSON(out)
	}
	return r
}

// read reads a JSON body. strict refuses fields that nobody reads, which are misspelt more often than meant.
func read[In any](c *fiber.Ctx, strict bool) (in In, err error) {
	kind, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || kind != fiber.MIMEApplicationJSON {
		return in, fault(http.StatusUnsupportedMediaType, "not_json", "send Content-Type: application/json", "The body must be JSON.")
	}
	body := c.Request().Body() // as it came: packed bodies were refused
	if !utf8.Valid(body) {
		return in, invalid("The body is not UTF-8.")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	if strict {
		d.DisallowUnknownFields()
	}
	if err := d.Decode(&in); err != nil {
		return in, invalid("The body does not fit: %s.", plainly(err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return in, invalid("There is more behind the JSON.")
	}
	if s := bytes.TrimSpace(body); len(s) == 0 || s[0] != '{' {
		return in, invalid("The body must be a JSON object.")
	}
	return in, nil
}

// plainly words an error of encoding/json without Go's names.
func plainly(err error) string {
	if bad, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return "a " + bad.Value + " does not fit in " + where(bad.Field)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "it ends too early"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

func where(field string) string {
	if field == "" {
		return "its place"
	}
	return field
}

// unless gives the answer of a part that is missing.
func unless(there bool, what string) error {
	if there {
		return nil
	}
	return fault(http.StatusNotImplemented, "not_here", "solo doctor tells what is missing", "This Solo has no %s.", what)
}
