package fit

import (
	"fmt"

	"github.com/solo-assistant/solo/models/llama/internal/gguf"
)

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
