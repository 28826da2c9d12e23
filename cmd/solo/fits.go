package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/models/depot"
	"github.com/solo-assistant/solo/models/gpu"
)

// examineFit tells which models of the catalogue fit this machine, by the largest card that is there, else by its
// memory, and what of the card others hold now.
func (a *app) examineFit(ctx context.Context) cli.Engine {
	d, err := a.depot()
	if err != nil {
		return examined("thinking", "what fits", "", err)
	}
	m := hardware(ctx)
	p := d.Propose(m, "en", map[string]bool{"llama-server": true, "whisper-server": true, "piper": true})
	var names []string
	needed := int64(0)
	for _, c := range p.Models {
		switch c.Task {
		case depot.LLM, depot.STT:
			names = append(names, c.Name)
			needed += c.Memory
		}
	}
	text := fmt.Sprintf("%s; solo setup proposes the whole set for %s", strings.Join(names, " and "), p.For)
	if len(names) == 0 {
		text = "no language model: " + strings.Join(p.Lacks, "; ")
	}
	if m.NVIDIA {
		text += crowded(ctx, needed)
	}
	return cli.Engine{Job: "thinking", Name: "what fits", Found: true, Version: text}
}

// crowded says so when the largest card has less to give now than a set needs.
func crowded(ctx context.Context, needed int64) string {
	r := gpu.New(gpu.Config{})
	defer r.Close()
	cards, err := r.Cards(ctx)
	if err != nil {
		return ""
	}
	var largest gpu.Card
	for _, c := range cards {
		if c.MemTotal > largest.MemTotal {
			largest = c
		}
	}
	if largest.MemFree >= needed || largest.MemTotal == 0 {
		return ""
	}
	return fmt.Sprintf(". Other programs hold %.1f of the card's %.1f GB now; what is left does not hold all of it", float64(largest.MemUsed)/1e9, float64(largest.MemTotal)/1e9)
}
