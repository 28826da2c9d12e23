// Package synthtest is the one suite that every speech engine passes.
package synthtest

import (
	"context"
	"errors"
	"iter"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/voices"
)

// Engine is what the suite tries.
type Engine interface {
	Synthesize(ctx context.Context, p voices.Phrase) iter.Seq2[audio.Clip, error]
	Voices() []voices.Voice
}

// Run tries e on what a speech engine meets.
func Run(t *testing.T, e Engine) {
	t.Run("speaks", func(t *testing.T) {
		c := say(t, e, voices.Phrase{Text: "It is twenty past four."})
		if d := c.Duration(); d < 700*time.Millisecond || d > 5*time.Second {
			t.Fatalf("a sentence of five words lasts %v", d)
		}
		if audio.Level(c.PCM) < -40 {
			t.Fatalf("too quiet: %.1f dBFS", audio.Level(c.PCM))
		}
	})
	t.Run("pace", func(t *testing.T) {
		p := voices.Phrase{Text: "The quick brown fox jumps over the lazy dog."}
		slow, fast := p, p
		slow.Pace, fast.Pace = 0.7, 2
		s, f := say(t, e, slow).Duration(), say(t, e, fast).Duration()
		if ratio := float64(s) / float64(f); ratio < 1.8 || ratio > 4.5 {
			t.Fatalf("0.7 and 2 times the pace last %v and %v", s, f)
		}
	})
	t.Run("every voice", func(t *testing.T) {
		for i, v := range e.Voices() {
			if i == 5 {
				break // the first few tell enough
			}
			_, name, _ := strings.Cut(v.ID, "/")
			if c := say(t, e, voices.Phrase{Text: "hello", Voice: name}); c.Duration() == 0 {
				t.Errorf("%s says nothing", v.ID)
			}
		}
	})
	t.Run("unknown voice", func(t *testing.T) {
		for _, voice := range []string{"no such voice", "--help", "../x"} {
			if _, err := gather(t.Context(), e, voices.Phrase{Text: "hello", Voice: voice}); err == nil {
				t.Errorf("%q is accepted", voice)
			}
		}
	})
	t.Run("odd text", func(t *testing.T) {
		for _, text := range []string{"-t --help $(reboot) `id`; <speak>", "ünïcødé 你好 🎉", strings.Repeat("word ", 300), "one\ntwo\n\nthree"} {
			say(t, e, voices.Phrase{Text: text})
		}
	})
	t.Run("cancel", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := gather(ctx, e, voices.Phrase{Text: "hello"}); !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
	})
	t.Run("together", func(t *testing.T) {
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if _, err := gather(t.Context(), e, voices.Phrase{Text: "hello again"}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	})
}

func say(t *testing.T, e Engine, p voices.Phrase) audio.Clip {
	t.Helper()
	c, err := gather(t.Context(), e, p)
	if err != nil {
		t.Fatalf("%q: %v", p.Text[:min(len(p.Text), 40)], err)
	}
	return c
}

func gather(ctx context.Context, e Engine, p voices.Phrase) (audio.Clip, error) {
	var all audio.Clip
	for c, err := range e.Synthesize(ctx, p) {
		if err != nil {
			return all, err
		}
		if c.Format.Channels != 1 {
			return all, errors.New("the sound is not mono")
		}
		all.Format = c.Format
		all.PCM = append(all.PCM, c.PCM...)
	}
	return all, nil
}
