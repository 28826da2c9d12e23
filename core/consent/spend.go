package consent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/solo-assistant/solo/models"
)

// Grant writes down that the user agreed. ErrNotUser where a model says so.
func (b *Book) Grant(ctx context.Context, id string) error {
	if models.OriginOf(ctx).Model {
		return fmt.Errorf("granting %q: %w", id, ErrNotUser)
	}
	if err := b.move(ctx, id, Open, Granted, nil); err != nil {
		return fmt.Errorf("granting %q: %w", id, err)
	}
	b.decide(ctx, id, true)
	return nil
}

// Refuse writes down that the user did not agree, or takes back what was granted and is not used yet.
func (b *Book) Refuse(ctx context.Context, id string) error {
	err := b.move(ctx, id, Open, Refused, nil)
	if errors.Is(err, ErrGranted) {
		err = b.move(ctx, id, Granted, Refused, nil)
	}
	if err != nil {
		return fmt.Errorf("refusing %q: %w", id, err)
	}
	b.decide(ctx, id, false)
	return nil
}

func (b *Book) decide(ctx context.Context, id string, granted bool) {
	b.c.Log.Info().Str("approval", id).Bool("granted", granted).Msg("approval decided")
	b.decided(ctx, Decided{id, granted})
}

// move takes a step, or says why it cannot be taken.
func (b *Book) move(ctx context.Context, id string, before, after State, e *Entry) error {
	now := b.c.Now()
	err := b.c.Rows.Move(ctx, Step{ID: id, Before: before, After: after, At: now, Until: now.Add(holds), Entry: e})
	if errors.Is(err, ErrUnknown) {
		return b.why(ctx, id, before)
	}
	return err
}

// Spend uses up the approval of exactly this call. A call that tells someone outside is in the ledger when Spend returns.
// Errors: ErrUnknown, ErrOther, ErrOpen, ErrExpired, ErrRefused, ErrSpent; then the approval stays as it was.
func (b *Book) Spend(ctx context.Context, id string, c models.Call) error {
	a, err := b.Get(ctx, id)
	if err != nil {
		return err
	}
	args, err := canonical(c.Arguments)
	if err != nil {
		return fmt.Errorf("using %q: %w", id, err)
	}
	if a.Tool == "" || a.Tool != c.Tool || !bytes.Equal(a.Arguments, args) {
		return fmt.Errorf("using %q: %w", id, ErrOther)
	}
	var e *Entry
	if a.Class == models.Outward {
		if e, err = b.entry(models.Sending{Provider: a.Tool, Purpose: call, Approval: id}, a.Call()); err != nil {
			return err
		}
	}
	if err := b.move(ctx, id, Granted, Spent, e); err != nil {
		return fmt.Errorf("using %q: %w", id, err)
	}
	return nil
}

// Passed writes a call into the ledger that tells someone outside and that the user's settings let pass; it may not be made
// where that fails.
func (b *Book) Passed(ctx context.Context, s models.Spec, c models.Call) error {
	args, err := canonical(c.Arguments)
	if err != nil {
		return fmt.Errorf("writing down %s: %w", s.Name, err)
	}
	e, err := b.entry(models.Sending{Provider: s.Name, Purpose: call, Approval: Standing}, models.Call{Tool: s.Name, Arguments: args})
	if err == nil {
		err = b.c.Rows.AddEntry(ctx, *e)
	}
	if err != nil {
		return fmt.Errorf("writing down %s: %w", s.Name, err)
	}
	return nil
}

// Leave gives what a granted approval lets go, and the user's word for it, to be put into the ctx of one request. It does
// not use the approval up: May does.
func (b *Book) Leave(ctx context.Context, id string) (models.Leave, []models.Message, error) {
	a, err := b.Get(ctx, id)
	if err != nil {
		return models.Leave{}, nil, err
	}
	switch {
	case a.Tool != "":
		err = ErrOther
	case a.State != Granted || !b.c.Now().Before(a.Until):
		err = b.why(ctx, id, Granted)
	default:
		return models.Leave{Approval: id, Provider: a.Provider, Digest: a.Digest}, a.Messages, nil
	}
	return models.Leave{}, nil, fmt.Errorf("sending what %q is for: %w", id, err)
}

// May tells whether messages may go to a provider, and by which word of the user: an approval, which is used up by it, or
// Standing. The error wraps models.ErrPrivate.
func (b *Book) May(ctx context.Context, provider string, m []models.Message) (string, error) {
	leave, ok := models.LeaveOf(ctx)
	why := errors.New("the user was not asked")
	if ok {
		if why = b.leave(ctx, leave, provider, m); why == nil {
			return leave.Approval, nil
		}
	}
	standing, err := b.Permitted(ctx, provider)
	if err != nil {
		return "", fmt.Errorf("asking %s: %w: %w", provider, models.ErrPrivate, err)
	}
	if !standing {
		return "", fmt.Errorf("asking %s: %w: %w", provider, models.ErrPrivate, why)
	}
	return Standing, nil
}

// leave uses up the approval of a Leave where it is for exactly these messages.
func (b *Book) leave(ctx context.Context, l models.Leave, provider string, m []models.Message) error {
	a, err := b.Get(ctx, l.Approval)
	if err != nil {
		return err
	}
	digest := models.Digest(m)
	if a.Tool != "" || a.Provider != provider || l.Provider != provider || a.Digest != digest || l.Digest != digest {
		return ErrOther
	}
	return b.move(ctx, a.ID, Granted, Spent, nil)
}

// Sent writes into the ledger what is about to leave; nothing may leave where it fails. It fails for messages that the
// approval named is not for, and for a permission that was taken back.
func (b *Book) Sent(ctx context.Context, s models.Sending) error {
	if err := b.covered(ctx, s); err != nil {
		return fmt.Errorf("writing down what goes to %s: %w: %w", s.Provider, models.ErrPrivate, err)
	}
	e, err := b.entry(s, s.Messages)
	if err == nil {
		err = b.c.Rows.AddEntry(ctx, *e)
	}
	if err != nil {
		return fmt.Errorf("writing down what goes to %s: %w", s.Provider, err)
	}
	return nil
}

func (b *Book) covered(ctx context.Context, s models.Sending) error {
	if s.Approval == Standing {
		ok, err := b.Permitted(ctx, s.Provider)
		if err == nil && !ok {
			err = ErrUnknown
		}
		return err
	}
	a, err := b.Get(ctx, s.Approval)
	if err != nil {
		return err
	}
	if a.State != Spent || a.Provider != s.Provider || a.Digest != models.Digest(s.Messages) {
		return ErrOther
	}
	return nil
}

// entry is the ledger's line for content.
func (b *Book) entry(s models.Sending, content any) (*Entry, error) {
	text, err := json.Marshal(content)
	if err != nil {
		return nil, fmt.Errorf("writing an entry for %s: %w", s.Provider, err)
	}
	return &Entry{At: b.c.Now(), Provider: s.Provider, Model: s.Model, Purpose: string(s.Purpose), Approval: s.Approval,
		Content: text, Digest: digest(text)}, nil
}
