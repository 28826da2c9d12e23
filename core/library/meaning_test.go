package library_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/library"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/store/rows/rowstest"
)

// letters is a model whose vectors count a few meanings by their words.
type letters struct{}

func (letters) Model(context.Context) string { return "letters" }

func (letters) Embed(_ context.Context, texts []string) ([][]float32, error) {
	var out [][]float32
	for _, t := range texts {
		v := make([]float32, 3)
		for i, meaning := range [][]string{{"car", "automobile", "garage"}, {"bread", "loaf", "oven"}, {"sea", "ocean", "tide"}} {
			for _, w := range meaning {
				v[i] += float32(strings.Count(strings.ToLower(t), w))
			}
		}
		out = append(out, v)
	}
	return out, nil
}

// What no word finds is found by its meaning.
func TestMeaningFindsWhatNoWordDoes(t *testing.T) {
	db := rowstest.Open(t, rowstest.Config(t, rows.SQLite))
	dir := t.TempDir()
	write(t, dir, "travel.txt", "We keep the automobile in a shed.")
	write(t, dir, "kitchen.txt", "The loaf cools on the sill.")
	write(t, dir, "coast.txt", "The tide comes in at noon.")
	l := open(t, db, dir, func(c *library.Config) { c.Embedder = letters{} })
	serve(t, l)
	until(t, l, "coast.txt read", "kitchen.txt read", "travel.txt read")
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if s, err := l.Status(t.Context()); err != nil || s.Vectors == 3 {
			break
		}
	}
	for question, want := range map[string]string{"the ocean": "coast.txt:1", "my garage": "travel.txt:1", "when does the loaf cool": "kitchen.txt:1"} {
		if got := found(t, l, question); len(got) == 0 || got[0] != want {
			t.Errorf("%q: %q, want %s first", question, got, want)
		}
	}
	if _, err := l.Remove(t.Context(), "coast.txt"); err != nil {
		t.Fatal(err)
	}
	if got := found(t, l, "the ocean"); slices.Contains(got, "coast.txt:1") {
		t.Errorf("removed, but found: %q", got)
	}
}
