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

	"github.com/solo-assistant/solo/core/agent"
	"github.com/solo-assistant/solo/core/channel/local"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/mind"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/voices"
)

const (
	asks      = 100   // questions to the paced server
	storyAsks = 40    // questions to llama-server
	pacedRate = 100.0 // tokens a second
	// storyBound are the tokens of an answer of the story model, which would often not come to the end of a sentence.
	storyBound = 256
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
		"A sentence is known to be over when the next one begins.\n\n"}
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

// firstStory asks an agent that thinks with llama-server. It has no tools: what the story model writes is chance, and
// chance shall not act.
func (b *bench) firstStory(ctx context.Context, t *table) (string, error) {
	l, err := b.llama(ctx)
	var none lacking
	if errors.As(err, &none) {
		return "\nWith llama-server: " + none.Error() + ".\n", nil
	}
	if err != nil {
		return "", err
	}
	defer l.stop()
	a := agent.New(agent.Config{Model: l.router, Tools: bare{}, MaxTokens: storyBound})
	defer a.Close()
	var pieces, sentences []float64
	words, excuses := 0, 0
	for i := range b.times(storyAsks) + 3 {
		piece, sentence, text, err := firstOfAnswer(ctx, a, fmt.Sprint("story-", i), riddles[i%len(riddles)])
		if err != nil {
			return "", fmt.Errorf("with llama-server: %w", err)
		}
		if text == models.Excuse(models.ErrNonsense) {
			excuses++
		} else if i >= 3 {
			pieces, sentences, words = append(pieces, inMillis(piece)), append(sentences, inMillis(sentence)), words+len(strings.Fields(text))
		}
	}
	t.spread("llama-server with the story model, agent without tools: words to first piece of the answer", pieces)
	t.spread(fmt.Sprintf("the same: words to first sentence, or to %d tokens where it does not end before", storyBound), sentences)
	return fmt.Sprintf("\nThe story model writes JSON that fits the schema, but what it says means nothing: its first sentences have %.1f words in the mean, "+
		"and %d times it came to no answer within its bound; those are left out.\n", float64(words)/float64(max(len(sentences), 1)), excuses), nil
}

// firstOfAnswer is when the first piece and the first sentence of an answer came; the rest is not waited for.
func firstOfAnswer(ctx context.Context, a *agent.Agent, session, words string) (piece, sentence time.Duration, text string, err error) {
	ctx = models.WithOrigin(ctx, models.Origin{Channel: "typed", Session: session})
	began := time.Now()
	pieces := func(yield func(string, error) bool) {
		for said, err := range a.Answer(ctx, event.Heard{Text: words, Sure: 1, Engine: "typed"}) {
			if piece == 0 && said.Text != "" {
				piece = time.Since(began)
			}
			if !yield(said.Text, err) {
				return
			}
		}
	}
	for s, err := range voices.Sentences(pieces) {
		return piece, time.Since(began), s, err
	}
	return 0, 0, "", fmt.Errorf("nothing was said about %q", words)
}

func inMillis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

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
	p, err := b.start(ctx, home, nil, nil, append([]string{"run"}, sets(settings)...)...)
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
		all = append(all, inMillis(q.first))
		before = append(before, inMillis(s.asked.Sub(q.asked)))
		model = append(model, inMillis(s.sent[last].Sub(s.asked)))
		behind = append(behind, inMillis(q.asked.Add(q.first).Sub(s.sent[last])))
	}
	t.spread(fmt.Sprintf("**server at %g tokens/s: words to first sentence**", p.rate), all)
	t.spread("of it, before the server has the request", before)
	t.spread(fmt.Sprintf("of it, the server's own time for the %d tokens up to the sentence's end", p.tokenAt(asked[0].sentence)+1), model)
	t.spread("of it, from that token to the sentence", behind)
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
