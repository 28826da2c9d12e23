//go:build !whisper || !cgo

package whisper

import "context"

const builtIn = false

// loaded is a model in memory; here there is none.
type loaded struct{}

func loadModel(string, bool, int) (*loaded, error) { return nil, ErrNotInside }

func (*loaded) read(context.Context, Config, []int16, string) (reading, error) {
	return reading{}, ErrNotInside
}

func (*loaded) free() {}
