package dialog_test

import (
	"context"
	"strings"
	"testing"
	"time"
)

// What was still being thought when the user spoke is not told as a part of the answer.
func TestAThoughtThatIsSpokenOverIsNoReply(t *testing.T) {
	m := thinker{"story": {"Once upon a time.", "There was half a", "thought."}, "stop": {"OK."}}
	play(t, m, func(_ context.Context, s *stage) {
		s.says("story")
		time.Sleep(40*time.Millisecond + 250*time.Millisecond)
		s.says("stop")
		time.Sleep(5 * time.Second)
		log := strings.Join(s.events(), "\n")
		if strings.Contains(log, "There was") || !strings.Contains(log, "replied Once upon a time.\ninterrupted ") || !strings.Contains(log, "answered OK.") {
			t.Errorf("it went\n%s", log)
		}
	})
}
