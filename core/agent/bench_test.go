package agent

import (
	"context"
	"iter"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/models"
)

// tokens is a model that writes a reply of n pieces, as fast as it is read.
type tokens int

func (n tokens) Stream(context.Context, models.Request) iter.Seq2[models.Delta, error] {
	return func(yield func(models.Delta, error) bool) {
		if !yield(models.Delta{Text: `{"type":"reply","text":"`}, nil) {
			return
		}
		for i := range int(n) {
			piece := " word"
			if i%12 == 11 {
				piece = "."
			}
			if !yield(models.Delta{Text: piece}, nil) {
				return
			}
		}
		yield(models.Delta{Text: `"}`}, nil)
	}
}

// What the agent adds to every token that a model writes.
func BenchmarkToken(b *testing.B) {
	const n = 500
	a := New(Config{Model: tokens(n), Tools: toolbox()})
	b.ReportAllocs()
	for b.Loop() {
		said := 0
		for piece := range a.Answer(b.Context(), event.Heard{Text: "talk"}) {
			said += len(piece.Text)
		}
		if said < n {
			b.Fatal(said)
		}
		a.c.Sessions = &notes{}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/n, "µs/token")
}

// What comes before the request leaves: the prompt with 30 tools and an earlier talk.
func BenchmarkPrompt(b *testing.B) {
	a := New(Config{Model: tokens(1), Tools: toolbox()})
	for range 10 {
		a.Note(b.Context(), "a question of the user", strings.Repeat("An answer of Solo. ", 5))
	}
	b.ReportAllocs()
	for b.Loop() {
		if t := a.turn(b.Context(), "a new question"); len(t.messages) < 10 {
			b.Fatal(len(t.messages))
		}
	}
}
