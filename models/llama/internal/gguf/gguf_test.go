package gguf

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/models/llama/internal/gguftest"
	"github.com/solo-assistant/solo/tests/corpus"
)

func write(t testing.TB, name string, f gguftest.File) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f.Write(t, path)
	return path
}

func TestReadARealFile(t *testing.T) {
	m, err := Read(filepath.Join(corpus.Dir(t), "llm", "stories260K-ctx4k.gguf"))
	if err != nil {
		t.Fatal(err)
	}
	if m.Architecture != "llama" || m.Blocks != 5 || m.Context != 4096 || m.Embedding != 64 || m.Vocab != 512 || m.Key != 8 ||
		!slices.Equal(m.KVHeads, []int{4, 4, 4, 4, 4}) || m.Embeds {
		t.Errorf("%+v", m)
	}
	// Every byte of weights is counted once: 5 blocks, the table, the output; what remains is the header.
	weights := m.InBytes + m.OutBytes
	for _, b := range m.LayerBytes {
		weights += b
	}
	if rest := m.Bytes - weights; rest < 0 || rest > 64<<10 {
		t.Errorf("%d bytes are no weights", rest)
	}
}

func TestReadALargeOne(t *testing.T) {
	f := gguftest.Llama(32, 130<<20, 281<<20, gguftest.Pair{Key: "tokenizer.ggml.tokens", Value: []string{"a", "b"}},
		gguftest.Pair{Key: "odd", Value: [][]int32{{1, 2}, {}}}, gguftest.Pair{Key: "general.url", Value: strings.Repeat("x", 1<<17)})
	m, err := Read(write(t, "m.gguf", f))
	if err != nil || len(m.LayerBytes) != 32 || m.LayerBytes[31] != 130<<20 || m.InBytes != 281<<20 || m.OutBytes != 281<<20+16384 ||
		m.Vocab != 128256 || m.Key != 128 || m.KVHeads[0] != 8 || m.Bytes < 4160<<20 || m.Parts != 1 {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestShapes(t *testing.T) {
	shape := func(arch string, pairs ...gguftest.Pair) gguftest.File {
		f := gguftest.File{Pairs: []gguftest.Pair{{Key: "general.architecture", Value: arch}, {Key: arch + ".block_count", Value: uint32(4)},
			{Key: arch + ".embedding_length", Value: uint32(512)}, {Key: arch + ".attention.head_count", Value: uint32(8)}}}
		for _, p := range pairs {
			f.Pairs = append(f.Pairs, gguftest.Pair{Key: arch + p.Key, Value: p.Value})
		}
		f.Tensors = []gguftest.Tensor{{Name: "token_embd.weight", Bytes: 1 << 20}, {Name: "blk.3.attn.weight", Bytes: 4096}}
		return f
	}
	for name, tt := range map[string]struct {
		file gguftest.File
		ok   func(m Model) bool
	}{
		"as many keys as heads": {shape("gpt2"), func(m Model) bool { return m.KVHeads[3] == 8 && m.Key == 64 && m.Value == 64 }},
		"the table is the output too": {shape("gemma"), func(m Model) bool {
			return m.OutBytes == 1<<20 && m.InBytes == 1<<20 && m.LayerBytes[3] == 4096
		}},
		"keys differ by block": {shape("nemotron_h", gguftest.Pair{Key: ".attention.head_count_kv", Value: []int32{0, 2, 0, 8}}),
			func(m Model) bool { return slices.Equal(m.KVHeads, []int{0, 2, 0, 8}) }},
		"own widths": {shape("qwen3", gguftest.Pair{Key: ".attention.key_length", Value: uint32(128)}, gguftest.Pair{Key: ".attention.value_length", Value: uint64(96)}),
			func(m Model) bool { return m.Key == 128 && m.Value == 96 }},
		"windows": {shape("gemma3", gguftest.Pair{Key: ".attention.sliding_window", Value: uint32(1024)}, gguftest.Pair{Key: ".attention.sliding_window_pattern", Value: []bool{true, true, true, false}}),
			func(m Model) bool {
				return m.Window == 1024 && slices.Equal(m.Windowed, []bool{true, true, true, false})
			}},
		"windows, but where is not told": {shape("mistral", gguftest.Pair{Key: ".attention.sliding_window", Value: uint32(4096)}),
			func(m Model) bool { return m.Window == 4096 && m.Windowed == nil }},
		"compressed": {shape("deepseek2", gguftest.Pair{Key: ".attention.kv_lora_rank", Value: uint32(512)}, gguftest.Pair{Key: ".rope.dimension_count", Value: uint32(64)}),
			func(m Model) bool { return m.Latent == 576 }},
		"for embeddings": {shape("bert", gguftest.Pair{Key: ".pooling_type", Value: uint32(1)}), func(m Model) bool { return m.Embeds }},
		"a lie about blocks": {shape("x", gguftest.Pair{Key: ".block_count", Value: uint32(1 << 31)}),
			func(m Model) bool { return m.Blocks <= mostBlocks && len(m.LayerBytes) <= mostBlocks }},
	} {
		t.Run(name, func(t *testing.T) {
			if m, err := Read(write(t, "m.gguf", tt.file)); err != nil || !tt.ok(m) {
				t.Errorf("%+v, %v", m, err)
			}
		})
	}
}

func TestSplit(t *testing.T) {
	dir := t.TempDir()
	split := gguftest.Pair{Key: "split.count", Value: uint32(2)}
	a := gguftest.Llama(2, 1000, 64, split)
	b := gguftest.File{Pairs: []gguftest.Pair{split}, Tensors: []gguftest.Tensor{{Name: "blk.1.more.weight", Bytes: 320}, {Name: "blk.2.weight", Bytes: 640}}}
	first, second := filepath.Join(dir, "big-00001-of-00002.gguf"), filepath.Join(dir, "big-00002-of-00002.gguf")
	a.Write(t, first)
	if _, err := Read(first); err == nil || !strings.Contains(err.Error(), "big-00002-of-00002.gguf") {
		t.Error("a missing part:", err)
	}
	b.Write(t, second)
	m, err := Read(first)
	if err != nil || m.Parts != 2 || !slices.Equal(m.LayerBytes, []int64{1024, 1024 + 320, 640}) {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := Read(second); err == nil || !Later(second) || Later(first) {
		t.Error("the second part was read as a model", err)
	}
	a.Write(t, filepath.Join(dir, "renamed.gguf"))
	if _, err := Read(filepath.Join(dir, "renamed.gguf")); err == nil || !strings.Contains(err.Error(), "not named so") {
		t.Error(err)
	}
}

func TestBroken(t *testing.T) {
	header, size := gguftest.Llama(2, 64, 64).Bytes()
	if _, _, err := parse(bytes.NewReader(header), size); err != nil {
		t.Fatal(err)
	}
	for cut := range header[:len(header)-32] {
		if _, _, err := parse(bytes.NewReader(header[:cut]), int64(cut)); !errors.Is(err, ErrNot) {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
	for name, text := range map[string]string{
		"empty": "", "a page": "<html>not found</html>", "older": "GGUF\x01\x00\x00\x00" + strings.Repeat("\x00", 64),
		"many keys": "GGUF\x03\x00\x00\x00" + strings.Repeat("\x00", 8) + strings.Repeat("\xff", 8),
		"a pointer": "version https://git-lfs.github.com/spec/v1\n",
	} {
		if _, _, err := parse(strings.NewReader(text), int64(len(text))); !errors.Is(err, ErrNot) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Read(t.TempDir()); err == nil {
		t.Error("a folder was read")
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none.gguf")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	header, size := gguftest.Llama(2, 64, 64, gguftest.Pair{Key: "a", Value: []string{"x", "y"}}, gguftest.Pair{Key: "b", Value: [][]int32{{1}}}).Bytes()
	f.Add(header, size)
	f.Add(header[:100], int64(100))
	f.Fuzz(func(t *testing.T, text []byte, size int64) {
		if size < 0 || size > 1<<40 {
			return
		}
		m, parts, err := parse(bytes.NewReader(text), size)
		if err != nil {
			return
		}
		if parts < 0 || m.Blocks < 0 || len(m.LayerBytes) > mostBlocks || m.InBytes < 0 || m.OutBytes < 0 || len(m.KVHeads) != m.Blocks {
			t.Errorf("%+v, %d parts", m, parts)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	tokens := make([]string, 150000)
	for i := range tokens {
		tokens[i] = "token"
	}
	path := write(b, "m.gguf", gguftest.Llama(32, 1<<20, 1<<20, gguftest.Pair{Key: "tokenizer.ggml.tokens", Value: tokens}))
	for b.Loop() {
		if _, err := Read(path); err != nil {
			b.Fatal(err)
		}
	}
}
