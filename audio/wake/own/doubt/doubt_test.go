package doubt_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen/listentest"
	"github.com/solo-assistant/solo/audio/stt/sphinx"
	"github.com/solo-assistant/solo/audio/wake/own/doubt"
	"github.com/solo-assistant/solo/tests/corpus"
)

// stub is a recogniser that hears one thing.
type stub struct {
	text   string
	err    error
	closed *int
}

func (s stub) Feed([]int16) error { return nil }
func (s stub) Close() error       { *s.closed++; return nil }
func (s stub) Finish(context.Context) (audio.Transcript, error) {
	return audio.Transcript{Text: s.text}, s.err
}

func TestCheck(t *testing.T) {
	broken := errors.New("broken")
	for name, tt := range map[string]struct {
		heard string
		err   error
		want  bool
		fails bool
	}{
		"the word":              {"hey solo", nil, true, false},
		"among others":          {"album hey  Solo picture", nil, true, false},
		"half of it":            {"hey picture", nil, false, false},
		"a piece of a word":     {"they solo", nil, false, false},
		"another":               {"picture", nil, false, false},
		"the second":            {"good house", nil, true, false},
		"nothing is no witness": {"", audio.ErrNoSpeech, true, false},
		"broken":                {"", broken, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			closed := 0
			check := doubt.Check(func(context.Context) (doubt.Stream, error) { return stub{tt.heard, tt.err, &closed}, nil }, []string{"hey solo", "good house"})
			yes, err := check(t.Context(), make([]int16, 100))
			if yes != tt.want || (err != nil) != tt.fails || closed != 1 {
				t.Errorf("%t, %v, closed %d times", yes, err, closed)
			}
		})
	}
	check := doubt.Check(func(context.Context) (doubt.Stream, error) { return nil, broken }, []string{"hey solo"})
	if yes, err := check(t.Context(), nil); !yes || !errors.Is(err, broken) {
		t.Errorf("%t, %v without a recogniser", yes, err)
	}
}

func TestGrammar(t *testing.T) {
	g := doubt.Grammar([]string{"hey solo", "computer"})
	if g != doubt.Grammar([]string{"computer", "hey solo"}) && !strings.Contains(g, "<phrase> = computer | hey solo;") {
		t.Error(g)
	}
	if n := strings.Count(g, "|"); n < 10 || n > 40 {
		t.Errorf("%d words: %s", n, g)
	}
}

// With pocketsphinx: people's "jarvis" is the word, their orders without it are mostly not.
func TestPeopleAreTold(t *testing.T) {
	e, err := sphinx.New(sphinx.Config{Grammar: doubt.Grammar([]string{"jarvis"}), Cache: t.TempDir()})
	if errors.Is(err, sphinx.ErrAbsent) {
		t.Skipf("skipped: %v (tests need -tags sphinx)", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	check := doubt.Check(func(ctx context.Context) (doubt.Stream, error) { return e.Open(ctx) }, []string{"jarvis"})
	count := func(pattern string, every int) (yes, all int) {
		for i, f := range listentest.Files(t, corpus.Dir(t), pattern) {
			if i%every != 0 {
				continue
			}
			pcm := listentest.Load(t, f)
			ok, err := check(t.Context(), pcm[:min(len(pcm), 5*audio.Rate/2)])
			if err != nil {
				t.Fatal(err)
			}
			if all++; ok {
				yes++
			}
		}
		return yes, all
	}
	words, of := count("wake/jarvis/*.wav", 4)
	others, among := count("commands/*.flac", 4)
	t.Logf("%d of %d were the word, and %d of %d of what was none", words, of, others, among)
	if words < of-1 || 2*others > among {
		t.Error("want all but one of the words, and less than half of the others")
	}
}
