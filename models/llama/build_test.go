package llama

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/models/gpu"
	"github.com/solo-assistant/solo/models/llama/internal/fit"
	"github.com/solo-assistant/solo/models/llama/internal/gguf"
)

const newHelp = `----- common params -----

-h,    --help, --usage                  print usage and exit
-t,    --threads N                      number of CPU threads
-fa,   --flash-attn [on|off|auto]       set Flash Attention use ('on', 'off', or 'auto', default: 'auto')
--draft, --draft-n, --draft-max N       the argument has been removed. use --spec-draft-n-max or
                                        --spec-ngram-mod-n-max
--api-key KEY                           API key to use for authentication
                                        (env: LLAMA_API_KEY)
--ui,  --webui, --no-ui, --no-webui     whether to enable the Web UI (default: enabled)
--override-kv KEY=TYPE:VALUE,...        advanced option
`

const oldHelp = `usage: llama-server [options]
-fa,   --flash-attn                     enable Flash Attention (default: disabled)
--api-key KEY                           API key to use for authentication (default: none)
`

func TestParseHelp(t *testing.T) {
	flags, values := parseHelp(newHelp)
	for _, f := range []string{"-h", "--help", "--usage", "--threads", "--flash-attn", "-fa", "--api-key", "LLAMA_API_KEY", "--ui", "--no-webui", "--override-kv"} {
		if !flags[f] {
			t.Errorf("%s is not known", f)
		}
	}
	if !values || flags["--draft-max"] || flags["-----"] || flags["set"] {
		t.Error(values, flags)
	}
	if flags, values := parseHelp(oldHelp); values || !flags["--flash-attn"] || flags["LLAMA_API_KEY"] {
		t.Error(values, flags)
	}
}

const listed = `ggml_cuda_init: found 2 CUDA devices:
Available devices:
  CUDA0: NVIDIA GeForce RTX 4090 (24217 MiB, 23715 MiB free)
  CUDA1: NVIDIA GeForce RTX 3060 (11910 MiB, 11200 MiB free)
  Vulkan0: AMD Radeon Graphics (RADV RAPHAEL) (15800 MiB, 15000 MiB free)
`

func TestDevices(t *testing.T) {
	list := parseDevices(listed)
	if len(list) != 3 || list[0] != (device{"CUDA0", "NVIDIA GeForce RTX 4090", 24217 << 20, 23715 << 20}) || list[2].name != "AMD Radeon Graphics (RADV RAPHAEL)" {
		t.Fatalf("%+v", list)
	}
	if got := parseDevices("Available devices:\n  (none)\n"); got != nil {
		t.Errorf("%+v", got)
	}
	for name, tt := range map[string]struct {
		list     []device
		only     int
		want     string
		restrict string
	}{
		"CUDA beside an own graphics": {list, -1, "CUDA0 CUDA1", ""},
		"the second":                  {list, 1, "CUDA1", ""},
		"one that is not there":       {list, 5, "CUDA0 CUDA1", ""},
		"only Vulkan":                 {list[2:], -1, "Vulkan0", ""},
		"two of Vulkan":               {[]device{{id: "Vulkan0", free: 1}, {id: "Vulkan1", free: 2}}, -1, "Vulkan1", "Vulkan1"},
		"none":                        {nil, -1, "", ""},
	} {
		cards, restrict := usable(tt.list, tt.only)
		var names []string
		for _, c := range cards {
			names = append(names, c.Name)
		}
		if strings.Join(names, " ") != tt.want || restrict != tt.restrict {
			t.Errorf("%s: %v %q", name, names, restrict)
		}
	}
}

// What the driver says now is fresher than what the server said once.
func TestRefresh(t *testing.T) {
	list := parseDevices(listed)
	twin := "NVIDIA GeForce RTX 3060"
	fresh := refresh(list, []gpu.Card{{Name: twin, MemTotal: 12 << 30, MemFree: 3 << 30}, {Name: "NVIDIA GeForce RTX 4090", MemTotal: 24 << 30, MemFree: 9 << 30},
		{Name: twin, MemTotal: 12 << 30, MemFree: 2 << 30}})
	if fresh[0].free != 9<<30 || fresh[1].free != 2<<30 || fresh[2].free != 15000<<20 || list[0].free != 23715<<20 {
		t.Errorf("%+v", fresh)
	}
	if fresh := refresh(list, []gpu.Card{{Name: list[0].name}}); fresh[0].free != list[0].free {
		t.Error("a card that tells nothing was believed")
	}
}

func everything() build {
	b := build{path: "llama-server", flags: map[string]bool{}, values: true}
	for f := range strings.FieldsSeq(`--model --alias --host --port --threads --threads-batch --ctx-size --parallel --jinja --no-context-shift --cache-ram
		--reasoning --reasoning-budget --model-draft --spec-type --spec-draft-n-max --spec-draft-n-min --gpu-layers-draft --mmproj --embedding --pooling
		--batch-size --ubatch-size --gpu-layers --device --tensor-split --split-mode --main-gpu --cache-type-k --cache-type-v --flash-attn
		--sleep-idle-seconds LLAMA_API_KEY --list-devices --api-key --no-ui --cors-origins --offline --metrics --slots`) {
		b.flags[f] = true
	}
	return b
}

func TestArguments(t *testing.T) {
	l := func() *launch {
		return &launch{build: everything(), path: "/m/a.gguf", id: "a", model: gguf.Model{Blocks: 32}, port: 4711, key: "secret", plan: fit.Plan{Context: 8192, Layers: 20}}
	}
	locked := "--host 127.0.0.1 --port 4711"
	for name, tt := range map[string]struct {
		set    func(*Config, *launch)
		want   []string
		lacks  []string
		embeds bool
	}{
		"plain": {nil, []string{"--model /m/a.gguf --alias a", locked, "--threads 3", "--ctx-size 8192 --parallel 1", "--no-ui", "--cors-origins localhost", "--offline", "--reasoning off", "--jinja"},
			[]string{"secret", "--gpu-layers", "--flash-attn", "--cache-type-k", "--device", "--mmproj", "--model-draft", "--sleep-idle-seconds", "--embedding"}, false},
		"cards":            {func(_ *Config, l *launch) { l.devices = []fit.Device{{Name: "CUDA0"}} }, []string{"--gpu-layers 20"}, nil, false},
		"by hand":          {func(c *Config, l *launch) { c.GPULayers = "20"; c.Split = "3, 1"; c.MainGPU = "1" }, []string{"--gpu-layers 20", "--tensor-split 3,1", "--split-mode none --main-gpu 1"}, nil, false},
		"one of several":   {func(_ *Config, l *launch) { l.restrict = "Vulkan1" }, []string{"--device Vulkan1"}, nil, false},
		"slots":            {func(c *Config, _ *launch) { c.Parallel = 3 }, []string{"--ctx-size 24576 --parallel 3"}, nil, false},
		"cache":            {func(c *Config, _ *launch) { c.CacheTypeK = "q8_0"; c.CacheTypeV = "q4_0"; c.FlashAttn = "on" }, []string{"--cache-type-k q8_0 --cache-type-v q4_0 --flash-attn on"}, nil, false},
		"draft":            {func(c *Config, l *launch) { l.draft = "/m/d.gguf"; c.DraftMax = 8; c.DraftLayers = "99" }, []string{"--model-draft /m/d.gguf --spec-type draft-simple --spec-draft-n-max 8 --gpu-layers-draft 99"}, []string{"n-min"}, false},
		"pictures":         {func(_ *Config, l *launch) { l.projects = "/m/p.gguf" }, []string{"--mmproj /m/p.gguf"}, nil, false},
		"idle":             {func(c *Config, _ *launch) { c.SleepIdle = 90e9 }, []string{"--sleep-idle-seconds 90"}, nil, false},
		"extra comes last": {func(c *Config, _ *launch) { c.Extra = []string{"--cpu-moe"} }, []string{"--cpu-moe"}, nil, false},
		"thinks":           {func(c *Config, _ *launch) { c.Thinking = "auto" }, nil, []string{"--reasoning"}, false},
		"an old build": {func(c *Config, l *launch) {
			c.FlashAttn, c.SleepIdle = "on", 90e9
			l.build.values = false
			for _, f := range []string{"LLAMA_API_KEY", "--no-ui", "--cors-origins", "--offline", "--sleep-idle-seconds", "--reasoning"} {
				delete(l.build.flags, f)
			}
		}, []string{locked, "--api-key secret", "--reasoning-budget 0"}, []string{"--flash-attn on", "--no-ui", "--cors-origins", "--sleep"}, false},
		"embeddings":                          {nil, []string{locked, "--embedding --pooling mean --ctx-size 8192 --batch-size 8192 --ubatch-size 8192 --parallel 1 --gpu-layers 0"}, []string{"--jinja", "--reasoning"}, true},
		"embeddings of a model that says how": {func(_ *Config, l *launch) { l.model = gguf.Model{Embeds: true} }, []string{"--embedding --ctx-size"}, []string{"--pooling"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			c, start := Config{Settings: Settings{Threads: 3}}.withDefaults(), l()
			start.embeds = tt.embeds
			if tt.set != nil {
				tt.set(&c, start)
			}
			got := strings.Join(c.arguments(start), " ")
			for _, w := range tt.want {
				if !strings.Contains(got, w) {
					t.Errorf("%q lacks %q", got, w)
				}
			}
			for _, w := range tt.lacks {
				if strings.Contains(got, w) {
					t.Errorf("%q has %q", got, w)
				}
			}
		})
	}
	c := Config{}.withDefaults()
	if args := c.arguments(l()); slices.Index(args, "--threads") < 0 {
		t.Error(args)
	}
}

func TestSettingsThatCannotBe(t *testing.T) {
	for want, s := range map[string]Settings{
		"llama.gpu_layers":              {GPULayers: "many"},
		"llama.gpu_layers is \"-3\"":    {GPULayers: "-3"},
		"leaves nothing":                {Split: "0,0"},
		"llama.tensor_split is \"a,b\"": {Split: "a,b"},
		"needs llama.flash_attn":        {CacheTypeV: "q8_0", FlashAttn: "off"},
		"llama.main_gpu is \"-1\"":      {MainGPU: "-1"},
		"must not hold --host":          {Extra: []string{"--verbose", "--host", "0.0.0.0"}},
		"must not hold --api-key":       {Extra: []string{"--api-key=x"}},
		"must not hold --model":         {Extra: []string{"--model"}},
	} {
		if _, err := New(Config{Settings: s}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	for _, s := range []Settings{{}, {GPULayers: "all", Split: "3, 1"}, {GPULayers: "12", Extra: []string{"--cpu-moe"}}, {CacheTypeV: "q8_0"}} {
		if _, err := New(Config{Settings: s}); err != nil {
			t.Error(err)
		}
	}
}

// The tags can be read, and their defaults are what an empty setting means.
func TestSettings(t *testing.T) {
	var s struct {
		Llama Settings `toml:"llama"`
	}
	if _, err := config.Load(&s, config.Sources{}); err != nil {
		t.Fatal(err)
	}
	if got, want := s.Llama, (Config{}).withDefaults().Settings; !reflect.DeepEqual(got, want) {
		t.Errorf("by default\n%+v, empty\n%+v", got, want)
	}
	if text := config.Example(&s); !strings.Contains(text, "#gpu_layers = \"auto\"") {
		t.Error(text)
	}
}

func FuzzHelp(f *testing.F) {
	f.Add(newHelp)
	f.Add(listed)
	f.Fuzz(func(t *testing.T, text string) {
		flags, _ := parseHelp(text)
		for name := range flags {
			if strings.ContainsAny(name, " \n=") {
				t.Errorf("%q", name)
			}
		}
		for _, d := range parseDevices(text) {
			if d.free < 0 || d.total < 0 || d.id == "" {
				t.Errorf("%+v", d)
			}
		}
	})
}
