//go:build linux && (amd64 || arm64)

package gpu

import (
	"fmt"

	"github.com/ebitengine/purego"
)

// Where the driver's library is. The first is found by the system's loader, which does not look in the
// working folder; the others are folders of WSL and NixOS that some systems do not tell the loader of.
var driver = []string{"libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1", "/run/opengl-driver/lib/libnvidia-ml.so.1"}

type library uintptr

func openLibrary(path string) (library, error) {
	paths := driver
	if path != "" {
		paths = []string{path}
	}
	for _, p := range paths {
		if lib, err := purego.Dlopen(p, purego.RTLD_NOW|purego.RTLD_LOCAL); err == nil {
			return library(lib), nil
		}
	}
	return 0, fmt.Errorf("%w (%s)", errNoLibrary, paths[0])
}

func (l library) close() { _ = purego.Dlclose(uintptr(l)) }

// bind points the func behind into at the first name that the library has, and says whether it has one.
func (l library) bind(into any, names ...string) bool {
	for _, name := range names {
		if at, err := purego.Dlsym(uintptr(l), name); err == nil && at != 0 {
			purego.RegisterFunc(into, at)
			return true
		}
	}
	return false
}
