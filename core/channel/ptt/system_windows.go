package ptt

import "github.com/solo-assistant/solo/core/channel/ptt/internal/winkeys"

func choose(Config) watcher { return winkeys.Watcher{} }
