// Package machine tells how the computer does that Solo runs on.
//
// Figures come from the system itself, not from other programs; nothing is sent anywhere. A figure that a system does
// not give is said to be unknown: macOS does not tell its free memory and battery this way.
package machine

import (
	"context"
	_ "embed"
	"errors"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/gpu"
)

//go:embed machine.md
var page string

// Graphics reads the graphics cards; *gpu.Reader is one.
type Graphics interface {
	Cards(ctx context.Context) ([]gpu.Card, error)
}

// Config is what the tool stands on. The zero Config works.
type Config struct {
	GPU Graphics // nil is none
}

// source is where figures come from. Every error means that a figure is not to be had.
type source interface {
	cpu(ctx context.Context) (processor, error)
	memory() (memory, error)
	disks() ([]disk, error)
	battery() (battery, error)
	uptime() (time.Duration, error)
	network() ([]address, error)
}

// errUnknown says that this system does not tell.
var errUnknown = errors.New("this system does not tell")

type processor struct {
	Name  string  `json:"name,omitempty"`
	Cores int     `json:"cores"`
	Busy  float64 `json:"busy_percent"`           // -1 where unknown
	Load  float64 `json:"load_average,omitempty"` // of the last minute
}

type memory struct {
	Total int64 `json:"total_bytes"`
	Free  int64 `json:"free_bytes"` // for programs, caches counted as free; -1 where unknown
}

type disk struct {
	Path  string `json:"path"`
	Total int64  `json:"total_bytes"`
	Free  int64  `json:"free_bytes"` // for the user
}

type battery struct {
	Percent int    `json:"percent"`
	State   string `json:"state,omitempty"` // "charging", "discharging" or "full"
}

type address struct {
	Interface string   `json:"interface"`
	Addresses []string `json:"addresses"`
}

type machine struct {
	Config
	source source
}

// Tools makes machine.info.
func Tools(c Config) []tool.Tool { return tools(machine{c, system()}) }

func tools(m machine) []tool.Tool {
	return []tool.Tool{tool.Of("machine.info", tool.About(page, "machine.info"), models.Read, m.info)}
}

type infoArgs struct {
	About string `json:"about,omitempty" jsonschema:"one of cpu, memory, disk, battery, gpu, uptime, network or all" limits:"0..40"`
}

// themes are what can be asked for, in the order in which "all" tells it.
var themes = []string{"cpu", "memory", "disk", "gpu", "battery", "uptime", "network"}

// other names of the themes.
var alias = map[string]string{
	"": "all", "everything": "all", "machine": "all", "computer": "all", "system": "all", "processor": "cpu", "load": "cpu", "ram": "memory",
	"disks": "disk", "storage": "disk", "space": "disk", "drive": "disk", "hard drive": "disk", "disk space": "disk", "power": "battery",
	"graphics": "gpu", "graphics card": "gpu", "video card": "gpu", "vram": "gpu", "up": "uptime", "on": "uptime", "ip": "network",
	"ip address": "network", "address": "network", "wifi": "network", "internet": "network",
}

func (m machine) info(ctx context.Context, a infoArgs) (models.Result, error) {
	about := strings.ToLower(strings.TrimSpace(a.About))
	if other, ok := alias[about]; ok {
		about = other
	}
	data := map[string]any{}
	var say []string
	for _, theme := range themes {
		if about != theme && about != "all" {
			continue
		}
		said, figures := m.tell(ctx, theme, about == "all")
		if figures != nil {
			data[theme] = figures
		}
		if said != "" {
			say = append(say, said)
		}
	}
	if ctx.Err() != nil {
		return models.Result{}, context.Cause(ctx)
	}
	if len(say) == 0 {
		if about == "all" {
			return tool.Said("This machine tells nothing of itself."), nil
		}
		return tool.Said("I can tell you about %s.", tool.Either(themes)), nil
	}
	return tool.With(models.Result{Say: strings.Join(say, " ")}, data), nil
}

// tell words one theme. Among all, what is unknown or not there is passed over.
func (m machine) tell(ctx context.Context, theme string, among bool) (say string, figures any) {
	var err error
	switch theme {
	case "cpu":
		var p processor
		if p, err = m.source.cpu(ctx); err == nil {
			return sayCPU(p), p
		}
	case "memory":
		var v memory
		if v, err = m.source.memory(); err == nil {
			return sayMemory(v), v
		}
	case "disk":
		var d []disk
		if d, err = m.source.disks(); err == nil && len(d) > 0 {
			return sayDisks(d), d
		}
	case "battery":
		var b battery
		if b, err = m.source.battery(); err == nil {
			return sayBattery(b), b
		}
	case "gpu":
		var cards []gpu.Card
		if cards, err = m.cards(ctx); err == nil {
			return sayCards(cards), figuresOf(cards)
		}
	case "uptime":
		var d time.Duration
		if d, err = m.source.uptime(); err == nil {
			return sayUptime(d), map[string]any{"seconds": int(d.Seconds())}
		}
	case "network":
		var n []address
		if n, err = m.source.network(); err == nil {
			return sayNetwork(n), n
		}
	}
	if among {
		return "", nil
	}
	return absent(theme, err), nil
}

func (m machine) cards(ctx context.Context) ([]gpu.Card, error) {
	if m.GPU == nil {
		return nil, gpu.ErrNone
	}
	return m.GPU.Cards(ctx)
}
