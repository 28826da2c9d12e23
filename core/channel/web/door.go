package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	rescue "github.com/gofiber/fiber/v2/middleware/recover"
	"github.com/valyala/fasthttp"

	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/models"
)

// Door is the way in over HTTP. It is a supervise.Service.
type Door struct {
	c         Config
	tailnet   *tailnet // nil where the certificate is not Tailscale's
	lock      *lock
	owner     *bucket
	strangers *bucket
	asks      slots
	counts    counts
	told      statusText
	diary     *diary

	mu    sync.Mutex
	url   string // "" while the door is shut
	crowd *crowd
	crew  *crew
}

// New builds a Door. It reads the token, or makes one.
func New(c Config) (*Door, error) {
	c, err := c.checked()
	if err != nil {
		return nil, err
	}
	tailnet, err := c.checkPapers()
	if err != nil {
		return nil, err
	}
	token, err := loadToken(c.TokenFile, c.Log)
	if err != nil {
		return nil, err
	}
	return &Door{c: c, tailnet: tailnet, lock: newLock(token, c.Now), owner: newBucket(c.Rate, c.Now), strangers: newBucket(c.Strangers, c.Now),
		asks: make(slots, c.AtOnce), diary: newDiary(c.Kept, c.More)}, nil
}

func (d *Door) String() string { return "web door" }

// URL is where the door listens, "" while it does not.
func (d *Door) URL() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.url
}

// Serve answers until ctx ends. Then no one new comes in, streams and sockets are told, and what still works has two
// seconds.
func (d *Door) Serve(ctx context.Context) error {
	cert, err := d.papers(ctx)
	if err != nil {
		return err
	}
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", net.JoinHostPort(d.c.Host, strconv.Itoa(d.c.Port)))
	if err != nil {
		return fmt.Errorf("open the web door (--port 0 takes a free port): %w", err)
	}
	at := ln.Addr().(*net.TCPAddr)
	crowd := newCrowd(ln, d.c.Conns, d.c.Stall)
	work, stop := context.WithCancel(ctx)
	defer stop()
	crew := newCrew()
	ours := newHosts(d.c, at, cert)
	d.open(ours.url(at), crowd, crew)
	defer d.open("", nil, nil)
	if d.c.Bus != nil {
		defer d.c.Bus.Tap(d.diary.hear)()
	}
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() { d.diary.write(work) })
	app := d.app(work, ours)
	done := make(chan error, 1)
	way, closed := d.way(crowd, cert)
	defer closed()
	wg.Go(func() { done <- app.Listener(way) })
	if d.tailnet != nil {
		wg.Go(func() { d.tailnet.keep(work, d.notRenewed) })
	}
	d.announce(at, cert)
	supervise.Ready(ctx)
	select {
	case err = <-done:
		err = errors.Join(errors.New("the web door was shut"), err)
	case <-ctx.Done():
	}
	stop() // ends what streams, else the server would wait for it
	return errors.Join(err, d.shut(app, crowd, crew))
}

func (d *Door) open(url string, c *crowd, w *crew) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.url, d.crowd, d.crew = url, c, w
}

func (d *Door) crewNow() *crew {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.crew
}

// shut waits for the answers under way, and at last ends what is left of the connections.
func (d *Door) shut(app *fiber.App, crowd *crowd, crew *crew) error {
	_ = crowd.Close() // the server may not know its listener yet
	err := app.ShutdownWithTimeout(2 * time.Second)
	crew.end()
	select {
	case <-crew.empty:
	case <-time.After(time.Second): // some take nothing any more, not even a farewell
	}
	crowd.empty()
	<-crew.empty
	if errors.Is(err, context.DeadlineExceeded) {
		d.c.Log.Warn().Msg("some visitors of the web door were cut off")
		return nil
	}
	return err
}

// app is the server for one run. ctx ends with the run.
func (d *Door) app(ctx context.Context, ours hosts) *fiber.App {
	app := fiber.New(fiber.Config{
		AppName: "Solo", CaseSensitive: true, StrictRouting: true, DisableStartupMessage: true, ErrorHandler: d.refuse,
		Immutable: true, // else what a handler keeps is overwritten by the next request
		BodyLimit: d.c.Body, ReadBufferSize: 16 << 10, ReadTimeout: d.c.Head, IdleTimeout: d.c.Idle, Concurrency: d.c.Conns,
	})
	app.Server().HeaderReceived = d.allowance
	app.Server().Logger = quiet{}
	app.Use(d.counts.middleware)
	app.Use(rescue.New(rescue.Config{EnableStackTrace: true, StackTraceHandler: func(_ *fiber.Ctx, v any) {
		d.c.Log.Error().Any("panic", v).Msg("a handler of the web door broke")
	}}))
	app.Use(func(c *fiber.Ctx) error {
		c.SetUserContext(models.WithOrigin(ctx, models.Origin{Channel: "web"}))
		return d.guard(c, ours)
	})
	for _, r := range d.routes() {
		app.Add(r.method, r.path, r.handle)
		if r.method == fiber.MethodGet && r.status == 0 { // a look ahead uses up no link
			app.Add(fiber.MethodHead, r.path, r.handle)
		}
	}
	return app
}

func (d *Door) routes() []route {
	return slices.Concat(d.healthRoutes(), d.chatRoutes(), d.keyRoutes(), d.v1Routes(), d.speechRoutes(), d.hearRoutes(), d.jobRoutes(), d.roomRoutes(), d.docRoutes(), d.pageRoutes(), d.socketRoutes(), d.talkRoutes())
}

// strangersBody is how much a request without a key may bring, in bytes: its refusal is to be read.
const strangersBody = 64 << 10

// allowance says how much a request may bring, before any of its body is read.
func (d *Door) allowance(h *fasthttp.RequestHeader) fasthttp.RequestConfig {
	if d.lock.opens(h) == noKey {
		return fasthttp.RequestConfig{MaxRequestBodySize: min(strangersBody, d.c.Body)}
	}
	if path, _, _ := strings.Cut(string(h.RequestURI()), "?"); !uploads[path] {
		return fasthttp.RequestConfig{}
	}
	most := min(d.c.Upload, wholeBody)
	if h.ContentLength() > 0 && len(h.MultipartFormBoundary()) > 0 {
		most = d.c.Upload
	}
	return fasthttp.RequestConfig{MaxRequestBodySize: max(most, d.c.Body), ReadTimeout: uploadTime}
}

// uploads are the addresses that take recordings.
var uploads = map[string]bool{"/transcribe": true, "/v1/audio/transcriptions": true, "/documents": true}

const (
	wholeBody  = 32 << 20 // a recording that is the body itself lies in memory; the parts of a form go to the disk
	uploadTime = 10 * time.Minute
)

// quiet drops what the server says of broken requests: it quotes them.
type quiet struct{}

func (quiet) Printf(string, ...any) {}
