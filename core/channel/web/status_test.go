package web_test

import (
	"encoding/json"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/event"
)

func full() web.Status {
	return web.Status{
		State: "listening", Uptime: 12.5, Services: []web.Service{{Name: "speak", State: "up", Since: time.Now()}, {Name: `o"dd\` + "\n", State: "waiting", Restarts: 3, Error: "no"}},
		Engines: map[string]string{"tts": "flite 2.2"}, LLM: web.LLM{Engine: "llama", Model: "m", GenTPS: 40.5, PromptTPS: math.NaN()},
		GPU: []web.GPU{{Name: "card", Used: 1, Total: 2, Util: 0.5}}, Turns: []web.Turn{{Turn: 3, Outcome: "answered", Think: 20}},
	}
}

func TestStatusFitsItsSchema(t *testing.T) {
	var b bus.Bus
	bus.Subscribe[event.Heard](&b, "mind", 4, bus.Block)
	s := full()
	s.LLM.PromptTPS = 120
	h := openDoor(t, func(c *web.Config) { c.Bus, c.Status = &b, func() web.Status { return s } })
	var schema jsonschema.Schema
	if err := json.Unmarshal([]byte(h.wants(200, "", "GET", "/status/schema", "", nil)), &schema); err != nil {
		t.Fatal(err)
	}
	fits, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, now := range []web.Status{s, {}} {
		s = now
		text := h.wants(200, "", "GET", "/status", "", nil)
		var got any
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if err := fits.Validate(got); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if !strings.Contains(text, `"sub":"mind"`) || !strings.Contains(text, `"version":"1.2.3"`) {
			t.Error(text)
		}
	}
	if fits.Validate(map[string]any{"state": 3}) == nil {
		t.Error("the schema lets everything through")
	}
}

func TestReadiness(t *testing.T) {
	var ready atomic.Bool
	h := openDoor(t, func(c *web.Config) {
		c.Ready = func() []string {
			if ready.Load() {
				return nil
			}
			return []string{"llama", "speak"}
		}
	})
	nobody := header{"Authorization": ""}
	if text := h.wants(503, "not_ready", "GET", "/readyz", "", nobody); !strings.Contains(text, "llama, speak") {
		t.Error(text)
	}
	h.wants(200, "", "GET", "/healthz", "", nobody)
	ready.Store(true)
	h.wants(200, "", "GET", "/readyz", "", nobody)
	h.wants(501, "not_here", "GET", "/status", "", nil)
}

func TestMetrics(t *testing.T) {
	var b bus.Bus
	bus.Subscribe[event.Heard](&b, "mind", 4, bus.Block)
	h := openDoor(t, func(c *web.Config) { c.Status, c.Bus = full, &b })
	h.ask("GET", "/nowhere", "", nil)
	resp, text := h.ask("GET", "/metrics", "", nil)
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Error(resp.Header)
	}
	for _, line := range []string{`solo_http_requests_total{class="4xx"} 1`, `solo_service_up{service="speak"} 1`, `solo_service_up{service="o\"dd\\\n"} 0`,
		"solo_llm_tokens_per_second 40.5", "solo_llm_prompt_tokens_per_second 0", `solo_bus_queue{sub="mind",type="event.Heard"} 0`, `solo_gpu_memory_used_bytes{gpu="card"} 1`} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no %s", line)
		}
	}
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "# TYPE "); ok {
			if seen[name] {
				t.Errorf("%s twice", name)
			}
			seen[name] = true
		}
	}
}
