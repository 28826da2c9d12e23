package rows

import (
	"context"
	"database/sql"

	"github.com/solo-assistant/solo/core/store/rows/gen"
)

// AddApproval stores a new approval. Its JSON is kept to the letter.
func (o *Own) AddApproval(ctx context.Context, a Approval) error {
	a.UserID, a.Say = o.user, plain(a.Say)
	return o.change(ctx, "storing an approval", func(q *gen.Queries) error {
		return q.AddApproval(ctx, gen.AddApprovalParams(a))
	})
}

// Approval gives one approval, or ErrNone.
func (o *Own) Approval(ctx context.Context, id string) (Approval, error) {
	a, err := o.db.read.GetApproval(ctx, gen.GetApprovalParams{UserID: o.user, ID: id})
	return a, fault("reading an approval", err)
}

// Approvals lists the approvals in a state that hold after a time, the oldest first.
func (o *Own) Approvals(ctx context.Context, state string, now int64) ([]Approval, error) {
	list, err := o.db.read.ListApprovals(ctx, gen.ListApprovalsParams{UserID: o.user, State: state, Until: now})
	return list, fault("listing approvals", err)
}

// Step takes an approval from one state to the next.
type Step struct {
	ID            string
	Before, After string // states
	At            int64  // now, in milliseconds; the approval must still hold
	Until         int64  // it holds up to then from now on
	Entry         *Entry // written into the ledger with it, nil for nothing
}

// MoveApproval takes a step, which of many at once succeeds for one. It is ErrNone where the approval is in another
// state, or holds no longer.
func (o *Own) MoveApproval(ctx context.Context, s Step) error {
	return o.change(ctx, "changing an approval", func(q *gen.Queries) error {
		n, err := q.MoveApproval(ctx, gen.MoveApprovalParams{UserID: o.user, ID: s.ID, Before: s.Before, After: s.After,
			Now: s.At, At: sql.NullInt64{Int64: s.At, Valid: true}, Until: s.Until})
		if err := some(n, err); err != nil || s.Entry == nil {
			return err
		}
		_, err = o.enter(ctx, q, *s.Entry)
		return err
	})
}

// AddEntry writes into the ledger and gives the entry back with its ID. Its JSON is kept to the letter.
func (o *Own) AddEntry(ctx context.Context, e Entry) (Entry, error) {
	err := o.change(ctx, "writing into the ledger", func(q *gen.Queries) (err error) {
		e, err = o.enter(ctx, q, e)
		return err
	})
	return e, err
}

func (o *Own) enter(ctx context.Context, q *gen.Queries, e Entry) (Entry, error) {
	id, err := o.identify(ctx, q, 0)
	if err != nil {
		return Entry{}, err
	}
	e.UserID, e.ID, e.Provider, e.Model, e.Purpose, e.Approval = o.user, id, plain(e.Provider), plain(e.Model), plain(e.Purpose), plain(e.Approval)
	return q.AddEntry(ctx, gen.AddEntryParams(e))
}

// Entries gives the last n entries of the ledger, the newest first.
func (o *Own) Entries(ctx context.Context, n int32) ([]Entry, error) {
	list, err := o.db.read.ListLedger(ctx, gen.ListLedgerParams{UserID: o.user, Limit: n})
	return list, fault("reading the ledger", err)
}

// PutPermission permits a provider from now on.
func (o *Own) PutPermission(ctx context.Context, provider string, at int64) error {
	return o.change(ctx, "storing a permission", func(q *gen.Queries) error {
		return q.PutPermission(ctx, gen.PutPermissionParams{UserID: o.user, Provider: plain(provider), At: at})
	})
}

// Permissions lists the permitted providers.
func (o *Own) Permissions(ctx context.Context) ([]Permission, error) {
	list, err := o.db.read.ListPermissions(ctx, o.user)
	return list, fault("listing permissions", err)
}

// RemovePermission takes a permission back, or says ErrNone.
func (o *Own) RemovePermission(ctx context.Context, provider string) error {
	return o.change(ctx, "taking a permission back", func(q *gen.Queries) error {
		return some(q.RemovePermission(ctx, gen.RemovePermissionParams{UserID: o.user, Provider: plain(provider)}))
	})
}
