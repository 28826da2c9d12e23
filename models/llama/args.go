package llama

import (
	"strconv"
	"strings"

	"github.com/solo-assistant/solo/models/llama/internal/fit"
	"github.com/solo-assistant/solo/models/llama/internal/gguf"
	"github.com/solo-assistant/solo/models/llama/internal/machine"
)

// promptCache bounds the memory in which llama-server keeps what conversations left (its own bound is 8 GiB).
const promptCache = 512 // MiB

// arguments writes a command line that the build understands.
type arguments struct {
	build
	list []string
}

// set adds the first of the spellings that the build knows, with values.
func (a *arguments) set(spellings string, values ...string) {
	for flag := range strings.FieldsSeq(spellings) {
		if a.can(flag) {
			a.list = append(append(a.list, flag), values...)
			return
		}
	}
}

func (a *arguments) number(spellings string, n int) { a.set(spellings, strconv.Itoa(n)) }

// unless adds an argument whose value is not the server's own choice.
func (a *arguments) unless(own, spellings, value string) {
	if value != own && value != "" {
		a.set(spellings, value)
	}
}

// arguments are those for one start.
func (c Config) arguments(l *launch) []string {
	a := &arguments{build: l.build}
	a.set("--model", l.path)
	a.set("--alias", l.id)
	a.set("--host", "127.0.0.1")
	a.number("--port", l.port)
	a.locked(l.key)
	threads := c.Threads
	if threads == 0 {
		threads = max(1, machine.Cores()-1)
	}
	a.number("--threads", threads)
	a.number("--threads-batch", threads)
	if l.embeds {
		a.embedding(l.model, l.plan)
	} else {
		a.chat(c, l)
	}
	a.cards(c, l)
	a.unless("f16", "--cache-type-k", c.CacheTypeK)
	a.unless("f16", "--cache-type-v", c.CacheTypeV)
	switch {
	case a.values:
		a.unless("auto", "--flash-attn", c.FlashAttn)
	case c.FlashAttn == "on":
		a.set("--flash-attn")
	}
	if c.SleepIdle > 0 {
		a.number("--sleep-idle-seconds", max(1, int(c.SleepIdle.Seconds())))
	}
	return append(a.list, c.Extra...)
}

// locked shuts everything that a page in a browser, or another user, could try. The key goes by the
// environment, which others cannot read, where the build takes it so.
func (a *arguments) locked(key string) {
	if !a.can("LLAMA_API_KEY") {
		a.set("--api-key", key)
	}
	a.set("--no-ui --no-webui")
	a.set("--cors-origins", "localhost")
	a.set("--offline") // the model is a file: nothing is fetched
	a.set("--metrics")
	a.set("--slots")
}

func (a *arguments) chat(c Config, l *launch) {
	a.number("--ctx-size", l.plan.Context*c.Parallel)
	a.number("--parallel", c.Parallel)
	a.set("--jinja")
	a.set("--no-context-shift") // too long is an error, not a silent cut
	a.number("--cache-ram", promptCache)
	if c.Thinking == "off" {
		if a.can("--reasoning") {
			a.set("--reasoning", "off")
		} else {
			a.set("--reasoning-budget", "0")
		}
	}
	if l.draft != "" {
		a.set("--model-draft", l.draft)
		a.set("--spec-type", "draft-simple")
		a.unless("0", "--spec-draft-n-max --draft-max", strconv.Itoa(c.DraftMax))
		a.unless("0", "--spec-draft-n-min --draft-min", strconv.Itoa(c.DraftMin))
		a.unless("", "--gpu-layers-draft", c.DraftLayers)
	}
	a.unless("", "--mmproj", l.projects)
}

// embedding reads a whole text in one go, so that a batch must hold it.
func (a *arguments) embedding(m gguf.Model, p fit.Plan) {
	a.set("--embedding --embeddings")
	if !m.Embeds { // else the model says how
		a.set("--pooling", "mean")
	}
	a.number("--ctx-size", p.Context)
	a.number("--batch-size", p.Context)
	a.number("--ubatch-size", p.Context)
	a.number("--parallel", 1)
}

func (a *arguments) cards(c Config, l *launch) {
	if l.embeds {
		a.number("--gpu-layers", 0)
		return
	}
	switch n, _ := c.layers(); {
	case n >= 0: // as the user wants, whatever is known of cards
		a.number("--gpu-layers", min(n, l.model.Blocks+1))
	case len(l.devices) > 0:
		a.number("--gpu-layers", l.plan.Layers)
	}
	a.unless("", "--device", l.restrict)
	a.unless("", "--tensor-split", strings.ReplaceAll(c.Split, " ", ""))
	if c.MainGPU != "" {
		a.set("--split-mode", "none")
		a.set("--main-gpu", c.MainGPU)
	}
}
