// Package help tells what Solo can do and who it is.
package help

import (
	"context"
	_ "embed"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

//go:embed help.md
var page string

// Abilities and Identity are what Solo says of itself, to everyone the same.
const (
	Abilities = "I can tell the time, set timers, alarms and reminders, keep your to do list, and do sums and unit conversions. Tell me to remember something and ask me about it later. Say stop to silence me, and undo that if I got it wrong."
	Identity  = "I'm Solo, your voice assistant. I run on this machine, and what you tell me stays here."
)

// Tools makes help.abilities and help.identity.
func Tools() []tool.Tool {
	return []tool.Tool{
		tool.Of("help.abilities", tool.About(page, "help.abilities"), models.Read, saying(Abilities)),
		tool.Of("help.identity", tool.About(page, "help.identity"), models.Read, saying(Identity)),
	}
}

func saying(s string) func(context.Context, struct{}) (models.Result, error) {
	return func(context.Context, struct{}) (models.Result, error) { return models.Result{Say: s}, nil }
}
