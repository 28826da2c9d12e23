// Package whisper recognises speech with whisper.cpp, in a supervised whisper-server.
//
// The server is a child program, which Solo finds, starts, watches and starts again. It listens on a free port of this
// machine alone, under a path that nobody can guess and that changes with every start: it knows no keys. Its memory,
// of the graphics card too, can be given back after a while without speech; the next utterance starts it again.
//
// An Engine is a service, by Serve, and opens Streams. A Stream takes sound whether or not the server is up, decodes
// all of it again and again for partial results, and gives of them what two decodings agreed upon. Sound without
// speech never reaches the server, and what Whisper is known to make of silence is not believed.
//
// Engine's methods may be called from any goroutine. A Stream is fed and finished by one; Partial may be asked by
// others. Streams may be open at the same time; the server decodes one after the other.
package whisper

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/core/supervise"
)

var (
	// ErrAbsent says that there is no whisper-server.
	ErrAbsent = errors.New("whisper-server is not there; solo models pull gets one, or scripts/whisper.sh on Debian")
	// ErrNoModel says that there is no model for it.
	ErrNoModel = errors.New("there is no Whisper model; solo models pull whisper-base.en gets one")
	// ErrFinished says that a Stream was used after Finish or Close.
	ErrFinished = errors.New("the recogniser's stream is finished")
	// ErrTooLong says that one utterance was fed more than Longest.
	ErrTooLong = errors.New("the utterance is too long for the recogniser")
	// ErrLate says that the server did not come up in time.
	ErrLate = errors.New("whisper-server is not up yet")
)

// Longest is how much sound one Stream takes.
const Longest = 10 * time.Minute

// Settings are the user's.
type Settings struct {
	Server     string        `toml:"server" default:"" doc:"whisper-server program; empty: the one in PATH or in Solo's data folder"`
	Model      string        `toml:"model" default:"" doc:"model file, or its name in the models folder; empty: the largest one there"`
	Language   string        `toml:"language" default:"en" doc:"language that is spoken, such as en or de; auto: whichever is heard"`
	Translate  bool          `toml:"translate" default:"false" doc:"write down in English what is said in another language"`
	GPU        string        `toml:"gpu" default:"auto" allowed:"auto|on|off" doc:"whether a graphics card is used; auto: where one works"`
	Device     int           `toml:"device" default:"0" min:"0" max:"63" doc:"number of the graphics card"`
	Threads    int           `toml:"threads" default:"0" min:"0" max:"512" doc:"threads of the processor; 0: one less than it has cores, 8 at most"`
	Beam       int           `toml:"beam" default:"0" min:"0" max:"16" doc:"how many readings of an utterance are followed; 0: one, which is fastest"`
	Every      time.Duration `toml:"partial_every" default:"500ms" min:"100ms" max:"5s" doc:"new sound after which the words so far are looked at again"`
	SleepIdle  time.Duration `toml:"sleep_idle" default:"0s" min:"0s" max:"168h" doc:"give the model's memory back after so long without speech; 0s: never"`
	StartLimit time.Duration `toml:"start_limit" default:"2m" min:"1s" max:"1h" doc:"how long the model may take to load"`
	NoSpeech   float64       `toml:"no_speech" default:"0.6" min:"0.05" max:"1" doc:"words are not believed where the model itself takes them for silence more surely than this"`
	Extra      []string      `toml:"extra" doc:"further arguments of whisper-server"`
}

// Detector says of each frame whether someone speaks in it.
type Detector interface {
	Speech(f audio.Frame) (bool, error)
}

// Config is what an Engine needs to know.
type Config struct {
	Settings
	Data string `toml:"-"` // Solo's data folder: models in models/, programs in bin/ or whisper*/
	Temp string `toml:"-"` // a folder for nothing: the server shows the files of one; "" for the system's
	// Words are names, tasks and commands that the user is likely to say, the likeliest first. Asked once an utterance;
	// nil: none.
	Words func() []string `toml:"-"`
	// VAD makes a detector for one utterance; nil: by the level of the sound.
	VAD func() (Detector, error) `toml:"-"`
	// NVIDIA says whether there is a card for CUDA builds; nil: not known.
	NVIDIA func() bool    `toml:"-"`
	Log    zerolog.Logger `toml:"-"`
}

// Engine is one whisper-server with one model.
type Engine struct {
	conf Config
	wait time.Duration // how long an utterance waits for the server
	used chan struct{} // takes one: somebody wants the server
	vain atomic.Int64  // starts in a row that did not come to an answer
	lame atomic.Bool   // the graphics card did not work: go without

	mu      sync.Mutex
	now     *life         // the server that answers, nil while there is none
	trouble error         // why there is none, nil before the first try
	changed chan struct{} // closed at the next change of the two
	last    time.Time     // when somebody last wanted it
	busy    int           // requests under way
	closed  bool
	open    int                     // utterances that are being heard
	quiet   chan struct{}           // closed when the last of them ends
	give    context.CancelCauseFunc // ends the reading of a recording; nil while there is none

	inside decoder // the model within this program; nil where a server has it
}

// decoder has the model in this program. It is safe for use by several goroutines.
type decoder interface {
	ready(ctx context.Context) error // waits until the model is loaded
	read(ctx context.Context, pcm []int16, prompt string) (reading, error)
	serve(ctx context.Context) error
}

// New builds an engine and starts nothing; ErrAbsent and ErrNoModel say what is missing.
func New(c Config) (*Engine, error) {
	c = c.withDefaults()
	if err := c.check(); err != nil {
		return nil, err
	}
	c.Log = c.Log.With().Str("engine", "whisper").Logger()
	if _, err := c.programs(); err != nil {
		return nil, err
	}
	if _, err := c.weights(); err != nil {
		return nil, err
	}
	return &Engine{conf: c, wait: 10 * time.Second, used: make(chan struct{}, 1), changed: make(chan struct{})}, nil
}

func (c Config) withDefaults() Config {
	c.Language = cmp.Or(c.Language, "en")
	c.GPU = cmp.Or(c.GPU, "auto")
	c.Every = cmp.Or(c.Every, 500*time.Millisecond)
	c.StartLimit = cmp.Or(c.StartLimit, 2*time.Minute)
	c.NoSpeech = cmp.Or(c.NoSpeech, 0.6)
	return c
}

// ours are the arguments that Solo gives itself.
var ours = []string{"--host", "--port", "--public", "--request-path", "--inference-path", "--convert", "--tmp-dir", "-m", "--model"}

// check finds what the tags cannot say.
func (c Config) check() error {
	if l := c.Language; len(l) > 20 || strings.ContainsFunc(l, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return fmt.Errorf("whisper.language is %q, not a language such as en, or auto", l)
	}
	for _, arg := range c.Extra {
		if name, _, _ := strings.Cut(arg, "="); slices.Contains(ours, name) {
			return fmt.Errorf("whisper.extra has %s, which is Solo's own to give", name)
		}
	}
	return nil
}

// String names the service.
func (e *Engine) String() string { return "whisper" }

// Keep is the service with the patience that suits it: nothing waits for a model to load.
func (e *Engine) Keep() supervise.Keep {
	return supervise.Keep{Service: e, Patience: time.Millisecond, Pause: 50 * time.Millisecond, Longest: 400 * time.Millisecond, Steady: 2 * time.Second, Grace: 5 * time.Second}
}

// Open begins an utterance. It waits for nothing: the server is started meanwhile, if it sleeps.
func (e *Engine) Open(ctx context.Context) (*Stream, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	s, err := e.newStream()
	if err != nil {
		return nil, fmt.Errorf("whisper: %w", err)
	}
	e.opened()
	e.touch()
	return s, nil
}

// Close does nothing that Serve's end did not do; after it, no utterance is heard.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	return nil
}

// touch says that somebody wants the server.
func (e *Engine) touch() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.last = time.Now()
	select {
	case e.used <- struct{}{}:
	default:
	}
}

// set tells those who wait that there is a server, or why there is none.
func (e *Engine) set(l *life, trouble error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.now, e.trouble = l, trouble
	close(e.changed)
	e.changed = make(chan struct{})
}

// Pid is the process id of the server that answers, 0 while there is none.
func (e *Engine) Pid() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.now == nil {
		return 0
	}
	return e.now.pid()
}

// answering waits for the server, in bounds.
func (e *Engine) answering(ctx context.Context) (*life, error) {
	limit := time.NewTimer(e.wait)
	defer limit.Stop()
	for {
		e.mu.Lock()
		l, trouble, changed := e.now, e.trouble, e.changed
		e.mu.Unlock()
		switch {
		case l != nil:
			return l, nil
		case errors.Is(trouble, ErrAbsent) || errors.Is(trouble, ErrNoModel) || e.vain.Load() > hopeless:
			return nil, trouble
		}
		select {
		case <-changed:
		case <-limit.C:
			return nil, fmt.Errorf("%w after %v: %w", ErrLate, e.wait, cmp.Or(trouble, errLoading))
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

var errLoading = errors.New("its model is still loading")

// hopeless is after how many starts in vain nobody waits for the next one.
const hopeless = 4
