package gguf

import "math"

// keys are the values of a file that are worth keeping: numbers (one, or the first of an array), short texts,
// and how long arrays are.
type keys struct {
	numbers map[string][]int64
	texts   map[string]string
	tokens  int
}

func (k *keys) read(r *reader) {
	if r.err != nil {
		return
	}
	name := r.text(longestName)
	kind := r.u32()
	switch {
	case kind == kindText:
		k.texts[name] = r.text(longestText)
	case kind == kindArray:
		kept, length := r.array(0)
		k.numbers[name] = kept
		if name == "tokenizer.ggml.tokens" {
			k.tokens = length
		}
	case widths[kind] > 0:
		k.numbers[name] = []int64{r.number(kind)}
	default:
		r.fail("a value of kind %d", kind)
	}
}

// array reads the first numbers of an array and skips the rest; it returns the array's length too.
func (r *reader) array(depth int) (kept []int64, length int) {
	kind, n := r.u32(), r.u64()
	if depth >= mostNested || n > uint64(max(0, r.size-r.at)) {
		r.fail("an array of %d at byte %d", n, r.at)
	}
	if r.err != nil {
		return nil, 0
	}
	switch {
	case widths[kind] > 0:
		for range min(n, mostKept) {
			kept = append(kept, r.number(kind))
		}
		r.skip((n - min(n, mostKept)) * uint64(widths[kind]))
	case kind == kindText:
		for i := uint64(0); i < n && r.err == nil; i++ {
			r.skip(r.u64())
		}
	case kind == kindArray:
		for i := uint64(0); i < n && r.err == nil; i++ {
			r.array(depth + 1)
		}
	default:
		r.fail("an array of kind %d", kind)
	}
	return kept, int(n)
}

// number is a key's value, or what to take without it; never below 0.
func (k *keys) number(name string, without int64) int64 {
	if n := k.numbers[name]; len(n) > 0 {
		return min(max(0, n[0]), math.MaxInt32)
	}
	return without
}

// each is a key's value for each of n blocks: a list, or one number for all.
func (k *keys) each(name string, n int, without int) []int {
	all := make([]int, n)
	list := k.numbers[name]
	for i := range all {
		switch {
		case len(list) == 0:
			all[i] = without
		case i < len(list):
			all[i] = int(min(max(0, list[i]), math.MaxInt32))
		default:
			all[i] = int(min(max(0, list[len(list)-1]), math.MaxInt32))
		}
	}
	return all
}

func (k *keys) model() Model {
	m := Model{Name: k.texts["general.name"], Architecture: k.texts["general.architecture"]}
	of := func(name string) string { return m.Architecture + "." + name }
	get := func(name string, without int) int { return int(k.number(of(name), int64(without))) }
	m.Blocks = min(get("block_count", 0), mostBlocks)
	m.Context, m.Embedding = get("context_length", 0), get("embedding_length", 0)
	m.Vocab = max(get("vocab_size", 0), k.tokens)
	_, m.Embeds = k.numbers[of("pooling_type")]
	m.Heads = k.each(of("attention.head_count"), m.Blocks, 0)
	most := 1
	for _, h := range m.Heads {
		most = max(most, h)
	}
	m.KVHeads = k.each(of("attention.head_count_kv"), m.Blocks, most)
	m.Key = get("attention.key_length", m.Embedding/most)
	m.Value = get("attention.value_length", m.Embedding/most)
	if rank := get("attention.kv_lora_rank", 0); rank > 0 {
		m.Latent = rank + get("rope.dimension_count", 0)
	}
	m.Window = get("attention.sliding_window", 0)
	if pattern := k.numbers[of("attention.sliding_window_pattern")]; m.Window > 0 && len(pattern) > 1 {
		for i := range m.Blocks {
			m.Windowed = append(m.Windowed, i < len(pattern) && pattern[i] != 0)
		}
	}
	return m
}
