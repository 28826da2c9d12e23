package ptt

import (
	"context"

	"github.com/solo-assistant/solo/core/channel/ptt/internal/keys"
)

// none is a system without a keyboard that could be watched.
type none struct{ why *keys.Trouble }

func (n none) String() string { return "nothing" }

func (n none) Watch(context.Context, []keys.Wish, func(), func(keys.Event)) error { return n.why }

var absent = &keys.Trouble{Kind: keys.ErrAbsent,
	Say: "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set), so no key can be watched"}
