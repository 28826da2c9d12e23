package gpu

import (
	"fmt"
	"math"
	"unsafe"
)

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
