package project

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/core/words"
)

// Node is a project in its tree.
type Node struct {
	Project
	Percent int     // how far it is, 0 to 100: Progress, or what its tasks and children come to
	Tasks   Tally   // its own
	Depth   int     // 0 at the top
	Path    string  // "Career / Job Applications"
	Below   []*Node // children, by priority, then by age
}

// Tree gives the projects at the top with all below them. Every project is in it once; one whose parent is gone stands at
// the top.
func (b *Book) Tree(ctx context.Context) ([]*Node, error) {
	all, err := b.all(ctx)
	if err != nil {
		return nil, err
	}
	tasks, err := b.c.Tasks(ctx)
	if err != nil {
		return nil, fmt.Errorf("counting the tasks of projects: %w", err)
	}
	return grow(all, tasks), nil
}

// grow makes a tree of a list.
func grow(all []Project, tasks map[int64]Tally) []*Node {
	nodes := map[int64]*Node{}
	for _, p := range all {
		nodes[p.ID] = &Node{Project: p, Tasks: tasks[p.ID]}
	}
	children := map[int64][]*Node{}
	for _, p := range all {
		parent := p.Parent
		if nodes[parent] == nil {
			parent = 0
		}
		children[parent] = append(children[parent], nodes[p.ID])
	}
	placed := map[int64]bool{}
	var hang func(n *Node, depth int, path string)
	hang = func(n *Node, depth int, path string) {
		placed[n.ID] = true
		n.Depth, n.Path = depth, path+n.Name
		for _, c := range children[n.ID] {
			if !placed[c.ID] {
				n.Below = append(n.Below, c)
				hang(c, depth+1, n.Path+" / ")
			}
		}
		slices.SortStableFunc(n.Below, byRank)
		n.Percent = n.reckon()
	}
	var top []*Node
	plant := func(n *Node) {
		if !placed[n.ID] {
			top = append(top, n)
			hang(n, 0, "")
		}
	}
	for _, n := range children[0] {
		plant(n)
	}
	for _, p := range all { // what leads round in a ring, by whatever accident, is shown all the same
		plant(nodes[p.ID])
	}
	slices.SortStableFunc(top, byRank)
	return top
}

func byRank(a, b *Node) int {
	return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.ID, b.ID))
}

// reckon tells how far a project is.
func (n *Node) reckon() int {
	switch {
	case n.Progress != nil:
		return *n.Progress
	case n.Status == Done:
		return 100
	}
	sum, count := 100*n.Tasks.Done, n.Tasks.Done+n.Tasks.Open
	for _, c := range n.Below {
		if c.Status != Dropped {
			sum, count = sum+c.Percent, count+1
		}
	}
	if count == 0 {
		return 0
	}
	return int(math.Floor(float64(sum)/float64(count) + 0.5))
}

// Walk calls do for every node, parents before their children, until it says false.
func Walk(top []*Node, do func(*Node) bool) bool {
	for _, n := range top {
		if !do(n) || !Walk(n.Below, do) {
			return false
		}
	}
	return true
}

// Flat is every node of a tree, parents before their children.
func Flat(top []*Node) []*Node {
	var out []*Node
	Walk(top, func(n *Node) bool { out = append(out, n); return true })
	return out
}

// near is the share of the asked words' weight that a project must hold to be meant by them.
const near = 0.6

// Find gives the projects that the words may mean, the best first: one of exactly that name or path, else those that are
// near. It knows plurals and forgives small typing errors.
func (b *Book) Find(ctx context.Context, text string) ([]*Node, error) {
	top, err := b.Tree(ctx)
	if err != nil {
		return nil, err
	}
	return Named(top, text), nil
}

// Named is Find in a tree that is there already.
func Named(top []*Node, text string) []*Node {
	if len(text) > 4*MaxName {
		return nil // nothing has so long a name
	}
	text = oneLine(text)
	if text == "" {
		return nil
	}
	all := Flat(top)
	var exact []*Node
	for _, n := range all {
		if like(n.Name, text) || like(n.Path, text) || like(strings.ReplaceAll(n.Path, " / ", "/"), text) {
			exact = append(exact, n)
		}
	}
	if len(exact) > 0 {
		slices.SortStableFunc(exact, func(a, b *Node) int { return cmp.Compare(over(a), over(b)) })
		return exact
	}
	texts := make([]string, len(all))
	for i, n := range all {
		texts[i] = n.Name
	}
	var found []*Node
	for _, m := range words.Rank(text, texts, near) {
		found = append(found, all[m.Index])
	}
	return found
}

// over puts what is done behind what is not.
func over(n *Node) int {
	if n.Status.Over() {
		return 1
	}
	return 0
}
