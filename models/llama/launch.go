package llama

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/gpu"
	"github.com/solo-assistant/solo/models/llama/internal/fit"
	"github.com/solo-assistant/solo/models/llama/internal/gguf"
	"github.com/solo-assistant/solo/models/llama/internal/machine"
)

// launch is all that is known before one start of the server.
type launch struct {
	build    build
	path, id string // of the model
	model    gguf.Model
	embeds   bool // it serves embeddings and nothing else
	devices  []fit.Device
	restrict string // the one card to use, by the server's name for it
	draft    string // path of the draft model, "" for none
	projects string // path of the projector, "" for none
	plan     fit.Plan
	port     int
	key      string
}

// Found is what Solo would start, for the doctor and for lists.
type Found struct {
	Program string   `json:"program"`
	Version string   `json:"version"`
	Model   string   `json:"model"` // path
	ID      string   `json:"id"`    // name of the model in requests
	Bytes   int64    `json:"bytes"` // of the model's files
	Devices []string `json:"devices,omitempty"`
	Layers  int      `json:"layers"`            // on the cards
	Blocks  int      `json:"blocks"`            // Layers is at most one more: the output
	Context int      `json:"context"`           // tokens of one conversation
	GPU     []int64  `json:"gpu,omitempty"`     // bytes that each card has to hold, as estimated
	RAM     int64    `json:"ram"`               // the same for the computer's memory
	Trouble string   `json:"trouble,omitempty"` // what is likely to disappoint, in one sentence
}

// Find tells what Serve would start, and starts nothing but the program's own --help. The error wraps
// models.ErrAbsent, ErrNoModel or ErrTooLarge.
func (s *Server) Find(ctx context.Context) (Found, error) {
	l, err := s.prepare(ctx)
	f := Found{Program: l.build.path, Version: l.build.version, Model: l.path, ID: l.id, Bytes: l.model.Bytes,
		Layers: l.plan.Layers, Blocks: l.model.Blocks, Context: l.plan.Context, GPU: l.plan.Devices, RAM: l.plan.RAM}
	for _, d := range l.build.devices {
		f.Devices = append(f.Devices, d.id+": "+d.name)
	}
	if cards, gone := s.conf.Cards(ctx); gone == nil && len(cards) > 0 && len(l.build.devices) == 0 && l.build.can("--list-devices") {
		f.Trouble = fmt.Sprintf("there is a %s, but this llama-server cannot use it; docs/cublas.md tells where to get one that can", cards[0].Name)
	}
	return f, err
}

// prepare finds program and model and plans the memory. What was found until an error is in the launch.
func (s *Server) prepare(ctx context.Context) (*launch, error) {
	l := &launch{embeds: s.embeds}
	program, err := s.conf.program()
	if err != nil {
		return l, err
	}
	if l.build, err = s.builds.of(ctx, program); err != nil {
		l.build.path = program
		return l, err
	}
	if l.path, l.model, err = s.conf.weights(); err != nil {
		return l, err
	}
	l.id = idOf(l.path)
	if err := s.plan(ctx, l); err != nil {
		if errors.Is(err, fit.ErrRAM) {
			err = fmt.Errorf("%w: %s (%.1f GiB): %w", models.ErrTooLarge, l.id, float64(l.model.Bytes)/(1<<30), err)
		}
		return l, err
	}
	return l, nil
}

// plan decides about layers and context.
func (s *Server) plan(ctx context.Context, l *launch) error {
	c := s.conf
	ram := machine.Memory()
	ram -= ram / 16 // for the system
	if l.embeds {
		context := min(cmp.Or(c.Context, 2048), cmp.Or(l.model.Context, 2048))
		var err error
		l.plan, err = fit.Choose(l.model, fit.Need{Context: context, Flash: true}, nil, ram)
		return err
	}
	need := fit.Need{Context: c.trained(l.model), Slots: c.Parallel, KeyType: c.CacheTypeK, ValType: c.CacheTypeV, Flash: c.FlashAttn != "off", AlsoRAM: promptCache << 20}
	var err error
	if need.Split, err = c.split(); err != nil {
		return err
	}
	if need.Layers, err = c.layers(); err != nil {
		return err
	}
	if need.Beside, err = c.beside(l); err != nil {
		return err
	}
	only, err := c.only()
	if err != nil {
		return err
	}
	if need.Layers != 0 {
		l.devices, l.restrict = usable(s.free(ctx, l.build), only)
		for i := range l.devices {
			l.devices[i].Free = max(0, l.devices[i].Free-s.shy.Load())
		}
	}
	l.plan, err = fit.Choose(l.model, need, l.devices, ram)
	return err
}

// trained is the context that is asked for, as far as the model was trained for it: the server goes no further,
// unless it is told how to stretch the positions.
func (c Config) trained(m gguf.Model) int {
	stretched := func(arg string) bool { return strings.HasPrefix(arg, "--rope") || strings.HasPrefix(arg, "--yarn") }
	if m.Context == 0 || slices.ContainsFunc(c.Extra, stretched) {
		return c.Context
	}
	return min(c.Context, m.Context)
}

// free are the cards that the build can use, with their memory as it is now.
func (s *Server) free(ctx context.Context, b build) []device {
	if len(b.devices) == 0 && b.can("--list-devices") {
		return nil
	}
	cards, err := s.conf.Cards(ctx)
	switch {
	case err == nil:
		return refresh(b.seen(cards), cards)
	case !errors.Is(err, gpu.ErrNone):
		s.conf.Log.Warn().Err(err).Msg("the cards' memory is as llama-server first told")
	}
	return b.devices
}

// beside is what a draft model and a projector take; their files are found by the way.
func (c Config) beside(l *launch) (bytes int64, err error) {
	if name := c.DraftModel; name != "" {
		if l.draft, err = c.file("llama.draft_model", name); err != nil {
			return 0, err
		}
		m, err := gguf.Read(l.draft)
		if err != nil {
			return 0, fmt.Errorf("%w: %w", models.ErrNoModel, err)
		}
		bytes += fit.Whole(m, fit.Need{Context: cmp.Or(c.Context, 8192), Slots: c.Parallel, Flash: true})
	}
	if name := c.MMProj; name != "" {
		if l.projects, err = c.file("llama.mmproj", name); err != nil {
			return 0, err
		}
		m, err := gguf.Read(l.projects)
		if err != nil {
			return 0, fmt.Errorf("%w: %w", models.ErrNoModel, err)
		}
		bytes += m.Bytes + 512<<20 // and its working memory for one picture
	}
	return bytes, nil
}

// door picks a free port of this machine alone, and a key that nobody can guess.
func (l *launch) door() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("finding a free port: %w", err)
	}
	l.port = listener.Addr().(*net.TCPAddr).Port
	if err := listener.Close(); err != nil {
		return fmt.Errorf("finding a free port: %w", err)
	}
	key := make([]byte, 32)
	_, _ = rand.Read(key) // it never fails
	l.key = hex.EncodeToString(key)
	return nil
}
