// Package talk answers greetings, thanks and goodbyes.
package talk

import (
	"context"
	_ "embed"
	"slices"
	"sync/atomic"
	"time"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

//go:embed talk.md
var page string

// Preferences know the user's name under the key "name"; *memory.Memory of core/memory is one.
type Preferences interface {
	Get(ctx context.Context, key string) (string, bool, error)
}

// Fixed are the answers that name nobody.
var Fixed = slices.Concat(thanked, fine, []string{"Hello.", "Good morning.", "Good afternoon.", "Good evening.", "Good night.", "Goodbye.", "See you later."})

var (
	thanked = []string{"You're welcome.", "My pleasure.", "Any time."}
	fine    = []string{"Okay.", "Good."}
)

// Config is what the talk stands on.
type Config struct {
	Preferences Preferences      // nil knows no name
	Now         func() time.Time // in the user's zone; nil is time.Now
}

type talk struct {
	Config
	turn *atomic.Uint32
}

// Tools makes talk.hello, talk.thanks and talk.goodbye, and the tool of tool.Fine.
func Tools(c Config) []tool.Tool {
	if c.Now == nil {
		c.Now = time.Now
	}
	t := talk{c, new(atomic.Uint32)}
	about := func(name string) string { return tool.About(page, name) }
	return []tool.Tool{
		tool.Of("talk.hello", about("talk.hello"), models.Read, t.hello),
		tool.Of("talk.thanks", about("talk.thanks"), models.Read, t.thanks),
		tool.Of("talk.goodbye", about("talk.goodbye"), models.Read, t.goodbye),
		tool.Internal(tool.Of(tool.Fine.Tool, about(tool.Fine.Tool), models.Read, t.fine)),
	}
}

type none struct{}

// one takes turns among ways to say the same.
func (t talk) one(ways ...string) string { return ways[int(t.turn.Add(1)-1)%len(ways)] }

// name is ", Anna" where the name is known. A greeting does not fail for want of it.
func (t talk) name(ctx context.Context) string {
	if t.Preferences == nil {
		return ""
	}
	if name, ok, err := t.Preferences.Get(ctx, "name"); err == nil && ok && name != "" {
		return ", " + name
	}
	return ""
}

func (t talk) hello(ctx context.Context, _ none) (models.Result, error) {
	greeting := "Good evening"
	switch h := t.Now().Hour(); {
	case h < 4:
		greeting = "Hello"
	case h < 12:
		greeting = "Good morning"
	case h < 18:
		greeting = "Good afternoon"
	}
	return tool.Said("%s%s.", greeting, t.name(ctx)), nil
}

func (t talk) thanks(context.Context, none) (models.Result, error) {
	return tool.Said("%s", t.one(thanked...)), nil
}

func (t talk) goodbye(ctx context.Context, _ none) (models.Result, error) {
	if h := t.Now().Hour(); h >= 21 || h < 4 {
		return tool.Said("Good night%s.", t.name(ctx)), nil
	}
	return tool.Said("%s%s.", t.one("Goodbye", "See you later"), t.name(ctx)), nil
}

func (t talk) fine(context.Context, none) (models.Result, error) {
	return tool.Said("%s", t.one(fine...)), nil
}
