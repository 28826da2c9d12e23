// Package profile keeps the user's name.
package profile

import (
	"context"
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

//go:embed profile.md
var page string

// Preferences keep the name under the key "name", "" for none; *memory.Memory of core/memory is one.
type Preferences interface {
	Set(ctx context.Context, key, value, source string) error
	Get(ctx context.Context, key string) (string, bool, error)
}

type profile struct{ kept Preferences }

// Tools makes profile.set_name and profile.name.
func Tools(p Preferences) []tool.Tool {
	f := profile{p}
	about := func(name string) string { return tool.About(page, name) }
	return []tool.Tool{
		tool.Of("profile.set_name", about("profile.set_name"), models.Write, f.setName),
		tool.Of("profile.name", about("profile.name"), models.Read, f.name),
		tool.Internal(tool.Of("profile.forget_name", about("profile.forget_name"), models.Write, f.forgetName)),
	}
}

type none struct{}

type nameArgs struct {
	Name string `json:"name" jsonschema:"the user's name" limits:"1..60"`
}

func (f profile) setName(ctx context.Context, a nameArgs) (models.Result, error) {
	name := proper(a.Name)
	if name == "" {
		return asked("What should I call you?"), nil
	}
	was, _, err := f.kept.Get(ctx, "name")
	if err != nil {
		return models.Result{}, err
	}
	if was == name {
		return tool.Said("I know, %s.", name), nil
	}
	if err := f.kept.Set(ctx, "name", name, "voice"); err != nil {
		return models.Result{}, err
	}
	r := tool.Said("Nice to meet you, %s.", name)
	r.Undo = tool.CallOf("profile.forget_name", nil)
	if was != "" {
		r.Say = "Okay, I'll call you " + name + "."
		r.Undo = tool.CallOf("profile.set_name", nameArgs{was})
	}
	return tool.With(r, nameArgs{name}), nil
}

func (f profile) name(ctx context.Context, _ none) (models.Result, error) {
	name, _, err := f.kept.Get(ctx, "name")
	if err != nil {
		return models.Result{}, err
	}
	if name == "" {
		return asked("I don't know your name yet. What should I call you?"), nil
	}
	return tool.With(tool.Said("You're %s.", name), nameArgs{name}), nil
}

func (f profile) forgetName(ctx context.Context, _ none) (models.Result, error) {
	if err := f.kept.Set(ctx, "name", "", "voice"); err != nil {
		return models.Result{}, err
	}
	return tool.Said("Okay, I forgot your name."), nil
}

func asked(question string) models.Result {
	return models.Result{Say: question, Ask: &models.Ask{Slot: "name", Call: *tool.CallOf("profile.set_name", nil)}}
}

// proper writes a name as heard the way a name is written: "anna maria" is "Anna Maria". Written capitals stay.
func proper(s string) string {
	words := strings.Fields(tool.Trim(s, "my name is", "call me", "i'm", "i am", "it's", "just"))
	for i, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsLower(r) {
			words[i] = tool.Upper(w)
		}
	}
	return strings.Join(words, " ")
}
