//go:build darwin && hotkey && cgo

package main

import "golang.design/x/hotkey/mainthread"

// onMainThread runs the program beside the main thread's run loop, through which macOS tells keys.
func onMainThread(program func()) { mainthread.Init(program) }
