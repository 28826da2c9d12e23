package dialog_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/audio"
)

const story = "Once upon a time there was a king."

// interruptedStory lets Solo say four words of a story before it is woken again.
func interruptedStory(s *stage) {
	s.says("story")
	time.Sleep(140*time.Millisecond + 900*time.Millisecond)
	s.Woke(audio.Hit{Word: "jarvis"}, time.Second)
	synctest.Wait()
}

func TestAnAnswerGoesOnWhereNothingWasSaid(t *testing.T) {
	for name, after := range map[string]func(s *stage){
		"no speech":        func(s *stage) { s.Missed("nothing was said") },
		"speech, no words": func(s *stage) { s.says("") },
	} {
		t.Run(name, func(t *testing.T) {
			play(t, thinker{"story": {story, " He had a cat."}}, func(_ context.Context, s *stage) {
				interruptedStory(s)
				after(s)
				time.Sleep(10 * time.Second)
				if said := s.mouth.heard(); !slices.Contains(said, story+" He had a cat.") {
					t.Errorf("heard %q", said)
				}
			})
		})
	}
}

func TestAnAnswerDoesNotGoOn(t *testing.T) {
	for name, after := range map[string]func(s *stage){
		"after an order": func(s *stage) { s.says("stop"); time.Sleep(3 * time.Second); s.Missed("nothing was said") },
		"after too long": func(s *stage) { time.Sleep(20 * time.Second); s.Missed("nothing was said") },
	} {
		t.Run(name, func(t *testing.T) {
			play(t, thinker{"story": {story, " He had a cat."}, "stop": {"OK."}}, func(_ context.Context, s *stage) {
				interruptedStory(s)
				after(s)
				time.Sleep(10 * time.Second)
				if said := strings.Join(s.mouth.heard(), "|"); strings.Contains(said, "cat") {
					t.Errorf("heard %q", said)
				}
			})
		})
	}
}

func TestAnUnfinishedAnswerIsThoughtToItsEnd(t *testing.T) {
	unfinished := append([]string{"Once upon a time there was a king. "}, slices.Repeat([]string{""}, 1000)...)
	play(t, thinker{"story": unfinished, "Please go on.": {"He had a cat."}}, func(_ context.Context, s *stage) {
		interruptedStory(s)
		s.Missed("nothing was said")
		time.Sleep(10 * time.Second)
		if said := s.mouth.heard(); !slices.Contains(said, "He had a cat.") {
			t.Errorf("heard %q", said)
		}
	})
}

// What a command answers is known at once: all of it goes on, and nothing is asked again.
func TestALongAnswerOfACommandGoesOn(t *testing.T) {
	var long []string
	for range 6 {
		long = append(long, story)
	}
	m := thinker{"story": {strings.Join(long, " ")}, "Please go on.": {"I did not understand that."}}
	play(t, m, func(_ context.Context, s *stage) {
		s.mouth.pace = 500 * time.Millisecond
		interruptedStory(s)
		s.Missed("nothing was said")
		time.Sleep(30 * time.Second)
		if said := s.mouth.heard(); len(said) != 2 || strings.Count(said[1], story) != 6 {
			t.Errorf("heard %q", said)
		}
	})
}
