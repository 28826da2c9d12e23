package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/codec"
)

// tape is a recording that is being made, and what is said where on it.
type tape struct {
	pcm   []int16
	turns []said
}

// said is one turn on a tape. Places are samples.
type said struct {
	order
	voice    string
	wake     int // where the wake word begins
	from, to int // the order: its first sample, and behind its last
}

func samples(d time.Duration) int { return int(audio.Samples(d, audio.Rate)) }

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

func (t *tape) wait(d time.Duration) { t.pcm = append(t.pcm, make([]int16, samples(d))...) }

// turn adds a wake word, a gap and an order.
func (t *tape) turn(o order, voice string, wake, spoken []int16, gap time.Duration) {
	s := said{order: o, voice: voice, wake: len(t.pcm)}
	t.pcm = append(t.pcm, wake...)
	t.wait(gap)
	s.from = len(t.pcm)
	t.pcm = append(t.pcm, spoken...)
	s.to = len(t.pcm)
	t.turns = append(t.turns, s)
}

// room is the loudness of the noise that lies under everything, as in any room: -66 dBFS, in sample values.
const room = 16

// inRoom is pcm with the noise of a quiet room, the same in every run.
func inRoom(pcm []int16) []int16 {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]int16, len(pcm))
	for i, v := range pcm {
		out[i] = int16(min(max(float64(v)+room*r.NormFloat64(), -32768), 32767))
	}
	return out
}

// save writes pcm as a WAV into the temporary folder.
func (b *bench) save(name string, pcm []int16) (string, error) {
	path := filepath.Join(b.dir, name)
	f, err := os.Create(path)
	if err != nil {
		return "", fmt.Errorf("write a recording: %w", err)
	}
	defer f.Close()
	if err := audio.WriteWAV(f, audio.Clip{Format: audio.Mono16k, PCM: pcm}); err != nil {
		return "", fmt.Errorf("write %s: %w", name, err)
	}
	return path, f.Close()
}

// load reads any recording as 16 kHz mono.
func load(path string) ([]int16, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read a recording: %w", err)
	}
	defer f.Close()
	c, err := codec.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return c.Mono16k().PCM, nil
}

// files are the recordings of a folder of the data that match a pattern.
func (b *bench) files(pattern ...string) ([]string, error) {
	data, err := b.recordings()
	if err != nil {
		return nil, err
	}
	paths, err := filepath.Glob(filepath.Join(append([]string{data}, pattern...)...))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no recordings %s", filepath.Join(pattern...))
	}
	return paths, nil
}

// wakeWords are people saying "jarvis", without silence around it.
func (b *bench) wakeWords() ([][]int16, error) {
	paths, err := b.files("wake", "jarvis", "*")
	if err != nil {
		return nil, err
	}
	var words [][]int16
	for _, p := range paths {
		pcm, err := load(p)
		if err != nil {
			return nil, err
		}
		words = append(words, level(trim(pcm), peak))
	}
	return words, nil
}
