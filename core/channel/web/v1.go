package web

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/solo-assistant/solo/models"
)

// solo is the model's name under which the assistant itself answers.
const solo = "solo"

// V1Model is one model in the OpenAI API.
type V1Model struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"`
	OwnedBy string `json:"owned_by"`
}

// V1Models is the list of them.
type V1Models struct {
	Object string    `json:"object"`
	Data   []V1Model `json:"data"`
}

func (d *Door) v1Routes() []route {
	one := shown("/v1/models", "lists the assistant, named solo, and the language models", d.v1Models)
	return []route{one,
		{method: http.MethodGet, path: "/v1/models/*", does: "tells of one model", out: reflect.TypeFor[V1Model](), handle: d.v1Model},
		{method: http.MethodPost, path: "/v1/chat/completions", does: "answers a talk, as the OpenAI API does", in: reflect.TypeFor[V1Chat](), out: reflect.TypeFor[V1Completion](),
			gives: []string{fiber.MIMEApplicationJSON, eventStream}, handle: d.v1Chat},
		{method: http.MethodPost, path: "/v1/embeddings", does: "turns texts into vectors", in: reflect.TypeFor[V1Embed](), out: reflect.TypeFor[V1Embedded](), handle: d.v1Embed},
	}
}

func (d *Door) v1Models(ctx context.Context) (V1Models, error) {
	out := V1Models{Object: "list", Data: []V1Model{}}
	if d.c.Assistant != nil {
		out.Data = append(out.Data, V1Model{ID: solo, Object: "model", OwnedBy: solo})
	}
	list, err := d.models(ctx)
	for _, m := range list {
		out.Data = append(out.Data, V1Model{ID: nameOf(m), Object: "model", OwnedBy: m.Engine})
	}
	if err != nil && len(out.Data) == 0 {
		return out, err
	}
	return out, nil // an engine that is away hides only its own
}

// v1Model tells of the model that the address names; a slash in its name may be written as it is, or as %2F.
func (d *Door) v1Model(c *fiber.Ctx) error {
	name, err := url.PathUnescape(c.Params("*"))
	if err != nil {
		return fiber.ErrNotFound
	}
	if name == solo && d.c.Assistant != nil {
		return c.JSON(V1Model{ID: solo, Object: "model", OwnedBy: solo})
	}
	whole, err := d.model(c.UserContext(), name)
	if err != nil {
		return err
	}
	engine, _, _ := strings.Cut(whole, "/")
	return c.JSON(V1Model{ID: whole, Object: "model", OwnedBy: engine})
}

// models lists those past the assistant; what is there comes with the error of what is not.
func (d *Door) models(ctx context.Context) ([]models.Info, error) {
	if d.c.Models == nil {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, d.c.Head)
	defer cancel()
	return d.c.Models.Models(ctx)
}

// nameOf is how a client asks for a model: the engine tells equal names apart.
func nameOf(m models.Info) string { return m.Engine + "/" + m.ID }

// model finds the one that a client named, by its whole name or by its engine's.
func (d *Door) model(ctx context.Context, name string) (string, error) {
	list, err := d.models(ctx)
	i := slices.IndexFunc(list, func(m models.Info) bool { return nameOf(m) == name || m.ID == name })
	if i >= 0 {
		return nameOf(list[i]), nil
	}
	if err != nil && len(list) == 0 {
		return "", err
	}
	return "", fault(http.StatusNotFound, "model_not_found", "GET /v1/models lists them", "There is no model %q.", short(name))
}

func short(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return s
}

// texts is a text or a list of texts.
type texts []string

func (t *texts) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*t = texts{one}
		return nil
	}
	return json.Unmarshal(raw, (*[]string)(t))
}
