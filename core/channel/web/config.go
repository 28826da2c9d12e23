package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"iter"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/job"
	"github.com/solo-assistant/solo/models"
)

// Errors that those behind the door give, for the right answer to who asked.
var (
	ErrMedia   = errors.New("this kind of sound cannot be read")
	ErrTooLong = errors.New("the sound is too long")
)

// Assistant answers. Both run under the models.Origin of the door.
type Assistant interface {
	// Ask answers a text. It tells each sentence and each action as it comes, from one goroutine, and ends soon after ctx.
	Ask(ctx context.Context, text string, tell func(Piece)) (Reply, error)
	// Call runs one tool under the same policy as any other call. Errors: tool.ErrUnknown, tool.ErrArguments, tool.ErrDenied.
	Call(ctx context.Context, c models.Call) (models.Result, error)
}

// Piece is what an answer came to since the Piece before; one of its fields is set.
type Piece struct {
	Sentence string          `json:"sentence,omitempty"`
	Action   *Action         `json:"action,omitempty"`
	Wants    json.RawMessage `json:"wants,omitempty"` // an approval that the answer waits for, with all that would be done or sent
}

// Action is a tool that was called for an answer.
type Action struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Status    string          `json:"status"` // "ok", "asked", "denied" or "failed"
	Source    string          `json:"source,omitempty" jsonschema:"path or address of what was read, where strangers wrote it"`
}

// Reply is a whole answer.
type Reply struct {
	Text string
	Turn uint64
	Asks bool // it ends with a question; the next text of the session answers it
}

// Models are the language models past the assistant, behind the same router and the same consent.
type Models interface {
	Stream(ctx context.Context, r models.Request) iter.Seq2[models.Delta, error]
	Embed(ctx context.Context, model string, texts []string) ([][]float32, error)
	Models(ctx context.Context) ([]models.Info, error)
}

// Transcriber makes text of recorded sound.
type Transcriber interface {
	// Length tells how long the sound plays, or ErrMedia.
	Length(ctx context.Context, sound io.ReadSeeker) (time.Duration, error)
	// Transcribe gives the pieces in order, each a stretch of speech, and tells how far it is, 0 to 1. Errors: ErrMedia,
	// audio.ErrNoSpeech.
	Transcribe(ctx context.Context, sound io.ReadSeeker, far func(float64)) ([]Segment, error)
}

// Segment is a stretch of speech in a recording.
type Segment struct {
	Start time.Duration
	End   time.Duration
	audio.Transcript
}

// Voice makes sound of text.
type Voice interface {
	// Speak says text in a voice ("" for the assistant's own) at a pace (1 is the voice's own).
	Speak(ctx context.Context, text, voice string, pace float64) (audio.Clip, error)
}

// Jobs is work in the background: a *job.Jobs.
type Jobs interface {
	List(ctx context.Context, n int) ([]job.Job, error)
	Get(ctx context.Context, id int64) (job.Job, error)
	Start(ctx context.Context, kind, title string, input any) (int64, error)
	Cancel(ctx context.Context, id int64) error
}

// Config is what a Door is made of. A route whose interface is nil answers 501.
type Config struct {
	Host   string   `toml:"host" default:"127.0.0.1" doc:"address to listen on; this machine alone can reach 127.0.0.1, others only with web.expose and a certificate"`
	Port   int      `toml:"port" default:"7656" min:"0" max:"65535" doc:"port of the web door; 0 takes a free one"`
	Names  []string `toml:"names" doc:"further host names by which browsers may call it"`
	Expose bool     `toml:"expose" doc:"lets other machines reach the door; needs web.host and a certificate"`
	Cert   string   `toml:"cert" doc:"file of a certificate (PEM), which makes it https; tailscale: the one of this machine's name in a Tailscale network"`
	Key    string   `toml:"key" doc:"file of the certificate's key (PEM)"`

	Rate      int           `toml:"rate" default:"200" min:"0" max:"1000000" doc:"requests a second, 0 for no limit"`
	Strangers int           `toml:"strangers" default:"50" min:"0" max:"1000000" doc:"requests a second without a token, 0 for no limit; they cost the owner none of the others"`
	AtOnce    int           `toml:"at_once" default:"8" min:"1" max:"256" doc:"answers that are thought about at the same time"`
	Conns     int           `toml:"conns" default:"4096" min:"16" max:"65536" doc:"connections at the same time"`
	Sockets   int           `toml:"sockets" default:"2048" min:"1" max:"65536" doc:"WebSockets at the same time"`
	Body      int           `toml:"body" default:"1048576" min:"4096" max:"67108864" doc:"largest body of a request, in bytes"`
	Kept      int           `toml:"kept" default:"4096" min:"64" max:"65536" doc:"events that are kept for readers who come back"`
	Upload    int           `toml:"upload" default:"209715200" min:"4096" max:"2147483647" doc:"largest recording that may be uploaded, in bytes"`
	Patience  time.Duration `toml:"patience" default:"5m" min:"1s" max:"1h" doc:"longest time for one answer"`
	Head      time.Duration `toml:"head" default:"10s" min:"100ms" max:"5m" doc:"longest time for a request to arrive"`
	Idle      time.Duration `toml:"idle" default:"60s" min:"1s" max:"1h" doc:"how long a connection without a request is kept"`
	Stall     time.Duration `toml:"stall" default:"20s" min:"100ms" max:"5m" doc:"how long a reader may take nothing of its answer"`

	TokenFile string                                   `toml:"-"` // made where there is none; readable by its owner alone
	User      string                                   `toml:"-"` // to whom the token belongs; "" is "owner"
	Uploads   string                                   `toml:"-"` // folder for recordings that become jobs; "" makes no jobs of them
	Version   string                                   `toml:"-"`
	Listening func(Listening)                          `toml:"-"` // told once the door is open; may be nil
	Page      fs.FS                                    `toml:"-"` // the dashboard, with index.html; nil for none
	Assistant Assistant                                `toml:"-"`
	Models    Models                                   `toml:"-"`
	Hear      Transcriber                              `toml:"-"`
	Voice     Voice                                    `toml:"-"`
	Talk      func(ctx context.Context, l *Line) error `toml:"-"` // serves a browser that speaks and listens until ctx ends or l.Read gives io.EOF; nil for none
	Jobs      Jobs                                     `toml:"-"`
	Rooms     Rooms                                    `toml:"-"`
	Ready     func() []string                          `toml:"-"` // what is not ready yet, nil for everything is; nil asks nobody
	Status    func() Status                            `toml:"-"` // must answer at once; nil for none
	Bus       *bus.Bus                                 `toml:"-"` // whose events are shown; nil for none
	More      func(any) (kind string, data any)        `toml:"-"` // names further events of the bus, "" for those not shown; nil names none
	Restart   func(string) error                       `toml:"-"` // restarts a service by name; nil cannot
	Now       func() time.Time                         `toml:"-"` // nil is time.Now
	Log       zerolog.Logger                           `toml:"-"`
}

// Listening tells where the door is.
type Listening struct {
	URL       string `json:"url"`
	TokenFile string `json:"token_file"`
	Cert      string `json:"cert,omitempty"` // file of the certificate that it shows, "" for plain HTTP
}

// checked fills in what zero values mean and refuses what is unsafe.
func (c Config) checked() (Config, error) {
	orInt := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	orTime := func(v *time.Duration, d time.Duration) {
		if *v <= 0 {
			*v = d
		}
	}
	orInt(&c.AtOnce, 8)
	orInt(&c.Conns, 4096)
	orInt(&c.Sockets, 2048)
	orInt(&c.Body, 1<<20)
	orInt(&c.Kept, 4096)
	orInt(&c.Upload, 200<<20)
	orTime(&c.Patience, 5*time.Minute)
	orTime(&c.Head, 10*time.Second)
	orTime(&c.Idle, time.Minute)
	orTime(&c.Stall, 20*time.Second)
	if c.Host == "" {
		c.Host = "127.0.0.1"
	}
	if c.User == "" {
		c.User = "owner"
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.TokenFile == "" {
		return c, errors.New("the web door has no place for its token")
	}
	return c, c.reach()
}
