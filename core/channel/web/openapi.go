package web

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/jsonschema-go/jsonschema"
)

// object is a JSON object.
type object map[string]any

func (d *Door) docRoutes() []route {
	return []route{
		{method: http.MethodGet, path: "/openapi.json", does: "this description for programs", gives: []string{fiber.MIMEApplicationJSON}, handle: func(c *fiber.Ctx) error {
			doc, err := d.OpenAPI()
			if err != nil {
				return err
			}
			c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
			return c.Send(doc)
		}},
		{method: http.MethodGet, path: "/docs", does: "this description for people", gives: []string{"text/html"}, handle: func(c *fiber.Ctx) error {
			c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
			return c.SendString(d.docPage())
		}},
	}
}

// special are the schemas of types whose JSON is not what their fields are.
var special = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[json.RawMessage](): {},
	reflect.TypeFor[time.Time]():       {Type: "string", Format: "date-time"},
	reflect.TypeFor[texts]():           {OneOf: []*jsonschema.Schema{{Type: "string"}, {Type: "array", Items: &jsonschema.Schema{Type: "string"}}}},
	reflect.TypeFor[content]():         {Description: "a text, or parts of type text"},
}

func schemaOf(t reflect.Type) (*jsonschema.Schema, error) {
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: special})
	if err != nil {
		return nil, fmt.Errorf("describe %s: %w", t, err)
	}
	return s, nil
}

// OpenAPI describes every route, made of the same table as the server.
func (d *Door) OpenAPI() (json.RawMessage, error) {
	schemas, paths := object{}, object{}
	named := func(t reflect.Type) (object, error) {
		s, err := schemaOf(t)
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(nameOfType(t), "V1") {
			s.AdditionalProperties = nil // clients of the OpenAI API send fields that are not read here
		}
		schemas[nameOfType(t)] = s
		return object{"$ref": "#/components/schemas/" + nameOfType(t)}, nil
	}
	refused, err := named(reflect.TypeFor[refusal]())
	if err != nil {
		return nil, err
	}
	for _, r := range d.routes() {
		op, err := r.describe(named, refused)
		if err != nil {
			return nil, err
		}
		path := outside(r.path)
		if paths[path] == nil {
			paths[path] = object{}
		}
		paths[path].(object)[strings.ToLower(r.method)] = op
	}
	return json.MarshalIndent(object{
		"openapi": "3.1.0", "info": object{"title": "Solo", "version": d.c.Version, "description": "The assistant's door over HTTP."}, "paths": paths,
		"components": object{"schemas": schemas, "securitySchemes": object{
			"token": object{"type": "http", "scheme": "bearer"}, "cookie": object{"type": "apiKey", "in": "cookie", "name": cookieName}}},
		"security": []object{{"token": []string{}}, {"cookie": []string{}}},
	}, "", " ")
}

// nameOfType is a type's name without Go's habits.
func nameOfType(t reflect.Type) string { return strings.ToUpper(t.Name()[:1]) + t.Name()[1:] }

var parameter = regexp.MustCompile(`:(\w+)`)

// outside writes a path as OpenAPI does.
func outside(path string) string {
	return strings.Replace(parameter.ReplaceAllString(path, "{$1}"), "*", "{rest}", 1)
}

func (r route) describe(named func(reflect.Type) (object, error), refused object) (object, error) {
	op := object{"summary": r.does, "operationId": strings.ToLower(r.method) + regexp.MustCompile(`\W+`).ReplaceAllString(r.path, "_")}
	if open[r.path] {
		op["security"] = []object{}
	}
	if list := r.parameters(); len(list) > 0 {
		op["parameters"] = list
	}
	if r.in != nil {
		ref, err := named(r.in)
		if err != nil {
			return nil, err
		}
		op["requestBody"] = object{"required": true, "content": object{fiber.MIMEApplicationJSON: object{"schema": ref}}}
	} else if r.takes != "" {
		file := object{"type": "object", "properties": object{"file": object{"type": "string", "format": "binary"}}, "required": []string{"file"}}
		body := object{fiber.MIMEMultipartForm: object{"schema": file}}
		if r.takes != fiber.MIMEMultipartForm {
			body[r.takes] = object{}
		}
		op["requestBody"] = object{"required": true, "content": body}
	}
	answer, err := r.answer(named)
	if err != nil {
		return nil, err
	}
	status := http.StatusOK
	if r.status != 0 {
		status = r.status
	}
	failed := object{"description": "what went wrong", "content": object{fiber.MIMEApplicationJSON: object{"schema": refused}}}
	op["responses"] = object{strconv.Itoa(status): answer, "default": failed}
	return op, nil
}

func (r route) answer(named func(reflect.Type) (object, error)) (object, error) {
	answer, body := object{"description": r.does}, object{}
	for _, g := range r.gives {
		body[g] = object{}
	}
	if r.out != nil {
		ref, err := named(r.out)
		if err != nil {
			return nil, err
		}
		body[fiber.MIMEApplicationJSON] = object{"schema": ref}
	}
	if len(body) > 0 {
		answer["content"] = body
	}
	return answer, nil
}

func (r route) parameters() (list []object) {
	for _, m := range parameter.FindAllStringSubmatch(r.path, -1) {
		list = append(list, object{"name": m[1], "in": "path", "required": true, "schema": object{"type": "string"}})
	}
	if strings.Contains(r.path, "*") {
		list = append(list, object{"name": "rest", "in": "path", "required": true, "schema": object{"type": "string"}})
	}
	for _, p := range r.query {
		schema := object{"type": p.is}
		if p.of != nil {
			schema["enum"] = p.of
		}
		list = append(list, object{"name": p.name, "in": "query", "description": p.does, "schema": schema})
	}
	return list
}

// docPage is the description to read; it needs no script.
func (d *Door) docPage() string {
	var b strings.Builder
	b.WriteString("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>Solo's HTTP door</title></head>\n<body><main><h1>Solo's HTTP door</h1>\n")
	b.WriteString("<p>Version " + html.EscapeString(d.c.Version) + ". Send <code>Authorization: Bearer</code> and the token. Errors are <code>{\"error\":{\"code\",\"message\",\"hint\"}}</code>. For programs: <a href=\"/openapi.json\">openapi.json</a>.</p>\n")
	for _, r := range d.routes() {
		fmt.Fprintf(&b, "<section><h2><code>%s %s</code></h2><p>%s.</p>\n", r.method, html.EscapeString(outside(r.path)), html.EscapeString(r.does))
		for _, p := range r.query {
			fmt.Fprintf(&b, "<p><code>%s</code>: %s %s</p>\n", html.EscapeString(p.name), html.EscapeString(p.does), html.EscapeString(strings.Join(p.of, ", ")))
		}
		for _, t := range []struct {
			what string
			is   reflect.Type
		}{{"takes", r.in}, {"gives", r.out}} {
			if t.is != nil {
				b.WriteString("<p>" + t.what + "</p><ul>\n")
				list(&b, t.is)
				b.WriteString("</ul>\n")
			}
		}
		b.WriteString("</section>\n")
	}
	b.WriteString("</main></body></html>\n")
	return b.String()
}

// list writes the fields of a type.
func list(b *strings.Builder, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		if rest != "" {
			rest = " (may be left out)"
		}
		fmt.Fprintf(b, "<li><code>%s</code> %s%s</li>\n", html.EscapeString(name), html.EscapeString(f.Tag.Get("jsonschema")), rest)
	}
}
