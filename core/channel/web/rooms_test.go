package web_test

import (
	"bytes"
	"context"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/event"
)

// house is every room, with one thing in each.
type house struct {
	gone    []int64
	kind    string
	granted map[string]bool
	kept    map[string]string
	about   string
	before  int64
}

func (h *house) Dialogues(_ context.Context, n int, before int64) ([]web.Dialogue, error) {
	h.before = before
	return make([]web.Dialogue, n), nil
}

func (h *house) Recall(_ context.Context, about string) ([]web.MemoryView, error) {
	h.about = about
	return []web.MemoryView{{ID: 7, Text: "the key is under the mat", Source: "voice"}}, nil
}

func (h *house) Forget(_ context.Context, id int64) error { return h.take(id) }

func (h *house) take(id int64) error {
	if id != 7 {
		return web.ErrGone
	}
	h.gone = append(h.gone, id)
	return nil
}

func (h *house) Tasks(_ context.Context, done bool) ([]web.TaskView, error) {
	if done {
		return []web.TaskView{{ID: 5, Text: "sweep", Done: true, Status: "done"}}, nil
	}
	return nil, nil
}

func (h *house) Promises(context.Context) ([]web.PromiseView, error) {
	return []web.PromiseView{{ID: 7, Kind: "timer", Left: 1500}}, nil
}

func (h *house) Cancel(_ context.Context, kind string, id int64) error {
	h.kind = kind
	return h.take(id)
}

func (h *house) Approvals(context.Context) ([]web.ApprovalView, error) { return nil, nil }

func (h *house) Decide(_ context.Context, id string, granted bool) (string, error) {
	h.granted[id] = granted
	return "Okay.", nil
}

func (h *house) Documents(context.Context) ([]web.DocumentView, error) { return nil, nil }

func (h *house) Add(_ context.Context, name string, text io.Reader) (web.DocumentView, error) {
	b, err := io.ReadAll(text)
	if _, ok := h.kept[name]; ok {
		return web.DocumentView{}, web.ErrTaken
	}
	h.kept[name] = string(b)
	return web.DocumentView{Name: name, Bytes: int64(len(b)), Changed: time.Unix(0, 0)}, err
}

func (h *house) Remove(_ context.Context, name string) error {
	if _, ok := h.kept[name]; !ok {
		return web.ErrGone
	}
	delete(h.kept, name)
	return nil
}

func newHouse() *house { return &house{granted: map[string]bool{}, kept: map[string]string{}} }

func (h *house) rooms() web.Rooms {
	return web.Rooms{Dialogues: h, Memories: h, Tasks: h, Promises: h, Approvals: h, Documents: h,
		Receipts: func(_ context.Context, n int) ([]web.ReceiptView, error) {
			return []web.ReceiptView{{ID: int64(n), Step: "spoken", Text: "call Anna"}}, nil
		},
		Settings: func() []web.Setting { return []web.Setting{{Key: "web.port", Value: "0", Origin: "flag"}} },
		Logs: func(n int, level string) ([]web.LogLine, error) {
			return []web.LogLine{{Level: level, Message: strings.Repeat("x", n)}}, nil
		},
		Engines: func() []web.Engine { return []web.Engine{{Job: "voice", Name: "flite", Found: true}} },
	}
}

func TestRooms(t *testing.T) {
	var b bus.Bus
	bus.Publisher[event.Heard](&b, "dialog")
	h := newHouse()
	d := openDoor(t, func(c *web.Config) { c.Rooms, c.Bus = h.rooms(), &b })
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "/dialogues?n=2&before=9", "", 200, `{"dialogues":[{"id":0`},
		{"GET", "/dialogues?n=0", "", 400, `"invalid"`},
		{"GET", "/dialogues?before=x", "", 400, `"invalid"`},
		{"GET", "/memories?q=the%20key", "", 200, `"text":"the key is under the mat"`},
		{"DELETE", "/memories/7", "", 204, ""},
		{"DELETE", "/memories/8", "", 404, `"gone"`},
		{"DELETE", "/memories/seven", "", 404, `"gone"`},
		{"GET", "/tasks", "", 200, `{"tasks":[]}`},
		{"GET", "/tasks?done=true", "", 200, `"text":"sweep"`},
		{"GET", "/promises", "", 200, `"left_ms":1500`},
		{"DELETE", "/promises/7?kind=timer", "", 204, ""},
		{"GET", "/receipts?n=3", "", 200, `"id":3,"at":"0001-01-01T00:00:00Z","step":"spoken"`},
		{"GET", "/receipts?n=0", "", 400, `"invalid"`},
		{"GET", "/approvals", "", 200, `{"approvals":[]}`},
		{"POST", "/approvals/ab12", `{"granted":true}`, 200, `{"say":"Okay."}`},
		{"POST", "/approvals/ab13", `{"granted":false}`, 200, `{"say":"Okay."}`},
		{"POST", "/approvals/ab14", `{"granted":"yes"}`, 400, `"invalid"`},
		{"GET", "/documents", "", 200, `{"documents":[]}`},
		{"DELETE", "/documents/none.txt", "", 404, `"gone"`},
		{"POST", "/documents", `{}`, 400, `"invalid"`},
		{"GET", "/settings", "", 200, `"origin":"flag"`},
		{"GET", "/logs?n=3&level=warn", "", 200, `"level":"warn","part":"","message":"xxx"`},
		{"GET", "/logs?n=many", "", 400, `"invalid"`},
		{"GET", "/models", "", 200, `{"models":[],"engines":[{"job":"voice","name":"flite"`},
		{"GET", "/bus", "", 200, `{"name":"dialog","type":"event.Heard","count":0}`},
	} {
		r, body := d.ask(c.method, c.path, c.body, nil)
		if r.StatusCode != c.status || !strings.Contains(body, c.want) {
			t.Errorf("%s %s: %d %s, want %d %s", c.method, c.path, r.StatusCode, body, c.status, c.want)
		}
	}
	if len(h.gone) != 2 || h.kind != "timer" || !h.granted["ab12"] || h.granted["ab13"] || h.about != "the key" || h.before != 9 {
		t.Errorf("the rooms were told %+v", h)
	}
	if _, told := h.granted["ab14"]; told {
		t.Error("a word that was no yes and no no was taken")
	}
}

func TestDocumentsComeAndGo(t *testing.T) {
	h := newHouse()
	d := openDoor(t, func(c *web.Config) { c.Rooms = h.rooms() })
	put := func(name string) (*http.Response, string) {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		part, err := form.CreateFormFile("file", name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = part.Write([]byte("some words"))
		_ = form.Close()
		return d.ask("POST", "/documents", body.String(), header{"Content-Type": form.FormDataContentType()})
	}
	if r, body := put("../../notes of today.txt"); r.StatusCode != 201 || h.kept["notes of today.txt"] != "some words" {
		t.Fatalf("%d %s, kept %v", r.StatusCode, body, h.kept)
	}
	if r, body := put("notes of today.txt"); r.StatusCode != 409 {
		t.Errorf("%d %s", r.StatusCode, body)
	}
	if r, body := d.ask("DELETE", "/documents/notes%20of%20today.txt", "", nil); r.StatusCode != 204 || len(h.kept) != 0 {
		t.Errorf("%d %s, kept %v", r.StatusCode, body, h.kept)
	}
}

// A door without rooms says so.
func TestNoRooms(t *testing.T) {
	d := openDoor(t, nil)
	for _, path := range []string{"/dialogues", "/memories", "/tasks", "/promises", "/approvals", "/documents", "/settings", "/logs", "/models", "/bus"} {
		if r, body := d.ask("GET", path, "", nil); r.StatusCode != 501 || !strings.Contains(body, `"not_here"`) {
			t.Errorf("%s: %d %s", path, r.StatusCode, body)
		}
	}
}
