// Package memory keeps, recalls and forgets what the user told.
package memory

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/memory"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

//go:embed memory.md
var page string

// Memory keeps facts; *memory.Memory of core/memory is one.
type Memory interface {
	Keep(ctx context.Context, text, source string) (memory.Item, error)
	Recall(ctx context.Context, about string, n int) ([]memory.Item, error)
	Forget(ctx context.Context, ids ...int64) ([]memory.Item, error)
	Restore(ctx context.Context, facts ...memory.Item) error
	// Wrong finds what a correction takes the place of, and Replace puts it there; Withdraw takes that back.
	Wrong(ctx context.Context, text string) (memory.Item, bool, error)
	Replace(ctx context.Context, old int64, text, source string) (memory.Item, error)
	Withdraw(ctx context.Context, id int64) (memory.Item, error)
	// Everything finds all that mentions something, and EraseAbout forgets it with all talk about it.
	Everything(ctx context.Context, about string) ([]memory.Item, error)
	EraseAbout(ctx context.Context, topic string, ids ...int64) (memory.Erased, error)
}

// Config is what the memory tools stand on.
type Config struct {
	Memory Memory
	Now    func() time.Time // in the user's zone; nil is time.Now
	Source string           // where facts come from that came through no door of their own, "" for "voice"
}

type facts struct{ Config }

// Tools makes the memory.* tools.
func Tools(c Config) []tool.Tool {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Source == "" {
		c.Source = "voice"
	}
	f := facts{c}
	about := func(name string) string { return tool.About(page, name) }
	return []tool.Tool{
		tool.Of("memory.remember", about("memory.remember"), models.Write, f.remember),
		tool.Of("memory.recall", about("memory.recall"), models.Read, f.recall),
		tool.Of("memory.correct", about("memory.correct"), models.Write, f.correct),
		tool.Of("memory.forget", about("memory.forget"), models.Write, f.forget),
		tool.Internal(tool.Of("memory.drop", about("memory.drop"), models.Write, f.drop)),
		tool.Internal(tool.Of("memory.withdraw", about("memory.withdraw"), models.Write, f.withdraw)),
		tool.Internal(tool.Of("memory.restore", about("memory.restore"), models.Write, f.restore)),
	}
}

// Outside is the source of a fact that a model kept after it had read what strangers wrote.
const Outside = memory.Outside

type rememberArgs struct {
	Text string `json:"text" jsonschema:"what to remember, in the user's words" limits:"1..1000"`
}

func (f facts) remember(ctx context.Context, a rememberArgs) (models.Result, error) {
	text := tool.Trim(a.Text, "that")
	if text == "" {
		return ask("What should I remember?", models.Ask{Slot: "text", Call: *tool.CallOf("memory.remember", nil)}), nil
	}
	known, err := f.Memory.Recall(ctx, text, 3)
	if err != nil {
		return models.Result{}, err
	}
	for _, k := range known {
		if strings.EqualFold(k.Text, text) {
			return tool.Said("I know already %s.", clause(text)), nil
		}
	}
	kept, err := f.Memory.Keep(ctx, text, f.source(ctx))
	if err != nil {
		return models.Result{}, err
	}
	if kept.Supersedes != 0 {
		return instead(kept), nil
	}
	drop := tool.CallOf("memory.drop", dropArgs{IDs: []int64{kept.ID}})
	r := ask(fmt.Sprintf("I'll remember %s. Right?", clause(text)), models.Ask{Call: tool.Fine, No: drop})
	r.Undo = drop
	return tool.With(r, data(kept)), nil
}

// source is where a fact comes from.
func (f facts) source(ctx context.Context) string {
	o := models.OriginOf(ctx)
	if o.Model && o.Outside {
		return Outside
	}
	return cmp.Or(o.Channel, f.Source)
}

// instead reads back a new value, and takes it back where it is wrong: then the value before holds again.
func instead(kept memory.Item) models.Result {
	back := tool.CallOf("memory.withdraw", withdrawArgs{kept.ID})
	r := ask(fmt.Sprintf("I'll remember %s, in place of what you told me before. Right?", clause(kept.Text)), models.Ask{Call: tool.Fine, No: back})
	r.Undo = back
	return tool.With(r, data(kept))
}

// correct puts a new value in the place of the one that was wrong.
func (f facts) correct(ctx context.Context, a rememberArgs) (models.Result, error) {
	text := tool.Trim(a.Text, "that")
	old, known, err := f.Memory.Wrong(ctx, text)
	switch {
	case err != nil:
		return models.Result{}, err
	case !known || text == "":
		return f.remember(ctx, a)
	case strings.EqualFold(old.Text, text):
		return tool.Said("That's what I know: %s.", clause(text)), nil
	}
	kept, err := f.Memory.Replace(ctx, old.ID, text, f.source(ctx))
	if err != nil {
		return models.Result{}, err
	}
	return instead(kept), nil
}

type recallArgs struct {
	About   string `json:"about,omitempty" jsonschema:"what the question is about; everything if left out" limits:"0..500"`
	Sources bool   `json:"sources,omitempty" jsonschema:"tell also where each was learnt"`
}

// spokenFacts are as many as one can listen to.
const spokenFacts = 3

func (f facts) recall(ctx context.Context, a recallArgs) (models.Result, error) {
	about := tool.Trim(a.About, "about")
	found, err := f.Memory.Recall(ctx, about, 0)
	if err != nil {
		return models.Result{}, err
	}
	if len(found) == 0 {
		return f.nothing(ctx, about)
	}
	lead := "You told me "
	if n := len(found); n > spokenFacts {
		lead = fmt.Sprintf("You told me %d things about that. For one, ", n)
		if about == "" {
			lead = fmt.Sprintf("You've told me %d things. The latest: ", n)
		}
		found = found[:spokenFacts]
	}
	return tool.With(models.Result{Say: lead + f.told(found, a.Sources) + "."}, data(found...)), nil
}

func (f facts) nothing(ctx context.Context, about string) (models.Result, error) {
	all, err := f.Memory.Recall(ctx, "", 1)
	if err != nil {
		return models.Result{}, err
	}
	r := models.Result{Say: fmt.Sprintf("I don't know anything about %s.", tool.Mirror(about))}
	if len(all) == 0 || about == "" {
		r.Say = "You haven't asked me to remember anything yet."
	}
	return tool.With(r, data()), nil
}

type forgetArgs struct {
	About string `json:"about,omitempty" jsonschema:"what to forget" limits:"0..500"`
	Last  bool   `json:"last,omitempty" jsonschema:"forget the last thing that was told"`
	All   bool   `json:"all,omitempty" jsonschema:"forget everything"`
	Every bool   `json:"every,omitempty" jsonschema:"forget all that mentions it, and what was said of it in talks"`
}

func (f facts) forget(ctx context.Context, a forgetArgs) (models.Result, error) {
	about := tool.Trim(a.About, "about", "that")
	if about == "" && !a.Last && !a.All {
		return ask("What should I forget?", models.Ask{Slot: "about", Call: *tool.CallOf("memory.forget", nil)}), nil
	}
	if a.Last || a.All {
		about = ""
	}
	find := func() ([]memory.Item, error) { return f.Memory.Recall(ctx, about, 0) }
	if a.Every && about != "" {
		find = func() ([]memory.Item, error) { return f.Memory.Everything(ctx, about) }
	}
	found, err := find()
	if err != nil {
		return models.Result{}, err
	}
	switch {
	case len(found) == 0 && about != "":
		return f.nothing(ctx, about)
	case len(found) == 0:
		return tool.Said("There's nothing to forget."), nil
	case a.All:
		return f.sure(found, fmt.Sprintf("Shall I forget all %d things you told me?", len(found)), "That's one thing: %s. Shall I forget it?"), nil
	case a.Last:
		return f.drop(ctx, dropArgs{IDs: ids(found[:1])})
	case a.Every && about != "":
		n := fmt.Sprintf("%d things", len(found))
		if len(found) == 1 {
			n = "one thing"
		}
		return ask(fmt.Sprintf("That's %s about %s: %s. Shall I forget all of it, and what was said of it?", n, tool.Mirror(about), some(found)),
			models.Ask{Call: *tool.CallOf("memory.drop", dropArgs{IDs: ids(found), About: about})}), nil
	}
	if found = narrow(about, found); len(found) > 1 {
		return f.sure(found, fmt.Sprintf("That's %d things: %s. Shall I forget them all?", len(found), some(found)), ""), nil
	}
	return f.drop(ctx, dropArgs{IDs: ids(found)})
}

// sure asks before several facts go.
func (f facts) sure(found []memory.Item, many, one string) models.Result {
	if len(found) == 1 {
		many = fmt.Sprintf(one, clause(found[0].Text))
	}
	return ask(many, models.Ask{Call: *tool.CallOf("memory.drop", dropArgs{IDs: ids(found)})})
}

// narrow keeps the facts that fit the words best.
func narrow(about string, found []memory.Item) []memory.Item {
	texts := make([]string, len(found))
	for i, k := range found {
		texts[i] = k.Text
	}
	var best []memory.Item
	for _, i := range tool.Pick(about, texts) {
		best = append(best, found[i])
	}
	if len(best) == 0 {
		return found
	}
	return best
}
