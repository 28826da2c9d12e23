package rows

import (
	"context"
	"database/sql"
	"errors"

	"github.com/solo-assistant/solo/core/store/rows/gen"
)

// PutTask stores a task: a new one where its ID is 0, else over the one of that ID where there is one.
func (o *Own) PutTask(ctx context.Context, t Task) (Task, error) {
	t.UserID, t.Description, t.Tags, t.Stuck = o.user, plain(t.Description), plain(t.Tags), plain(t.Stuck)
	err := o.change(ctx, "storing a task", func(q *gen.Queries) (err error) {
		if t.ID, err = o.identify(ctx, q, t.ID); err == nil {
			t, err = q.PutTask(ctx, gen.PutTaskParams(t))
		}
		return err
	})
	return t, err
}

// Task gives one task, or ErrNone.
func (o *Own) Task(ctx context.Context, id int64) (Task, error) {
	t, err := o.db.read.GetTask(ctx, gen.GetTaskParams{UserID: o.user, ID: id})
	return t, fault("reading a task", err)
}

// RemoveTask takes a task away, or says ErrNone.
func (o *Own) RemoveTask(ctx context.Context, id int64) error {
	return o.change(ctx, "removing a task", func(q *gen.Queries) error {
		_, err := q.RemoveTask(ctx, gen.RemoveTaskParams{UserID: o.user, ID: id})
		return err
	})
}

// PutFacts stores facts, all or none; a fact whose ID is 0 is new.
func (o *Own) PutFacts(ctx context.Context, facts ...Fact) ([]Fact, error) {
	var out []Fact
	err := o.change(ctx, "storing facts", func(q *gen.Queries) error {
		for _, f := range facts {
			id, err := o.identify(ctx, q, f.ID)
			if err != nil {
				return err
			}
			f, err = q.PutFact(ctx, gen.PutFactParams{UserID: o.user, ID: id, Text: plain(f.Text), Source: plain(f.Source), At: f.At})
			if err != nil {
				return err
			}
			out = append(out, f)
		}
		return nil
	})
	return out, err
}

// Facts lists all facts, the newest first.
func (o *Own) Facts(ctx context.Context) ([]Fact, error) {
	f, err := o.db.read.ListFacts(ctx, o.user)
	return f, fault("listing facts", err)
}

// RemoveFacts takes facts away and returns them, all or none; it is ErrNone where one is missing.
func (o *Own) RemoveFacts(ctx context.Context, ids ...int64) ([]Fact, error) {
	var out []Fact
	err := o.change(ctx, "removing facts", func(q *gen.Queries) error {
		for _, id := range ids {
			f, err := q.RemoveFact(ctx, gen.RemoveFactParams{UserID: o.user, ID: id})
			if err != nil {
				return err
			}
			out = append(out, f)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// PutPreference stores a preference, over the old one of its key.
func (o *Own) PutPreference(ctx context.Context, p Preference) error {
	p.UserID, p.Key, p.Value, p.Source = o.user, plain(p.Key), plain(p.Value), plain(p.Source)
	return o.change(ctx, "storing a preference", func(q *gen.Queries) error {
		return q.PutPreference(ctx, gen.PutPreferenceParams(p))
	})
}

// Preference gives a preference, false where there is none.
func (o *Own) Preference(ctx context.Context, key string) (Preference, bool, error) {
	p, err := o.db.read.GetPreference(ctx, gen.GetPreferenceParams{UserID: o.user, Key: key})
	if errors.Is(err, sql.ErrNoRows) {
		return Preference{}, false, nil
	}
	return p, err == nil, fault("reading a preference", err)
}

// Preferences lists all preferences by their keys.
func (o *Own) Preferences(ctx context.Context) ([]Preference, error) {
	p, err := o.db.read.ListPreferences(ctx, o.user)
	return p, fault("listing preferences", err)
}
