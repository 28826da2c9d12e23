package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Task is one thing to do.
type Task struct {
	ID       int64           `json:"id"`
	Text     string          `json:"text"`
	Status   string          `json:"status"`
	Stuck    string          `json:"stuck_on,omitempty"`
	Due      *time.Time      `json:"due,omitempty"`
	Tags     []string        `json:"tags"`
	Project  string          `json:"project,omitempty"`
	Created  time.Time       `json:"created"`
	Finished *time.Time      `json:"finished,omitempty"`
	Did      string          `json:"did,omitempty"`  // "added", "changed", "removed", ...
	Undo     json.RawMessage `json:"undo,omitempty"` // of one that was removed
}

func (Task) Event() string { return "task" }
func (t Task) Human() string {
	text := fmt.Sprintf("%5d  %-7s %s", t.ID, t.Status, t.Text)
	if t.Did != "" {
		text = fmt.Sprintf("%s: %d %s", t.Did, t.ID, t.Text)
	}
	var more []string
	if t.Due != nil {
		more = append(more, "due "+t.Due.Format("Mon 2 Jan 2006 15:04"))
	}
	if t.Stuck != "" {
		more = append(more, "stuck on "+t.Stuck)
	}
	if t.Project != "" {
		more = append(more, "for "+t.Project)
	}
	if len(t.Tags) > 0 {
		more = append(more, "#"+strings.Join(t.Tags, " #"))
	}
	if t.Finished != nil {
		more = append(more, "done "+t.Finished.Format("Mon 2 Jan 2006 15:04"))
	}
	if len(more) > 0 {
		text += " (" + strings.Join(more, ", ") + ")"
	}
	return text
}

// Project is one thing that is worked towards.
type Project struct {
	ID       int64           `json:"id"`
	Name     string          `json:"name"`
	Path     string          `json:"path"`
	Parent   int64           `json:"parent,omitempty"`
	Depth    int             `json:"depth"`
	Status   string          `json:"status"`
	Progress int             `json:"progress"`
	ByHand   bool            `json:"by_hand"` // its progress was set and is not reckoned
	Priority int             `json:"priority"`
	Domain   string          `json:"domain,omitempty"`
	Open     int             `json:"open_tasks"`
	Done     int             `json:"done_tasks"`
	Reviewed *time.Time      `json:"reviewed,omitempty"`
	Did      string          `json:"did,omitempty"`
	Tree     bool            `json:"-"`              // shown as a line of the tree
	Undo     json.RawMessage `json:"undo,omitempty"` // of one that was removed
}

func (Project) Event() string { return "project" }
func (p Project) Human() string {
	switch {
	case p.Tree:
		return fmt.Sprintf("%s[%s] %s [%d%%]", strings.Repeat("  ", p.Depth), strings.ToUpper(p.Status), p.Name, p.Progress)
	case p.Did != "":
		return fmt.Sprintf("%s: %d %s (%s, %d%%)", p.Did, p.ID, p.Path, p.Status, p.Progress)
	}
	text := fmt.Sprintf("%5d  %-7s %3d%%  P%d  %s", p.ID, p.Status, p.Progress, p.Priority, p.Path)
	var more []string
	if p.Domain != "" {
		more = append(more, p.Domain)
	}
	if p.Open > 0 {
		more = append(more, fmt.Sprintf("%d open", p.Open))
	}
	if p.Reviewed != nil {
		more = append(more, "reviewed "+p.Reviewed.Format("2 Jan 2006"))
	}
	if len(more) > 0 {
		text += " (" + strings.Join(more, ", ") + ")"
	}
	return text
}

// TreeTaken is what came of a text of projects.
type TreeTaken struct {
	Added   int `json:"added"`
	Changed int `json:"changed"`
	Same    int `json:"same"`
}

func (TreeTaken) Event() string { return "imported" }
func (i TreeTaken) Human() string {
	return fmt.Sprintf("added %d, changed %d, left %d as they were", i.Added, i.Changed, i.Same)
}

// Routine is what is done at one word.
type Routine struct {
	ID      int64           `json:"id"`
	Name    string          `json:"name"`
	Actions json.RawMessage `json:"actions"`
	Does    []string        `json:"does"` // the actions in words
	Every   []string        `json:"every,omitempty"`
	Ran     *time.Time      `json:"ran,omitempty"`
	Did     string          `json:"did,omitempty"`
	Undo    json.RawMessage `json:"undo,omitempty"` // of one that was removed
}

func (Routine) Event() string { return "routine" }
func (r Routine) Human() string {
	text := fmt.Sprintf("%5d  %s: %s", r.ID, r.Name, strings.Join(r.Does, "; "))
	if r.Did != "" {
		text = fmt.Sprintf("%s: %d %s: %s", r.Did, r.ID, r.Name, strings.Join(r.Does, "; "))
	}
	if len(r.Every) > 0 {
		text += " (" + strings.Join(r.Every, ", ") + ")"
	}
	return text
}

// Briefing is what there is to tell.
type Briefing struct {
	Kind     string          `json:"kind"`
	At       time.Time       `json:"at"`
	Text     string          `json:"text"`
	Page     string          `json:"page"`
	Sections json.RawMessage `json:"sections"`
	Shaped   bool            `json:"shaped"` // a language model reworded it
	Paged    bool            `json:"-"`      // shown as a page
}

func (Briefing) Event() string { return "briefing" }
func (b Briefing) Human() string {
	if b.Paged {
		return strings.TrimRight(b.Page, "\n")
	}
	return b.Text
}
