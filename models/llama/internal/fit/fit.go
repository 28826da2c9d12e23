// Package fit works out how many layers of a model fit into the free memory of GPUs, with all that they need there.
//
// What is added up for a card, all in bytes:
//
//	weights   of the blocks on it, and of the output layer on the last card
//	cache     for each block: cells x heads with own keys x (width of a key x bytes + width of a value x bytes);
//	          a model of 32 blocks, 8 such heads of 128, 8192 cells of f16: 32 x 8192 x 8 x 128 x 2 x 2 = 1 GiB
//	working   512 tokens at once: x 4 bytes x (vocabulary + width); 128256 + 4096 make 258 MiB, which is what
//	          llama.cpp reports for such a model with flash attention. Without it the scores of all heads are
//	          added: 512 x 32 heads x 8192 cells x 4 = 512 MiB. Several cards work ahead of each other: twice as much.
//	margin    768 MiB: the driver's own context (300 to 500 MiB) and what the desktop takes meanwhile
//
// These are estimates, on the large side; the one exact judge is the server's own start.
package fit

import (
	"errors"
	"fmt"
	"slices"

	"github.com/solo-assistant/solo/models/llama/internal/gguf"
)

const (
	batch  = 512       // tokens that are read at once (llama-server's default ubatch)
	margin = 768 << 20 // per card
	own    = 256 << 20 // the server's own memory, apart from the model's
	pad    = 256       // cells come in such steps
)

// Need is how the model shall be run.
type Need struct {
	Context int    // tokens of one conversation; 0: as many of Contexts as fit well
	Slots   int    // conversations at once, at least 1
	KeyType string // of the cache: "f16", "q8_0", ...
	ValType string
	Flash   bool      // flash attention is used
	Beside  int64     // bytes that something else of the server takes on the first card: a draft model, a projector
	AlsoRAM int64     // the same in the computer's memory
	Layers  int       // layers to put on the cards; -1: as many as fit
	Split   []float64 // parts of the model by card; nil: by their free memory
}

// Device is a card as the server sees it.
type Device struct {
	Name string // "CUDA0"
	Free int64
}

// Plan is what comes of it.
type Plan struct {
	Context int     // tokens of one conversation
	Layers  int     // on the cards; Blocks+1 is all, with the output
	All     bool    // the whole model is on the cards
	Devices []int64 // what each card has to hold, without the margin
	RAM     int64   // what the computer's memory has to hold
}

// Contexts are the sizes to choose from, best first: enough for a long talk with a document in it, at a price that small machines can pay.
var Contexts = []int{16384, 8192, 4096, 2048}

// ErrRAM says that the rest of a model does not fit into the computer's memory.
var ErrRAM = errors.New("it needs more memory than this computer has")

var elements = map[string]float64{"f32": 4, "f16": 2, "bf16": 2, "": 2, "q8_0": 34. / 32, "q5_1": 24. / 32, "q5_0": 22. / 32,
	"q4_1": 20. / 32, "q4_0": 18. / 32, "iq4_nl": 18. / 32}

// Choose plans for cards and so much memory of the computer, 0 where that is not known. The error wraps ErrRAM.
func Choose(m gguf.Model, n Need, devices []Device, ram int64) (Plan, error) {
	n.Slots = max(1, n.Slots)
	sizes := []int{n.Context}
	if n.Context == 0 {
		sizes = contexts(m.Context)
	}
	var rest []Plan
	for _, size := range sizes {
		n.Context = size
		p := layers(m, n, devices)
		if p.All && (ram == 0 || p.RAM <= ram) {
			return p, nil
		}
		rest = append(rest, p)
	}
	// Not on the cards alone: 16384 tokens would be read slowly, so the second size is the first choice.
	if len(rest) > 1 && sizes[0] > Contexts[1] {
		rest = rest[1:]
	}
	for _, p := range rest {
		if ram == 0 || p.RAM <= ram {
			return p, nil
		}
	}
	least := rest[len(rest)-1]
	more := ""
	if on := sum(least.Devices); on > 0 {
		more = fmt.Sprintf(" beside the %s on its cards", gib(on))
	}
	return least, fmt.Errorf("%w: %s%s with %d tokens of context; there are %s", ErrRAM, gib(least.RAM), more, least.Context, gib(ram))
}

// contexts are those sizes that a model was trained for.
func contexts(trained int) []int {
	if trained <= 0 {
		return Contexts[1:]
	}
	var sizes []int
	for _, c := range Contexts {
		if c := min(c, trained); !slices.Contains(sizes, c) {
			sizes = append(sizes, c)
		}
	}
	return sizes
}

// layers plans for a fixed context.
func layers(m gguf.Model, n Need, devices []Device) Plan {
	blocks := len(m.LayerBytes)
	p := Plan{Context: n.Context}
	if len(devices) > 0 {
		p.Layers = min(n.Layers, blocks+1)
		if n.Layers < 0 {
			p.Layers = most(m, n, devices)
		}
	}
	p.All = p.Layers == blocks+1
	if p.Layers > 0 {
		p.Devices = onCards(m, n, devices, p.Layers)
	}
	p.RAM = inRAM(m, n, p.Layers)
	return p
}

// most is the largest number of layers of which every card can hold its part.
func most(m gguf.Model, n Need, devices []Device) int {
	for count := len(m.LayerBytes) + 1; count > 0; count-- {
		fits := true
		for i, bytes := range onCards(m, n, devices, count) {
			fits = fits && bytes+margin <= devices[i].Free
		}
		if fits {
			return count
		}
	}
	return 0
}
