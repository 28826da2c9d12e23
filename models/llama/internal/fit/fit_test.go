package fit

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/solo-assistant/solo/models/llama/internal/gguf"
)

const (
	mib = int64(1) << 20
	gb  = int64(1) << 30
)

// model8B has the shape of an 8-billion-parameter model at about 4.5 bits a weight: 32 blocks of 130 MiB, a table of
// 281 MiB and an output of 410 MiB, 32 heads of which 8 have keys of their own, 128 wide, 128256 tokens.
func model8B() gguf.Model {
	m := gguf.Model{Blocks: 32, Context: 131072, Embedding: 4096, Vocab: 128256, Key: 128, Value: 128, InBytes: 281 * mib, OutBytes: 410 * mib}
	m.Bytes = m.InBytes + m.OutBytes
	for range m.Blocks {
		m.LayerBytes = append(m.LayerBytes, 130*mib)
		m.Heads, m.KVHeads = append(m.Heads, 32), append(m.KVHeads, 8)
		m.Bytes += 130 * mib
	}
	return m
}

// The figures of the package's doc.
func TestArithmetic(t *testing.T) {
	m, n := model8B(), Need{Context: 8192, Slots: 1, KeyType: "f16", ValType: "f16", Flash: true}
	all := int64(0)
	for i := range m.Blocks {
		all += cache(m, n, i)
	}
	if all != gb {
		t.Errorf("the cache of 8192 tokens takes %d MiB", all/mib)
	}
	if w := working(m, n); w/mib != 258 {
		t.Errorf("working takes %d MiB", w/mib)
	}
	n.Flash = false
	if w := working(m, n); w/mib != 258+512 {
		t.Errorf("without flash attention working takes %d MiB", w/mib)
	}
	for kind, want := range map[string]int64{"f32": 64, "f16": 32, "bf16": 32, "q8_0": 17, "q5_1": 12, "q5_0": 11, "q4_1": 10, "q4_0": 9, "iq4_nl": 9} {
		if got := cache(m, Need{Context: 8192, Slots: 1, KeyType: kind, ValType: kind}, 0) / mib; got != want {
			t.Errorf("%s: %d MiB a block, want %d", kind, got, want)
		}
	}
	if got := cache(m, Need{Context: 8192, Slots: 2}, 0) / mib; got != 64 {
		t.Errorf("two slots: %d MiB a block", got)
	}
	m.Window, m.Windowed = 1024, []bool{true, false}
	if a, b := cache(m, n, 0)/mib, cache(m, n, 1)/mib; a != 6 || b != 32 { // 1536 cells, 8192 cells
		t.Errorf("windowed %d MiB, not windowed %d MiB", a, b)
	}
	m.Latent = 576
	if got := cache(m, n, 5); got != 8192*576*2 {
		t.Errorf("compressed %d bytes", got)
	}
}

// 8 GiB free: 768 margin, 258 working, 410 output leave 6756 MiB; a block takes 130 + 32. 41 would fit, so all do.
// 5 GiB free: 3684 MiB / 162 = 22 blocks. 1 GiB free: nothing beside margin and working.
func TestLayersOnOneCard(t *testing.T) {
	n := Need{Context: 8192, KeyType: "f16", ValType: "f16", Flash: true, Layers: -1}
	for _, tt := range []struct {
		name string
		free int64
		need func(*Need)
		want int
	}{
		{"8 GiB", 8 * gb, nil, 33},
		{"what it takes to the byte", (768+258+410+32*162)*mib + 512*1024, nil, 33},
		{"a little less", (768+258+410+32*162)*mib - mib, nil, 31},
		{"5 GiB", 5 * gb, nil, 22},
		{"5 GiB, a smaller cache", 5 * gb, func(n *Need) { n.KeyType, n.ValType = "q8_0", "q8_0" }, 25}, // 3684 / 147
		{"5 GiB, twice the context", 5 * gb, func(n *Need) { n.Context = 16384 }, 18},                   // 3684 / 194
		{"5 GiB, two slots", 5 * gb, func(n *Need) { n.Slots = 2 }, 18},                                 // the same
		{"5 GiB, no flash attention", 5 * gb, func(n *Need) { n.Flash = false }, 19},                    // (3684-512) / 162
		{"5 GiB, a draft model", 5 * gb, func(n *Need) { n.Beside = gb }, 16},                           // (3684-1024) / 162
		{"5 GiB, but the user wants 10", 5 * gb, func(n *Need) { n.Layers = 10 }, 10},
		{"5 GiB, but the user wants all", 5 * gb, func(n *Need) { n.Layers = 1 << 20 }, 33},
		{"5 GiB, but the user wants none", 5 * gb, func(n *Need) { n.Layers = 0 }, 0},
		{"1 GiB", gb, nil, 0},
		{"nothing", 0, nil, 0},
	} {
		need := n
		if tt.need != nil {
			tt.need(&need)
		}
		p, err := Choose(model8B(), need, []Device{{"CUDA0", tt.free}}, 64*gb)
		if err != nil || p.Layers != tt.want || p.All != (tt.want == 33) {
			t.Errorf("%s: %d layers, want %d (%v)", tt.name, p.Layers, tt.want, err)
		}
	}
}

func TestSeveralCards(t *testing.T) {
	n := Need{Context: 8192, Flash: true, Layers: -1}
	two := []Device{{"CUDA0", 6 * gb}, {"CUDA1", 3 * gb}}
	p, err := Choose(model8B(), n, two, 64*gb)
	// The second card gets a third of the layers: 3072 - 768 - 2x258 - 410 = 1377 MiB are 8 blocks, a third of 26.
	if err != nil || p.Layers != 26 || len(p.Devices) != 2 || p.Devices[0] < p.Devices[1] {
		t.Errorf("%+v, %v", p, err)
	}
	for i, held := range p.Devices {
		if held+margin > two[i].Free {
			t.Errorf("card %d is overfull", i)
		}
	}
	n.Split = []float64{0, 1} // all on the second card
	if p, _ := Choose(model8B(), n, two, 64*gb); p.Layers < 1 || p.Layers > 10 || p.Devices[0] > 600*mib {
		t.Errorf("all on the second: %+v", p)
	}
	n.Split = nil
	if p, _ := Choose(model8B(), n, []Device{{"CUDA0", 24 * gb}, {"CUDA1", 24 * gb}}, 64*gb); !p.All {
		t.Errorf("two large cards: %+v", p)
	}
}

func TestContext(t *testing.T) {
	short := model8B()
	short.Context = 2048
	unknown := model8B()
	unknown.Context = 0
	for _, tt := range []struct {
		name    string
		m       gguf.Model
		ask     int
		free    int64
		ram     int64
		context int
		err     error
	}{
		{"a large card", model8B(), 0, 24 * gb, 64 * gb, 16384, nil},
		{"fits whole with 8192", model8B(), 0, 7 * gb, 64 * gb, 8192, nil}, // 16384 takes 768+258+410+32x194 = 7644 MiB, 8192 takes 6620
		{"fits whole with 2048", model8B(), 0, 5900 * mib, 64 * gb, 2048, nil},
		{"in part", model8B(), 0, 4 * gb, 64 * gb, 8192, nil},
		{"no card", model8B(), 0, 0, 64 * gb, 8192, nil},
		{"memory unknown", model8B(), 0, 0, 0, 8192, nil},
		{"little memory", model8B(), 0, 0, 5900 * mib, 4096, nil}, // 256+281+258+32x(130+16)+410 = 5877
		{"too little", model8B(), 0, 0, 4 * gb, 2048, ErrRAM},
		{"trained for less", short, 0, 24 * gb, 64 * gb, 2048, nil},
		{"trained for we know not what", unknown, 0, 24 * gb, 64 * gb, 8192, nil},
		{"as asked", model8B(), 32768, 24 * gb, 64 * gb, 32768, nil},
		{"as asked, too large", model8B(), 131072, 0, 16 * gb, 131072, ErrRAM},
	} {
		var devices []Device
		if tt.free > 0 {
			devices = []Device{{"CUDA0", tt.free}}
		}
		p, err := Choose(tt.m, Need{Context: tt.ask, Flash: true, Layers: -1}, devices, tt.ram)
		if p.Context != tt.context || !errors.Is(err, tt.err) {
			t.Errorf("%s: %d tokens, want %d (%v; RAM %d MiB)", tt.name, p.Context, tt.context, err, p.RAM/mib)
		}
	}
}

// Whatever the model and the cards: no card is overfull, more memory never takes fewer layers, and a part
// that is not on a card is in the computer's memory.
func TestNoPlanIsOverfull(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		m := gguf.Model{Blocks: r.IntN(90), Context: r.IntN(200000), Embedding: r.IntN(9000), Vocab: r.IntN(300000), Key: r.IntN(300), Value: r.IntN(300),
			InBytes: r.Int64N(gb), OutBytes: r.Int64N(gb)}
		m.Bytes = m.InBytes + m.OutBytes
		for range m.Blocks {
			b := r.Int64N(2 * gb)
			m.LayerBytes, m.KVHeads, m.Heads = append(m.LayerBytes, b), append(m.KVHeads, r.IntN(65)), append(m.Heads, 64)
			m.Bytes += b
		}
		n := Need{Context: r.IntN(60000), Slots: r.IntN(4), KeyType: "q8_0", Flash: r.IntN(2) == 0, Layers: -1, Beside: r.Int64N(gb)}
		var devices []Device
		for i := range r.IntN(4) {
			devices = append(devices, Device{fmt.Sprint("CUDA", i), r.Int64N(80 * gb)})
		}
		p, err := Choose(m, n, devices, 0)
		if err != nil || p.Layers < 0 || p.Layers > m.Blocks+1 || p.RAM < 0 || len(devices) == 0 && p.Layers != 0 {
			t.Fatalf("%+v, %v", p, err)
		}
		for i, held := range p.Devices {
			if held+margin > devices[i].Free {
				t.Fatalf("card %d is overfull: %+v of %+v", i, p, devices)
			}
		}
		n.Context = p.Context
		for i := range devices {
			devices[i].Free *= 2
		}
		if more, _ := Choose(m, n, devices, 0); more.Layers < p.Layers || more.RAM > p.RAM {
			t.Fatalf("twice the memory takes %d layers, not %d", more.Layers, p.Layers)
		}
	}
}
