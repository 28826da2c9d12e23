package anthropic_test

import (
	"testing"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/models/anthropic"
	"github.com/solo-assistant/solo/models/modelstest"
)

func TestSuite(t *testing.T) {
	modelstest.Suite(t, func(t *testing.T, srv *modelstest.Server) modelstest.Engine { return engine(t, srv) })
}

func engine(t testing.TB, srv *modelstest.Server) *anthropic.Engine {
	t.Helper()
	e, err := anthropic.New(anthropic.Config{BaseURL: srv.Anthropic(), Key: config.NewSecret(srv.Key()), Model: "test-model", Log: zerolog.New(srv.Log())})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func BenchmarkStream(b *testing.B) {
	modelstest.Benchmark(b, "anthropic", func(url string) modelstest.Engine {
		e, err := anthropic.New(anthropic.Config{BaseURL: url, Model: "test-model"})
		if err != nil {
			b.Fatal(err)
		}
		return e
	})
}
