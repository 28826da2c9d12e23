package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/solo-assistant/solo/core/consent"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/models"
)

// Consent is consent.Rows. Times are kept to the millisecond.
type Consent struct{ own *rows.Own }

var _ consent.Rows = Consent{}

// Consent lends the rows to package consent.
func (s *Store) Consent() Consent { return Consent{s.own} }

// InsertApproval stores a new approval.
func (r Consent) InsertApproval(ctx context.Context, a consent.Approval) error {
	messages, err := json.Marshal(append([]models.Message{}, a.Messages...)) // [] for none
	if err != nil {
		return fmt.Errorf("writing the messages of an approval: %w", err)
	}
	if err := fits("the approval", len(messages)+len(a.Arguments)); err != nil {
		return err
	}
	return r.own.AddApproval(ctx, rows.Approval{ID: a.ID, Tool: a.Tool, Class: string(a.Class), Arguments: string(a.Arguments),
		Provider: a.Provider, Model: a.Model, Purpose: string(a.Purpose), Messages: string(messages), Digest: a.Digest,
		Say: a.Say, State: string(a.State), Asked: rows.Millis(a.Asked), Until: rows.Millis(a.Until), Decided: rows.Maybe(a.Decided)})
}

// Approval gives one approval, or consent.ErrUnknown.
func (r Consent) Approval(ctx context.Context, id string) (consent.Approval, error) {
	row, err := r.own.Approval(ctx, id)
	if err != nil {
		return consent.Approval{}, absent(err, consent.ErrUnknown)
	}
	return approval(row)
}

// Approvals lists the approvals in a state that still hold, the oldest first.
func (r Consent) Approvals(ctx context.Context, s consent.State, now time.Time) ([]consent.Approval, error) {
	list, err := r.own.Approvals(ctx, string(s), rows.Millis(now))
	if err != nil {
		return nil, err
	}
	return each(list, approval)
}

func approval(row rows.Approval) (consent.Approval, error) {
	a := consent.Approval{ID: row.ID, Tool: row.Tool, Class: models.Class(row.Class), Provider: row.Provider, Model: row.Model,
		Purpose: models.Work(row.Purpose), Digest: row.Digest, Say: row.Say, State: consent.State(row.State),
		Asked: rows.Time(row.Asked), Until: rows.Time(row.Until), Decided: rows.Time(row.Decided.Int64)}
	if row.Arguments != "" {
		a.Arguments = json.RawMessage(row.Arguments)
	}
	if err := json.Unmarshal([]byte(row.Messages), &a.Messages); err != nil {
		return consent.Approval{}, fmt.Errorf("reading the messages of approval %s: %w", row.ID, err)
	}
	if len(a.Messages) == 0 {
		a.Messages = nil
	}
	return a, nil
}

// Move takes a step, or says consent.ErrUnknown.
func (r Consent) Move(ctx context.Context, s consent.Step) error {
	step := rows.Step{ID: s.ID, Before: string(s.Before), After: string(s.After), At: rows.Millis(s.At), Until: rows.Millis(s.Until)}
	if s.Entry != nil {
		step.Entry = new(entryRow(*s.Entry))
	}
	return absent(r.own.MoveApproval(ctx, step), consent.ErrUnknown)
}

// AddEntry writes into the ledger.
func (r Consent) AddEntry(ctx context.Context, e consent.Entry) error {
	_, err := r.own.AddEntry(ctx, entryRow(e))
	return err
}

// Entries gives the last n entries, the newest first.
func (r Consent) Entries(ctx context.Context, n int) ([]consent.Entry, error) {
	list, err := r.own.Entries(ctx, count(n))
	if err != nil {
		return nil, err
	}
	return each(list, func(row rows.Entry) (consent.Entry, error) {
		return consent.Entry{ID: row.ID, At: rows.Time(row.At), Provider: row.Provider, Model: row.Model, Purpose: row.Purpose,
			Approval: row.Approval, Content: json.RawMessage(row.Content), Digest: row.Digest}, nil
	})
}

func entryRow(e consent.Entry) rows.Entry {
	return rows.Entry{At: rows.Millis(e.At), Provider: e.Provider, Model: e.Model, Purpose: e.Purpose, Approval: e.Approval,
		Content: string(e.Content), Digest: e.Digest}
}

// Permit permits a provider.
func (r Consent) Permit(ctx context.Context, provider string, at time.Time) error {
	return r.own.PutPermission(ctx, provider, rows.Millis(at))
}

// Revoke takes a permission back, or says consent.ErrUnknown.
func (r Consent) Revoke(ctx context.Context, provider string) error {
	return absent(r.own.RemovePermission(ctx, provider), consent.ErrUnknown)
}

// Permissions lists the permitted providers.
func (r Consent) Permissions(ctx context.Context) ([]consent.Permission, error) {
	list, err := r.own.Permissions(ctx)
	if err != nil {
		return nil, err
	}
	return each(list, func(row rows.Permission) (consent.Permission, error) {
		return consent.Permission{Provider: row.Provider, At: rows.Time(row.At)}, nil
	})
}
