package rows

import (
	"context"
	"time"

	"github.com/solo-assistant/solo/core/store/rows/gen"
)

// Ages say how old a row may become that is of no more use; 0 is for ever.
type Ages struct {
	Turns    time.Duration // what was heard, done and answered
	Promises time.Duration // timers, alarms, reminders, plans that are done or called off, and their receipts
	Asked    time.Duration // approvals, whatever was answered
	Jobs     time.Duration // work that has ended
}

// Pruned counts what was taken away.
type Pruned struct {
	Turns    int64 `json:"turns"`
	Promises int64 `json:"promises"`
	Asked    int64 `json:"approvals"`
	Jobs     int64 `json:"jobs"`
}

// Prune takes away what is older than its age at a time.
func (o *Own) Prune(ctx context.Context, now time.Time, a Ages) (p Pruned, err error) {
	before := func(age time.Duration) int64 { return now.Add(-age).UnixMilli() }
	err = o.change(ctx, "taking old rows away", func(q *gen.Queries) error {
		for _, step := range []struct {
			age   time.Duration
			count *int64
			do    func(user, before int64) (int64, error)
		}{
			{a.Turns, &p.Turns, func(u, b int64) (int64, error) { return q.PruneTurns(ctx, gen.PruneTurnsParams{UserID: u, At: b}) }},
			{a.Turns, new(int64), func(u, b int64) (int64, error) {
				return q.PruneExecutions(ctx, gen.PruneExecutionsParams{UserID: u, At: b})
			}},
			{a.Promises, &p.Promises, func(u, b int64) (int64, error) { return q.PruneTimers(ctx, gen.PruneTimersParams{UserID: u, At: b}) }},
			{a.Promises, &p.Promises, func(u, b int64) (int64, error) {
				return q.PruneReminders(ctx, gen.PruneRemindersParams{UserID: u, At: b})
			}},
			{a.Promises, &p.Promises, func(u, b int64) (int64, error) { return q.PrunePlans(ctx, gen.PrunePlansParams{UserID: u, At: b}) }},
			{a.Promises, new(int64), func(u, b int64) (int64, error) {
				return q.PruneReceipts(ctx, gen.PruneReceiptsParams{UserID: u, At: b})
			}},
			{a.Asked, &p.Asked, func(u, b int64) (int64, error) {
				return q.PruneApprovals(ctx, gen.PruneApprovalsParams{UserID: u, Until: b})
			}},
			{a.Jobs, &p.Jobs, func(u, b int64) (int64, error) { return q.PruneJobs(ctx, gen.PruneJobsParams{UserID: u, Changed: b}) }},
		} {
			if step.age <= 0 {
				continue
			}
			n, err := step.do(o.user, before(step.age))
			if err != nil {
				return err
			}
			*step.count += n
		}
		return nil
	})
	return p, err
}
