//go:build whisper && cgo

package whisper

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/audio"
)

// within serves an engine that has a model of random weights in this program.
func within(t testing.TB, s shape, change func(*Config)) *Engine {
	t.Helper()
	dir := t.TempDir()
	randomModel(t, dir, s)
	c := Config{Settings: Settings{Every: time.Second, Threads: 1}, Data: dir, Log: zerolog.New(zerolog.NewTestWriter(t)).Level(zerolog.WarnLevel)}
	if change != nil {
		change(&c)
	}
	e, err := NewInside(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- e.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if e.inside.(*resident).awake() {
			t.Error("the model is left in memory")
		}
	})
	return e
}

// awake tells whether the model is in memory.
func (r *resident) awake() bool {
	r.turn <- struct{}{}
	defer func() { <-r.turn }()
	return r.m != nil
}

// A model of true shape is loaded, reads the same twice, and gives what can be used.
func TestInside(t *testing.T) {
	e := within(t, little, nil)
	first, err := e.inside.read(t.Context(), spoken(one), "Anna, Paris.")
	if err != nil {
		t.Fatal(err)
	}
	again, err := e.inside.read(t.Context(), spoken(one), "Anna, Paris.")
	if err != nil || len(first.segments) != len(again.segments) || first.language != "english" {
		t.Errorf("%d segments in %q, then %d, %v", len(first.segments), first.language, len(again.segments), err)
	}
	for i, s := range first.segments {
		if s.text != again.segments[i].text {
			t.Errorf("%q, then %q", s.text, again.segments[i].text)
		}
		if s.end < s.start || s.sure < 0 || s.sure > 1 || s.silent < 0 || s.silent > 1 {
			t.Errorf("%+v", s)
		}
	}
	for name, pcm := range map[string][]int16{"words": spoken(two), "one sample": {1}} {
		if _, err := e.inside.read(t.Context(), pcm, ""); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := hear(t, e, spoken(two)); !heardSomething(err) {
		t.Error(err)
	}
	if _, err := e.Transcribe(t.Context(), &tape{pcm: spoken(one)}); !heardSomething(err) {
		t.Error(err)
	}
}

// Memory is given back after a rest, and the next utterance brings the model back.
func TestInsideSleeps(t *testing.T) {
	e := within(t, little, func(c *Config) { c.SleepIdle = 200 * time.Millisecond })
	for range 2 {
		if _, err := hear(t, e, spoken(one)); !heardSomething(err) {
			t.Fatal(err)
		}
		for until := time.Now().Add(30 * time.Second); e.inside.(*resident).awake(); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(until) {
				t.Fatal("it does not sleep")
			}
		}
	}
}

// A reading that nobody wants any more is given up.
func TestInsideGivesUp(t *testing.T) {
	e := within(t, tiny, nil)
	if err := e.inside.ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	why := errors.New("the user spoke on")
	ctx, cancel := context.WithCancelCause(t.Context())
	timer := time.AfterFunc(100*time.Millisecond, func() { cancel(why) })
	defer timer.Stop()
	long := make([]int16, 0, 100*audio.Rate)
	for len(long) < 90*audio.Rate {
		long = append(long, spoken(two)...)
	}
	began := time.Now()
	if _, err := e.inside.read(ctx, long, ""); !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
	t.Logf("given up %v after it was begun", time.Since(began))
}

func TestInsideDamaged(t *testing.T) {
	dir := t.TempDir()
	model(t, dir)
	e, err := NewInside(Config{Data: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.inside.ready(t.Context()); err == nil {
		t.Error("loaded a file that is no model")
	}
	if err := os.Remove(filepath.Join(dir, "models", "whisper", "ggml-fake.en.bin")); err != nil {
		t.Fatal(err)
	}
	if _, err := hear(t, e, spoken(one)); err == nil || errors.Is(err, audio.ErrNoSpeech) {
		t.Errorf("error %v without the file", err)
	}
}

// BenchmarkInside is one reading of 5 s in the shape of the smallest model.
func BenchmarkInside(b *testing.B) {
	e := within(b, tiny, nil)
	pcm := make([]int16, 0, 6*audio.Rate)
	for len(pcm) < 5*audio.Rate {
		pcm = append(pcm, spoken(two)...)
	}
	if err := e.inside.ready(b.Context()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := e.inside.read(b.Context(), pcm[:5*audio.Rate], ""); err != nil {
			b.Fatal(err)
		}
	}
}
