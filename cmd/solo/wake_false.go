package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/solo-assistant/solo/audio/wake/own"
	"github.com/solo-assistant/solo/audio/wake/own/train"
	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/channel/local"
	"github.com/solo-assistant/solo/core/job"
	"github.com/solo-assistant/solo/core/tool/wake"
	"github.com/solo-assistant/solo/models"
)

// mendKind is the job that learns a wake word again.
const mendKind = "wake"

// mending is the input of that job.
type mending struct {
	Word string `json:"word"`
}

// menders correct the user's own wake words, one for each.
type menders struct {
	app   *app
	scale float64 // of the learning, 0 for all of it

	mu  sync.Mutex
	all map[string]*train.Mender
}

// of gives the mender of a phrase, wake.ErrNotOwn where it was not trained here.
func (m *menders) of(phrase string) (*train.Mender, error) {
	path := m.app.ownWord(phrase)
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("%w: %q", wake.ErrNotOwn, phrase)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.all == nil {
		m.all = map[string]*train.Mender{}
	}
	if m.all[path] == nil {
		m.all[path] = train.NewMender(train.MendConfig{Model: path, Embedding: m.app.home.embedding(), Seed: 1, Scale: m.scale})
	}
	return m.all[path], nil
}

// learner corrects the wake word of a running assistant.
type learner struct{ s *assistant }

// False takes the last wake that came to nothing for a false one.
func (l learner) False(ctx context.Context) (wake.Wrong, error) {
	w, err := l.s.wakes.wrong(bus.MetaOf(ctx).Turn)
	if err != nil {
		return wake.Wrong{}, err
	}
	m, err := l.s.menders.of(w.word)
	if err != nil {
		return wake.Wrong{}, err
	}
	mark, err := m.Wrong(w.sound)
	if errors.Is(err, train.ErrNoSound) {
		return wake.Wrong{}, wake.ErrNone
	}
	if err != nil {
		return wake.Wrong{}, err
	}
	return wake.Wrong{Word: w.word, Mark: mark}, l.again(ctx, w.word)
}

// Right takes that back.
func (l learner) Right(ctx context.Context, w wake.Wrong) error {
	m, err := l.s.menders.of(w.Word)
	if err == nil {
		err = m.Right(w.Mark)
	}
	if errors.Is(err, train.ErrNoWrong) || errors.Is(err, wake.ErrNotOwn) {
		return wake.ErrNone
	}
	if err != nil {
		return err
	}
	return l.again(ctx, w.Word)
}

// again learns a word in the background. One job that has not begun will know all that is known by then.
func (l learner) again(ctx context.Context, word string) error {
	live, err := l.s.jobs.Live(ctx)
	if err != nil {
		return err
	}
	for _, j := range live {
		var in mending
		if j.Kind == mendKind && j.State == job.Queued && json.Unmarshal(j.Input, &in) == nil && in.Word == word {
			return nil
		}
	}
	_, err = l.s.jobs.Start(ctx, mendKind, fmt.Sprintf("learning the wake word %s again", word), mending{word})
	return err
}

// mend is that job. It says nothing at its end: the user is not to be disturbed once more.
func (s *assistant) mend(ctx context.Context, r *job.Run) (models.Result, error) {
	var in mending
	if err := json.Unmarshal(r.Input(), &in); err != nil {
		return models.Result{}, fmt.Errorf("read which wake word: %w", err)
	}
	m, err := s.menders.of(in.Word)
	if err != nil {
		return models.Result{}, err
	}
	told := time.Now()
	made, err := m.Learn(ctx, func(done float64) {
		if time.Since(told) > 3*time.Second {
			told = time.Now()
			_ = r.Save(ctx, nil, done, "learning") // it begins anew after a restart
		}
	})
	if err != nil {
		return models.Result{}, err
	}
	s.wakes.use(made)
	return models.Result{}, nil
}

// reloadWake takes up a word that another process made, such as solo wake train.
func (s *assistant) reloadWake(phrase string) error {
	m, err := own.Load(s.app.ownWord(phrase))
	if err != nil {
		return err
	}
	s.wakes.use(m)
	return nil
}

// tellRunning has the running Solo take up a word; where none runs there is nothing to do.
func (a *app) tellRunning(ctx context.Context, phrase string) {
	err := local.Call(ctx, a.home.data, "wake.reload", typed{Text: phrase}, func(json.RawMessage) error { return nil })
	if err != nil && !errors.Is(err, local.ErrNobody) {
		a.log.Warn().Err(err).Msg("the running Solo did not take up the wake word")
	}
}

// FalseWake tells the running Solo that its last wake was false, or learns from a recording of one.
func (a *app) FalseWake(ctx context.Context, o cli.FalseWake, tell cli.Tell) error {
	if o.Sound != "" {
		return a.learnFalse(ctx, o, tell)
	}
	err := local.Call(ctx, a.home.data, "call", models.Call{Tool: "wake.false"}, func(v json.RawMessage) error {
		var said cli.Called
		if err := json.Unmarshal(v, &said); err != nil {
			return err
		}
		if said.Status == "ok" && len(said.Data) == 0 {
			return &cli.Failure{Code: "nothing", Err: errors.New(said.Say)}
		}
		tell(said)
		return nil
	})
	if errors.Is(err, local.ErrNobody) {
		return &cli.Failure{Code: "absent", Hint: "a recording of the sound is taken by: solo wake false --word PHRASE --sound FILE", Err: errors.New("no running Solo was found, so nothing was woken")}
	}
	return err
}

// learnFalse learns from a recording, here and now.
func (a *app) learnFalse(ctx context.Context, o cli.FalseWake, tell cli.Tell) error {
	began, phrase := time.Now(), own.Phrase(o.Word)
	pcm, err := wholeSound(o.Sound)
	if err != nil {
		return unreadable(o.Sound, err)
	}
	m, err := (&menders{app: a, scale: a.mendScale}).of(phrase)
	if err != nil {
		return &cli.Failure{Code: "untrained", Hint: "train it with: solo wake train \"" + phrase + "\"", Err: err}
	}
	if _, err := m.Wrong(pcm); err != nil {
		if errors.Is(err, train.ErrNoSound) {
			return &cli.Failure{File: o.Sound, Code: "silence", Exit: cli.ExitSilence, Err: err}
		}
		return untrained(err)
	}
	every := tenths(tell)
	made, err := m.Learn(ctx, func(done float64) { every(train.Progress{Doing: "learning", Done: done}) })
	if err != nil {
		return untrained(err)
	}
	tell(trained(made, a.ownWord(phrase), time.Since(began)))
	a.tellRunning(ctx, phrase)
	return nil
}
