//go:build !onnx || !cgo

package smartturn

const builtIn = false

func open(string, string, int) (network, error) { return nil, ErrAbsent }
