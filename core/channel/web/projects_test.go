package web_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/channel/web"
)

// drawer is one project, of the number 7.
type drawer struct{ is web.ProjectView }

func (d *drawer) Projects(context.Context) ([]web.ProjectView, error) {
	return []web.ProjectView{d.is}, nil
}

func (d *drawer) AddProject(_ context.Context, in web.ProjectIn) (web.ProjectView, error) {
	if in.Name == nil || *in.Name == "" {
		return web.ProjectView{}, fmt.Errorf("%w: a project needs a name", web.ErrUnfit)
	}
	if *in.Name == d.is.Name {
		return web.ProjectView{}, web.ErrClash
	}
	return web.ProjectView{ID: 8, Name: *in.Name}, nil
}

func (d *drawer) ChangeProject(_ context.Context, id int64, in web.ProjectIn) (web.ProjectView, error) {
	if id != 7 {
		return web.ProjectView{}, web.ErrGone
	}
	if in.Progress != nil {
		d.is.Progress = *in.Progress
	}
	return d.is, nil
}

func (d *drawer) RemoveProject(_ context.Context, id int64) error {
	if id != 7 {
		return web.ErrGone
	}
	return nil
}

func TestProjects(t *testing.T) {
	d := openDoor(t, func(c *web.Config) {
		c.Rooms.Projects = &drawer{web.ProjectView{ID: 7, Name: "Career", Status: "active"}}
	})
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "/projects", "", 200, `{"projects":[{"id":7,"name":"Career"`},
		{"POST", "/projects", `{"name":"Health","priority":1}`, 201, `{"project":{"id":8,"name":"Health"`},
		{"POST", "/projects", `{"name":"Career"}`, 409, `"clash"`},
		{"POST", "/projects", `{}`, 400, `a project needs a name`},
		{"POST", "/projects", `{"nmae":"x"}`, 400, `"invalid"`},
		{"POST", "/projects", `[]`, 400, `"invalid"`},
		{"PATCH", "/projects/7", `{"progress":40}`, 200, `"progress":40`},
		{"PATCH", "/projects/7", `{"progress":"forty"}`, 400, `"invalid"`},
		{"PATCH", "/projects/9", `{"progress":40}`, 404, `"gone"`},
		{"PATCH", "/projects/seven", `{}`, 404, `"gone"`},
		{"PATCH", "/projects/'; DROP TABLE projects", `{}`, 404, `"gone"`},
		{"DELETE", "/projects/7", "", 204, ""},
		{"DELETE", "/projects/8", "", 404, `"gone"`},
	} {
		r, body := d.ask(c.method, strings.ReplaceAll(c.path, " ", "%20"), c.body, nil)
		if r.StatusCode != c.status || !strings.Contains(body, c.want) {
			t.Errorf("%s %s %s: %d %s, want %d %s", c.method, c.path, c.body, r.StatusCode, body, c.status, c.want)
		}
	}
	none := openDoor(t, func(*web.Config) {})
	for _, method := range []string{"GET", "POST"} {
		if r, _ := none.ask(method, "/projects", `{"name":"x"}`, nil); r.StatusCode != 501 {
			t.Errorf("%s without projects: %d", method, r.StatusCode)
		}
	}
}
