package brief

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/when"
)

// Tell makes a briefing. What cannot be read is named in it; the error is the ctx's, or ErrKind.
func (t *Teller) Tell(ctx context.Context, k Kind) (Briefing, error) {
	if !slices.Contains(Kinds, k) {
		return Briefing{}, fmt.Errorf("%.40q: %w", string(k), ErrKind)
	}
	now := t.c.Now()
	w := &writer{now: now, kind: k}
	w.b = Briefing{Kind: k, At: now, Title: title(k, now), Greeting: greeting(k, now, t.c.User(ctx))}
	from, to := span(k, now)
	for i, s := range t.c.Sources {
		if i == 0 { // the weather comes first
			w.source(ctx, s, from, to)
		}
	}
	t.work(ctx, w, from, to)
	if t.c.Ahead != nil {
		list, err := t.c.Ahead.Ahead(ctx, to)
		w.fail("what is coming up", err)
		w.ahead(list, to)
	}
	for i, s := range t.c.Sources {
		if i > 0 {
			w.source(ctx, s, from, to)
		}
	}
	if ctx.Err() != nil {
		return Briefing{}, context.Cause(ctx)
	}
	w.end()
	t.shape(ctx, &w.b)
	return w.b, nil
}

// span is the time that a briefing looks at: from what is past to what comes.
func span(k Kind, now time.Time) (from, to time.Time) {
	y, m, d := now.Date()
	day := func(n int) time.Time { return time.Date(y, m, d+n, 0, 0, 0, 0, now.Location()) }
	switch k {
	case Week:
		return day(-7), day(8)
	case Month:
		return time.Date(y, m-1, d, 0, 0, 0, 0, now.Location()), day(31)
	}
	return day(-1), day(1)
}

func title(k Kind, now time.Time) string {
	return map[Kind]string{Morning: "Briefing", Week: "Weekly review", Month: "Monthly review"}[k] + ", " + now.Format("Monday, January 2")
}

func greeting(k Kind, now time.Time, name string) string {
	if name != "" {
		name = ", " + name
	}
	switch k {
	case Week:
		return "This is your weekly review" + name + "."
	case Month:
		return "This is your monthly review" + name + "."
	}
	part := "morning"
	if h := now.Hour(); h >= 18 || h < 4 {
		part = "evening"
	} else if h >= 12 {
		part = "afternoon"
	}
	return fmt.Sprintf("Good %s%s. It is %s.", part, name, now.Format("Monday, January 2"))
}

// work tells of tasks and projects.
func (t *Teller) work(ctx context.Context, w *writer, from, to time.Time) {
	if t.c.Work == nil {
		return
	}
	open, err := t.c.Work.Open(ctx)
	w.fail("your tasks", err)
	if w.kind != Morning {
		done, err := t.c.Work.Finished(ctx, from)
		w.fail("what you finished", err)
		w.finished(done)
	}
	w.tasks(open, to)
	projects, err := t.c.Work.Projects(ctx)
	w.fail("your projects", err)
	w.projects(projects, from)
}

// writer fills a briefing.
type writer struct {
	b      Briefing
	kind   Kind
	now    time.Time
	failed []string
}

// fail keeps what could not be read.
func (w *writer) fail(what string, err error) {
	if err != nil {
		w.failed = append(w.failed, what)
	}
}

// add puts a section of things behind the others, none where there are no things.
func (w *writer) add(head, lead string, lines, names []string) {
	if len(lines) > 0 {
		w.b.Sections = append(w.b.Sections, Section{Head: head, Lead: lead, Lines: lines, names: names})
	}
}

func (w *writer) source(ctx context.Context, s Source, from, to time.Time) {
	lines, err := s.Tell(ctx, w.kind, from, to)
	w.fail("the "+s.Name(), err)
	head := s.Name()
	if head != "" {
		head = strings.ToUpper(head[:1]) + head[1:]
	}
	for i, l := range lines {
		lines[i] = strings.Join(strings.Fields(l), " ")
	}
	w.add(head, "", lines, proper(lines))
}

// end closes a briefing: what was missing, and a word where there is nothing else.
func (w *writer) end() {
	if len(w.b.Sections) == 0 && len(w.failed) == 0 {
		nothing := map[Kind]string{Morning: "Nothing is due today, and nothing is planned.", Week: "Nothing was finished this week, and nothing is open.",
			Month: "Nothing was finished this month, and nothing is open."}[w.kind]
		w.add("Nothing", "", []string{nothing}, nil)
	}
	if len(w.failed) > 0 {
		w.add("Missing", "", []string{"I could not read " + list(w.failed) + "."}, nil)
	}
}

// count is "1 task is" or "3 tasks are".
func count(n int, noun, one, many string) string {
	if n == 1 {
		return "1 " + noun + " " + one
	}
	return fmt.Sprintf("%d %ss %s", n, noun, many)
}

// tasks tells what is overdue, due, under way and stuck.
func (w *writer) tasks(open []Task, to time.Time) {
	var late, due, doing, stuck, rest []Task
	for _, t := range open {
		switch {
		case t.Blocked:
			stuck = append(stuck, t)
		case !t.Due.IsZero() && !t.Due.After(w.now):
			late = append(late, t)
		case !t.Due.IsZero() && t.Due.Before(to):
			due = append(due, t)
		case t.Doing:
			doing = append(doing, t)
		default:
			rest = append(rest, t)
		}
	}
	until := map[Kind]string{Morning: "today", Week: "in the next 7 days", Month: "in the next 30 days"}[w.kind]
	w.some("Overdue", count(len(late), "task", "is", "are")+" overdue:", late, w.since)
	w.some("Due "+until, count(len(due), "task", "is", "are")+" due "+until+":", due, w.at)
	w.some("Stuck", count(len(stuck), "task", "is", "are")+" stuck:", stuck, w.stuck)
	w.some("Under way", count(len(doing), "task", "is", "are")+" under way:", doing, w.bare)
	if w.kind == Morning {
		rest = nil
	}
	w.some("Open", count(len(rest), "other task", "is", "are")+" open:", rest, w.bare)
}

func (w *writer) some(head, lead string, tasks []Task, word func(Task) string) {
	var lines, names []string
	for _, t := range tasks {
		line := word(t)
		if t.Project != "" && w.kind != Morning {
			line += " for " + t.Project
			names = append(names, t.Project)
		}
		lines, names = append(lines, line), append(names, t.Text, t.Stuck)
	}
	w.add(head, lead, lines, names)
}

func (w *writer) bare(t Task) string { return t.Text }

// at is a task with the time at which it is due.
func (w *writer) at(t Task) string {
	if said := w.clock(t.Due); said != "" {
		return t.Text + " " + said
	}
	return t.Text
}

// clock words a time to come: "at 3 PM" on the same day, else with its day. A day as a whole is "" on that day.
func (w *writer) clock(at time.Time) string {
	at = at.In(w.now.Location())
	today := at.Format(time.DateOnly) == w.now.Format(time.DateOnly)
	whole := at.Format("15:04") == "23:59" || at.Format("15:04") == "00:00"
	switch {
	case today && whole:
		return ""
	case today:
		return "at " + strings.Replace(at.Format("3:04 PM"), ":00", "", 1)
	case whole:
		said, _, _ := strings.Cut(when.Say(at.Truncate(time.Minute), w.now), " at ")
		return said
	}
	return when.Say(at, w.now)
}

// since is a task with how long it is overdue.
func (w *writer) since(t Task) string {
	switch days := int(w.now.Sub(t.Due).Hours() / 24); {
	case days < 1:
		return t.Text + " since " + strings.TrimPrefix(when.Say(t.Due, w.now), "on ")
	case days == 1:
		return t.Text + " for 1 day"
	default:
		return fmt.Sprintf("%s for %d days", t.Text, days)
	}
}

func (w *writer) stuck(t Task) string {
	said := t.Text
	if t.Stuck != "" {
		said += " on " + t.Stuck
	}
	if days := int(w.now.Sub(t.Changed).Hours() / 24); days > 1 && !t.Changed.IsZero() {
		said += fmt.Sprintf(" for %d days", days)
	}
	return said
}
