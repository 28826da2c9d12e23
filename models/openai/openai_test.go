package openai_test

import (
	"net/http"
	"testing"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/models/modelstest"
	"github.com/solo-assistant/solo/models/openai"
)

func TestSuite(t *testing.T) {
	modelstest.Suite(t, func(t *testing.T, srv *modelstest.Server) modelstest.Engine { return engine(t, srv) })
}

// A client of the caller's own, which keeps its connections, behaves the same.
func TestSuiteOnKeptConnections(t *testing.T) {
	modelstest.Suite(t, func(t *testing.T, srv *modelstest.Server) modelstest.Engine {
		kept := &http.Transport{}
		t.Cleanup(kept.CloseIdleConnections)
		e, err := openai.New(openai.Config{Name: "openai:kept", BaseURL: srv.OpenAI(), Key: config.NewSecret(srv.Key()), Model: "test-model", Client: &http.Client{Transport: kept}})
		if err != nil {
			t.Fatal(err)
		}
		return e
	})
}

func engine(t testing.TB, srv *modelstest.Server) *openai.Engine {
	t.Helper()
	e, err := openai.New(openai.Config{Name: "openai:test", BaseURL: srv.OpenAI(), Key: config.NewSecret(srv.Key()), Model: "test-model", Log: zerolog.New(srv.Log())})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func BenchmarkStream(b *testing.B) {
	modelstest.Benchmark(b, "openai", func(url string) modelstest.Engine {
		e, err := openai.New(openai.Config{BaseURL: url, Model: "test-model"})
		if err != nil {
			b.Fatal(err)
		}
		return e
	})
}
