package notify

import (
	"context"
	"fmt"
)

// Desktop shows notices beside the clock of the desktop.
type Desktop struct{}

// Name is "desktop".
func (Desktop) Name() string { return "desktop" }

// Send shows a notice. The error tells how to mend it where this machine shows none.
func (Desktop) Send(ctx context.Context, n Notice) error {
	if err := show(ctx, shown(n.Title, maxTitle), shown(n.Text, maxText), n.Kind == "alarm"); err != nil {
		return fmt.Errorf("showing it on the desktop: %w", err)
	}
	return nil
}
