package intent

import (
	"fmt"
	"os"
	"testing"
)

func TestDump2(t *testing.T) {
	if os.Getenv("DUMP") == "" {
		t.Skip()
	}
	c := English()
	a := automaton{grammar: &grammar{book: c.book, used: map[string]bool{}}, states: [][]arc{nil}, same: map[string]int{}, rules: map[ruleAt]int{}}
	for _, t := range c.book.templates {
		if !t.root.typed && a.grammar.sayable(t.root) {
			before := len(a.states)
			a.node(t.root, 0)
			if n := len(a.states) - before; n > 60 {
				fmt.Println(n, t.intent, t.source)
			}
		}
	}
	n := map[string]int{}
	for k := range a.rules {
		n[k.name]++
	}
	for k, v := range n {
		if v > 3 {
			fmt.Println(v, k)
		}
	}
}
