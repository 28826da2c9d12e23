package sphinx_test

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/stt/sphinx"
	"github.com/solo-assistant/solo/tests/corpus"
)

// order is what a person asked of the coffee machine.
type order struct {
	Intent string
	Slots  map[string]string
}

// coffee is the domain of the spoken orders.
type coffee struct {
	grammar string
	values  map[string]string // value -> slot
	orders  map[string]order  // by file
	dir     string
}

func readCoffee(t testing.TB) coffee {
	t.Helper()
	c := coffee{dir: filepath.Join(corpus.Dir(t), "commands"), values: map[string]string{}}
	yaml := filepath.Join(c.dir, "coffee_maker.yaml")
	jsgf, err := exec.Command("go", "run", "../../../scripts/coffee", yaml).Output()
	if err != nil {
		t.Fatalf("making the grammar: %v", err)
	}
	c.grammar = string(jsgf)
	for _, line := range lines(c.grammar) {
		if rule, words, ok := strings.Cut(line, " = "); ok && strings.HasPrefix(rule, "<") {
			for _, v := range strings.Split(strings.TrimSuffix(words, ";"), " | ") {
				c.values[v] = strings.Trim(rule, "<>")
			}
		}
	}
	labels, err := os.ReadFile(filepath.Join(c.dir, "label.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(labels, &c.orders); err != nil {
		t.Fatal(err)
	}
	for _, o := range c.orders {
		for slot, v := range o.Slots {
			o.Slots[slot] = strings.TrimSpace(v)
		}
	}
	return c
}

func (c coffee) files() []string { return slices.Sorted(maps.Keys(c.orders)) }

// slots finds the longest values first, each slot once.
func (c coffee) slots(text string) map[string]string {
	longest := slices.SortedFunc(maps.Keys(c.values), func(a, b string) int { return len(b) - len(a) })
	got, rest := map[string]string{}, " "+text+" "
	for _, v := range longest {
		slot := c.values[v]
		if _, taken := got[slot]; !taken && strings.Contains(rest, " "+v+" ") {
			got[slot] = v
			rest = strings.Replace(rest, " "+v+" ", " | ", 1)
		}
	}
	return got
}

// hear feeds frames as a microphone would.
func hear(t testing.TB, e *sphinx.Engine, pcm []int16) (audio.Transcript, error) {
	t.Helper()
	s, err := e.Open(t.Context())
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	defer s.Close()
	for f := range slices.Chunk(pcm, audio.FrameLen) {
		if err := s.Feed(f); err != nil {
			t.Fatalf("Feed: %v", err)
		}
	}
	return s.Finish(t.Context())
}

// People order coffee; the user's own grammar understands them.
func TestCoffeeOrders(t *testing.T) {
	c := readCoffee(t)
	e := engine(t, sphinx.Config{Grammar: c.grammar})
	right := 0
	for _, file := range c.files() {
		got, err := hear(t, e, read(t, filepath.Join(c.dir, file)))
		switch want := c.orders[file]; {
		case err != nil || !maps.Equal(c.slots(got.Text), want.Slots):
			t.Logf("%s: %q (sure %.2f), %v; want %v", file, got.Text, got.Sure, err, want.Slots)
		case got.Sure < 0.5:
			t.Logf("%s: %q is right, but sure only %.2f", file, got.Text, got.Sure)
			right++
		default:
			right++
		}
	}
	t.Logf("%d of %d orders with exactly the right slots", right, len(c.orders))
	if right < 38 {
		t.Errorf("%d of %d orders are right, want at least 38", right, len(c.orders))
	}
}
