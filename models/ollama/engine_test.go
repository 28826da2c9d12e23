package ollama_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/modelstest"
	"github.com/solo-assistant/solo/models/ollama"
)

func TestAddress(t *testing.T) {
	for in, want := range map[string]string{
		"":                          "http://127.0.0.1:11434",
		"gpu":                       "http://gpu:11434",
		"gpu:1234":                  "http://gpu:1234",
		":1234":                     "http://127.0.0.1:1234",
		"1234":                      "http://127.0.0.1:1234",
		"192.168.1.7":               "http://192.168.1.7:11434",
		"0.0.0.0":                   "http://127.0.0.1:11434",
		"0.0.0.0:1234":              "http://127.0.0.1:1234",
		"[::]:1234":                 "http://[::1]:1234",
		"::":                        "http://[::1]:11434",
		"::1":                       "http://[::1]:11434",
		"[::1]":                     "http://[::1]:11434",
		"[fd00::5]:80":              "http://[fd00::5]:80",
		"http://gpu":                "http://gpu:80",
		"https://gpu":               "https://gpu:443",
		"http://gpu:1234/":          "http://gpu:1234",
		"https://gpu/ollama/":       "https://gpu:443/ollama",
		"http://0.0.0.0:1234":       "http://127.0.0.1:1234",
		` "gpu:1234" `:              "http://gpu:1234",
		"'http://gpu'":              "http://gpu:80",
		"http://":                   "http://127.0.0.1:80",
		"host.docker.internal:4321": "http://host.docker.internal:4321",
	} {
		if got, err := ollama.Address(in); got != want || err != nil {
			t.Errorf("%q is %q, %v, want %q", in, got, err, want)
		}
	}
	for _, in := range []string{"ftp://gpu", "gpu:70000", "gpu:0", "99999", "gpu:x", "a b", "user@gpu", "a:b:c", "://"} {
		if got, err := ollama.Address(in); err == nil {
			t.Errorf("%q is %q", in, got)
		}
	}
}

func ask(model string) models.Request {
	return models.Request{Model: model, Messages: []models.Message{{Role: models.User, Text: "Hello."}}}
}

var withCloud = []modelstest.Model{{ID: "test-model", Bytes: 5 << 30, Context: 131072, Loaded: true, GPU: 3 << 30}, {ID: "small:latest", Bytes: 1 << 30, Context: 2048},
	{ID: "big:480b-cloud", Remote: "https://ollama.com:443"}, {ID: "hidden:7b", Remote: "https://ollama.com:443"}}

// A model of Ollama's cloud is refused by its name, and by what the server tells of it.
func TestLocalOnly(t *testing.T) {
	srv := modelstest.New(t, modelstest.Script{Models: withCloud, Answer: func(modelstest.Request) modelstest.Turn { return modelstest.Turn{Text: "Yes."} }})
	e := engine(t, srv, ollama.Config{LocalOnly: true})
	for _, model := range []string{"big:480b-cloud", "x:cloud", "x-cloud", "X-CLOUD:latest", "hidden:7b", "hidden:7b"} {
		if h := modelstest.Hear(e.Stream(t.Context(), ask(model))); !errors.Is(h.Err, models.ErrPrivate) {
			t.Errorf("%s: %+v", model, h)
		}
		if _, err := e.Embed(t.Context(), model, []string{"x"}); !errors.Is(err, models.ErrPrivate) {
			t.Errorf("%s: %v", model, err)
		}
		if !e.Cloud(model) {
			t.Errorf("%s runs at home", model)
		}
	}
	if err := e.Pull(t.Context(), "x:cloud", nil); !errors.Is(err, models.ErrPrivate) {
		t.Errorf("pull: %v", err)
	}
	if n := len(srv.Requests()); n != 0 {
		t.Errorf("%d requests went out", n)
	}
	if h := modelstest.Hear(e.Stream(t.Context(), ask("small"))); h.Err == nil || !errors.Is(h.Err, models.ErrNoModel) {
		t.Errorf("a name without its tag: %+v", h) // the scripted server takes names literally
	}
	if h := modelstest.Hear(e.Stream(t.Context(), ask(""))); h.Text != "Yes." || srv.Requests()[0].Model != "test-model" {
		t.Errorf("the default: %+v", h)
	}
	for _, host := range []string{"https://ollama.com", "8.8.8.8", "ollama.example.org:11434"} {
		if _, err := ollama.New(ollama.Config{Host: host, LocalOnly: true}); !errors.Is(err, models.ErrPrivate) {
			t.Errorf("%s: %v", host, err)
		}
	}
}

func TestPlace(t *testing.T) {
	for _, tt := range []struct {
		host, place string
		cloud       bool
	}{
		{"", "", false}, {"192.168.1.9", "auto", false}, {"gpu.example.org", "", true}, {"gpu.example.org", "home", false}, {"127.0.0.1", "cloud", true}, {"8.8.8.8", "", true},
	} {
		e, err := ollama.New(ollama.Config{Host: tt.host, Place: tt.place})
		if err != nil || e.Cloud("") != tt.cloud || !e.Cloud("x:cloud") {
			t.Errorf("%+v: %v", tt, err)
		}
	}
	if _, err := ollama.New(ollama.Config{Place: "elsewhere"}); err == nil {
		t.Error("elsewhere is a place")
	}
	var c ollama.Config
	if _, err := config.Load(&c, config.Sources{Env: []string{"OLLAMA_HOST=gpu"}, Aliases: map[string]string{"OLLAMA_HOST": "host"}}); err != nil || c.Host != "gpu" || c.KeepAlive != 30*time.Minute || c.Context != 8192 {
		t.Errorf("settings %+v, %v", c, err)
	}
}

// Without local_only a cloud model may be asked, but not before Cloud could tell what it is.
func TestCloudIsKnownBeforeItIsAsked(t *testing.T) {
	srv := modelstest.New(t, modelstest.Script{Models: withCloud, Answer: func(modelstest.Request) modelstest.Turn { return modelstest.Turn{Text: "Yes."} }})
	e := engine(t, srv, ollama.Config{})
	if e.Cloud("hidden:7b") {
		t.Fatal("known without asking")
	}
	if h := modelstest.Hear(e.Stream(t.Context(), ask("hidden:7b"))); !errors.Is(h.Err, models.ErrPrivate) || len(srv.Requests()) != 0 {
		t.Fatalf("the first time: %+v", h)
	}
	if !e.Cloud("hidden:7b") {
		t.Fatal("not known after asking")
	}
	if h := modelstest.Hear(e.Stream(t.Context(), ask("hidden:7b"))); h.Text != "Yes." {
		t.Errorf("after that: %+v", h)
	}
}

func TestModels(t *testing.T) {
	srv := modelstest.New(t, modelstest.Script{Models: withCloud})
	list, err := engine(t, srv, ollama.Config{Context: 8192}).Models(t.Context())
	want := []models.Info{{ID: "test-model", Engine: "ollama", Bytes: 5 << 30, Context: 8192, Loaded: true, GPU: 3 << 30},
		{ID: "small:latest", Engine: "ollama", Bytes: 1 << 30, Context: 2048},
		{ID: "big:480b-cloud", Engine: "ollama", Context: 8192, Cloud: true}, {ID: "hidden:7b", Engine: "ollama", Context: 8192, Cloud: true}}
	if err != nil || !slices.Equal(list, want) {
		t.Errorf("%v\n got %+v\nwant %+v", err, list, want)
	}
}

// Those who name no model get one that is made for what they want.
func TestChoice(t *testing.T) {
	srv := modelstest.New(t, modelstest.Script{Answer: func(modelstest.Request) modelstest.Turn { return modelstest.Turn{Text: "Yes."} }, Models: []modelstest.Model{
		{ID: "far:cloud", Remote: "https://ollama.com:443"}, {ID: "vectors:latest", Embeds: true, Loaded: true}, {ID: "first:7b"}, {ID: "second:7b", Loaded: true}},
		Embed: func(string) []float32 { return []float32{1} }})
	for range 2 {
		e := engine(t, srv, ollama.Config{})
		if h := modelstest.Hear(e.Stream(t.Context(), ask(""))); h.Err != nil || h.Usage.Model != "second:7b" {
			t.Errorf("talk: %+v", h)
		}
		e = engine(t, srv, ollama.Config{Model: "first:7b"})
		for range 2 {
			if _, err := e.Embed(t.Context(), "", []string{"a"}); err != nil {
				t.Error(err)
			}
		}
		if h := modelstest.Hear(e.Stream(t.Context(), ask(""))); h.Err != nil || h.Usage.Model != "first:7b" {
			t.Errorf("configured: %+v", h)
		}
	}
	if asked := srv.Embedded(); len(asked) != 4 || asked[0] != "vectors:latest" || asked[3] != "vectors:latest" {
		t.Errorf("embedded by %v", asked)
	}
	for _, none := range [][]modelstest.Model{{}, {{ID: "far:cloud", Remote: "https://ollama.com:443"}}, {{ID: "v", Embeds: true}}} {
		e := engine(t, modelstest.New(t, modelstest.Script{Models: none}), ollama.Config{})
		if h := modelstest.Hear(e.Stream(t.Context(), ask(""))); !errors.Is(h.Err, models.ErrNoModel) {
			t.Errorf("%v: %v", none, h.Err)
		}
	}
}

func TestOptions(t *testing.T) {
	srv := modelstest.New(t, modelstest.Script{Answer: func(modelstest.Request) modelstest.Turn {
		return modelstest.Turn{Text: "Yes.", Usage: models.Usage{Prompt: 9, Generated: 2, Reading: 5, Writing: 6, Loading: 7}}
	}})
	for _, tt := range []struct {
		c    ollama.Config
		want map[string]any // fields of the request, "options." those of its options; nil is absent
	}{
		{ollama.Config{}, map[string]any{"keep_alive": nil, "options.num_ctx": nil, "options.num_thread": nil, "think": false, "truncate": false}},
		{ollama.Config{KeepAlive: 30 * time.Minute, Context: 4096, Threads: 3}, map[string]any{"keep_alive": "30m0s", "options.num_ctx": 4096.0, "options.num_thread": 3.0}},
		{ollama.Config{KeepAlive: -time.Second, Think: true}, map[string]any{"keep_alive": -1.0, "think": nil}},
	} {
		tt.c.Model = "test-model"
		h := modelstest.Hear(engine(t, srv, tt.c).Stream(t.Context(), ask("")))
		if h.Err != nil || h.Usage.Reading != 5 || h.Usage.Writing != 6 || h.Usage.Loading != 7 {
			t.Fatalf("%+v", h)
		}
		sent := srv.Requests()[len(srv.Requests())-1].Fields
		for key, want := range tt.want {
			fields := sent
			if name, ok := strings.CutPrefix(key, "options."); ok {
				fields, key = sent["options"].(map[string]any), name
			}
			if fields[key] != want {
				t.Errorf("%+v: %s is %v, want %v", tt.c, key, fields[key], want)
			}
		}
	}
}

func TestFound(t *testing.T) {
	srv := modelstest.New(t, modelstest.Script{})
	if v, err := engine(t, srv, ollama.Config{}).Found(t.Context()); v != "0.99.0" || err != nil {
		t.Errorf("%q, %v", v, err)
	}
	stranger := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) }))
	defer stranger.Close()
	e, err := ollama.New(ollama.Config{Host: stranger.URL})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := e.Found(t.Context()); !errors.Is(err, models.ErrNonsense) {
		t.Errorf("a stranger: %q, %v", v, err)
	}
	stranger.Close()
	if v, err := e.Found(t.Context()); !errors.Is(err, models.ErrUnreachable) {
		t.Errorf("nobody: %q, %v", v, err)
	}
}

func TestPull(t *testing.T) {
	layer := func(done int64) modelstest.Progress {
		return modelstest.Progress{Status: "pulling", Done: done, Total: 1000}
	}
	cut, success := modelstest.Progress{Status: "cut"}, modelstest.Progress{Status: "success"}
	for name, tt := range map[string]struct {
		script []modelstest.Progress
		last   int64
		want   error
	}{
		"whole":            {nil, 1000, nil},
		"goes on":          {[]modelstest.Progress{layer(300), cut, layer(350), layer(700), cut, layer(1000), success}, 1000, nil},
		"comes no further": {[]modelstest.Progress{layer(300), cut, layer(300), cut, layer(1000), success}, 300, models.ErrBroken},
		"no such model":    {[]modelstest.Progress{{Status: "pulling manifest"}, {Error: "pull model manifest: file does not exist"}}, 0, models.ErrNoModel},
		"ends early":       {[]modelstest.Progress{}, 0, models.ErrBroken},
		"more than all":    {[]modelstest.Progress{layer(5000), success}, 1000, nil},
	} {
		t.Run(name, func(t *testing.T) {
			srv := modelstest.New(t, modelstest.Script{Pull: tt.script})
			var last, told int64
			err := engine(t, srv, ollama.Config{}).Pull(t.Context(), "new", func(done, total int64, _ string) {
				if last, told = done, told+1; done > total {
					t.Errorf("%d of %d bytes", done, total)
				}
			})
			if !errors.Is(err, tt.want) || last != tt.last {
				t.Errorf("%d bytes, %v, want %d, %v", last, err, tt.last, tt.want)
			}
		})
	}
	srv := modelstest.New(t, modelstest.Script{Pull: []modelstest.Progress{layer(100), {Status: "hang"}}})
	ctx, cancel := context.WithCancel(t.Context())
	err := engine(t, srv, ollama.Config{}).Pull(ctx, "new", func(int64, int64, string) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A model that is gone is not asked for again and again, where nobody wanted it by name.
func TestModelThatIsGone(t *testing.T) {
	gone := false
	srv := modelstest.New(t, modelstest.Script{Models: []modelstest.Model{{ID: "a:1"}, {ID: "b:1"}}, Answer: func(r modelstest.Request) modelstest.Turn {
		if r.Model == "a:1" && gone {
			return modelstest.Turn{Status: http.StatusNotFound, Body: "model 'a:1' not found"}
		}
		return modelstest.Turn{Text: r.Model}
	}})
	e := engine(t, srv, ollama.Config{})
	r := ask("")
	if h := modelstest.Hear(e.Stream(t.Context(), r)); h.Text != "a:1" {
		t.Fatalf("%+v", h)
	}
	gone = true
	if h := modelstest.Hear(e.Stream(t.Context(), r)); !errors.Is(h.Err, models.ErrNoModel) {
		t.Errorf("%+v", h)
	}
	srv.SetModels(modelstest.Model{ID: "b:1"})
	if h := modelstest.Hear(e.Stream(t.Context(), r)); h.Text != "b:1" {
		t.Errorf("%+v", h)
	}
}
