package mind_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/models"
)

// A long answer takes long to say; the model is done with it as soon as it is written.
func TestTheModelDoesNotWaitForTheVoice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var long []models.Answer
		for range 500 {
			long = append(long, models.Answer{Text: "word "})
		}
		a, with := thinking(10*time.Millisecond, long...)
		k := newTalk(t, with)
		began, pieces, written := time.Now(), 0, time.Duration(0)
		for _, err := range k.mind.Answer(t.Context(), event.Heard{Text: "tell me a long story", Sure: 1}) {
			if err != nil {
				t.Fatal(err)
			}
			pieces++
			time.Sleep(300 * time.Millisecond) // a word's time
			if len(a.ended) > 0 && written == 0 {
				written = time.Since(began)
			}
		}
		if pieces != 500 || written == 0 || written > 6*time.Second {
			t.Errorf("%d pieces, written after %v, said after %v", pieces, written, time.Since(began))
		}
	})
}
