package store_test

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/agent"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/memory"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/store/rows/rowstest"
	"github.com/solo-assistant/solo/models"
)

// scribe is a model that keeps what it was shown, and whose summaries say nothing.
type scribe struct {
	mu    sync.Mutex
	asked []string
}

func (s *scribe) Stream(_ context.Context, r models.Request) iter.Seq2[models.Delta, error] {
	var all strings.Builder
	for _, m := range r.Messages {
		all.WriteString(m.Text + "\n")
	}
	s.mu.Lock()
	s.asked = append(s.asked, all.String())
	s.mu.Unlock()
	return func(yield func(models.Delta, error) bool) {
		text := `{"type":"reply","text":"I see."}`
		if r.Work == models.Summarizing {
			text = "They talked about this and that."
		}
		yield(models.Delta{Text: text}, nil)
	}
}

func (s *scribe) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[len(s.asked)-1]
}

// noTools is an empty toolbox.
type noTools struct{}

func (noTools) Call(context.Context, models.Call) (models.Result, error) { return models.Result{}, nil }
func (noTools) Check(models.Call) error                                  { return nil }
func (noTools) Specs() []models.Spec                                     { return nil }

// archive is the memory as the agent asks it.
type archive struct{ m *memory.Memory }

func (a archive) About(ctx context.Context, text string, n int) (out []string, err error) {
	found, err := a.m.Search(ctx, text, n)
	for _, f := range found {
		out = append(out, f.Text)
	}
	return out, err
}

func (a archive) Profile(ctx context.Context) (out []string, err error) {
	items, err := a.m.Profile(ctx, 50)
	for _, it := range items {
		out = append(out, it.Text)
	}
	return out, err
}

func (a archive) Archive(ctx context.Context, session string, lines []agent.Line) error {
	var said []memory.Said
	for _, l := range lines {
		said = append(said, memory.Said{Turn: l.ID, User: l.Role == models.User, Text: l.Text, At: l.At, Outside: l.Outside})
	}
	return a.m.Archive(ctx, session, said)
}

func (a archive) Summarized(ctx context.Context, session string, upto int64, text string, outside bool) error {
	return a.m.Summarized(ctx, session, upto, text, outside)
}

var things = strings.Fields("kayak ladder accordion telescope blender tent canoe lantern typewriter anvil kettle hammock drill easel globe compass tripod mandolin sewing-machine greenhouse")
var places = strings.Fields("cellar attic garage shed hallway balcony pantry workshop stable loft porch study closet greenroom boathouse kitchen nursery library barn gatehouse")

// Fifty times the talk is made short by a model that forgets all of it, and every fact is found again.
func TestMakingTalkShortLosesNothing(t *testing.T) {
	h := houseIn(t, rowstest.Config(t, rows.SQLite))
	m := &scribe{}
	a := agent.New(agent.Config{Model: m, Tools: noTools{}, Sessions: h.st.Sessions(), Archive: archive{h.m}, Memory: archive{h.m}, Talk: 100})
	defer a.Close()
	ctx := t.Context()
	at := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	facts := map[string]string{} // what is asked, and what must be found
	for round := range 50 {
		for i := range 4 {
			n := round*4 + i
			thing, place := things[n%len(things)], places[(n/len(things)+n)%len(places)]
			fact := fmt.Sprintf("Since day %d our %s number %d is in the %s.", n, thing, n, place)
			facts[fmt.Sprintf("where is %s number %d", thing, n)] = fmt.Sprintf("%s number %d is in the %s", thing, n, place)
			ok(t, h.st.Sessions().Add(ctx, "long", agent.Line{Role: models.User, Text: fact, At: at}, agent.Line{Role: models.Assistant, Text: "Good to know, thank you for telling me about it.", At: at}))
			at = at.Add(time.Hour)
		}
		before, err := h.st.Sessions().Lines(ctx, "long")
		ok(t, err)
		ok(t, a.Fold(ctx, "long"))
		if after, err := h.st.Sessions().Lines(ctx, "long"); err != nil || len(after.Lines) >= len(before.Lines) {
			t.Fatalf("round %d: %d lines, then %d; %v", round, len(before.Lines), len(after.Lines), err)
		}
	}
	lines, err := h.st.Sessions().Lines(ctx, "long")
	ok(t, err)
	recent := fmt.Sprint(lines.Lines)
	lost := 0
	for question, fact := range facts {
		found, err := h.m.Search(ctx, question, 5)
		ok(t, err)
		if !strings.Contains(fmt.Sprint(found), fact) && !strings.Contains(recent, fact) {
			lost++
			t.Errorf("%q does not find %q", question, fact)
		}
	}
	t.Logf("%d of %d facts are found after 50 summaries", len(facts)-lost, len(facts))
}

// Five hundred questions of two users: neither's prompt ever holds a word of the other's.
func TestNobodysPromptHoldsAnothersMemories(t *testing.T) {
	db := rowstest.Open(t, rowstest.Config(t, rows.SQLite))
	ctx := t.Context()
	type user struct {
		mark string
		m    *memory.Memory
		a    *agent.Agent
		seen *scribe
	}
	var users []user
	for _, mark := range []string{"vermilion", "cobalt"} {
		id, err := db.User(ctx, mark)
		ok(t, err)
		st := store.New(db, id)
		seen := &scribe{}
		mem := memory.New(memory.Config{Rows: st.Memory()})
		a := agent.New(agent.Config{Model: seen, Tools: noTools{}, Sessions: st.Sessions(), Memory: archive{mem}, Archive: archive{mem}})
		defer a.Close()
		users = append(users, user{mark, mem, a, seen})
	}
	forms := []string{"my %s is %s number %d", "I like the %s that is %s, number %d", "I live in the %s of %s street %d", "the %s belongs to %s, item %d", "my favourite %s is %s %d"}
	for i := range 250 {
		for _, u := range users {
			_, err := u.m.Keep(ctx, fmt.Sprintf(forms[i%len(forms)], things[i%len(things)], u.mark, i), "voice")
			ok(t, err)
		}
	}
	questions := []string{"what do you know about my %s", "which %s do I like", "where is the %s", "tell me about vermilion and cobalt %s", "who owns %s", "%s"}
	shown := 0
	for i := range 250 {
		for k, u := range users {
			question := fmt.Sprintf(questions[i%len(questions)], things[(i*7)%len(things)])
			for range u.a.Answer(models.WithOrigin(ctx, models.Origin{Session: fmt.Sprint(u.mark, i)}), event.Heard{Text: question}) {
			}
			prompt := strings.ReplaceAll(u.seen.last(), question, "")
			other := users[1-k].mark
			if strings.Contains(prompt, other) {
				t.Fatalf("%s was shown what %s told:\n%s", u.mark, other, prompt)
			}
			if strings.Contains(prompt, u.mark) {
				shown++
			}
		}
	}
	if shown < 450 {
		t.Errorf("only %d of 500 prompts held memories of their own user", shown)
	}
}
