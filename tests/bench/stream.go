package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/agent"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/openai"
	"github.com/solo-assistant/solo/models/router"
)

const (
	longAnswers  = 20
	answerTokens = 300
)

// bare is a toolbox without tools.
type bare struct{}

func (bare) Call(context.Context, models.Call) (models.Result, error) {
	return models.Result{}, models.ErrUnable
}
func (bare) Check(c models.Call) error { return fmt.Errorf("there is no tool %q", c.Tool) }
func (bare) Specs() []models.Spec      { return nil }

// measureStream lets an agent read long answers, at a steady pace and as fast as it can.
func measureStream(ctx context.Context, b *bench) (section, error) {
	words := chapter(answerTokens)
	t := newTable("tokens a second", "answers", "p50", "5th percentile", "slowest")
	show := func(name string, v []float64) {
		t.row(name, fmt.Sprint(len(v)), figure(percentile(v, 0.5)), figure(percentile(v, 0.05)), figure(percentile(v, 0)))
	}
	paced, all, err := readAnswers(ctx, b.times(longAnswers), words, pacedRate)
	if err != nil {
		return section{}, err
	}
	show(fmt.Sprintf("server at %g tokens/s", pacedRate), paced)
	fast, _, err := readAnswers(ctx, b.times(longAnswers), chapter(10*answerTokens), 0)
	if err != nil {
		return section{}, err
	}
	show("server as fast as it is read, in the same process", fast)
	return section{
		goals: []goal{{"tokens through the whole stack from a server at 100 tokens/s", fmt.Sprintf("%.2f %%", 100*all/pacedRate), "at least 99 %", all >= 0.99*pacedRate}},
		text: fmt.Sprintf("`models/openai`, `models/router` and `core/agent` read answers of about %d tokens; the time is from the question to the end of the answer. "+
			"The server's first token comes a token's time after the request, so that 100 tokens/s is the most that there can be. All answers together: %.2f tokens/s.\n\n", answerTokens, all) + t.String(),
	}, nil
}

// readAnswers gives the tokens per second of each answer, and of all together.
func readAnswers(ctx context.Context, n int, words string, rate float64) (each []float64, all float64, err error) {
	server, err := newPaced(words, rate)
	if err != nil {
		return nil, 0, err
	}
	defer server.close()
	engine, err := openai.New(openai.Config{BaseURL: server.url, Place: "home", Model: "paced"})
	if err != nil {
		return nil, 0, err
	}
	r, err := router.New(router.Config{Engines: []router.Engine{engine}})
	if err != nil {
		return nil, 0, err
	}
	a := agent.New(agent.Config{Model: r, Tools: bare{}})
	defer a.Close()
	var sum time.Duration
	for i := range n + 1 { // the first is to warm up
		took, err := readAnswer(ctx, a, fmt.Sprint("bench-", i), words)
		if err != nil {
			return nil, 0, err
		}
		if i == 0 {
			continue
		}
		sum += took
		each = append(each, float64(len(server.tokens))/took.Seconds())
	}
	return each, float64(n*len(server.tokens)) / sum.Seconds(), nil
}

// readAnswer reads one answer, which must be these words.
func readAnswer(ctx context.Context, a *agent.Agent, session, words string) (time.Duration, error) {
	ctx = models.WithOrigin(ctx, models.Origin{Channel: "typed", Session: session})
	var said strings.Builder
	began := time.Now()
	for piece, err := range a.Answer(ctx, event.Heard{Text: riddles[0], Sure: 1, Engine: "typed"}) {
		if err != nil {
			return 0, err
		}
		said.WriteString(piece.Text)
	}
	took := time.Since(began)
	if said.String() != words {
		return 0, fmt.Errorf("the agent said %.80q", said.String())
	}
	return took, nil
}

// tale is what long answers are made of.
var tale = []string{
	"The first engines stood beside mines and pumped water day and night.", "A boiler of riveted plates was heated by a fire of coal.",
	"The steam went into a cylinder and lifted a heavy piston.", "Cold water made the steam shrink, and the air pushed the piston down again.",
	"A long beam of wood carried the motion to the pump below the ground.", "Later a second vessel was added, in which the steam was cooled.",
	"The cylinder stayed hot, and much less coal was burned for the same work.", "A wheel with a crank turned the strokes into a steady rotation.",
	"Spinning weights opened and closed a valve, so that the speed stayed even.", "Workshops learned to bore a cylinder so true that a coin would not fit between.",
}

// chapter is a text of about n tokens, in whole sentences.
func chapter(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n*tokenLength; i++ {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(tale[i%len(tale)])
	}
	return b.String()
}
