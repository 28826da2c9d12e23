package web

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"
)

// Projects are what the user works towards.
type Projects interface {
	// Projects gives the tree, parents before their parts.
	Projects(ctx context.Context) ([]ProjectView, error)
	// AddProject makes one. Errors: ErrUnfit, ErrClash, ErrGone for its parent.
	AddProject(ctx context.Context, in ProjectIn) (ProjectView, error)
	// ChangeProject changes what is given. Errors: those of AddProject, ErrGone.
	ChangeProject(ctx context.Context, id int64, in ProjectIn) (ProjectView, error)
	// RemoveProject takes one away with all below it, or says ErrGone.
	RemoveProject(ctx context.Context, id int64) error
}

// Errors of projects.
var (
	ErrUnfit = errors.New("that cannot be")
	ErrClash = errors.New("there is one of that name already")
)

// ProjectView is one project in its tree.
type ProjectView struct {
	ID       int64      `json:"id"`
	Parent   int64      `json:"parent,omitempty"`
	Name     string     `json:"name"`
	Path     string     `json:"path" jsonschema:"its name behind those that it is a part of"`
	Depth    int        `json:"depth" jsonschema:"0 at the top"`
	Status   string     `json:"status" jsonschema:"active, paused, done or dropped"`
	Priority int        `json:"priority" jsonschema:"1 (highest) to 5"`
	Domain   string     `json:"domain,omitempty"`
	Progress int        `json:"progress" jsonschema:"0 to 100 percent"`
	ByHand   bool       `json:"by_hand" jsonschema:"its progress was set, not reckoned from its tasks and parts"`
	Open     int        `json:"open_tasks"`
	Done     int        `json:"done_tasks"`
	Reviewed *time.Time `json:"reviewed,omitempty"`
}

// ProjectIn is what a project shall be; what is left out stays as it is.
type ProjectIn struct {
	Name     *string `json:"name,omitempty"`
	Parent   *int64  `json:"parent,omitempty" jsonschema:"id of the project that it is a part of, 0 for none"`
	Status   *string `json:"status,omitempty" jsonschema:"active, paused, done or dropped"`
	Priority *int    `json:"priority,omitempty" jsonschema:"1 (highest) to 5"`
	Domain   *string `json:"domain,omitempty"`
	Progress *int    `json:"progress,omitempty" jsonschema:"0 to 100 percent; -1 has it reckoned"`
	Reviewed *bool   `json:"reviewed,omitempty" jsonschema:"true notes that it was looked at now"`
}

// ProjectList is the tree of projects, parents before their parts.
type ProjectList struct {
	Projects []ProjectView `json:"projects"`
}

// ProjectOut is one project.
type ProjectOut struct {
	Project ProjectView `json:"project"`
}

func (d *Door) projectRoutes() []route {
	r := d.c.Rooms.Projects
	in, out := reflect.TypeFor[ProjectIn](), reflect.TypeFor[ProjectOut]()
	return []route{
		listed("/projects", "the tree of projects, parents before their parts", r != nil, "projects", func(c *fiber.Ctx) (ProjectList, error) {
			all, err := r.Projects(c.UserContext())
			return ProjectList{some(all)}, err
		}),
		{method: http.MethodPost, path: "/projects", does: "adds a project", in: in, out: out, status: http.StatusCreated, handle: d.project(http.StatusCreated, func(c *fiber.Ctx, in ProjectIn) (ProjectView, error) {
			return r.AddProject(c.UserContext(), in)
		})},
		{method: http.MethodPatch, path: "/projects/:id", does: "changes a project: its name, place, state, priority, domain or progress, or notes a review", in: in, out: out,
			handle: d.project(http.StatusOK, func(c *fiber.Ctx, in ProjectIn) (ProjectView, error) {
				id, err := strconv.ParseInt(c.Params("id"), 10, 64)
				if err != nil {
					return ProjectView{}, ErrGone
				}
				return r.ChangeProject(c.UserContext(), id, in)
			})},
		gone("/projects/:id", "removes a project with all below it", r != nil, "projects", func(c *fiber.Ctx, id int64) error { return r.RemoveProject(c.UserContext(), id) }),
	}
}

// project makes a handler that takes what a project shall be and gives what it is.
func (d *Door) project(status int, do func(*fiber.Ctx, ProjectIn) (ProjectView, error)) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if err := unless(d.c.Rooms.Projects != nil, "projects"); err != nil {
			return err
		}
		in, err := read[ProjectIn](c, true)
		if err != nil {
			return err
		}
		p, err := do(c, in)
		if err != nil {
			return lateOr(c.UserContext(), err)
		}
		return c.Status(status).JSON(ProjectOut{p})
	}
}
