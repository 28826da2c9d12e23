//go:build !windows && !(linux && (amd64 || arm64))

package gpu

import "fmt"

type library struct{}

func openLibrary(string) (library, error) {
	return library{}, fmt.Errorf("%w: NVML is not read on this system", errNoLibrary)
}

func (library) close()                   {}
func (library) bind(any, ...string) bool { return false }
