package router

import (
	"context"
	"fmt"

	"github.com/solo-assistant/solo/models"
)

// guard lets a request pass that stays on the user's machines, or that the user lets go. Every error wraps ErrPrivate,
// or is the cause of ctx's end. Without an error, what leaves is written down.
func (r *Router) guard(ctx context.Context, to route, w models.Work, m []models.Message) error {
	if !to.cloud() {
		return nil
	}
	if r.c.LocalOnly {
		return fmt.Errorf("%s is not on this machine, and only local models are allowed: %w", to, models.ErrPrivate)
	}
	if r.c.Consent == nil {
		return fmt.Errorf("%s is not on this machine, and there is no way to ask for leave: %w", to, models.ErrPrivate)
	}
	approval, err := r.c.Consent.May(ctx, to.Name(), m)
	if ctx.Err() != nil {
		return fmt.Errorf("asking leave for %s: %w", to, context.Cause(ctx))
	}
	if err != nil {
		return fmt.Errorf("asking leave for %s: %w: %w", to, models.ErrPrivate, err)
	}
	if approval == "" {
		return fmt.Errorf("nobody gave leave for %s: %w", to, models.ErrPrivate)
	}
	err = r.c.Consent.Sent(ctx, models.Sending{Provider: to.Name(), Model: to.model, Purpose: w, Approval: approval, Messages: m})
	if err != nil {
		return fmt.Errorf("writing down what %s is sent: %w: %w", to, models.ErrPrivate, err)
	}
	return nil
}
