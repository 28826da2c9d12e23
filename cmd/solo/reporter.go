package main

import (
	"context"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/consent"
	"github.com/solo-assistant/solo/core/dialog"
	"github.com/solo-assistant/solo/core/job"
	"github.com/solo-assistant/solo/core/mind"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/models"
)

// giveJobs makes the work in the background.
func (s *assistant) giveJobs(st *store.Store) {
	c := s.app.settings.Jobs
	c.Rows, c.Bus, c.Log, c.Now = st.Jobs(), &s.bus, s.app.part("jobs"), s.app.now
	c.Kinds = map[string]job.Kind{"task": s.task, mendKind: s.mend, web.TranscribeKind: web.Transcription(s.scribe)}
	s.jobs = job.New(c)
}

// task is a long task of the agent's.
func (s *assistant) task(ctx context.Context, r *job.Run) (models.Result, error) {
	if s.brain.agent == nil {
		return models.Result{Say: "I can't go on with that: I have no language model any more."}, errNoModel
	}
	return s.brain.agent.Task(ctx, r.Input(), r.Saved(), r.Save)
}

// reporter tells the user how work in the background ended, or what it wants to know, and wakes the work that waited
// for the user's word.
type reporter struct {
	dialog  *dialog.Conductor
	mind    *mind.Mind
	jobs    *job.Jobs
	log     zerolog.Logger
	ended   *bus.Sub[job.Ended]
	changed *bus.Sub[job.Changed]
	decided *bus.Sub[consent.Decided]
}

func newReporter(s *assistant) *reporter {
	return &reporter{
		dialog: s.dialog, mind: s.mind, jobs: s.jobs, log: s.app.part("jobs"),
		ended:   bus.Subscribe[job.Ended](&s.bus, "reporter", 64, bus.DropOldest),
		changed: bus.Subscribe[job.Changed](&s.bus, "reporter", 64, bus.DropOldest),
		decided: bus.Subscribe[consent.Decided](&s.bus, "reporter", 64, bus.DropOldest),
	}
}

func (r *reporter) String() string { return "reporter" }

// Serve reports until ctx ends.
func (r *reporter) Serve(ctx context.Context) error {
	supervise.Ready(ctx)
	for {
		select {
		case e := <-r.ended.C:
			if e.Val.Job.State != job.Cancelled {
				r.report(ctx, e.Val.Job.Result)
			}
		case e := <-r.changed.C:
			if e.Val.Job.State == job.Waiting {
				r.report(ctx, e.Val.Job.Result)
			}
		case e := <-r.decided.C:
			if err := r.jobs.Wake(ctx, e.Val.ID); err != nil {
				r.log.Warn().Err(err).Msg("work that waits for your word was not woken")
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// report says what came of work, and opens the question that it leaves.
func (r *reporter) report(ctx context.Context, result *models.Result) {
	if result == nil {
		return
	}
	if result.Ask != nil {
		r.mind.Wonder(result.Say, *result.Ask)
	}
	if err := r.dialog.Say(ctx, result.Say); err != nil && ctx.Err() == nil {
		r.log.Warn().Err(err).Msg("a report was not spoken")
	}
}
