package router_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/router"
)

func TestCloudGuard(t *testing.T) {
	no, broken := errors.New("no leave for that"), errors.New("disk is full")
	for name, tt := range map[string]struct {
		consent router.Consent
		only    bool
		want    error // nil where it is let go
	}{
		"no consent":                {nil, false, models.ErrPrivate},
		"refused":                   {&consent{err: no}, false, no},
		"nobody's word":             {&consent{}, false, models.ErrPrivate},
		"approved":                  {&consent{approval: "a1"}, false, nil},
		"approved, but local only":  {&consent{approval: "a1"}, true, models.ErrPrivate},
		"approved, ledger is full":  {&consent{approval: "a1", deaf: broken}, false, broken},
		"refused in a strange way":  {&consent{err: models.ErrBusy}, false, models.ErrPrivate},
		"approved and refused both": {&consent{approval: "a1", err: no}, false, models.ErrPrivate},
	} {
		t.Run(name, func(t *testing.T) {
			cloud := &engine{name: "cloud", play: saying(0, "Yes."), cloud: func(model string) bool { return model != "local" }}
			r, event := made(t, router.Config{Engines: []router.Engine{cloud}, Consent: tt.consent, LocalOnly: tt.only, Default: "cloud/m", Cache: 8})
			check := func(what string, err error) {
				if tt.want == nil && err == nil {
					return
				}
				if !errors.Is(err, tt.want) || !errors.Is(err, models.ErrPrivate) || cloud.count()+len(cloud.texts) > 0 {
					t.Errorf("%s: %v, asked %d times", what, err, cloud.count())
				}
				if e := event(); e.Err != models.ErrPrivate.Error() {
					t.Errorf("published %+v", e)
				}
			}
			q := cold("my secret")
			q.Work = models.Deep
			_, _, err := read(t.Context(), r, q)
			check("stream", err)
			_, err = r.Embed(t.Context(), "", []string{"my", "vectors"})
			check("embed", err)
			if tt.want == nil {
				want := `[{cloud m deep a1 [{user my secret [] }]} {cloud m embedding a1 [{user my [] } {user vectors [] }]}]`
				if got := fmt.Sprint(tt.consent.(*consent).sent); got != want {
					t.Errorf("wrote down\n %s\nwant\n %s", got, want)
				}
			}
			q.Model = "local"
			if _, _, err := read(t.Context(), r, q); err != nil {
				t.Errorf("a model on this machine: %v", err)
			}
		})
	}
}

// A cloud in the fallback list is guarded too, and what is told is what happened to the user's own engine.
func TestGuardOfFallback(t *testing.T) {
	a, b, c := &engine{name: "a", play: failing(models.ErrUnreachable)}, &engine{name: "b", play: saying(0, "b"), cloud: always}, &engine{name: "c", play: saying(0, "c")}
	conf := router.Config{Engines: []router.Engine{a, b, c}, Fallback: []string{"b"}}
	r, _ := made(t, conf)
	if _, _, err := read(t.Context(), r, words("x")); !errors.Is(err, models.ErrUnreachable) || errors.Is(err, models.ErrPrivate) || b.count() > 0 {
		t.Errorf("got %v, asked %d times", err, b.count())
	}
	conf.Fallback = []string{"b", "c"}
	r, _ = made(t, conf)
	if text, _, err := read(t.Context(), r, words("x")); text != "c" || err != nil {
		t.Errorf("said %q, error %v", text, err)
	}
	conf.Default = "b" // a cloud chosen by the user is not replaced in silence
	r, _ = made(t, conf)
	if _, _, err := read(t.Context(), r, words("x")); !errors.Is(err, models.ErrPrivate) || b.count() > 0 {
		t.Errorf("got %v", err)
	}
}

// ledger lets some go and notes what it wrote down before the engine was asked.
type ledger struct {
	mu       sync.Mutex
	allows   map[string]bool // digests
	written  map[string]int  // provider and digest
	breaches []string
}

func (l *ledger) May(_ context.Context, _ string, m []models.Message) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.allows[models.Digest(m)] {
		return "id", nil
	}
	return "", models.ErrPrivate
}

func (l *ledger) Sent(_ context.Context, s models.Sending) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.written[s.Provider+models.Digest(s.Messages)]++
	return nil
}

// received is called by a cloud for each request that reaches it.
func (l *ledger) received(provider string, q models.Request, only bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := provider + models.Digest(q.Messages)
	if l.written[key]--; l.written[key] < 0 || only || !l.allows[models.Digest(q.Messages)] {
		l.breaches = append(l.breaches, provider)
	}
}

// Whatever the settings, nothing reaches a cloud without leave and a line in the ledger.
func TestNothingLeaksWhateverTheSettings(t *testing.T) {
	outcomes := []error{nil, models.ErrAbsent, models.ErrUnreachable, models.ErrBusy, models.ErrTooLong, models.ErrLate, models.ErrPrivate, models.ErrKey}
	reached := 0
	for seed := range uint64(400) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		l := &ledger{allows: map[string]bool{}, written: map[string]int{}}
		c := router.Config{LocalOnly: rnd.IntN(4) == 0, Cache: rnd.IntN(3), Parallel: rnd.IntN(3)}
		if rnd.IntN(6) > 0 {
			c.Consent = l
		}
		var names []string
		for i := range 2 + rnd.IntN(4) {
			e := &engine{name: fmt.Sprint("e", i)}
			share := rnd.IntN(3) // of models at a cloud
			e.cloud = func(model string) bool { return share == 2 || share == 1 && strings.HasSuffix(model, "-cloud") }
			e.play = func(ctx context.Context, q models.Request, yield func(models.Delta, error) bool) {
				if e.cloud(q.Model) {
					reached++
					l.received(e.name, q, c.LocalOnly || c.Consent == nil)
				}
				if err := outcomes[rnd.IntN(len(outcomes))]; err != nil {
					yield(models.Delta{}, err)
					return
				}
				yield(models.Delta{Text: "Fine."}, nil)
			}
			c.Engines = append(c.Engines, e)
			names = append(names, e.name, e.name+"/m", e.name+"/m-cloud")
		}
		any1 := func() string { return names[rnd.IntN(len(names))] }
		c.Default, c.Quick, c.Deep, c.Planning = any1(), any1(), any1(), any1()
		for range rnd.IntN(5) {
			c.Fallback = append(c.Fallback, any1())
		}
		r, _ := made(t, c)
		for range 30 {
			q := cold(fmt.Sprint("words ", rnd.IntN(6)))
			if rnd.IntN(2) == 0 {
				l.allows[models.Digest(q.Messages)] = true
			}
			q.Work = []models.Work{models.Quick, models.Deep, models.Planning, models.Coding}[rnd.IntN(4)]
			if rnd.IntN(4) == 0 {
				q.Model = slices.Concat(names, []string{"m", "m-cloud"})[rnd.IntN(len(names)+2)]
			}
			if rnd.IntN(6) == 0 {
				q.MaxTokens = -1
			}
			_, _, _ = read(t.Context(), r, q)
		}
		if len(l.breaches) > 0 {
			t.Fatalf("seed %d: %v were reached without leave", seed, l.breaches)
		}
	}
	if reached < 1000 {
		t.Errorf("clouds were asked only %d times: this proves little", reached)
	}
}
