package main

import (
	"fmt"
	"os"
	"time"
	_ "time/tzdata" // zones on machines that have none

	"github.com/solo-assistant/solo/audio/device"
	"github.com/solo-assistant/solo/audio/echo"
	"github.com/solo-assistant/solo/audio/listen"
	"github.com/solo-assistant/solo/audio/stt/sphinx"
	"github.com/solo-assistant/solo/audio/stt/whisper"
	"github.com/solo-assistant/solo/audio/wake/porcupine"
	"github.com/solo-assistant/solo/core/agent"
	"github.com/solo-assistant/solo/core/backup"
	"github.com/solo-assistant/solo/core/brief"
	"github.com/solo-assistant/solo/core/channel/ptt"
	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/core/dialog"
	"github.com/solo-assistant/solo/core/job"
	"github.com/solo-assistant/solo/core/library"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/tool/documents"
	"github.com/solo-assistant/solo/core/tool/scripts"
	"github.com/solo-assistant/solo/models/anthropic"
	"github.com/solo-assistant/solo/models/depot"
	"github.com/solo-assistant/solo/models/llama"
	"github.com/solo-assistant/solo/models/ollama"
	"github.com/solo-assistant/solo/models/openai"
	"github.com/solo-assistant/solo/models/router"
	"github.com/solo-assistant/solo/voices/piper"
	"github.com/solo-assistant/solo/voices/speak"
)

// settings is every package's Config, composed.
type settings struct {
	User struct {
		Name string `toml:"name" doc:"how Solo calls you"`
		Zone string `toml:"zone" doc:"IANA time zone, such as Europe/Berlin; empty: the system's"`
	} `toml:"user"`
	Audio struct {
		Echo echo.Use `toml:"echo" default:"auto" allowed:"auto|on|off" doc:"whether Solo's own voice is taken out of what the microphone hears; auto: where it can be, else who is much louder than Solo is heard while it speaks; on: always"`
		device.Config
	} `toml:"audio"`
	Wake struct {
		Engine    string   `toml:"engine" default:"porcupine" allowed:"porcupine|own" doc:"what hears the wake word; own: what solo wake train has made"`
		Own       []string `toml:"own" default:"" doc:"phrases of your own that wake Solo where engine is own; empty: all that were trained"`
		Threshold float64  `toml:"threshold" default:"0" min:"0" max:"1" doc:"how sure a phrase of your own must be; 0: what its training found"`
		Sure      float64  `toml:"sure" default:"0.98" min:"0" max:"1" doc:"where a phrase of your own is heard less surely than this, the recogniser must find its words too; 0: it is not asked"`
		porcupine.Config
	} `toml:"wake"`
	Listen struct {
		Endpoint string `toml:"endpoint" default:"auto" allowed:"auto|on|off" doc:"whether a model hears from the sound that a turn is over; auto: where solo models pull smart-turn was, in a Solo built with onnxruntime"`
		listen.Tuning
	} `toml:"listen"`
	VAD struct {
		Engine string `toml:"engine" default:"auto" allowed:"auto|webrtc|silero" doc:"what tells speech from noise; auto: silero where its weights are"`
	} `toml:"vad"`
	STT     sphinx.Config `toml:"stt"`
	Whisper struct {
		Use    string `toml:"use" default:"auto" allowed:"auto|on|off" doc:"whether Whisper hears what is said; auto: where a whisper-server and a model are found"`
		Inside bool   `toml:"inside" default:"false" doc:"the model runs in Solo itself, where that was built with whisper.cpp (scripts/whisper-lib.sh), and no whisper-server"`
		whisper.Settings
	} `toml:"whisper"`
	Voice struct {
		Engine string `toml:"engine" default:"auto" allowed:"auto|piper|sherpa|flite|espeak|sapi|say" doc:"what speaks; auto: the best that is here (solo voices list)"`
		speak.Config
	} `toml:"voice"`
	Piper piper.Settings `toml:"piper"`
	PTT   ptt.Config     `toml:"ptt"`
	Web   struct {
		Use string `toml:"use" default:"on" allowed:"on|off" doc:"whether browsers and programs of this machine may talk to Solo"`
		web.Config
	} `toml:"web"`
	Dialog    dialog.Config    `toml:"dialog"`
	Reminders reminderSettings `toml:"reminders"`
	Brief     briefSettings    `toml:"brief"`
	Heartbeat brief.BeatConfig `toml:"heartbeat"`
	Store     rows.Config      `toml:"store"`
	Database  struct {
		DSN config.Secret `toml:"dsn" doc:"a PostgreSQL 15 or newer to be used instead of the database file, such as postgres://user:password@localhost:5432/solo"`
	} `toml:"database"`
	Backup    backup.Settings  `toml:"backup"`
	Keep      keepSettings     `toml:"keep"`
	Log       logConfig        `toml:"log"`
	Model     router.Config    `toml:"model"`
	Agent     agent.Config     `toml:"agent"`
	Tools     tool.Config      `toml:"tools"`
	Jobs      job.Config       `toml:"jobs"`
	Documents documents.Config `toml:"documents"`
	Library   library.Settings `toml:"library"`
	Scripts   scripts.Config   `toml:"scripts"`
	Llama     struct {
		Use string `toml:"use" default:"auto" allowed:"auto|on|off" doc:"whether Solo runs a llama-server; auto: where one and a model are found"`
		llama.Settings
	} `toml:"llama"`
	Ollama struct {
		Use string `toml:"use" default:"auto" allowed:"auto|on|off" doc:"whether an Ollama server is asked; auto: where one answers"`
		ollama.Config
	} `toml:"ollama"`
	LMStudio  openai.Config    `toml:"lmstudio"`
	Server    openai.Config    `toml:"server"`
	OpenAI    openai.Config    `toml:"openai"`
	Groq      openai.Config    `toml:"groq"`
	Anthropic anthropic.Config `toml:"anthropic"`
	Depot     depot.Settings   `toml:"depot"`
	Workspace string           `toml:"workspace" doc:"folder of SOUL.md, USER.md, TOOLS.md and scripts; empty: workspace in Solo's data folder"`
	Memory    struct {
		Vectors  string `toml:"vector_path" doc:"not needed: vectors are kept in the database; it is here for settings of other assistants"`
		Embedder string `toml:"embedder" default:"auto" doc:"what makes vectors, by which memories are found by their meaning: auto for the first engine of this machine that can, off, or engine/model such as ollama/nomic-embed-text"`
	} `toml:"memory"`
	Home struct {
		URL   string        `toml:"base_url" doc:"address of Home Assistant, for a later version"`
		Token config.Secret `toml:"token" doc:"its access token"`
	} `toml:"home"`
}

// aliases are names that other assistants' settings use.
var aliases = map[string]string{
	"OLLAMA_HOST": "ollama.host", "MODEL_NAME": "ollama.model", "DB_PATH": "store.path",
	"VECTOR_DB_PATH": "memory.vector_path", "HA_BASE_URL": "home.base_url", "HA_TOKEN": "home.token",
}

// loadSettings reads them from flags, environment, .env and config.toml, and checks them all.
func loadSettings(h home, flags []string) (settings, config.Report, error) {
	var s settings
	report, err := config.Load(&s, config.Sources{
		Flags: flags, Env: os.Environ(), DotEnv: h.dotEnv(), File: h.file(), Aliases: aliases,
		Others: []string{"SOLO_HOME", "SOLO_SOAK"},
	})
	if err != nil {
		return s, report, err
	}
	if s.Store.Path == "" {
		s.Store.Path = h.database()
	}
	s.Store.DSN = rows.DSN(s.Database.DSN.Reveal())
	if s.Workspace == "" {
		s.Workspace = h.workspace()
	}
	if _, err := s.zone(); err != nil {
		return s, report, err
	}
	if err := s.Reminders.Check(); err != nil {
		return s, report, err
	}
	if err := s.Brief.Check(); err != nil {
		return s, report, err
	}
	return s, report, nil
}

// zone is the user's time zone.
func (s settings) zone() (*time.Location, error) {
	if s.User.Zone == "" {
		return time.Local, nil
	}
	z, err := time.LoadLocation(s.User.Zone)
	if err != nil {
		return nil, fmt.Errorf("user.zone: %q is no IANA time zone such as Europe/Berlin", s.User.Zone)
	}
	return z, nil
}
