package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/channel/local"
	"github.com/solo-assistant/solo/core/mind"
)

const (
	asks      = 100   // questions to each server
	pacedRate = 100.0 // tokens a second
)

// shortAnswer is what the paced server says to a typed question.
const shortAnswer = "A steam engine turns heat into motion. Water boils in a vessel, and the steam pushes a piston to and fro. A rod and a wheel make it turn."

// riddles are questions that are no command.
var riddles = []string{
	"how does a steam engine work", "why is the sky blue in the summer", "describe the life of a farmer long ago", "how did people build bridges before steel",
	"explain why bread rises in the oven", "who would win a race between a horse and a bear",
}

// measureFirst asks a running Solo as a typed question does, and takes the time to the first sentence.
func measureFirst(ctx context.Context, b *bench) (section, error) {
	server, err := newPaced(shortAnswer, pacedRate)
	if err != nil {
		return section{}, err
	}
	defer server.close()
	t := newTable("ms", "questions", "p50", "p95", "longest")
	s := section{text: "A running Solo (`solo run`) is asked what no command understands, with all its tools and the prompt that it always sends, through its local door as `solo ask` does: " +
		"from the words' leaving to the arrival of the first sentence, which the voice is handed at the same moment. " +
		"A sentence is known to be over when the next one begins, one token later.\n\n"}
	got, err := b.questions(ctx, "first", b.times(asks), server.settings())
	if err == nil {
		err = server.stages(t, got)
	}
	if err != nil {
		return s, err
	}
	extra, err := b.firstStory(ctx, t)
	s.text += t.String() + extra
	return s, err
}

// firstStory does the same with llama-server, and tells what is odd about it.
func (b *bench) firstStory(ctx context.Context, t *table) (string, error) {
	program, model, err := b.storyModel()
	var l lacking
	if errors.As(err, &l) {
		return "\nWith llama-server: " + l.Error() + ".\n", nil
	}
	if err != nil {
		return "", err
	}
	got, err := b.questions(ctx, "story", b.times(asks), []string{"--set", "llama.server=" + program, "--set", "llama.model=" + model, "--set", "ollama.use=off"})
	if err != nil {
		return "", fmt.Errorf("with llama-server: %w", err)
	}
	var all []float64
	words := 0
	for _, q := range got {
		all = append(all, float64(q.first.Microseconds())/1000)
		words += len(strings.Fields(q.sentence))
	}
	t.spread("llama-server with the story model: words to first sentence", all)
	return fmt.Sprintf("\nThe story model reads the whole prompt and writes JSON that fits the schema, but what it says means nothing: %.1f words in the first sentence.\n", float64(words)/float64(max(len(got), 1))), nil
}

// question is one that was asked.
type question struct {
	asked    time.Time
	first    time.Duration // to the first sentence that is no filler
	sentence string
}

// questions starts a Solo and asks it n times, each in a talk of its own, after a few that are not counted.
func (b *bench) questions(ctx context.Context, name string, n int, settings []string) ([]question, error) {
	home := filepath.Join(b.dir, name)
	if err := os.MkdirAll(home, 0o755); err != nil {
		return nil, fmt.Errorf("make a home for solo: %w", err)
	}
	p, err := b.start(ctx, home, nil, nil, append([]string{"run"}, settings...)...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = p.stop() }() // how it ends is not measured
	if _, ok := p.await(ctx, 0, startLimit, func(l line) bool { return l.Event == "ready" }); !ok {
		return nil, fmt.Errorf("solo run is not ready%s", p.lastWords())
	}
	var all []question
	for i := range n + 3 {
		q, err := askRunning(ctx, filepath.Join(home, "data"), fmt.Sprintf("bench-%d", i), riddles[i%len(riddles)])
		if err != nil {
			return nil, err
		}
		if i >= 3 {
			all = append(all, q)
		}
	}
	return all, nil
}

// askRunning asks the Solo whose data lie in a folder.
func askRunning(ctx context.Context, data, session, text string) (question, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	q := question{asked: time.Now()}
	err := local.Call(ctx, data, "ask", map[string]string{"session": session, "text": text}, func(raw json.RawMessage) error {
		var l struct{ Reply *struct{ Text string } }
		if err := json.Unmarshal(raw, &l); err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
		if l.Reply != nil && q.sentence == "" && !isFiller(l.Reply.Text) {
			q.first, q.sentence = time.Since(q.asked), l.Reply.Text
		}
		return nil
	})
	if err == nil && q.sentence == "" {
		err = errors.New("no sentence came")
	}
	if err != nil {
		return q, fmt.Errorf("ask %q: %w", text, err)
	}
	return q, nil
}

func isFiller(sentence string) bool {
	return slices.Contains(mind.Fillers, strings.TrimSpace(sentence))
}

// stages puts together what the server and the asker saw of the same questions.
func (p *paced) stages(t *table, asked []question) error {
	var all, before, model, behind []float64
	for _, q := range asked {
		s, ok := p.during(q.asked, q.asked.Add(q.first))
		last := p.tokenAt(q.sentence)
		if !ok || last < 0 || last >= len(s.sent) {
			return fmt.Errorf("the first sentence was %q, which the server did not say in time", q.sentence)
		}
		ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
		all = append(all, ms(q.first))
		before = append(before, ms(s.asked.Sub(q.asked)))
		model = append(model, ms(s.sent[last].Sub(s.asked)))
		behind = append(behind, ms(q.asked.Add(q.first).Sub(s.sent[last])))
	}
	t.spread(fmt.Sprintf("**server at %g tokens/s: words to first sentence**", p.rate), all)
	t.spread("of it, before the server has the request", before)
	t.spread(fmt.Sprintf("of it, the server's own time for the %d tokens up to the sentence's end", p.tokenAt(asked[0].sentence)+1), model)
	t.spread("of it, from that token to the sentence, the next token's time included", behind)
	return nil
}

// during is the answer that was asked for between two times.
func (p *paced) during(from, to time.Time) (saying, bool) {
	for _, s := range p.sayings() {
		if !s.asked.Before(from) && !s.asked.After(to) {
			return s, true
		}
	}
	return saying{}, false
}
