package brief

import (
	"fmt"
	"time"
)

// stale is after how long an active project is worth a look, by kind.
var stale = map[Kind]time.Duration{Week: 14 * 24 * time.Hour, Month: 30 * 24 * time.Hour}

// finished tells what was done.
func (w *writer) finished(done []Task) {
	var lines, names []string
	for _, t := range done {
		line := t.Text
		if t.Project != "" {
			line += " for " + t.Project
			names = append(names, t.Project)
		}
		lines, names = append(lines, line), append(names, t.Text)
	}
	tasks := "1 task"
	if len(done) != 1 {
		tasks = fmt.Sprintf("%d tasks", len(done))
	}
	span := map[Kind]string{Week: "in the last 7 days", Month: "in the last month"}[w.kind]
	w.add("Finished "+span, "You finished "+tasks+" "+span+":", lines, names)
}

// firstProjects is how many projects the morning tells of.
const firstProjects = 3

// projects tells how far they are, and which were left alone.
func (w *writer) projects(all []Project, from time.Time) {
	var active, paused, over, alone []Project
	for _, p := range all {
		switch {
		case p.Status == "paused":
			paused = append(paused, p)
		case p.Status == "done" && !p.Changed.Before(from):
			over = append(over, p)
		case p.Status != "active":
		default:
			if p.Top {
				active = append(active, p)
			}
			if limit, ok := stale[w.kind]; ok && w.now.Sub(latest(p)) > limit {
				alone = append(alone, p)
			}
		}
	}
	if w.kind == Morning {
		w.list("Projects", "Your projects:", active[:min(firstProjects, len(active))], percent)
		return
	}
	w.list("Projects done", "Done:", over, func(p Project) string { return p.Name })
	w.list("Projects", "Your projects:", active, percent)
	w.list("Paused", "Paused:", paused, percent)
	w.list("To be reviewed", "You have not looked at these lately:", alone, func(p Project) string {
		return fmt.Sprintf("%s for %d days", p.Name, int(w.now.Sub(latest(p)).Hours()/24))
	})
}

// latest is when the user last dealt with a project.
func latest(p Project) time.Time {
	if p.Reviewed.After(p.Changed) {
		return p.Reviewed
	}
	return p.Changed
}

func percent(p Project) string { return fmt.Sprintf("%s at %d percent", p.Name, p.Percent) }

func (w *writer) list(head, lead string, all []Project, word func(Project) string) {
	var lines, names []string
	for _, p := range all {
		lines, names = append(lines, word(p)), append(names, p.Name)
	}
	w.add(head, lead, lines, names)
}

// ahead tells the reminders and alarms to come; timers are soon told anyway, and briefings are what this is.
func (w *writer) ahead(all []Promise, to time.Time) {
	var lines, names []string
	for _, p := range all {
		if p.Kind != "reminder" && p.Kind != "alarm" || !p.At.Before(to) {
			continue
		}
		what := p.Text
		if what == "" {
			what = "an " + p.Kind
		}
		if at := w.clock(p.At); at != "" {
			what += " " + at
		}
		lines, names = append(lines, what), append(names, p.Text)
	}
	n := "1 reminder is coming up:"
	if len(lines) != 1 {
		n = fmt.Sprintf("%d reminders are coming up:", len(lines))
	}
	w.add("Coming up", n, lines, names)
}
