//go:build !(darwin && hotkey && cgo)

package main

// onMainThread runs the program. Only macOS wants its main thread for something else.
func onMainThread(program func()) { program() }
