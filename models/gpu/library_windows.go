package gpu

import (
	"fmt"
	"path/filepath"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/windows"
)

type library windows.Handle

// openLibrary looks in the system's own folder, or where old drivers put it, never in the working folder.
func openLibrary(path string) (library, error) {
	if path != "" {
		lib, err := windows.LoadLibraryEx(path, 0, windows.LOAD_WITH_ALTERED_SEARCH_PATH)
		if err != nil {
			return 0, fmt.Errorf("%w (%s)", errNoLibrary, path)
		}
		return library(lib), nil
	}
	if lib, err := windows.LoadLibraryEx("nvml.dll", 0, windows.LOAD_LIBRARY_SEARCH_SYSTEM32); err == nil {
		return library(lib), nil
	}
	if programs, err := windows.KnownFolderPath(windows.FOLDERID_ProgramFiles, 0); err == nil {
		old := filepath.Join(programs, "NVIDIA Corporation", "NVSMI", "nvml.dll")
		if lib, err := windows.LoadLibraryEx(old, 0, windows.LOAD_WITH_ALTERED_SEARCH_PATH); err == nil {
			return library(lib), nil
		}
	}
	return 0, fmt.Errorf("%w (nvml.dll)", errNoLibrary)
}

func (l library) close() { _ = windows.FreeLibrary(windows.Handle(l)) }

// bind points the func behind into at the first name that the library has, and says whether it has one.
func (l library) bind(into any, names ...string) bool {
	for _, name := range names {
		if at, err := windows.GetProcAddress(windows.Handle(l), name); err == nil && at != 0 {
			purego.RegisterFunc(into, at)
			return true
		}
	}
	return false
}
