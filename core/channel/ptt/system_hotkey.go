//go:build darwin && hotkey && cgo

package ptt

import "github.com/solo-assistant/solo/core/channel/ptt/internal/mackeys"

func choose(Config) watcher { return mackeys.Watcher{} }
