// Package gguf reads what a GGUF model file says about itself, and nothing of its weights.
//
// The format is described in docs/gguf.md of the ggml project: a header, keys with values, then the list of
// tensors with their places. A file is a stranger's: every count and length is bounded before it is used,
// and what is not wanted is skipped unread.
package gguf

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ErrNot says that a file is no GGUF file, or a broken one.
var ErrNot = errors.New("not a whole GGUF file")

// Model is what a file, or the parts of a split one, say of a model.
type Model struct {
	Name         string // as its makers call it, often ""
	Architecture string // "llama", "qwen3", "clip" for a projector
	Bytes        int64  // of all its files
	Parts        int    // files that it is split into, 1 for most

	Blocks    int  // layers that repeat
	Context   int  // tokens that it was trained for
	Embedding int  // width of a token's vector
	Vocab     int  // tokens it knows
	Embeds    bool // made for embeddings: it says how they are pooled

	Heads    []int  // attention heads of each block
	KVHeads  []int  // of those, how many have keys and values of their own, 0 in blocks without attention
	Key      int    // width of one head's key
	Value    int    // width of one head's value
	Latent   int    // width of a compressed key and value of the whole block (MLA), 0 for none
	Window   int    // tokens that a windowed block looks back, 0 for none
	Windowed []bool // blocks that look back no further than Window; nil where the file does not say

	LayerBytes []int64 // weights of each block
	InBytes    int64   // of the table of tokens, which stays in the computer's memory
	OutBytes   int64   // of what follows the last block
}

const mostParts = 512

var partName = regexp.MustCompile(`^(.*)-(\d{5})-of-(\d{5})\.gguf$`)

// Read reads a model's file; for the first part of a split model the others too.
func Read(path string) (Model, error) {
	m, parts, err := readFile(path)
	if err != nil {
		return Model{}, fmt.Errorf("reading the model %s: %w", filepath.Base(path), err)
	}
	if parts <= 1 {
		return m, nil
	}
	name := partName.FindStringSubmatch(filepath.Base(path))
	if name == nil || parts > mostParts {
		return Model{}, fmt.Errorf("reading the model %s: it is one of %d parts, but not named so", filepath.Base(path), parts)
	}
	if name[2] != "00001" {
		return Model{}, fmt.Errorf("reading the model %s: it is not the first of %d parts", filepath.Base(path), parts)
	}
	for i := 2; i <= parts; i++ {
		part := fmt.Sprintf("%s-%05d-of-%s.gguf", name[1], i, name[3])
		more, _, err := readFile(filepath.Join(filepath.Dir(path), part))
		if err != nil {
			return Model{}, fmt.Errorf("reading part %s of the model: %w", part, err)
		}
		m.add(more)
	}
	m.Parts = parts
	return m, nil
}

// Later is whether a file is a later part of a split model, by its name.
func Later(path string) bool {
	name := partName.FindStringSubmatch(filepath.Base(path))
	return name != nil && name[2] != "00001"
}

func readFile(path string) (Model, int, error) {
	f, err := os.Open(path)
	if err != nil {
		return Model{}, 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Model{}, 0, err
	}
	if !info.Mode().IsRegular() {
		return Model{}, 0, fmt.Errorf("%w: no ordinary file", ErrNot)
	}
	return parse(f, info.Size())
}

// parse reads a file of so many bytes; it also returns how many parts the model has.
func parse(f io.ReaderAt, size int64) (Model, int, error) {
	r := newReader(f, size)
	var magic [4]byte
	r.full(magic[:])
	version := r.u32()
	if r.err != nil || string(magic[:]) != "GGUF" {
		return Model{}, 0, fmt.Errorf("%w: it does not begin with GGUF", ErrNot)
	}
	if version != 2 && version != 3 {
		return Model{}, 0, fmt.Errorf("%w: version %d", ErrNot, version)
	}
	tensors, pairs := r.u64(), r.u64()
	if tensors > mostTensors || pairs > mostPairs {
		return Model{}, 0, fmt.Errorf("%w: %d tensors and %d keys", ErrNot, tensors, pairs)
	}
	k := keys{numbers: map[string][]int64{}, texts: map[string]string{}}
	for range pairs {
		k.read(r)
	}
	m := k.model()
	m.Bytes, m.Parts = size, 1
	m.place(r.tensors(int(tensors)), r.offset(), size, max(1, k.number("general.alignment", 32)))
	if r.err != nil {
		return Model{}, 0, fmt.Errorf("%w: %w", ErrNot, r.err)
	}
	return m, int(min(k.number("split.count", 1), mostParts+1)), nil
}

// add takes in another part's weights.
func (m *Model) add(part Model) {
	m.Bytes += part.Bytes
	m.InBytes += part.InBytes
	m.OutBytes += part.OutBytes
	for i, n := range part.LayerBytes {
		m.layer(i, n)
	}
}

const mostBlocks = 4096

func (m *Model) layer(i int, bytes int64) {
	if i >= mostBlocks {
		return
	}
	for len(m.LayerBytes) <= i {
		m.LayerBytes = append(m.LayerBytes, 0)
	}
	m.LayerBytes[i] += bytes
}

// place measures tensors by where the next one begins, so that no kind of quantisation need be known.
func (m *Model) place(tensors []tensor, header, size, align int64) {
	slices.SortStableFunc(tensors, func(a, b tensor) int { return cmp.Compare(a.at, b.at) })
	end := max(0, size-(header+align-1)/align*align)
	m.LayerBytes = make([]int64, min(m.Blocks, mostBlocks))
	table := int64(0)
	head := false
	for i, t := range tensors {
		next := end
		if i+1 < len(tensors) {
			next = min(end, tensors[i+1].at)
		}
		bytes := max(0, next-t.at)
		if block, ok := blockOf(t.name); ok {
			m.layer(block, bytes)
			continue
		}
		switch {
		case strings.HasPrefix(t.name, "token_embd.") || strings.HasPrefix(t.name, "per_layer_token_embd."):
			m.InBytes += bytes
			if t.name == "token_embd.weight" {
				table = bytes
			}
		default:
			m.OutBytes += bytes
			head = head || t.name == "output.weight"
		}
	}
	if !head { // the table of tokens is used for the output a second time
		m.OutBytes += table
	}
}

// blockOf reads the number in "blk.12.attn_q.weight".
func blockOf(name string) (int, bool) {
	rest, ok := strings.CutPrefix(name, "blk.")
	if !ok {
		return 0, false
	}
	number, _, ok := strings.Cut(rest, ".")
	n, err := strconv.Atoi(number)
	return n, ok && err == nil && n >= 0
}
