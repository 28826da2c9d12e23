// Package router chooses a language model for each request and guards what leaves the machine.
//
// A request goes to the engine that the settings name for its kind of work. Where that engine is absent, unreachable,
// busy or late, the engines of the fallback list are tried in their order, but only before the first piece of an answer:
// an answer is never begun twice. A request that names its Model is for that model alone.
//
// # What leaves the machine
//
// An engine that is a cloud's is asked only after Consent.May let these very messages go, and after Consent.Sent has
// written them down. This holds for each engine that is tried. With local_only no cloud is asked whatever Consent says.
// Answers of clouds are not kept in the cache, and a prompt is never read ahead at a cloud.
//
// # Waiting
//
// An engine on the user's machines answers Parallel requests at a time; the others wait, quick answers first, then
// planning, deep thought and coding, then summaries, and first come, first served among equals. A prompt that is only read
// ahead (MaxTokens -1) waits behind all and is cut off as soon as another request waits. The place in the queue is
// given back when the stream ends: whoever reads a stream does not ask the same engine again before its end.
//
// A Router is safe for use by several goroutines and starts none that outlives a call.
package router

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/models"
)

// Engine runs models.
type Engine interface {
	Name() string
	// Stream answers piece by piece. It ends soon after ctx does or the reader breaks off. A Delta without content is
	// a sign of life.
	Stream(ctx context.Context, r models.Request) iter.Seq2[models.Delta, error]
	Embed(ctx context.Context, model string, texts []string) ([][]float32, error)
	Models(ctx context.Context) ([]models.Info, error)
	// Cloud tells whether a request for that model, "" being the engine's own choice, leaves the user's machines.
	Cloud(model string) bool
}

// Consent knows what the user lets go to a provider, which is an engine's name.
type Consent interface {
	// May gives the user's word for sending these messages: the id of an approval, or "standing".
	May(ctx context.Context, provider string, m []models.Message) (approval string, err error)
	// Sent writes down what is about to leave.
	Sent(ctx context.Context, s models.Sending) error
}

// Config is what a Router is made of. The zero Config makes one that knows no engine.
type Config struct {
	Engines []Engine         `toml:"-"`
	Consent Consent          `toml:"-"` // nil lets nothing leave
	Bus     *bus.Bus         `toml:"-"` // told of every request as Asked; nil tells nobody
	Log     zerolog.Logger   `toml:"-"`
	Now     func() time.Time `toml:"-"` // nil is time.Now

	Default     string   `toml:"default" doc:"engine, or engine/model, that answers; empty: the first that is set up"`
	Fallback    []string `toml:"fallback" doc:"engines, or engine/model, tried in this order when the chosen one cannot answer"`
	Quick       string   `toml:"quick" doc:"engine, or engine/model, for answers that someone waits for; empty: the default"`
	Planning    string   `toml:"planning" doc:"the same for plans and their critique"`
	Summarizing string   `toml:"summarizing" doc:"the same for making long text short"`
	Coding      string   `toml:"coding" doc:"the same for writing abilities"`
	Deep        string   `toml:"deep" doc:"the same for thinking deeply; may be a cloud, which is asked only with your word"`
	Embedding   string   `toml:"embedding" doc:"the same for finding by meaning; another model needs the index made anew"`

	FirstToken time.Duration `toml:"first_token" default:"30s" min:"1s" max:"30m" doc:"how long the first word of an answer may take"`
	Silence    time.Duration `toml:"silence" default:"15s" min:"1s" max:"10m" doc:"how long a model may pause within an answer"`
	LocalOnly  bool          `toml:"local_only" doc:"never ask a model that is not on your own machines, whatever was agreed"`
	Parallel   int           `toml:"parallel" default:"1" min:"1" max:"64" doc:"requests that an engine on your machines answers at the same time"`
	Cache      int           `toml:"cache" default:"64" min:"0" max:"10000" doc:"answers kept in memory for requests that are the same; 0 keeps none"`
}

// Router asks the engines.
type Router struct {
	c       Config
	engines []*place
	routes  map[models.Work]route
	backup  []route
	cache   *cache
	asked   func(context.Context, Asked)
}

// place is an engine and its queue.
type place struct {
	Engine
	queue *queue
}

// New builds a Router. It fails for two engines of one name, and for settings that name an engine that is not there.
// Zero times and a zero Parallel mean the settings' defaults, a zero Cache means none.
func New(c Config) (*Router, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.FirstToken <= 0 {
		c.FirstToken = 30 * time.Second
	}
	if c.Silence <= 0 {
		c.Silence = 15 * time.Second
	}
	r := &Router{c: c, routes: map[models.Work]route{}, cache: newCache(c.Cache, c.Now), asked: func(context.Context, Asked) {}}
	for _, e := range c.Engines {
		if r.engine(e.Name()) != nil {
			return nil, fmt.Errorf("making the router: two engines are called %q", e.Name())
		}
		r.engines = append(r.engines, &place{e, newQueue(c.Parallel)})
	}
	if err := r.choose(); err != nil {
		return nil, fmt.Errorf("making the router: %w", err)
	}
	if c.Bus != nil {
		pub := bus.Publisher[Asked](c.Bus, "router")
		r.asked = func(ctx context.Context, a Asked) {
			// A request that was given up counts too, but nobody waits for ever for a reader of metrics.
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			defer cancel()
			_ = pub.Publish(ctx, a)
		}
	}
	return r, nil
}

// Provider says which engine and model are chosen for a kind of work, and whether that is a cloud's. model is "" where
// the engine chooses, name is "" where no engine is set up.
func (r *Router) Provider(w models.Work) (name, model string, cloud bool) {
	to := r.routes[known(w)]
	if to.place == nil {
		return "", "", false
	}
	return to.Name(), to.model, to.cloud()
}

// Models lists what the engines can run, clouds' left out where local_only is set. The error names the engines that
// did not answer; the models of the others come with it.
func (r *Router) Models(ctx context.Context) ([]models.Info, error) {
	type reply struct {
		infos []models.Info
		err   error
	}
	replies := make([]chan reply, len(r.engines))
	for i, e := range r.engines {
		replies[i] = make(chan reply, 1)
		if r.c.LocalOnly && e.Cloud("") {
			replies[i] <- reply{}
			continue
		}
		go func() {
			infos, err := e.Models(ctx)
			replies[i] <- reply{infos, err}
		}()
	}
	var all []models.Info
	var errs []error
	for i, e := range r.engines {
		got := <-replies[i]
		if got.err != nil {
			errs = append(errs, fmt.Errorf("listing the models of %s: %w", e.Name(), got.err))
		}
		for _, info := range got.infos {
			if r.c.LocalOnly && (info.Cloud || e.Cloud(info.ID)) {
				continue
			}
			all = append(all, info)
		}
	}
	return all, errors.Join(errs...)
}

// Ready tells whether quick answers can be had: nil when the engine for them, or one of the fallback list, lists its
// models. A cloud is not asked: it counts as ready where it may be asked at all.
func (r *Router) Ready(ctx context.Context) error {
	chain := r.chain(models.Request{})
	if len(chain) == 0 {
		return fmt.Errorf("no engine is set up: %w", models.ErrAbsent)
	}
	var first error
	for _, to := range chain {
		err := r.ready(ctx, to)
		if err == nil {
			return nil
		}
		if first == nil {
			first = fmt.Errorf("%s is not ready: %w", to, err)
		}
	}
	return first
}

func (r *Router) ready(ctx context.Context, to route) error {
	if to.cloud() {
		if r.c.LocalOnly || r.c.Consent == nil {
			return models.ErrPrivate
		}
		return nil
	}
	if e, ok := to.Engine.(interface{ Ready(context.Context) error }); ok {
		return e.Ready(ctx)
	}
	_, err := to.Models(ctx)
	return err
}
