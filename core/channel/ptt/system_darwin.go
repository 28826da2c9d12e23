//go:build !(hotkey && cgo)

package ptt

import "github.com/solo-assistant/solo/core/channel/ptt/internal/keys"

func choose(Config) watcher {
	return none{&keys.Trouble{Kind: keys.ErrUnable,
		Say: "push-to-talk on macOS needs a build with the tag hotkey and cgo; say the wake word instead"}}
}
