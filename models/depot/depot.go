// Package depot fetches the models and programs that the user asks for, and keeps them.
//
// A catalogue (catalogue.toml, and one of the user's own) names each model with its licence, its size and where its
// files lie. Pull fetches one: it goes on where an earlier try ended, tries again with longer and longer waits,
// checks what came, and puts a file in its place only when it is whole. Nothing is fetched without Pull.
//
// Several processes may use one folder: a lock guards each model, another the book of what is there. The methods of a
// Depot may be called from any goroutine.
package depot

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"
)

// Settings are the user's.
type Settings struct {
	Mirror string        `toml:"mirror" default:"" doc:"address that is asked for files instead of their own servers, such as https://models.example.org; http is allowed here"`
	Folder string        `toml:"folder" default:"" doc:"folder that files are taken from instead of the internet"`
	Stall  time.Duration `toml:"stall_limit" default:"30s" min:"1s" max:"10m" doc:"how long a download may stand still before it is begun again where it stands"`
	Tries  int           `toml:"tries" default:"6" min:"1" max:"100" doc:"failures in a row after which a download is given up"`
}

// Config is what a Depot needs to know. Only Data is needed.
type Config struct {
	Settings
	Data      string            `toml:"-"` // Solo's data folder: weights go to models/, programs to folders of their own
	Own       string            `toml:"-"` // the user's own catalogue; a file that is not there is as good as an empty one
	Platform  string            `toml:"-"` // "windows/amd64"; "" is this one
	Transport http.RoundTripper `toml:"-"` // nil goes by the proxy of the environment
	Now       func() time.Time  `toml:"-"` // nil is the clock
	Log       zerolog.Logger    `toml:"-"`
}

// Depot keeps models.
type Depot struct {
	conf      Config
	catalogue Catalogue
	client    *http.Client
	mirror    *url.URL                                   // nil for none
	room      func(dir string) (int64, error)            // bytes free where dir is
	create    func(path string) (sink, error)            // opens a part for writing
	bounds    func(size int64) bounds                    // of an archive
	pause     func(ctx context.Context, d time.Duration) // between tries
}

// New reads the catalogues. Its errors name the line or the model that is wrong.
func New(c Config) (*Depot, error) {
	if !filepath.IsAbs(c.Data) {
		return nil, fmt.Errorf("the depot needs the whole path of the data folder, not %q", c.Data)
	}
	c.Platform = cmp.Or(c.Platform, runtime.GOOS+"/"+runtime.GOARCH)
	c.Stall, c.Tries = cmp.Or(c.Stall, 30*time.Second), cmp.Or(c.Tries, 6)
	if c.Now == nil {
		c.Now = time.Now
	}
	d := &Depot{conf: c, room: roomIn, create: openSink, bounds: boundsOf, pause: pause}
	var err error
	if d.catalogue, err = loadAll(c.Own); err != nil {
		return nil, err
	}
	if d.mirror, err = c.mirrorURL(); err != nil {
		return nil, err
	}
	d.client = newClient(c.Transport, d.mirror)
	return d, nil
}

func (c Config) mirrorURL() (*url.URL, error) {
	if c.Mirror == "" {
		return nil, nil
	}
	u, err := url.Parse(c.Mirror)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("depot.mirror is %q, not an address such as https://models.example.org/solo", c.Mirror)
	}
	return u, nil
}

// Models are all that the catalogue knows for this platform, in its order.
func (d *Depot) Models() []Model {
	return slices.DeleteFunc(slices.Clone(d.catalogue.Models), func(m Model) bool { return !m.runsOn(d.conf.Platform) })
}

// Model finds one by its name. The error wraps ErrUnknown and names the nearest.
func (d *Depot) Model(name string) (Model, error) {
	for _, m := range d.Models() {
		if m.Name == name {
			return m, nil
		}
	}
	for _, m := range d.catalogue.Models {
		if m.Name == name {
			return Model{}, fmt.Errorf("%w %q for %s; it is for %s", ErrUnknown, name, d.conf.Platform, strings.Join(m.Platforms, ", "))
		}
	}
	var near []string
	for _, m := range d.Models() {
		if strings.Contains(m.Name, strings.ToLower(name)) || m.Task == Task(name) {
			near = append(near, m.Name)
		}
	}
	if len(near) > 0 && len(near) <= 8 {
		return Model{}, fmt.Errorf("%w %q; did you mean %s?", ErrUnknown, name, strings.Join(near, ", "))
	}
	return Model{}, fmt.Errorf("%w %q", ErrUnknown, name)
}

// folders of the depot.
func (d *Depot) models() string { return filepath.Join(d.conf.Data, "models") }
func (d *Depot) own() string    { return filepath.Join(d.models(), ".depot") }
func (d *Depot) parts() string  { return filepath.Join(d.own(), "parts") }
func (d *Depot) locks() string  { return filepath.Join(d.own(), "locks") }
func (d *Depot) book() string   { return filepath.Join(d.own(), "book.json") }

// within is a path of the book as this system writes it.
func (d *Depot) within(path string) string {
	return filepath.Join(d.conf.Data, filepath.FromSlash(path))
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
