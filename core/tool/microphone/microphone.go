// Package microphone closes and opens Solo's ears.
package microphone

import (
	"context"
	_ "embed"
	"fmt"
	"strconv"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

//go:embed microphone.md
var page string

// Microphone can be closed; *listen.Listener is one.
type Microphone interface {
	Mute(on bool)
	Muted() bool
}

// Preferences keep the mute for the next start; *memory.Memory of core/memory is one.
type Preferences interface {
	Set(ctx context.Context, key, value, source string) error
}

// Config is what the microphone tools stand on.
type Config struct {
	Microphone  Microphone
	Preferences Preferences // nil to forget at the end
}

type microphone struct{ Config }

// Tools makes microphone.mute and microphone.unmute. The preference "muted" keeps "true" or "false".
func Tools(c Config) []tool.Tool {
	m := microphone{c}
	return []tool.Tool{
		tool.Of("microphone.mute", tool.About(page, "microphone.mute"), models.Write, m.mute),
		tool.Of("microphone.unmute", tool.About(page, "microphone.unmute"), models.Write, m.unmute),
	}
}

type none struct{}

func (m microphone) mute(ctx context.Context, _ none) (models.Result, error) {
	if m.Microphone.Muted() {
		return tool.Said("The microphone is off already."), nil
	}
	if err := m.turn(ctx, true); err != nil {
		return models.Result{}, err
	}
	r := tool.Said("I've stopped listening. Use the key or the command line to unmute me.")
	r.Undo = tool.CallOf("microphone.unmute", nil)
	return r, nil
}

func (m microphone) unmute(ctx context.Context, _ none) (models.Result, error) {
	if !m.Microphone.Muted() {
		return tool.Said("I'm listening already."), nil
	}
	if err := m.turn(ctx, false); err != nil {
		return models.Result{}, err
	}
	r := tool.Said("I'm listening again.")
	r.Undo = tool.CallOf("microphone.mute", nil)
	return r, nil
}

// turn closes or opens the microphone first: privacy does not wait for the disk.
func (m microphone) turn(ctx context.Context, mute bool) error {
	m.Microphone.Mute(mute)
	if m.Preferences == nil {
		return nil
	}
	if err := m.Preferences.Set(ctx, "muted", strconv.FormatBool(mute), "voice"); err != nil {
		return fmt.Errorf("keeping the mute: %w", err)
	}
	return nil
}
