package ollama_test

import (
	"testing"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/models/modelstest"
	"github.com/solo-assistant/solo/models/ollama"
)

func TestSuite(t *testing.T) {
	modelstest.Suite(t, func(t *testing.T, srv *modelstest.Server) modelstest.Engine {
		return engine(t, srv, ollama.Config{Model: "test-model"})
	})
}

func engine(t testing.TB, srv *modelstest.Server, c ollama.Config) *ollama.Engine {
	t.Helper()
	c.Host, c.Key, c.Log = srv.Ollama(), config.NewSecret(srv.Key()), zerolog.New(srv.Log())
	e, err := ollama.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func BenchmarkStream(b *testing.B) {
	modelstest.Benchmark(b, "ollama", func(url string) modelstest.Engine {
		e, err := ollama.New(ollama.Config{Host: url, Model: "test-model"})
		if err != nil {
			b.Fatal(err)
		}
		return e
	})
}
