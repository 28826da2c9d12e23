package ptt

import (
	"context"

	"github.com/solo-assistant/solo/core/channel/ptt/internal/keys"
)

// none is a system without a keyboard that could be watched.
type none struct{ why *keys.Trouble }

func (n none) String() string { return "nothing" }

func (n none) Watch(context.Context, []keys.Wish, func(), func(keys.Event)) error { return n.why }
