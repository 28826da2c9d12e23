package rows

import (
	"context"
	"database/sql"
	"errors"

	"github.com/solo-assistant/solo/core/store/rows/gen"
)

// AddMessages puts messages at the end of a session, all or none, and gives them back with their IDs. The session is
// made where it is missing.
func (o *Own) AddMessages(ctx context.Context, session string, list ...Message) ([]Message, error) {
	if len(list) == 0 {
		return nil, nil
	}
	session = plain(session)
	var out []Message
	err := o.change(ctx, "storing what was said", func(q *gen.Queries) error {
		if err := q.TouchSession(ctx, gen.TouchSessionParams{UserID: o.user, Name: session, At: list[len(list)-1].At}); err != nil {
			return err
		}
		for _, m := range list {
			id, err := o.identify(ctx, q, 0)
			if err != nil {
				return err
			}
			m, err = q.AddMessage(ctx, gen.AddMessageParams{UserID: o.user, ID: id, Session: session, Role: m.Role, Text: o.discreet(plain(m.Text)), At: m.At, Outside: m.Outside})
			if err != nil {
				return err
			}
			out = append(out, m)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Session gives a session and its messages after the folded ones, the oldest first. One that was never used is empty.
func (o *Own) Session(ctx context.Context, name string) (Session, []Message, error) {
	name = plain(name)
	s, err := o.db.read.GetSession(ctx, gen.GetSessionParams{UserID: o.user, Name: name})
	if errors.Is(err, sql.ErrNoRows) {
		return Session{UserID: o.user, Name: name}, nil, nil
	}
	if err != nil {
		return Session{}, nil, fault("reading a session", err)
	}
	list, err := o.db.read.MessagesAfter(ctx, gen.MessagesAfterParams{UserID: o.user, Session: name, ID: s.Folded})
	return s, list, fault("reading what was said", err)
}

// Sessions lists the last n sessions, the newest first.
func (o *Own) Sessions(ctx context.Context, n int32) ([]Session, error) {
	list, err := o.db.read.ListSessions(ctx, gen.ListSessionsParams{UserID: o.user, Limit: n})
	return list, fault("listing sessions", err)
}

// Messages gives the last n messages of a session, the newest first, the folded ones among them.
func (o *Own) Messages(ctx context.Context, session string, n int32) ([]Message, error) {
	list, err := o.db.read.LastMessages(ctx, gen.LastMessagesParams{UserID: o.user, Session: plain(session), Limit: n})
	return list, fault("reading what was said", err)
}

// Fold says that summary stands for the messages up to one of them, which stay. It is ErrNone where the session has no
// such message, or where more is folded already.
func (o *Own) Fold(ctx context.Context, session string, upto int64, summary string) error {
	session = plain(session)
	return o.change(ctx, "folding a session", func(q *gen.Queries) error {
		if _, err := q.FindMessage(ctx, gen.FindMessageParams{UserID: o.user, Session: session, ID: upto}); err != nil {
			return err
		}
		n, err := q.FoldSession(ctx, gen.FoldSessionParams{Summary: plain(summary), Folded: upto, UserID: o.user, Name: session})
		return some(n, err)
	})
}

// RemoveSession takes a session and all its messages away, or says ErrNone.
func (o *Own) RemoveSession(ctx context.Context, name string) error {
	return o.change(ctx, "removing a session", func(q *gen.Queries) error {
		return some(q.RemoveSession(ctx, gen.RemoveSessionParams{UserID: o.user, Name: plain(name)}))
	})
}

// some is ErrNone for a change that touched no row.
func some(n int64, err error) error {
	if err == nil && n == 0 {
		return ErrNone
	}
	return err
}

// PutJob stores a job: a new one where its ID is 0, else over the one of that ID where there is one. Its JSON is kept to
// the letter.
func (o *Own) PutJob(ctx context.Context, j Job) (Job, error) {
	j.UserID, j.Kind, j.Title, j.Doing, j.Why, j.Approval = o.user, plain(j.Kind), plain(j.Title), plain(j.Doing), plain(j.Why), plain(j.Approval)
	err := o.change(ctx, "storing a job", func(q *gen.Queries) (err error) {
		if j.ID, err = o.identify(ctx, q, j.ID); err == nil {
			j, err = q.PutJob(ctx, gen.PutJobParams(j))
		}
		return err
	})
	return j, err
}

// Job gives one job, or ErrNone.
func (o *Own) Job(ctx context.Context, id int64) (Job, error) {
	j, err := o.db.read.GetJob(ctx, gen.GetJobParams{UserID: o.user, ID: id})
	return j, fault("reading a job", err)
}

// Jobs gives the last n jobs, the newest first.
func (o *Own) Jobs(ctx context.Context, n int32) ([]Job, error) {
	list, err := o.db.read.ListJobs(ctx, gen.ListJobsParams{UserID: o.user, Limit: n})
	return list, fault("listing jobs", err)
}

// JobsIn lists the jobs in a state, the oldest first.
func (o *Own) JobsIn(ctx context.Context, state string) ([]Job, error) {
	list, err := o.db.read.JobsIn(ctx, gen.JobsInParams{UserID: o.user, State: state})
	return list, fault("listing jobs", err)
}
