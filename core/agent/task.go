package agent

import "context"

func (t *turn) long(ctx context.Context, goal string) error { return errGone }
