package projects

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/project"
	"github.com/solo-assistant/solo/core/task"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/when"
	"github.com/solo-assistant/solo/models"
)

type listArgs struct {
	Status string `json:"status,omitempty" jsonschema:"only those that are active, paused, done or dropped" limits:"0..20"`
}

func (p projects) list(ctx context.Context, a listArgs) (models.Result, error) {
	top, err := p.Book.Tree(ctx)
	if err != nil {
		return models.Result{}, err
	}
	all := project.Flat(top)
	want := statuses[strings.ToLower(a.Status)]
	rows, said := []row{}, []string{}
	for _, n := range all {
		if want != "" && n.Status != want || want == "" && n.Status.Over() {
			continue
		}
		rows = append(rows, rowOf(n))
		if want != "" || n.Depth == 0 {
			said = append(said, brief(n))
		}
	}
	kind := ""
	if want != "" {
		kind = " " + string(want)
	}
	below := ""
	if deeper := len(rows) - len(said); deeper > 0 {
		below = ", and " + tool.Count(deeper, "project") + " below"
	}
	var r models.Result
	switch {
	case len(all) == 0:
		r.Say = "You have no projects yet."
	case len(rows) == 0 && want == "":
		r.Say = "You have no open projects."
	case len(rows) == 0:
		r.Say = "You have no" + kind + " projects."
	case len(said) == 0:
		r.Say = "You have " + tool.Count(len(rows), "project") + " below those that are over."
	default:
		r.Say = fmt.Sprintf("You have %s: %s%s.", strings.Replace(tool.Count(len(said), "project"), " ", kind+" ", 1), tool.Some(said, spoken), below)
	}
	return tool.With(r, rows), nil
}

// brief is "Career at 40 percent, paused".
func brief(n *project.Node) string {
	said := fmt.Sprintf("%s at %d percent", n.Name, n.Percent)
	if n.Status != project.Active {
		said = fmt.Sprintf("%s, %s, at %d percent", n.Name, n.Status, n.Percent)
	}
	return said
}

type nameArgs struct {
	Name string `json:"name,omitempty" jsonschema:"name of the project" limits:"0..500"`
}

func (p projects) show(ctx context.Context, a nameArgs) (models.Result, error) {
	n, r, err := p.one(ctx, a.Name, "Which one do you mean?", "name", "projects.show", nil)
	if n == nil {
		return r, err
	}
	said := []string{fmt.Sprintf("%s is %s, at %d percent.", n.Name, n.Status, n.Percent)}
	var parts []string
	for _, c := range n.Below {
		parts = append(parts, brief(c))
	}
	if len(parts) > 0 {
		said = append(said, fmt.Sprintf("Its parts are %s.", tool.Some(parts, spoken)))
	}
	if p.Tasks != nil {
		line, err := p.next(ctx, n)
		if err != nil {
			return models.Result{}, err
		}
		said = append(said, line)
	}
	if !n.Reviewed.IsZero() && !n.Status.Over() {
		said = append(said, "You last reviewed it "+ago(n.Reviewed, p.Now())+".")
	}
	r = models.Result{Say: strings.Join(said, " ")}
	return tool.With(r, rowOf(n)), nil
}

// next tells what is to be done for a project.
func (p projects) next(ctx context.Context, n *project.Node) (string, error) {
	open, err := p.Tasks.Open(ctx)
	if err != nil {
		return "", err
	}
	var next []string
	stuck := 0
	for _, t := range open {
		if t.Project != n.ID {
			continue
		}
		if t.Status == task.Blocked {
			stuck++
		}
		line := tool.Mirror(t.Description)
		if !t.Due.IsZero() {
			line += ", due " + strings.TrimPrefix(when.Say(t.Due, p.Now()), "on ")
		}
		next = append(next, line)
	}
	said := "Nothing is open for it."
	if len(next) == 1 {
		said = "There is 1 task open: " + next[0] + "."
	} else if len(next) > 1 {
		said = fmt.Sprintf("There are %d tasks open, first %s.", len(next), next[0])
	}
	if stuck > 0 {
		said += fmt.Sprintf(" %d of them stuck.", stuck)
		said = strings.Replace(said, "1 of them stuck", "1 of them is stuck", 1)
	}
	if stuck > 1 {
		said = strings.Replace(said, "of them stuck", "of them are stuck", 1)
	}
	return said, nil
}

// ago words a day that is past.
func ago(at, now time.Time) string {
	day := func(t time.Time) time.Time {
		y, m, d := t.In(now.Location()).Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	switch days := int(day(now).Sub(day(at)).Hours() / 24); {
	case days <= 0:
		return "today"
	case days == 1:
		return "yesterday"
	case days < 60:
		return fmt.Sprintf("%d days ago", days)
	default:
		return fmt.Sprintf("%d months ago", days/30)
	}
}
