package memory_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/memory"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// clock moves on by a second each time it is asked.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(time.Second)
	return c.at
}

// fresh is a memory over a real, empty database.
func fresh(t testing.TB) *memory.Memory {
	t.Helper()
	db, err := rows.Open(context.Background(), rows.Config{Path: filepath.Join(t.TempDir(), "solo.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	user, err := db.User(context.Background(), "owner")
	if err != nil {
		t.Fatal(err)
	}
	c := clock{at: time.Date(2026, 3, 27, 8, 30, 0, 0, time.FixedZone("CET", 3600))}
	return memory.New(memory.Config{Rows: store.New(db, user).Memory(), Now: c.now})
}

func keep(t testing.TB, m *memory.Memory, text string) memory.Item {
	t.Helper()
	f, err := m.Keep(t.Context(), text, "typed")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func recall(t testing.TB, m *memory.Memory, about string, n int) []string {
	t.Helper()
	facts, err := m.Recall(t.Context(), about, n)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, f := range facts {
		out = append(out, f.Text)
	}
	return out
}

var told = []string{
	"my sister's birthday is on the 4th of May", "the wifi password is horse battery", "I parked the car on level three",
	"Anna is allergic to peanuts", "the spare key is under the blue pot", "my favourite colour is green", "the dentist's number is 555 0173",
	"Marco likes strong coffee", "our anniversary is in October", "the boiler was serviced in 2024", "I take my tea without sugar",
}

func TestRecallByWords(t *testing.T) {
	m := fresh(t)
	for _, text := range told {
		keep(t, m, text)
	}
	for about, want := range map[string]string{
		"my sister":                    told[0],
		"birthdays":                    told[0],
		"when is my sister's birthday": told[0],
		"the wifi":                     told[1],
		"passwords":                    told[1],
		"where did I park my car":      told[2],
		"parking":                      told[2],
		"what Anna is allergic to":     told[3],
		"peanut":                       told[3],
		"where is the spare key":       told[4],
		"keys":                         told[4],
		"my favorite color":            told[5],
		"dentist":                      told[6],
		"the number of my dentist":     told[6],
		"what does Marco like":         told[7],
		"aniversary":                   told[8],
		"boiler service":               told[9],
		"how I take my tea":            told[10],
		"sugar":                        told[10],
	} {
		if got := recall(t, m, about, 3); len(got) == 0 || got[0] != want {
			t.Errorf("about %q: %q, want %q", about, got, want)
		}
	}
	for _, about := range []string{"the cat", "my brother", "tax return", "x", "car insurance of my neighbour's daughter", "!?"} {
		if got := recall(t, m, about, 3); about != "!?" && len(got) != 0 {
			t.Errorf("about %q: %q, want nothing", about, got)
		}
	}
}

func TestRecallOfEverythingIsNewestFirst(t *testing.T) {
	m := fresh(t)
	if got := recall(t, m, "", 0); len(got) != 0 {
		t.Errorf("an empty memory: %q", got)
	}
	for _, text := range []string{"one", "two", "three"} {
		keep(t, m, text)
	}
	for about, n := range map[string]int{"": 2, "me": 2, "what do you know about me": 2, " \n": 2} {
		if got := recall(t, m, about, n); !reflect.DeepEqual(got, []string{"three", "two"}) {
			t.Errorf("about %q: %q", about, got)
		}
	}
	if got := recall(t, m, "", -1); len(got) != 3 {
		t.Errorf("without a limit: %q", got)
	}
}

func TestForgetAndRestore(t *testing.T) {
	m := fresh(t)
	a, b := keep(t, m, "a is one"), keep(t, m, "b is two")
	if _, err := m.Forget(t.Context(), a.ID, 999); !errors.Is(err, memory.ErrUnknown) {
		t.Errorf("forgetting what never was: %v", err)
	}
	if got := recall(t, m, "", 0); len(got) != 2 {
		t.Fatalf("half of it was forgotten: %q", got)
	}
	gone, err := m.Forget(t.Context(), a.ID, b.ID)
	if err != nil || !reflect.DeepEqual(gone, []memory.Item{a, b}) {
		t.Fatalf("forgot %+v, %v", gone, err)
	}
	c := keep(t, m, "c is three")
	if c.ID == a.ID || c.ID == b.ID {
		t.Error("an ID was used twice")
	}
	if err := m.Restore(t.Context(), gone...); err != nil {
		t.Fatal(err)
	}
	all, err := m.Recall(t.Context(), "", 0)
	if err != nil || !reflect.DeepEqual(all, []memory.Item{c, b, a}) {
		t.Errorf("restored %+v, %v", all, err)
	}
	if gone, err := m.Forget(t.Context()); err != nil || len(gone) != 0 {
		t.Errorf("forgetting nothing: %v, %v", gone, err)
	}
	if err := m.Restore(t.Context(), memory.Item{Text: "no ID"}); !errors.Is(err, memory.ErrUnknown) {
		t.Errorf("restoring what was never kept: %v", err)
	}
}

func TestBounds(t *testing.T) {
	m := fresh(t)
	big := strings.Repeat("word ", 1<<18)
	_, keepErr := m.Keep(t.Context(), big, "typed")
	_, recallErr := m.Recall(t.Context(), big, 1)
	for name, err := range map[string]error{"Keep": keepErr, "Recall": recallErr, "Set": m.Set(t.Context(), "name", big, ""),
		"Restore": m.Restore(t.Context(), memory.Item{ID: 1, Text: big})} {
		if !errors.Is(err, memory.ErrTooLong) {
			t.Errorf("%s of a megabyte: %v", name, err)
		}
	}
	if _, err := m.Keep(t.Context(), " \n\x00 ", "typed"); !errors.Is(err, memory.ErrEmpty) {
		t.Errorf("keeping nothing: %v", err)
	}
	if f := keep(t, m, strings.Repeat("x", memory.MaxText-5)); len(f.Text) != memory.MaxText-5 {
		t.Errorf("the longest fact was kept as %d bytes", len(f.Text))
	}
}

func TestPreferences(t *testing.T) {
	m := fresh(t)
	if v, ok, err := m.Get(t.Context(), "name"); v != "" || ok || err != nil {
		t.Errorf("never set: %q, %v, %v", v, ok, err)
	}
	for _, v := range []string{"Jo", "", "Jo'; --", "J\u00f6rg"} {
		if err := m.Set(t.Context(), "name", v, "voice"); err != nil {
			t.Fatal(err)
		}
		if got, ok, err := m.Get(t.Context(), "name"); got != v || !ok || err != nil {
			t.Errorf("got %q, %v, %v, want %q", got, ok, err, v)
		}
	}
	for _, key := range []string{"", "Name", "a b", "a=b", "n\x00", strings.Repeat("k", 65), "né"} {
		if err := m.Set(t.Context(), key, "x", "voice"); !errors.Is(err, memory.ErrKey) {
			t.Errorf("key %q: %v", key, err)
		}
	}
}

func TestManyHandsLoseNothing(t *testing.T) {
	m := fresh(t)
	var wg sync.WaitGroup
	for i := range 30 {
		wg.Go(func() {
			keep(t, m, fmt.Sprintf("fact %d", i))
			recall(t, m, "fact", 5)
		})
	}
	wg.Wait()
	if got := recall(t, m, "", 0); len(got) != 30 {
		t.Errorf("kept %d of 30", len(got))
	}
}

// Whatever the text, keeping and recalling it neither fails nor harms what is there.
func FuzzRecall(f *testing.F) {
	m := fresh(f)
	keep(f, m, "the witness is green")
	for _, s := range append([]string{"'; DELETE FROM facts; --", "\x00\x1b[0m", "\xff\xfe", "日本語", "%_\\\"", "$1 ?1 @x", "ss'ss"}, told...) {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, text, about string) {
		kept, err := m.Keep(t.Context(), text, "typed")
		if errors.Is(err, memory.ErrEmpty) || errors.Is(err, memory.ErrTooLong) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Recall(t.Context(), about, 3); err != nil && !errors.Is(err, memory.ErrTooLong) {
			t.Error(err)
		}
		if gone, err := m.Forget(t.Context(), kept.ID); err != nil || len(gone) != 1 || gone[0] != kept {
			t.Errorf("forgot %+v of %+v, %v", gone, kept, err)
		}
		if left := recall(t, m, "", 0); len(left) != 1 {
			t.Errorf("left %q", left)
		}
	})
}

func BenchmarkKeep(b *testing.B) {
	m := fresh(b)
	for b.Loop() {
		keep(b, m, "the spare key is under the blue pot")
	}
}

func BenchmarkRecall(b *testing.B) {
	for _, n := range []int{100, 2000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			m := fresh(b)
			for i := range n {
				keep(b, m, fmt.Sprintf("%s, as of day %d", told[i%len(told)], i))
			}
			for b.Loop() {
				if got := recall(b, m, "where is the spare key", 3); len(got) != 3 {
					b.Fatal(got)
				}
			}
		})
	}
}
