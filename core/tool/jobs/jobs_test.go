package jobs_test

import (
	"context"
	"errors"
	"testing"

	"github.com/solo-assistant/solo/core/job"
	"github.com/solo-assistant/solo/core/tool/jobs"
	"github.com/solo-assistant/solo/core/tool/tooltest"
)

// desk is work in the background.
type desk struct {
	live []job.Job
	over map[int64]bool
	gone []int64
}

func (d *desk) Live(context.Context) ([]job.Job, error) {
	if d.live == nil {
		return nil, errors.New("disk is gone")
	}
	return d.live, nil
}

func (d *desk) Cancel(_ context.Context, id int64) error {
	if d.over[id] {
		return job.ErrOver
	}
	d.gone = append(d.gone, id)
	for i, j := range d.live {
		if j.ID == id {
			d.live = append(d.live[:i:i], d.live[i+1:]...)
			break
		}
	}
	return nil
}

func TestJobs(t *testing.T) {
	d := &desk{over: map[int64]bool{9: true}, live: []job.Job{
		{ID: 1, Title: "summarize the lease.", State: job.Running, Progress: 0.418},
		{ID: 2, Title: "summarize the budget", State: job.Running},
		{ID: 3, Title: "mail the report to Anna", State: job.Waiting, Progress: 0.5},
		{ID: 4, Title: "", State: job.Queued},
	}}
	clock := tooltest.At(t, "2026-11-21 08:20", "UTC")
	box := tooltest.Box(t, jobs.Tools(d)...)
	tooltest.Play(t, box, clock, `
jobs.list
  I'm doing 4 things in the background: summarize the lease, 41 percent done; summarize the budget, just begun; mail the report to Anna, which waits for your yes or no; something without a name, which waits for its turn.
jobs.cancel {"about":"the garden"}
  I'm not working on that. I'm doing this: summarize the lease, summarize the budget, mail the report to Anna and something without a name.
jobs.cancel {"about":"summarize"}
  Which one: summarize the lease or summarize the budget?
> the lease
  I've stopped working on this: summarize the lease.
jobs.cancel {"about":"report to Anna"}
  I've stopped working on this: mail the report to Anna.
jobs.cancel
  Which one: summarize the budget or something without a name?
> the budget
  I've stopped working on this: summarize the budget.
jobs.list
  I'm doing one thing in the background: something without a name, which waits for its turn.
jobs.cancel
  I've stopped working on this: something without a name.
jobs.cancel
  I'm doing nothing in the background.
jobs.list
  I'm doing nothing in the background.
`)
	d.live = []job.Job{{ID: 21, Title: "a"}, {ID: 22, Title: "b"}, {ID: 23, Title: "c"}, {ID: 24, Title: "d"}, {ID: 25, Title: "e"}}
	tooltest.Play(t, box, clock, "jobs.list\n  I'm doing 5 things in the background: a, just begun; b, just begun; c, just begun; d, just begun; and 1 more.")
	d.live = []job.Job{{ID: 9, Title: "count the stars"}}
	tooltest.Play(t, box, clock, "jobs.cancel\n  That is over already: count the stars.")
	d.live = []job.Job{{ID: 11, Title: "count the stars"}, {ID: 12, Title: "count the stars"}}
	tooltest.Play(t, box, clock, "jobs.cancel {\"about\":\"stars\"}\n  I've stopped working on this: count the stars.")
	if d.gone[len(d.gone)-1] != 11 {
		t.Errorf("stopped %v", d.gone)
	}
}
