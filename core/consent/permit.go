package consent

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/solo-assistant/solo/models"
)

// Permit lets a provider be asked from now on without a question each time. A model cannot permit: ErrNotUser.
func (b *Book) Permit(ctx context.Context, provider string) error {
	if provider == "" {
		return errors.New("permitting a provider: it has no name")
	}
	if models.OriginOf(ctx).Model {
		return fmt.Errorf("permitting %s: %w", provider, ErrNotUser)
	}
	b.c.Log.Info().Str("provider", provider).Msg("permitted to be asked")
	return b.c.Rows.Permit(ctx, provider, b.c.Now())
}

// Revoke takes a permission back. ErrUnknown where there is none.
func (b *Book) Revoke(ctx context.Context, provider string) error {
	if err := b.c.Rows.Revoke(ctx, provider); err != nil {
		return fmt.Errorf("taking back the permission of %s: %w", provider, err)
	}
	b.c.Log.Info().Str("provider", provider).Msg("no longer permitted to be asked")
	return nil
}

// Permissions lists the permitted providers.
func (b *Book) Permissions(ctx context.Context) ([]Permission, error) {
	return b.c.Rows.Permissions(ctx)
}

// Permitted tells whether a provider may be asked without a question.
func (b *Book) Permitted(ctx context.Context, provider string) (bool, error) {
	all, err := b.c.Rows.Permissions(ctx)
	if err != nil {
		return false, fmt.Errorf("looking for a permission: %w", err)
	}
	return slices.ContainsFunc(all, func(p Permission) bool { return p.Provider == provider }), nil
}
