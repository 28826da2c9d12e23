package web

import (
	"fmt"
	"math"
	"runtime"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/solo-assistant/solo/bus"
)

func queues(s bus.Stats) []Queue {
	var all []Queue
	for _, q := range s.Subs {
		all = append(all, Queue{Sub: q.Name, Type: q.Type, Len: q.Len, Cap: q.Cap, Dropped: q.Dropped})
	}
	return all
}

// figures writes the text format of Prometheus.
type figures struct{ strings.Builder }

// head begins a family of figures.
func (f *figures) head(name, kind, help string) {
	fmt.Fprintf(f, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// add writes one figure; labels are pairs of a name and a value.
func (f *figures) add(name string, v float64, labels ...string) {
	f.WriteString(name)
	for i := 0; i+1 < len(labels); i += 2 {
		f.WriteString(map[bool]string{true: "{", false: ","}[i == 0])
		fmt.Fprintf(f, `%s="%s"`, labels[i], escaper.Replace(labels[i+1]))
	}
	if len(labels) > 0 {
		f.WriteByte('}')
	}
	if math.IsNaN(v) {
		v = 0
	}
	fmt.Fprintf(f, " %v\n", v)
}

// escaper is what the format wants of a label's value.
var escaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func (f *figures) one(name, kind, help string, v float64) {
	f.head(name, kind, help)
	f.add(name, v)
}

func (d *Door) metrics(c *fiber.Ctx) error {
	var f figures
	d.ownFigures(&f)
	if s, err := d.status(); err == nil {
		statusFigures(&f, s)
	}
	c.Set(fiber.HeaderContentType, "text/plain; version=0.0.4; charset=utf-8")
	return c.SendString(f.String())
}

func (d *Door) ownFigures(f *figures) {
	f.head("solo_http_requests_total", "counter", "Requests answered, by the class of their status.")
	for class := 1; class < len(d.counts.by); class++ {
		f.add("solo_http_requests_total", float64(d.counts.by[class].Load()), "class", fmt.Sprintf("%dxx", class))
	}
	f.one("solo_http_seconds_total", "counter", "Time spent on requests.", float64(d.counts.took.Load())/1e9)
	f.one("solo_http_events_dropped_total", "counter", "Events that came too fast to be shown.", float64(d.diary.dropped.Load()))
	d.mu.Lock()
	crowd, crew := d.crowd, d.crew
	d.mu.Unlock()
	if crowd != nil {
		f.one("solo_http_sockets", "gauge", "WebSockets open.", float64(crew.count()))
		f.one("solo_http_connections", "gauge", "Connections open.", float64(crowd.count()))
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	f.one("go_goroutines", "gauge", "Goroutines that exist.", float64(runtime.NumGoroutine()))
	f.one("go_memstats_heap_alloc_bytes", "gauge", "Bytes of heap in use.", float64(m.HeapAlloc))
	f.one("go_memstats_sys_bytes", "gauge", "Bytes taken from the system.", float64(m.Sys))
}

func statusFigures(f *figures, s Status) {
	f.head("solo_info", "gauge", "The version that runs.")
	f.add("solo_info", 1, "version", s.Version)
	f.one("solo_uptime_seconds", "gauge", "Time since the start.", s.Uptime)
	f.head("solo_service_up", "gauge", "1 for a service that is up.")
	for _, v := range s.Services {
		f.add("solo_service_up", truth(v.State == "up"), "service", v.Name)
	}
	f.head("solo_service_restarts_total", "counter", "Restarts of a service.")
	for _, v := range s.Services {
		f.add("solo_service_restarts_total", float64(v.Restarts), "service", v.Name)
	}
	f.head("solo_bus_queue", "gauge", "Events that wait in a subscription.")
	for _, q := range s.Bus {
		f.add("solo_bus_queue", float64(q.Len), "sub", q.Sub, "type", q.Type)
	}
	f.head("solo_bus_dropped_total", "counter", "Events that a subscription lost.")
	for _, q := range s.Bus {
		f.add("solo_bus_dropped_total", float64(q.Dropped), "sub", q.Sub, "type", q.Type)
	}
	f.one("solo_llm_prompt_tokens_per_second", "gauge", "Tokens of the prompt read per second, of the last answer.", s.LLM.PromptTPS)
	f.one("solo_llm_tokens_per_second", "gauge", "Tokens written per second, of the last answer.", s.LLM.GenTPS)
	gpuFigures(f, s.GPU)
}

func gpuFigures(f *figures, cards []GPU) {
	f.head("solo_gpu_memory_used_bytes", "gauge", "GPU memory in use.")
	for _, g := range cards {
		f.add("solo_gpu_memory_used_bytes", float64(g.Used), "gpu", g.Name)
	}
	f.head("solo_gpu_util", "gauge", "Load of a GPU, 0 to 1.")
	for _, g := range cards {
		f.add("solo_gpu_util", g.Util, "gpu", g.Name)
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
