package whisper

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// shape is that of a model: tiny is the smallest that there is.
type shape struct{ vocab, state, heads, layers int }

var tiny = shape{51864, 384, 6, 4}

// little has tiny's parts, each of them smaller.
var little = shape{51864, 128, 2, 4}

const (
	audioContext, textContext, mels, bins = 1500, 448, 80, 201
	magic                                 = 0x67676d6c
	wholeNumbers, halfFloats              = 0, 1 // kinds of tensor: float32 and float16
)

// randomModel writes a file of the true form with weights that mean nothing: what comes of it is noise, at the cost and
// in the form of a real model's.
func randomModel(t testing.TB, dir string, s shape) string {
	t.Helper()
	path := filepath.Join(dir, "models", "whisper", "ggml-random.en.bin")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := &weights{w: bufio.NewWriterSize(f, 1<<20), r: rand.New(rand.NewPCG(1, 2))}
	w.head(s)
	w.encoder(s)
	w.decoder(s)
	if err := w.w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

type weights struct {
	w *bufio.Writer
	r *rand.Rand
}

func (w *weights) ints(list ...int) {
	for _, n := range list {
		_ = binary.Write(w.w, binary.LittleEndian, int32(n)) // Flush tells
	}
}

// head is all that comes before the tensors: sizes, the filters of the spectrum, the words.
func (w *weights) head(s shape) {
	w.ints(magic, s.vocab, audioContext, s.state, s.heads, s.layers, textContext, s.state, s.heads, s.layers, mels, 1)
	w.ints(mels, bins)
	for m := range mels {
		for b := range bins {
			x := float32(0)
			if b/3 == m || b/3 == m+1 {
				x = 0.02
			}
			_ = binary.Write(w.w, binary.LittleEndian, x)
		}
	}
	const words = 50257
	w.ints(words)
	for i := range words {
		word := fmt.Sprintf(" w%d", i)
		if needed := []string{" ", " -", " '", "-", "'"}; i < len(needed) { // the decoder asks for them by name
			word = needed[i]
		}
		w.ints(len(word))
		_, _ = w.w.WriteString(word)
	}
}

// tensor writes random numbers of a size: dims as ggml counts them, the fastest first.
func (w *weights) tensor(name string, kind int, scale float64, dims ...int) {
	w.ints(len(dims), len(name), kind)
	w.ints(dims...)
	_, _ = w.w.WriteString(name)
	n := 1
	for _, d := range dims {
		n *= d
	}
	// Some thousands of them, over and over: no more is needed for noise, and writing is quick.
	var some []byte
	width := 4
	for range min(n, 4099) {
		x := float32(w.r.NormFloat64() * scale)
		if kind == halfFloats {
			some, width = binary.LittleEndian.AppendUint16(some, half(x)), 2
		} else {
			some = binary.LittleEndian.AppendUint32(some, math.Float32bits(x))
		}
	}
	for left := n * width; left > 0; left -= len(some) {
		_, _ = w.w.Write(some[:min(left, len(some))])
	}
}

func (w *weights) norm(name string, n int) {
	w.tensor(name+".weight", wholeNumbers, 1, n)
	w.tensor(name+".bias", wholeNumbers, 0.01, n)
}

func (w *weights) linear(name string, in, out int, bias bool) {
	w.tensor(name+".weight", halfFloats, 0.04, in, out)
	if bias {
		w.tensor(name+".bias", wholeNumbers, 0.01, out)
	}
}

func (w *weights) attention(name string, n int) {
	w.norm(name+"_ln", n)
	for _, part := range []string{"query", "key", "value", "out"} {
		w.linear(name+"."+part, n, n, part != "key")
	}
}

func (w *weights) block(name string, n int, cross bool) {
	w.attention(name+".attn", n)
	if cross {
		w.attention(name+".cross_attn", n)
	}
	w.norm(name+".mlp_ln", n)
	w.linear(name+".mlp.0", n, 4*n, true)
	w.linear(name+".mlp.2", 4*n, n, true)
}

func (w *weights) encoder(s shape) {
	w.tensor("encoder.positional_embedding", wholeNumbers, 0.1, s.state, audioContext)
	w.tensor("encoder.conv1.weight", halfFloats, 0.05, 3, mels, s.state)
	w.tensor("encoder.conv1.bias", wholeNumbers, 0.01, 1, s.state)
	w.tensor("encoder.conv2.weight", halfFloats, 0.05, 3, s.state, s.state)
	w.tensor("encoder.conv2.bias", wholeNumbers, 0.01, 1, s.state)
	w.norm("encoder.ln_post", s.state)
	for i := range s.layers {
		w.block(fmt.Sprintf("encoder.blocks.%d", i), s.state, false)
	}
}

func (w *weights) decoder(s shape) {
	w.tensor("decoder.positional_embedding", wholeNumbers, 0.1, s.state, textContext)
	w.tensor("decoder.token_embedding.weight", halfFloats, 0.05, s.state, s.vocab)
	w.norm("decoder.ln", s.state)
	for i := range s.layers {
		w.block(fmt.Sprintf("decoder.blocks.%d", i), s.state, true)
	}
}
