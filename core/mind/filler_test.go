package mind_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/mind"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/voices"
)

// A filler is a sentence of its own, known as one while the model is still silent.
func TestAFillerIsSaidBeforeTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, with := thinking(6*time.Second, models.Answer{Text: "Rain"}, models.Answer{Text: " falls."})
		k := newTalk(t, with)
		began := time.Now()
		var said []string
		for s, err := range voices.Sentences(k.mind.Answer(t.Context(), event.Heard{Text: "why does it rain", Sure: 1})) {
			if err != nil {
				t.Fatal(err)
			}
			if said = append(said, s); len(said) == 1 && time.Since(began) != 2500*time.Millisecond {
				t.Errorf("%q after %v", s, time.Since(began))
			}
		}
		if len(said) != 2 || !slices.Contains(mind.Fillers, said[0]) || said[1] != "Rain falls." {
			t.Errorf("said %q", said)
		}
	})
}
