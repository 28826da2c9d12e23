// Package volume makes Solo louder and quieter.
package volume

import (
	"context"
	_ "embed"
	"fmt"
	"strconv"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

//go:embed volume.md
var page string

// Speaker has a volume in percent, 0 to 100; *speak.Speaker is one.
type Speaker interface {
	Volume() int
	SetVolume(percent int)
}

// Preferences keep the volume for the next start; *memory.Memory of core/memory is one.
type Preferences interface {
	Set(ctx context.Context, key, value, source string) error
}

// Config is what the volume tools stand on.
type Config struct {
	Speaker     Speaker
	Preferences Preferences // nil to forget at the end
}

type volume struct{ Config }

// Tools makes volume.change and volume.set. The preference "volume" keeps what was set.
func Tools(c Config) []tool.Tool {
	v := volume{c}
	return []tool.Tool{
		tool.Of("volume.change", tool.About(page, "volume.change"), models.Write, v.change),
		tool.Of("volume.set", tool.About(page, "volume.set"), models.Write, v.set),
	}
}

type changeArgs struct {
	By int `json:"by" jsonschema:"percent to add, less than 0 for quieter" limits:"-100..100"`
}

type setArgs struct {
	To int `json:"to" jsonschema:"percent" limits:"0..100"`
}

// quiet is the least that a change leaves: silence has to be asked for.
const quiet = 5

func (v volume) change(ctx context.Context, a changeArgs) (models.Result, error) {
	was := v.Speaker.Volume()
	to := min(max(was+a.By, min(quiet, was)), 100)
	switch {
	case to == was && a.By > 0:
		return tool.Said("That's as loud as I go."), nil
	case to == was && a.By < 0:
		return tool.Said("That's as quiet as I go."), nil
	}
	return v.set(ctx, setArgs{to})
}

func (v volume) set(ctx context.Context, a setArgs) (models.Result, error) {
	was := v.Speaker.Volume()
	if v.Preferences != nil {
		if err := v.Preferences.Set(ctx, "volume", strconv.Itoa(a.To), "voice"); err != nil {
			return models.Result{}, fmt.Errorf("keeping the volume: %w", err)
		}
	}
	v.Speaker.SetVolume(a.To)
	r := tool.Said("Volume %d percent.", a.To)
	r.Undo = tool.CallOf("volume.set", setArgs{was})
	return tool.With(r, a), nil
}
