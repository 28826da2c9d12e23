package llama

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/gpu"
)

// Settings are the user's.
type Settings struct {
	Server string `toml:"server" default:"" doc:"llama-server program; empty: the one in PATH or in Solo's data folder"`
	Model  string `toml:"model" default:"" doc:"model file, or its name in the models folder; empty: the largest one there"`

	Context    int           `toml:"context" default:"0" min:"0" max:"1048576" doc:"tokens of one conversation; 0: up to 16384, by memory"`
	GPULayers  string        `toml:"gpu_layers" default:"auto" doc:"layers on the graphics cards: auto (as many as fit), all, or a number"`
	Threads    int           `toml:"threads" default:"0" min:"0" max:"512" doc:"threads of the processor; 0: one less than it has cores"`
	CacheTypeK string        `toml:"cache_type_k" default:"f16" allowed:"f32|f16|bf16|q8_0|q5_1|q5_0|q4_1|q4_0|iq4_nl" doc:"how the cache's keys are kept; q8_0 takes half"`
	CacheTypeV string        `toml:"cache_type_v" default:"f16" allowed:"f32|f16|bf16|q8_0|q5_1|q5_0|q4_1|q4_0|iq4_nl" doc:"how the cache's values are kept; less than f16 needs flash_attn"`
	FlashAttn  string        `toml:"flash_attn" default:"auto" allowed:"auto|on|off" doc:"attention that takes less memory; auto: where the card can"`
	Split      string        `toml:"tensor_split" default:"" doc:"parts of the model by card, such as 3,1; empty: by their free memory"`
	MainGPU    string        `toml:"main_gpu" default:"" doc:"the only card to use, by its number from 0 on; empty: all"`
	Parallel   int           `toml:"parallel" default:"1" min:"1" max:"16" doc:"conversations at once; each takes a context of its own"`
	SleepIdle  time.Duration `toml:"sleep_idle" default:"0s" min:"0s" max:"168h" doc:"give the model's memory back after so long without a question; 0s: never"`
	StartLimit time.Duration `toml:"start_limit" default:"5m" min:"1s" max:"1h" doc:"how long the model may take to load"`
	WarmLimit  time.Duration `toml:"warm_limit" default:"10s" min:"1s" max:"5m" doc:"how long Solo waits for the model to read its instructions before the first question"`
	Thinking   string        `toml:"thinking" default:"off" allowed:"off|auto" doc:"whether a model that can think in silence first does so; it makes answers late"`

	DraftModel  string `toml:"draft_model" default:"" doc:"small model of the same family that guesses ahead; empty: none"`
	DraftMax    int    `toml:"draft_max" default:"0" min:"0" max:"64" doc:"tokens that the draft model guesses at most; 0: the server's own"`
	DraftMin    int    `toml:"draft_min" default:"0" min:"0" max:"64" doc:"tokens that it guesses at least; 0: the server's own"`
	DraftLayers string `toml:"draft_gpu_layers" default:"" doc:"its layers on the graphics cards; empty: the server's own"`
	MMProj      string `toml:"mmproj" default:"" doc:"projector file, with which a model sees pictures; empty: none"`

	EmbeddingModel string   `toml:"embedding_model" default:"" doc:"model file for finding things by their meaning; it runs in a server of its own, on the processor"`
	Extra          []string `toml:"extra" doc:"further arguments of llama-server, such as [\"--cpu-moe\"]"`
}

// Config is what a Server needs to know. Only Data is needed, and not even that where Server and Model are paths.
type Config struct {
	Settings
	Data string `toml:"-"` // Solo's data folder: models in models/, programs in bin/ or llama*/
	// Prefix gives the messages with which every conversation begins, to be read before the first of them. nil: none.
	Prefix func(ctx context.Context) []models.Message `toml:"-"`
	// Cards reads the NVIDIA cards; nil asks the driver.
	Cards func(ctx context.Context) ([]gpu.Card, error) `toml:"-"`
	Log   zerolog.Logger                                `toml:"-"`

	headers *headers
}

// withDefaults fills in what zero values mean.
func (c Config) withDefaults() Config {
	for _, s := range []struct {
		into *string
		text string
	}{{&c.GPULayers, "auto"}, {&c.CacheTypeK, "f16"}, {&c.CacheTypeV, "f16"}, {&c.FlashAttn, "auto"}, {&c.Thinking, "off"}} {
		if *s.into == "" {
			*s.into = s.text
		}
	}
	c.Parallel = max(1, c.Parallel)
	if c.StartLimit == 0 {
		c.StartLimit = 5 * time.Minute
	}
	if c.WarmLimit == 0 {
		c.WarmLimit = 10 * time.Second
	}
	return c
}

// check finds what the tags cannot say.
func (c Config) check() error {
	if _, err := c.layers(); err != nil {
		return err
	}
	if _, err := c.split(); err != nil {
		return err
	}
	if _, err := c.only(); err != nil {
		return err
	}
	if len(c.CacheTypeV) > 3 && c.CacheTypeV != "bf16" && c.FlashAttn == "off" {
		return fmt.Errorf("llama.cache_type_v = %q needs llama.flash_attn", c.CacheTypeV)
	}
	return checkExtra(c.Extra)
}

const (
	auto = -1
	all  = 1 << 20
)

// layers is auto, all, or a number of layers.
func (c Config) layers() (int, error) {
	switch c.GPULayers {
	case "auto":
		return auto, nil
	case "all":
		return all, nil
	}
	n, err := strconv.Atoi(c.GPULayers)
	if err != nil || n < 0 || n > all {
		return 0, fmt.Errorf("llama.gpu_layers is %q, not auto, all or a number", c.GPULayers)
	}
	return n, nil
}

// only is the number of the only card to use, -1 for all.
func (c Config) only() (int, error) {
	if c.MainGPU == "" {
		return -1, nil
	}
	n, err := strconv.Atoi(c.MainGPU)
	if err != nil || n < 0 || n > 63 {
		return 0, fmt.Errorf("llama.main_gpu is %q, not the number of a card", c.MainGPU)
	}
	return n, nil
}

// split reads "3,1", as parts of any size.
func (c Config) split() ([]float64, error) {
	if c.Split == "" {
		return nil, nil
	}
	var parts []float64
	sum := 0.0
	for text := range strings.SplitSeq(c.Split, ",") {
		n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(n >= 0 && n < 1e9) {
			return nil, fmt.Errorf("llama.tensor_split is %q, not numbers such as 3,1", c.Split)
		}
		parts, sum = append(parts, n), sum+n
	}
	if sum == 0 {
		return nil, fmt.Errorf("llama.tensor_split is %q, which leaves nothing for any card", c.Split)
	}
	return parts, nil
}

// kept are the arguments that are Solo's own: where the server listens and whom it answers, and what has a setting.
var kept = []string{"--host", "--port", "--reuse-port", "--api-key", "--api-key-file", "--api-prefix", "--ssl-key-file", "--ssl-cert-file",
	"--cors-origins", "--cors-credentials", "--cors-methods", "--cors-headers", "--path", "--ui", "--webui", "--tools", "--agent", "-ag", "--ui-mcp-proxy", "--webui-mcp-proxy",
	"--mcp-servers-config", "--mcp-servers-json", "--models-dir", "--models-preset", "--props", "-m", "--model", "-a", "--alias", "-c", "--ctx-size",
	"-np", "--parallel", "-ngl", "--gpu-layers", "--n-gpu-layers", "--log-file", "--log-prompts-dir", "--media-path", "--rpc"}

func checkExtra(extra []string) error {
	for _, arg := range extra {
		name, _, _ := strings.Cut(arg, "=")
		for _, k := range kept {
			if name == k {
				return fmt.Errorf("llama.extra must not hold %s, which Solo sets itself", name)
			}
		}
	}
	return nil
}
