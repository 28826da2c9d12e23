package store_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// house is a user's memory and talks in a database of its own.
type house struct {
	db  *rows.DB
	own *rows.Own
	st  *store.Store
	m   *memory.Memory
}

func houseIn(t *testing.T, c rows.Config) house {
	t.Helper()
	db := rowstest.Open(t, c)
	user, err := db.User(t.Context(), "owner")
	if err != nil {
		t.Fatal(err)
	}
	st := store.New(db, user)
	return house{db, db.Of(user), st, memory.New(memory.Config{Rows: st.Memory()})}
}

func (h house) keep(t *testing.T, text string) memory.Item {
	t.Helper()
	it, err := h.m.Keep(t.Context(), text, "typed")
	if err != nil {
		t.Fatal(err)
	}
	return it
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// What is forgotten is gone from the rows, the index, the vectors, the talks, the history, summaries, finished work and
// the log of what was sent, and from the bytes of the database's files; and so is what is said of it while it is forgotten.
func TestForgettingLeavesNothing(t *testing.T) {
	rowstest.Each(t, func(t *testing.T, c rows.Config) {
		h := houseIn(t, c)
		ctx := t.Context()
		h.keep(t, "the spare key is under the blue pot")
		old := h.keep(t, "my locker code is zanzibar 90417")
		secret := h.keep(t, "my locker code is quokka 73319")
		if secret.Supersedes != old.ID {
			t.Fatalf("%+v is no new value of %+v", secret, old)
		}
		ok(t, h.st.Memory().PutVectors(ctx, "m", []int64{secret.ID}, [][]float32{{0.125, 0.25}}))
		_, err := h.m.Import(ctx, memory.Item{Key: `"a"`, Kind: memory.Episode, Session: "s", Text: "User: my locker code is quokka 73319"},
			memory.Item{Key: `"b"`, Kind: memory.Episode, Session: "s", Text: "Solo: noted"}, memory.Item{Key: `"c"`, Kind: memory.Episode, Session: "s", Text: "User: tomorrow I swim"})
		ok(t, err)
		talks := h.st.Sessions()
		now := time.Now()
		ok(t, talks.Add(ctx, "", agent.Line{Role: models.User, Text: "remember that my locker code is quokka 73319", At: now},
			agent.Line{Role: models.Assistant, Text: "I'll remember that your locker code is quokka 7 3 3 1 9. Right?", At: now},
			agent.Line{Role: models.User, Text: "what is for dinner", At: now}))
		lines, err := talks.Lines(ctx, "")
		ok(t, err)
		ok(t, talks.Fold(ctx, "", lines.Lines[1].ID, "The user likes soup. Their locker has the code quokka 73319. They swim."))
		_, err = h.st.Turns().Keep(ctx, store.Turn{At: now, Reply: "It is quokka 73319.", Turned: event.Turned{Heard: "what is my locker code", Spoken: "It is quokka 73319.", Outcome: "answered"}})
		ok(t, err)
		_, err = h.own.PutJob(ctx, rows.Job{Kind: "task", Title: "note", Input: `{"goal":"write quokka 73319 down"}`, State: "done", Origin: "{}", Created: 1, Changed: 1})
		ok(t, err)

		e, err := h.m.Erase(ctx, secret.ID)
		ok(t, err)
		if len(e.Items) != 3 || e.Messages != 3 || e.Talks != 1 {
			t.Errorf("erased %d memories, %d lines, %d summaries: %+v", len(e.Items), e.Messages, e.Talks, e.Items)
		}
		// the turn that asked for it
		_, err = h.st.Turns().Keep(ctx, store.Turn{At: now, Reply: "Okay, I forgot that your locker code is quokka 7 3 3 1 9.", Turned: event.Turned{Heard: "forget my locker code", Outcome: "answered"}})
		ok(t, err)
		ok(t, talks.Add(ctx, "", agent.Line{Role: models.Assistant, Text: "Okay, I forgot that your locker code is quokka 73319.", At: now}))

		found, err := h.m.Search(ctx, "locker code quokka 73319", 10)
		ok(t, err)
		for _, f := range found {
			if strings.Contains(f.Text+f.Near, "quokka") {
				t.Errorf("still found: %+v", f)
			}
		}
		ids, vectors, err := h.st.Memory().Vectors(ctx, "m", 0, 10)
		if err != nil || len(ids) != 0 {
			t.Errorf("vectors are left: %v %v %v", ids, vectors, err)
		}
		lines, err = talks.Lines(ctx, "")
		ok(t, err)
		all, err := talks.History(ctx, "", 100)
		ok(t, err)
		turns, err := h.st.Turns().Last(ctx, 100)
		ok(t, err)
		if left := fmt.Sprint(lines, all, turns); strings.Contains(left, "quokka") || !strings.Contains(left, "likes soup") || !strings.Contains(left, "dinner") {
			t.Errorf("the talks: %s", left)
		}
		gone, err := h.own.Erased(ctx)
		ok(t, err)
		for _, want := range []rows.Erased{{Kind: "memories", ID: secret.ID}, {Kind: "memories", ID: old.ID}, {Kind: "messages", ID: all[0].ID - 2}} {
			if want.Kind == "memories" && !slices.ContainsFunc(gone, func(g rows.Erased) bool { return g.Kind == want.Kind && g.ID == want.ID }) {
				t.Errorf("a backup is not told of %+v", want)
			}
		}
		if h.db.Engine() == rows.SQLite {
			for _, word := range []string{"quokka", "73319", "zanzibar", "90417"} {
				for _, file := range filesWith(t, filepath.Dir(h.db.Path()), word) {
					t.Errorf("%s is still in the bytes of %s", word, file)
				}
			}
		}
		// told again, it is kept again
		h.keep(t, "my locker code is quokka 73319")
		ok(t, talks.Add(ctx, "", agent.Line{Role: models.User, Text: "my locker code is quokka 73319", At: now}))
		if all, err = talks.History(ctx, "", 1); err != nil || !strings.Contains(all[0].Text, "quokka") {
			t.Errorf("what was told again is not kept: %+v, %v", all, err)
		}
	})
}

func filesWith(t *testing.T, dir, word string) []string {
	t.Helper()
	files, err := os.ReadDir(dir)
	ok(t, err)
	var out []string
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		ok(t, err)
		if bytes.Contains(bytes.ToLower(data), []byte(word)) {
			out = append(out, f.Name())
		}
	}
	return out
}

// Whatever is forgotten among many thousand, its words are in no byte of the files.
func TestForgettingAmongManyLeavesNothing(t *testing.T) {
	h := houseIn(t, rowstest.Config(t, rows.SQLite))
	var items []memory.Item
	for i := range 6000 {
		items = append(items, memory.Item{Key: fmt.Sprint(i), Text: fmt.Sprintf("note %d about w%dq and the weather in w%dz", i, i, i%97), Session: fmt.Sprint("s", i/20)})
	}
	_, err := h.m.Import(t.Context(), items...)
	ok(t, err)
	for _, i := range []int{0, 17, 3000, 5999} {
		it, err := h.m.OfKey(t.Context(), fmt.Sprint(i))
		ok(t, err)
		_, err = h.m.Forget(t.Context(), it.ID)
		ok(t, err)
		if left := filesWith(t, filepath.Dir(h.db.Path()), fmt.Sprintf("w%dq", i)); len(left) > 0 {
			t.Errorf("memory %d is still in %v", i, left)
		}
	}
}

func TestEverythingAboutSomethingIsForgotten(t *testing.T) {
	h := houseIn(t, rowstest.Config(t, rows.SQLite))
	ctx := t.Context()
	for _, text := range []string{"Bruno is my neighbour's dog", "Bruno bites", "my sister is called Ada"} {
		h.keep(t, text)
	}
	ok(t, h.st.Sessions().Add(ctx, "x", agent.Line{Role: models.User, Text: "I saw Bruno today", At: time.Now()}, agent.Line{Role: models.User, Text: "it rained", At: time.Now()}))
	items, err := h.m.Everything(ctx, "Bruno")
	ok(t, err)
	if len(items) != 2 {
		t.Fatalf("%+v", items)
	}
	e, err := h.m.EraseAbout(ctx, "Bruno", items[0].ID, items[1].ID)
	if err != nil || len(e.Items) != 2 || e.Messages != 1 {
		t.Errorf("%+v, %v", e, err)
	}
	ok(t, h.m.Restore(ctx, e.Items...))
	if found, err := h.m.Recall(ctx, "Bruno", 5); err != nil || len(found) != 2 {
		t.Errorf("restored: %+v, %v", found, err)
	}
	if gone, err := h.own.Erased(ctx); err != nil || slices.ContainsFunc(gone, func(g rows.Erased) bool { return g.Kind == "memories" }) {
		t.Errorf("what was restored counts as erased: %+v, %v", gone, err)
	}
}
