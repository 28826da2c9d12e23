package gpu

import (
	"errors"
	"fmt"
)

// What NVML returns, of which these change what Solo says. See nvmlReturn_t in NVIDIA's NVML API reference.
const (
	nvmlSuccess        = 0
	nvmlNotSupported   = 3
	nvmlSmallBuffer    = 7
	nvmlNoDriver       = 9
	nvmlNoPermission   = 4
	nvmlLibraryMissing = 12
)

// nvml is the driver's library, opened and initialised. Optional functions are nil in an old driver.
type nvml struct {
	lib library

	init        func() int32
	shutdown    func() int32
	errorString func(code int32) string
	count       func(n *uint32) int32
	handle      func(index uint32, device *uintptr) int32
	name        func(device uintptr, text *byte, size uint32) int32
	uuid        func(device uintptr, text *byte, size uint32) int32
	memory      func(device uintptr, m *nvmlMemory) int32
	load        func(device uintptr, u *nvmlLoad) int32
	temperature func(device uintptr, sensor uint32, celsius *uint32) int32
	power       func(device uintptr, milliwatts *uint32) int32
	computing   func(device uintptr, n *uint32, list *nvmlProcess) int32
	drawing     func(device uintptr, n *uint32, list *nvmlProcess) int32
}

type nvmlMemory struct{ total, free, used uint64 }

type nvmlLoad struct {
	gpu uint32
	_   uint32 // of the memory
}

type nvmlProcess struct {
	pid  uint32
	used uint64    // all ones where the driver does not tell
	_    [2]uint32 // instances, where a card is split
}

// openNVML opens and initialises the library at path, or the driver's own for "".
func openNVML(path string) (*nvml, error) {
	lib, err := openLibrary(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNone, err)
	}
	n := &nvml{lib: lib}
	if err := n.bind(); err != nil {
		lib.close()
		return nil, err
	}
	if code := n.init(); code != nvmlSuccess {
		err := n.failed("starting NVML", code)
		lib.close()
		return nil, err
	}
	return n, nil
}

// bind finds the functions. Every one is looked up by name first, because binding a missing one would panic.
func (n *nvml) bind() error {
	for _, f := range []struct {
		into  any
		names []string
		needs bool
	}{
		{&n.init, []string{"nvmlInit_v2"}, true},
		{&n.shutdown, []string{"nvmlShutdown"}, true},
		{&n.errorString, []string{"nvmlErrorString"}, true},
		{&n.count, []string{"nvmlDeviceGetCount_v2"}, true},
		{&n.handle, []string{"nvmlDeviceGetHandleByIndex_v2"}, true},
		{&n.memory, []string{"nvmlDeviceGetMemoryInfo"}, true},
		{&n.name, []string{"nvmlDeviceGetName"}, true},
		{&n.uuid, []string{"nvmlDeviceGetUUID"}, true},
		{&n.load, []string{"nvmlDeviceGetUtilizationRates"}, false},
		{&n.temperature, []string{"nvmlDeviceGetTemperature"}, false},
		{&n.power, []string{"nvmlDeviceGetPowerUsage"}, false},
		{&n.computing, []string{"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"}, false},
		{&n.drawing, []string{"nvmlDeviceGetGraphicsRunningProcesses_v3", "nvmlDeviceGetGraphicsRunningProcesses_v2"}, false},
	} {
		if !n.lib.bind(f.into, f.names...) && f.needs {
			return fmt.Errorf("the NVIDIA driver's library lacks %s", f.names[0])
		}
	}
	return nil
}

func (n *nvml) close() {
	n.shutdown()
	n.lib.close()
}

// failed words an error code. A driver without a card, or without its kernel half, is no card.
func (n *nvml) failed(doing string, code int32) error {
	err := fmt.Errorf("%s: %s (NVML error %d)", doing, n.errorString(code), code)
	if code == nvmlNoDriver || code == nvmlLibraryMissing {
		return fmt.Errorf("%w: %w", ErrNone, err)
	}
	return err
}

var errNoLibrary = errors.New("the NVIDIA driver is not installed")
