package gpu

import (
	"errors"
	"fmt"
	"math"
	"unsafe"
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
	library library

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
	n := &nvml{library: lib}
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
		if !n.library.bind(f.into, f.names...) && f.needs {
			return fmt.Errorf("the NVIDIA driver's library lacks %s", f.names[0])
		}
	}
	return nil
}

func (n *nvml) close() {
	n.shutdown()
	n.library.close()
}

// failed words an error code. A driver without a card, or without its kernel half, is no card.
func (n *nvml) failed(doing string, code int32) error {
	err := fmt.Errorf("%s: %s (NVML error %d)", doing, n.errorString(code), code)
	if code == nvmlNoDriver || code == nvmlLibraryMissing {
		return fmt.Errorf("%w: %w", ErrNone, err)
	}
	return err
}

const mostCards = 64 // more is nonsense of a broken driver

func (n *nvml) cards() ([]Card, error) {
	var count uint32
	if code := n.count(&count); code != nvmlSuccess {
		return nil, n.failed("counting the cards", code)
	}
	var cards []Card
	var locked error
	for i := range min(count, mostCards) {
		var device uintptr
		switch code := n.handle(i, &device); code {
		case nvmlSuccess:
		case nvmlNoPermission: // another user's
			locked = n.failed(fmt.Sprintf("opening card %d", i), code)
			continue
		default:
			return nil, n.failed(fmt.Sprintf("opening card %d", i), code)
		}
		c, err := n.card(device, int(i))
		if err != nil {
			return nil, err
		}
		cards = append(cards, c)
	}
	if cards == nil {
		return nil, locked
	}
	return cards, nil
}

func (n *nvml) card(device uintptr, index int) (Card, error) {
	c := Card{Index: index, Name: text(device, n.name), UUID: text(device, n.uuid), Util: -1, Temp: -1, Power: -1, Processes: map[int]int64{}}
	var m nvmlMemory
	switch code := n.memory(device, &m); code {
	case nvmlSuccess:
		c.MemTotal, c.MemUsed, c.MemFree = bytes(m.total), bytes(m.used), bytes(m.free)
	case nvmlNotSupported: // it shares the computer's memory
	default:
		return Card{}, n.failed(fmt.Sprintf("reading the memory of card %d", index), code)
	}
	var l nvmlLoad
	if n.load != nil && n.load(device, &l) == nvmlSuccess {
		c.Util = int(l.gpu)
	}
	var v uint32
	if n.temperature != nil && n.temperature(device, 0, &v) == nvmlSuccess {
		c.Temp = int(v)
	}
	if n.power != nil && n.power(device, &v) == nvmlSuccess {
		c.Power = float64(v) / 1000
	}
	for _, list := range []func(uintptr, *uint32, *nvmlProcess) int32{n.computing, n.drawing} {
		for _, p := range processes(device, list) {
			c.Processes[int(p.pid)] = max(c.Processes[int(p.pid)], bytes(p.used))
		}
	}
	return c, nil
}

// text reads a name that the library writes into a buffer.
func text(device uintptr, read func(uintptr, *byte, uint32) int32) string {
	var b [96]byte // NVML's own bound
	if read(device, &b[0], uint32(len(b))) != nvmlSuccess {
		return ""
	}
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b[:])
}

// processes asks again with more room while programs come.
func processes(device uintptr, read func(uintptr, *uint32, *nvmlProcess) int32) []nvmlProcess {
	if read == nil {
		return nil
	}
	for room := uint32(32); room <= 1024; room *= 4 {
		list := make([]nvmlProcess, room)
		n := room
		switch read(device, &n, unsafe.SliceData(list)) {
		case nvmlSuccess:
			return list[:min(n, room)]
		case nvmlSmallBuffer:
		default:
			return nil
		}
	}
	return nil
}

// bytes is 0 for what the driver does not tell.
func bytes(n uint64) int64 {
	if n > math.MaxInt64 {
		return 0
	}
	return int64(n)
}

var errNoLibrary = errors.New("the NVIDIA driver is not installed")
