// Package gguftest writes GGUF files for tests, as large as any model and as empty as the disk allows.
package gguftest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"testing"
)

// File is what to write. Values are uint32, uint64, float32, bool, string, []int32, []bool, []string or [][]int32.
type File struct {
	Pairs   []Pair
	Tensors []Tensor
}

// Pair is a key and its value.
type Pair struct {
	Key   string
	Value any
}

// Tensor is a name and how many bytes it has.
type Tensor struct {
	Name  string
	Bytes int64
}

// Bytes is the header of the file, padded to where the weights begin, and the size of the whole file.
func (f File) Bytes() ([]byte, int64) {
	var b bytes.Buffer
	b.WriteString("GGUF")
	put(&b, uint32(3), uint64(len(f.Tensors)), uint64(len(f.Pairs)))
	for _, p := range f.Pairs {
		text(&b, p.Key)
		put(&b, kind(p.Value))
		value(&b, p.Value)
	}
	at := int64(0)
	for _, t := range f.Tensors {
		text(&b, t.Name)
		put(&b, uint32(1), uint64(t.Bytes), uint32(0), uint64(at))
		at += (t.Bytes + 31) / 32 * 32
	}
	b.Write(make([]byte, (32-b.Len()%32)%32))
	return b.Bytes(), int64(b.Len()) + at
}

// Write writes the file; its weights are a hole.
func (f File) Write(t testing.TB, path string) {
	t.Helper()
	header, size := f.Bytes()
	if err := os.WriteFile(path, header, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
}

// Llama is a model of the llama family: so many blocks, each of so many bytes.
func Llama(blocks int, perBlock, table int64, more ...Pair) File {
	f := File{Pairs: []Pair{
		{"general.architecture", "llama"}, {"general.name", "Test"},
		{"llama.block_count", uint32(blocks)}, {"llama.context_length", uint32(131072)}, {"llama.embedding_length", uint32(4096)},
		{"llama.attention.head_count", uint32(32)}, {"llama.attention.head_count_kv", uint32(8)},
		{"llama.vocab_size", uint32(128256)}, {"tokenizer.chat_template", "{{ messages }}"},
	}}
	f.Pairs = append(f.Pairs, more...)
	f.Tensors = []Tensor{{"token_embd.weight", table}, {"output.weight", table}, {"output_norm.weight", 16384}}
	for i := range blocks {
		f.Tensors = append(f.Tensors, Tensor{fmt.Sprintf("blk.%d.ffn.weight", i), perBlock})
	}
	return f
}

func put(b *bytes.Buffer, values ...any) {
	for _, v := range values {
		if err := binary.Write(b, binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
}

func text(b *bytes.Buffer, s string) {
	put(b, uint64(len(s)))
	b.WriteString(s)
}

func kind(v any) uint32 {
	switch v.(type) {
	case uint32:
		return 4
	case int32:
		return 5
	case float32:
		return 6
	case bool:
		return 7
	case string:
		return 8
	case uint64:
		return 10
	default:
		return 9
	}
}

func value(b *bytes.Buffer, v any) {
	switch v := v.(type) {
	case string:
		text(b, v)
	case []string:
		put(b, uint32(8), uint64(len(v)))
		for _, s := range v {
			text(b, s)
		}
	case []int32:
		put(b, uint32(5), uint64(len(v)), v)
	case []bool:
		put(b, uint32(7), uint64(len(v)), v)
	case [][]int32:
		put(b, uint32(9), uint64(len(v)))
		for _, in := range v {
			value(b, in)
		}
	default:
		put(b, v)
	}
}
