// Package jobs tells what is done in the background, and stops it.
package jobs

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/solo-assistant/solo/core/job"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

//go:embed jobs.md
var page string

// Jobs are the work in the background; *job.Jobs is one.
type Jobs interface {
	Live(ctx context.Context) ([]job.Job, error)
	Cancel(ctx context.Context, id int64) error
}

type jobs struct{ Jobs }

// Tools makes jobs.list and jobs.cancel.
func Tools(j Jobs) []tool.Tool {
	t := jobs{j}
	return []tool.Tool{
		tool.Of("jobs.list", tool.About(page, "jobs.list"), models.Read, t.list),
		tool.Of("jobs.cancel", tool.About(page, "jobs.cancel"), models.Write, t.cancel),
	}
}

type none struct{}

// line is a job for a program or a model.
type line struct {
	ID       int64   `json:"id"`
	About    string  `json:"about"`
	State    string  `json:"state"`
	Progress float64 `json:"progress"`
	Doing    string  `json:"doing,omitempty"`
}

func (t jobs) list(ctx context.Context, _ none) (models.Result, error) {
	live, err := t.Live(ctx)
	if err != nil {
		return models.Result{}, err
	}
	var said []string
	lines := []line{}
	for _, j := range live {
		said = append(said, standing(j))
		lines = append(lines, line{j.ID, title(j), string(j.State), j.Progress, j.Doing})
	}
	r := tool.Said("I'm doing %d things in the background: %s.", len(live), strings.Join(some(said, 4), "; "))
	switch len(live) {
	case 0:
		r = tool.Said("I'm doing nothing in the background.")
	case 1:
		r = tool.Said("I'm doing one thing in the background: %s.", said[0])
	}
	return tool.With(r, lines), nil
}

// some are at most n of the parts, which have commas of their own, and a count of the others.
func some(parts []string, n int) []string {
	if rest := len(parts) - n; rest > 0 {
		return append(parts[:n:n], fmt.Sprintf("and %d more", rest))
	}
	return parts
}

func title(j job.Job) string {
	if t := tool.Trim(j.Title); t != "" {
		return t
	}
	return "something without a name"
}

// standing is "summarize the lease, 40 percent done".
func standing(j job.Job) string {
	switch {
	case j.State == job.Queued:
		return title(j) + ", which waits for its turn"
	case j.State == job.Waiting:
		return title(j) + ", which waits for your yes or no"
	case j.Progress >= 0.01:
		return fmt.Sprintf("%s, %.0f percent done", title(j), math.Floor(j.Progress*100))
	}
	return title(j) + ", just begun"
}

type cancelArgs struct {
	About string `json:"about,omitempty" jsonschema:"words of what the work is about; left out for the only one" limits:"0..200"`
}

func (t jobs) cancel(ctx context.Context, a cancelArgs) (models.Result, error) {
	live, err := t.Live(ctx)
	if err != nil {
		return models.Result{}, err
	}
	if len(live) == 0 {
		return tool.Said("I'm doing nothing in the background."), nil
	}
	found := live
	if a.About != "" {
		if found = pick(live, a.About); len(found) == 0 {
			return tool.Said("I'm not working on that. I'm doing this: %s.", tool.Some(titles(live), 4)), nil
		}
	}
	if len(found) > 1 {
		return models.Result{Say: "Which one: " + tool.Either(titles(found)) + "?",
			Ask: &models.Ask{Slot: "about", Call: *tool.CallOf("jobs.cancel", cancelArgs{})}}, nil
	}
	err = t.Cancel(ctx, found[0].ID)
	if errors.Is(err, job.ErrOver) || errors.Is(err, job.ErrUnknown) {
		return tool.Said("That is over already: %s.", title(found[0])), nil
	}
	if err != nil {
		return models.Result{}, err
	}
	return tool.Said("I've stopped working on this: %s.", title(found[0])), nil
}

// pick finds jobs by words of their titles. Several of one title are one: the oldest is meant.
func pick(live []job.Job, about string) []job.Job {
	var found []job.Job
	for _, i := range tool.Pick(about, titles(live)) {
		if len(found) == 0 || found[0].Title != live[i].Title {
			found = append(found, live[i])
		}
	}
	return found
}

func titles(list []job.Job) []string {
	var out []string
	for _, j := range list {
		out = append(out, title(j))
	}
	return out
}
