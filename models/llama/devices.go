package llama

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/solo-assistant/solo/models/gpu"
	"github.com/solo-assistant/solo/models/llama/internal/fit"
)

func parseDevices(said string) []device {
	var list []device
	for _, m := range deviceLine.FindAllStringSubmatch(said, 64) {
		total, err1 := strconv.ParseInt(m[3], 10, 64)
		free, err2 := strconv.ParseInt(m[4], 10, 64)
		if err1 != nil || err2 != nil || total > 1<<30 || free > 1<<30 {
			continue
		}
		list = append(list, device{id: m[1], name: m[2], total: total << 20, free: free << 20})
	}
	return list
}

// usable are the cards to plan for, and the names to restrict the server to, "" for none. CUDA cards are used
// together. Of others only the largest is: they are often a processor's own graphics, and one card listed twice.
func usable(list []device, only int) (cards []fit.Device, restrict string) {
	var cuda []device
	for _, d := range list {
		if strings.HasPrefix(d.id, "CUDA") {
			cuda = append(cuda, d)
		}
	}
	if len(cuda) == 0 && len(list) > 0 {
		best := list[0]
		for _, d := range list {
			if d.free > best.free {
				best = d
			}
		}
		if len(list) > 1 {
			restrict = best.id
		}
		cuda = []device{best}
	}
	if only >= 0 && only < len(cuda) {
		cuda = cuda[only : only+1]
	}
	for _, d := range cuda {
		cards = append(cards, fit.Device{Name: d.id, Free: d.free})
	}
	return cards, restrict
}

// seen are the build's own devices. An old build does not tell them: it is taken to be one for NVIDIA's cards.
func (b build) seen(cards []gpu.Card) []device {
	if b.can("--list-devices") {
		return b.devices
	}
	var list []device
	for _, c := range cards {
		list = append(list, device{id: fmt.Sprintf("CUDA%d", c.Index), name: c.Name, total: c.MemTotal, free: c.MemFree})
	}
	return list
}

// refresh takes the memory that is free now from the driver's own figures. Cards are told apart by name; of
// several alike the fullest counts, because CUDA and the driver may count them in different orders.
func refresh(list []device, cards []gpu.Card) []device {
	fresh := make([]device, len(list))
	for i, d := range list {
		fresh[i] = d
		least := int64(-1)
		for _, c := range cards {
			if c.Name == d.name && c.MemTotal > 0 && (least < 0 || c.MemFree < least) {
				least = c.MemFree
			}
		}
		if least >= 0 {
			fresh[i].free = least
		}
	}
	return fresh
}
