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

// onCards is what each card has to hold when the last count layers, of Blocks+1, are on them. Builds of
// llama.cpp differ in whether the output is the first of these layers or only the last: it is counted always.
func onCards(m gguf.Model, n Need, devices []Device, count int) []int64 {
	held := make([]int64, len(devices))
	ends := shares(n.Split, devices)
	blocks := len(m.LayerBytes)
	first := max(0, blocks-count)
	for i := first; i < blocks; i++ {
		held[card(ends, float64(i-first)/float64(count))] += m.LayerBytes[i] + cache(m, n, i)
	}
	held[card(ends, float64(count-1)/float64(count))] += m.OutBytes
	held[0] += n.Beside
	ahead := int64(1)
	if len(devices) > 1 {
		ahead = 2
	}
	for i := range held {
		held[i] += ahead * working(m, n)
	}
	return held
}

// shares are where each card's part ends, from 0 to 1.
func shares(split []float64, devices []Device) []float64 {
	ends := make([]float64, len(devices))
	all := 0.0
	for i, d := range devices {
		part := float64(max(0, d.Free))
		if len(split) > 0 {
			part = 0
			if i < len(split) {
				part = split[i]
			}
		}
		all += part
		ends[i] = all
	}
	for i := range ends {
		if all > 0 {
			ends[i] /= all
		} else {
			ends[i] = float64(i+1) / float64(len(ends))
		}
	}
	return ends
}

func card(ends []float64, at float64) int {
	for i, end := range ends {
		if at < end {
			return i
		}
	}
	return len(ends) - 1
}

// cache is what the keys and values of one block take.
func cache(m gguf.Model, n Need, block int) int64 {
	cells := n.Context * n.Slots
	if block < len(m.Windowed) && m.Windowed[block] {
		cells = min(cells, (m.Window+batch)*n.Slots)
	}
	cells = (cells + pad - 1) / pad * pad
	if m.Latent > 0 {
		return int64(float64(cells) * float64(m.Latent) * width(n.KeyType))
	}
	heads := 0
	if block < len(m.KVHeads) {
		heads = m.KVHeads[block]
	}
	return int64(float64(cells) * float64(heads) * (float64(m.Key)*width(n.KeyType) + float64(m.Value)*width(n.ValType)))
}

func width(kind string) float64 {
	if w, ok := elements[kind]; ok {
		return w
	}
	return 4
}

// working is what one card needs to think with.
func working(m gguf.Model, n Need) int64 {
	bytes := int64(batch) * 4 * int64(m.Vocab+m.Embedding)
	if n.Flash {
		return bytes
	}
	heads := 0
	for _, h := range m.Heads {
		heads = max(heads, h)
	}
	return bytes + int64(batch)*4*int64(heads)*int64(n.Context*n.Slots)
}

// inRAM is what the computer's memory has to hold when count layers are on cards.
func inRAM(m gguf.Model, n Need, count int) int64 {
	bytes := int64(own) + n.AlsoRAM + m.InBytes + working(m, n)
	blocks := len(m.LayerBytes)
	inner := int64(0)
	for i, b := range m.LayerBytes {
		inner += b
		if i < blocks-count || count == 0 {
			bytes += b + cache(m, n, i)
		}
	}
	if count <= blocks {
		bytes += max(0, m.Bytes-m.InBytes-inner) // the output, where it is no second use of the table
	}
	return bytes
}

// Whole is what a model takes when all of it is on one card: a draft model.
func Whole(m gguf.Model, n Need) int64 {
	n.Slots = max(1, n.Slots)
	return onCards(m, n, []Device{{}}, len(m.LayerBytes)+1)[0]
}

func sum(all []int64) (s int64) {
	for _, n := range all {
		s += n
	}
	return s
}

func gib(n int64) string { return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30)) }
