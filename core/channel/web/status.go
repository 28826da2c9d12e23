package web

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
)

// Status is how everything is. GET /status/schema is its JSON schema.
type Status struct {
	State    string            `json:"state" jsonschema:"what the conversation does: idle, listening, thinking, speaking or muted"`
	Version  string            `json:"version"`
	Uptime   float64           `json:"uptime_seconds"`
	Services []Service         `json:"services"`
	Engines  map[string]string `json:"engines" jsonschema:"name and version of each engine by its job: wake, vad, stt, tts, llm"`
	LLM      LLM               `json:"llm"`
	Database Database          `json:"database"`
	Memory   Memory            `json:"memory"`
	GPU      []GPU             `json:"gpu"`
	GPUNote  string            `json:"gpu_note,omitempty" jsonschema:"why there is no card in the list"`
	Process  Process           `json:"process"`
	Bus      []Queue           `json:"bus"`
	Audio    Audio             `json:"audio"`
	Turns    []Turn            `json:"turns" jsonschema:"the last ones, the newest first"`
	Lacks    []string          `json:"lacks" jsonschema:"what was not found, each with how to mend it"`
}

// Service is one supervised service.
type Service struct {
	Name     string    `json:"name"`
	State    string    `json:"state"`
	Restarts int       `json:"restarts"`
	Since    time.Time `json:"since"`
	Error    string    `json:"error,omitempty"`
}

// LLM is the language model for quick answers.
type LLM struct {
	Engine    string  `json:"engine"`
	Model     string  `json:"model"`
	PromptTPS float64 `json:"prompt_tps" jsonschema:"tokens of the prompt read per second, of the last answer"`
	GenTPS    float64 `json:"gen_tps" jsonschema:"tokens written per second, of the last answer"`
	First     int64   `json:"first_token_ms" jsonschema:"from the request to the first piece of the last answer"`
	Cloud     bool    `json:"cloud" jsonschema:"it runs on somebody else's machine"`
}

// Process is what Solo itself takes of the machine.
type Process struct {
	CPU        float64 `json:"cpu" jsonschema:"share of one core, with the programs that Solo runs"`
	RSS        int64   `json:"rss_bytes"`
	Tree       int64   `json:"tree_rss_bytes" jsonschema:"with the programs that Solo runs"`
	Goroutines int     `json:"goroutines"`
}

// Database is where everything is kept.
type Database struct {
	Engine string `json:"engine"`
	OK     bool   `json:"ok"`
	Bytes  int64  `json:"bytes"`
}

// Memory counts what is kept.
type Memory struct {
	Facts     int64  `json:"facts"`
	Documents int64  `json:"documents"`
	Tasks     int64  `json:"tasks"`
	Timers    int64  `json:"timers"`
	Recall    string `json:"recall" jsonschema:"how memories are found: by words alone and why, or by which vectors too"`
}

// GPU is one graphics card.
type GPU struct {
	Name  string  `json:"name"`
	Used  int64   `json:"mem_used_bytes"`
	Total int64   `json:"mem_total_bytes"`
	Own   int64   `json:"own_bytes" jsonschema:"used by the programs that Solo runs"`
	Util  float64 `json:"util" jsonschema:"0 to 1"`
	Temp  float64 `json:"temperature_c"`
	Power float64 `json:"watts"`
}

// Queue is one subscription of the bus.
type Queue struct {
	Sub     string `json:"sub"`
	Type    string `json:"type"`
	Len     int    `json:"len"`
	Cap     int    `json:"cap"`
	Dropped uint64 `json:"dropped"`
}

// Audio is what Solo hears and speaks with.
type Audio struct {
	Input  string  `json:"input"`
	Output string  `json:"output"`
	Level  float64 `json:"level_dbfs" jsonschema:"of the microphone, -100 to 0"`
	Muted  bool    `json:"muted"`
	Echo   string  `json:"echo" jsonschema:"what is done about the loudspeaker in the microphone: unmeasured, clear, cancelling, half-duplex or off, with why"`
}

// Turn is one turn with the time that each stage took.
type Turn struct {
	Turn       uint64    `json:"turn"`
	At         time.Time `json:"at"`
	Outcome    string    `json:"outcome"`
	Heard      string    `json:"heard"`
	Spoken     string    `json:"spoken"`
	Endpoint   int64     `json:"endpoint_ms"`
	STT        int64     `json:"stt_ms"`
	Think      int64     `json:"think_ms"`
	FirstAudio int64     `json:"first_audio_ms"`
	Total      int64     `json:"total_ms"`
}

// health tells that the door answers.
type health struct {
	OK bool `json:"ok"`
}

func (d *Door) healthRoutes() []route {
	return []route{
		shown("/healthz", "tells that Solo runs; needs no token", func(context.Context) (health, error) { return health{true}, nil }),
		shown("/readyz", "tells whether everything is ready; needs no token", func(context.Context) (health, error) { return d.ready() }),
		{method: http.MethodGet, path: "/status", does: "tells how everything is", out: reflect.TypeFor[Status](), handle: d.tellStatus},
		{method: http.MethodGet, path: "/status/schema", does: "the JSON schema of /status", gives: []string{"application/schema+json"}, handle: statusSchema},
		asked("/services/restart", "restarts a service; GET /status tells how it goes", d.restart),
		{method: http.MethodGet, path: "/metrics", does: "figures in the text format of Prometheus", gives: []string{"text/plain"}, handle: d.metrics},
	}
}

// RestartIn names a service as GET /status does.
type RestartIn struct {
	Name string `json:"name"`
}

func (d *Door) restart(_ context.Context, in RestartIn) (health, error) {
	if err := unless(d.c.Restart != nil, "way to restart services"); err != nil {
		return health{}, err
	}
	return health{true}, d.c.Restart(in.Name)
}

func (d *Door) ready() (health, error) {
	if d.c.Ready != nil {
		if lacks := d.c.Ready(); len(lacks) > 0 {
			return health{}, fault(http.StatusServiceUnavailable, "not_ready", "try again shortly; GET /status tells more", "Not ready yet: %s.", strings.Join(lacks, ", "))
		}
	}
	return health{true}, nil
}

func (d *Door) status() (Status, error) {
	if err := unless(d.c.Status != nil, "status"); err != nil {
		return Status{}, err
	}
	s := d.c.Status()
	s.Version = d.c.Version
	if d.c.Bus != nil {
		s.Bus = queues(d.c.Bus.Stats())
	}
	return whole(s), nil
}

// whole gives every list and map something to be, so that a client need not ask for null.
func whole(s Status) Status {
	s.Services, s.GPU, s.Bus, s.Turns, s.Lacks = some(s.Services), some(s.GPU), some(s.Bus), some(s.Turns), some(s.Lacks)
	if s.Engines == nil {
		s.Engines = map[string]string{}
	}
	return s
}

func some[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// StatusSchema is the JSON schema of Status.
func StatusSchema() (json.RawMessage, error) {
	s, err := schemaOf(reflect.TypeFor[Status]())
	if err != nil {
		return nil, err
	}
	s.Schema, s.Title = "https://json-schema.org/draft/2020-12/schema", "Solo's status"
	return json.MarshalIndent(s, "", "  ")
}

func statusSchema(c *fiber.Ctx) error {
	text, err := StatusSchema()
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "application/schema+json")
	return c.Send(text)
}
