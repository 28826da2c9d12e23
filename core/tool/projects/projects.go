// Package projects lets the user speak about what they work towards.
package projects

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/project"
	"github.com/solo-assistant/solo/core/task"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

//go:embed projects.md
var page string

// Book keeps projects; *project.Book is one.
type Book interface {
	Add(ctx context.Context, p project.Project) (project.Project, error)
	Edit(ctx context.Context, id int64, do func(*project.Project)) (was, is project.Project, err error)
	Review(ctx context.Context, id int64) (was, is project.Project, err error)
	Tree(ctx context.Context) ([]*project.Node, error)
	Remove(ctx context.Context, id int64) ([]project.Project, error)
	Restore(ctx context.Context, list ...project.Project) error
}

// Tasks lists what is to do; *task.List does.
type Tasks interface {
	Open(ctx context.Context) ([]task.Task, error)
}

// Config is what the project tools stand on.
type Config struct {
	Book  Book
	Tasks Tasks            // nil for none
	Now   func() time.Time // in the user's zone; nil is time.Now
}

type projects struct{ Config }

// Tools makes the projects.* tools.
func Tools(c Config) []tool.Tool {
	if c.Now == nil {
		c.Now = time.Now
	}
	p := projects{c}
	about := func(name string) string { return tool.About(page, name) }
	return []tool.Tool{
		tool.Of("projects.create", about("projects.create"), models.Write, p.create),
		tool.Of("projects.list", about("projects.list"), models.Read, p.list),
		tool.Of("projects.show", about("projects.show"), models.Read, p.show),
		tool.Of("projects.update", about("projects.update"), models.Write, p.update),
		tool.Of("projects.rename", about("projects.rename"), models.Write, p.rename),
		tool.Of("projects.move", about("projects.move"), models.Write, p.move),
		tool.Of("projects.review", about("projects.review"), models.Write, p.review),
		tool.Of("projects.delete", about("projects.delete"), models.Write, p.delete),
		tool.Internal(tool.Of("projects.drop", about("projects.drop"), models.Write, p.drop)),
		tool.Internal(tool.Of("projects.restore", about("projects.restore"), models.Write, p.restore)),
	}
}

type createArgs struct {
	Name     string `json:"name,omitempty" jsonschema:"what the project is called" limits:"0..200"`
	Parent   string `json:"parent,omitempty" jsonschema:"name of the project that it is a part of" limits:"0..200"`
	Domain   string `json:"domain,omitempty" jsonschema:"part of life, such as career, health or family" limits:"0..64"`
	Priority int    `json:"priority,omitempty" jsonschema:"1 is the highest, 5 the lowest" limits:"1..5"`
}

func (p projects) create(ctx context.Context, a createArgs) (models.Result, error) {
	a.Name = title(a.Name)
	if a.Name == "" {
		return ask("What is the project called?", "name", "projects.create", a), nil
	}
	new := project.Project{Name: a.Name, Domain: a.Domain, Priority: a.Priority}
	where := ""
	if a.Parent != "" {
		up, r, err := p.one(ctx, a.Parent, "Which project should it be a part of?", "parent", "projects.create", a)
		if up == nil {
			return r, err
		}
		new.Parent, where = up.ID, " as a part of "+up.Name
	}
	made, err := p.Book.Add(ctx, new)
	if err != nil {
		return refused(err)
	}
	r := tool.Said("I added the project %s%s.", made.Name, where)
	r.Undo = tool.CallOf("projects.drop", dropArgs{made.ID})
	return tool.With(r, row{Name: made.Name, Status: string(made.Status), Priority: made.Priority}), nil
}

// title takes off a name what only leads to it, and makes its first letter a capital.
func title(name string) string {
	name = tool.Trim(name, "the", "a", "an", "called", "named")
	if name == "" {
		return ""
	}
	return tool.Upper(name)
}

// refused says what is wrong with a project that the user described; other errors stay errors.
func refused(err error) (models.Result, error) {
	for unfit, say := range map[error]string{
		project.ErrTaken:    "There is a project of that name already.",
		project.ErrTooLong:  "That name is too long for a project.",
		project.ErrName:     "A project needs a name.",
		project.ErrCycle:    "A project can't be a part of itself.",
		project.ErrDeep:     "Your projects are nested too deeply already.",
		project.ErrMany:     "You have more projects than I can keep already.",
		project.ErrProgress: "A project's progress is between 0 and 100 percent.",
		project.ErrPriority: "A project's priority is between 1 and 5.",
		project.ErrStatus:   "A project is active, paused, done or dropped.",
	} {
		if errors.Is(err, unfit) {
			return models.Result{Say: say}, nil
		}
	}
	return models.Result{}, err
}

// one finds the project that is meant, or gives the reply to say instead: then the node is nil.
func (p projects) one(ctx context.Context, text, question, slot, call string, args any) (*project.Node, models.Result, error) {
	top, err := p.Book.Tree(ctx)
	if err != nil {
		return nil, models.Result{}, err
	}
	all := project.Flat(top)
	if len(all) == 0 {
		return nil, tool.Said("You have no projects yet."), nil
	}
	text = bare(text)
	if text == "" {
		return nil, ask("You have "+some(all)+". "+question, slot, call, args), nil
	}
	found := project.Named(top, text)
	if len(found) > 1 {
		found = clearest(text, found)
	}
	switch len(found) {
	case 0:
		return nil, ask(fmt.Sprintf("I can't find a project called %s. There's %s. %s", tool.Mirror(text), some(all), question), slot, call, args), nil
	case 1:
		return found[0], models.Result{}, nil
	}
	return nil, ask(fmt.Sprintf("There's %s. %s", paths(found), question), slot, call, args), nil
}

// bare takes off the words around a project's name.
func bare(text string) string {
	text = tool.Trim(text, "the", "my", "our")
	return strings.TrimSpace(strings.TrimSuffix(text, " project"))
}

// clearest keeps what fits the words best; those of one name stay.
func clearest(text string, found []*project.Node) []*project.Node {
	texts := make([]string, len(found))
	for i, n := range found {
		texts[i] = n.Name
	}
	var best []*project.Node
	for _, i := range tool.Pick(text, texts) {
		best = append(best, found[i])
	}
	if len(best) == 0 {
		return found
	}
	return best
}

// spoken is how many projects one can listen to.
const spoken = 5

func some(all []*project.Node) string {
	var out []string
	for _, n := range all {
		if !n.Status.Over() {
			out = append(out, n.Name)
		}
	}
	if len(out) == 0 {
		return "nothing open"
	}
	return tool.Some(out, spoken)
}

// paths tells apart what is called alike.
func paths(all []*project.Node) string {
	var out []string
	for _, n := range all {
		path := strings.Split(n.Path, " / ")
		if n.Depth > 0 {
			out = append(out, n.Name+" of "+path[len(path)-2])
		} else {
			out = append(out, n.Name)
		}
	}
	return tool.Some(out, spoken)
}

func ask(question, slot, call string, args any) models.Result {
	return models.Result{Say: question, Ask: &models.Ask{Slot: slot, Call: *tool.CallOf(call, args)}}
}

// row is a project for a program or a model.
type row struct {
	Name     string `json:"name"`
	Path     string `json:"path,omitempty"`
	Status   string `json:"status"`
	Percent  int    `json:"progress"`
	Priority int    `json:"priority"`
	Domain   string `json:"domain,omitempty"`
	Open     int    `json:"open_tasks,omitempty"`
}

func rowOf(n *project.Node) row {
	return row{Name: n.Name, Path: n.Path, Status: string(n.Status), Percent: n.Percent, Priority: n.Priority, Domain: n.Domain, Open: n.Tasks.Open}
}
