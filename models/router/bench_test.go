package router_test

import (
	"context"
	"iter"
	"testing"

	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/router"
)

// swift says n pieces as fast as they are read.
type swift struct{ n int }

func (s swift) Name() string      { return "swift" }
func (s swift) Cloud(string) bool { return false }
func (s swift) Stream(_ context.Context, _ models.Request) iter.Seq2[models.Delta, error] {
	return func(yield func(models.Delta, error) bool) {
		for range s.n {
			if !yield(models.Delta{Text: " word"}, nil) {
				return
			}
		}
	}
}
func (s swift) Embed(context.Context, string, []string) ([][]float32, error) { return nil, nil }
func (s swift) Models(context.Context) ([]models.Info, error)                { return nil, nil }

// BenchmarkToken is what the router costs for each token, on top of the engine.
func BenchmarkToken(b *testing.B) {
	r, err := router.New(router.Config{Engines: []router.Engine{swift{b.N}}, Cache: 64})
	if err != nil {
		b.Fatal(err)
	}
	q := words("hello")
	b.ReportAllocs()
	b.ResetTimer()
	for _, err := range r.Stream(b.Context(), q) {
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRequest is what it costs for each request: route, guard, queue, event. "kept" answers from the cache.
func BenchmarkRequest(b *testing.B) {
	for name, ask := range map[string]func(string) models.Request{"asked": words, "kept": cold} {
		b.Run(name, func(b *testing.B) {
			r, _ := made(b, router.Config{Engines: []router.Engine{swift{1}}, Cache: 64})
			q := ask("hello")
			b.ReportAllocs()
			for b.Loop() {
				for _, err := range r.Stream(b.Context(), q) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
