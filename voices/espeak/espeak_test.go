package espeak_test

import (
	"errors"
	"testing"

	"github.com/solo-assistant/solo/voices"
	"github.com/solo-assistant/solo/voices/espeak"
	"github.com/solo-assistant/solo/voices/synthtest"
)

func engine(t testing.TB) *espeak.Engine {
	e, err := espeak.New()
	if errors.Is(err, espeak.ErrAbsent) {
		t.Skip("skipped: espeak-ng is not installed")
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestSuite(t *testing.T) { synthtest.Run(t, engine(t)) }

func TestVersion(t *testing.T) {
	if v := engine(t).Version(t.Context()); v == "" {
		t.Fatal("no version")
	}
}

func TestAbsent(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := espeak.New(); !errors.Is(err, espeak.ErrAbsent) {
		t.Fatalf("got %v", err)
	}
}

func BenchmarkSentence(b *testing.B) {
	e := engine(b)
	for b.Loop() {
		for _, err := range e.Synthesize(b.Context(), voices.Phrase{Text: "It is twenty past four in the afternoon."}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
