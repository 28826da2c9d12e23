package mind_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/mind"
	"github.com/solo-assistant/solo/models"
)

// slowly is an agent that says its pieces after a wait each.
type slowly struct {
	wait   time.Duration
	pieces []models.Answer
	ended  chan error // how the last answer ended
}

func (a *slowly) Answer(ctx context.Context, _ event.Heard) iter.Seq2[models.Answer, error] {
	return func(yield func(models.Answer, error) bool) {
		defer func() { a.ended <- context.Cause(ctx) }()
		for _, p := range a.pieces {
			select {
			case <-time.After(a.wait):
			case <-ctx.Done():
				yield(models.Answer{}, context.Cause(ctx))
				return
			}
			if !yield(p, nil) {
				return
			}
		}
	}
}

func thinking(wait time.Duration, pieces ...models.Answer) (*slowly, func(*mind.Config, *box)) {
	a := &slowly{wait: wait, pieces: pieces, ended: make(chan error, 8)}
	return a, func(c *mind.Config, _ *box) { c.Agent = a }
}

func TestOneFillerCoversASlowModel(t *testing.T) {
	for name, tt := range map[string]struct {
		wait    time.Duration
		fillers int
	}{"quick": {time.Second, 0}, "slow": {4 * time.Second, 1}, "very slow": {20 * time.Second, 1}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, with := thinking(tt.wait, models.Answer{Text: "Rain "}, models.Answer{Text: "falls."})
				k := newTalk(t, with)
				said := k.say("why does it rain")
				n := 0
				for _, f := range mind.Fillers {
					n += strings.Count(said, f)
				}
				if n != tt.fillers || !strings.HasSuffix(said, "Rain  falls.") {
					t.Errorf("%d fillers in %q", n, said)
				}
			})
		})
	}
}

func TestFillersChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, with := thinking(4*time.Second, models.Answer{Text: "Yes."})
		k := newTalk(t, with)
		first, second := k.say("why is there air"), k.say("why is there water")
		if first == second {
			t.Errorf("twice %q", first)
		}
	})
}

func TestAnAnswerThatIsSpokenOverLetsTheModelGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, with := thinking(time.Second, models.Answer{Text: "One."}, models.Answer{Text: "Two."}, models.Answer{Text: "Three."})
		k := newTalk(t, with)
		gone := errors.New("barge-in")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(1500*time.Millisecond, func() { cancel(gone) })
		var said []string
		var last error
		for s, err := range k.mind.Answer(ctx, event.Heard{Text: "count to three slowly for me", Sure: 1}) {
			said, last = append(said, s), err
		}
		if !slices.Equal(said, []string{"One.", ""}) || !errors.Is(last, gone) {
			t.Errorf("%q, %v", said, last)
		}
		if err := <-a.ended; err == nil {
			t.Error("the model was not told")
		}
	})
}

func TestAQuestionOfTheModelIsAnswered(t *testing.T) {
	grant := ask("", "consent.grant", `{"id":"7"}`)
	grant.No = &models.Call{Tool: "consent.refuse", Arguments: []byte(`{"id":"7"}`)}
	for answer, want := range map[string]string{"yes": `consent.grant {"id":"7"}`, "no": `consent.refuse {"id":"7"}`} {
		synctest.Test(t, func(t *testing.T) {
			_, with := thinking(0, models.Answer{Text: "Send it to Anna. Yes or no?", Ask: grant})
			k := newTalk(t, with)
			if said := k.say("tell anna that i am late"); !strings.HasSuffix(said, "Yes or no?") {
				t.Error(said)
			}
			if k.say(answer); k.last() != want {
				t.Errorf("%s ran %s", answer, k.last())
			}
		})
	}
}

func TestWordsThatWereHardlyHeardAreNoQuestionForTheModel(t *testing.T) {
	_, with := thinking(0, models.Answer{Text: "Deep thoughts."})
	k := newTalk(t, with)
	if said := k.hear(event.Heard{Text: "set a timr for ten minutes", Sure: 0.3}); !strings.HasPrefix(said, "Did you mean") {
		t.Error(said)
	}
	k = newTalk(t, with)
	if said := k.hear(event.Heard{Text: "set a timr four elephants", Sure: 0.9}); said != "Deep thoughts." {
		t.Error(said)
	}
}
