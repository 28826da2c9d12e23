package ptt

import "github.com/solo-assistant/solo/core/channel/ptt/internal/keys"

func choose(Config) watcher {
	return none{&keys.Trouble{Kind: keys.ErrUnable,
		Say: "push-to-talk does not work on macOS yet; say the wake word instead"}}
}
