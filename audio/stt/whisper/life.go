package whisper

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/proc"
	"github.com/solo-assistant/solo/core/supervise"
)

// life is one run of the server.
type life struct {
	base   string // "http://127.0.0.1:4711/SECRET"
	client *http.Client
	pid    func() int
	gone   chan struct{} // closed at its end
	err    error         // why it ended, once gone
}

// errIdle ends a server that nobody needs; it is no failure.
var errIdle = errors.New("nobody spoke for a while")

// Serve runs the server until ctx ends (nil) or it fails (an error with its last words). After idle minutes the
// server is ended and Serve waits for somebody to speak.
func (e *Engine) Serve(ctx context.Context) error {
	if e.inside != nil {
		supervise.Ready(ctx)
		return e.inside.serve(ctx)
	}
	for {
		if !e.rest(ctx) {
			return nil
		}
		err := e.start(ctx)
		if ctx.Err() != nil {
			e.set(nil, nil)
			return nil
		}
		if !errors.Is(err, errIdle) {
			e.set(nil, err)
			return err
		}
		e.set(nil, nil)
		e.conf.Log.Info().Msg("the model's memory is given back")
		if !e.sleep(ctx) {
			return nil
		}
	}
}

// rest waits before a start that follows one in vain; false when ctx ended.
func (e *Engine) rest(ctx context.Context) bool {
	n := e.vain.Load()
	if n == 0 {
		return true
	}
	select {
	case <-time.After(min(30*time.Second, 100*time.Millisecond<<min(n, 10))):
		return true
	case <-ctx.Done():
		e.vain.Store(0)
		return false
	}
}

// sleep waits until somebody wants the server; false when ctx ended. What was wanted while it ended counts.
func (e *Engine) sleep(ctx context.Context) bool {
	select {
	case <-e.used:
		return true
	case <-ctx.Done():
		return false
	}
}

// start starts the best build that works.
func (e *Engine) start(ctx context.Context) error {
	e.vain.Add(1) // taken back by the first answer
	programs, err := e.conf.programs()
	if err != nil {
		return err
	}
	model, err := e.conf.weights()
	if err != nil {
		return err
	}
	var b build
	for _, path := range programs {
		if b, err = ask(ctx, path); err == nil {
			break
		}
	}
	if err != nil {
		return err
	}
	return e.live(ctx, b, model)
}

// live runs the child to its end.
func (e *Engine) live(ctx context.Context, b build, model string) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	port, err := freePort()
	if err != nil {
		return err
	}
	secret := make([]byte, 16)
	_, _ = rand.Read(secret) // it never fails
	path := "/" + hex.EncodeToString(secret)
	l := &life{base: fmt.Sprintf("http://127.0.0.1:%d%s", port, path), gone: make(chan struct{}),
		client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
	ready := false
	child := proc.New(proc.Config{
		Name: "whisper-server", Path: b.path, Args: e.conf.arguments(b, model, port, path, e.lame.Load()),
		Probe: l.probe, Every: 20 * time.Millisecond, Patience: e.conf.StartLimit, Words: 30,
		Ready: func(ctx context.Context) {
			ready = true
			e.vain.Store(0)
			e.set(l, nil)
			supervise.Ready(ctx)
			e.watch(ctx, stop)
		},
		Line: func(line string) { e.conf.Log.Debug().Str("line", line).Msg("whisper-server says") },
	})
	l.pid = child.Pid
	e.conf.Log.Info().Str("model", filepath.Base(model)).Strs("backends", b.kinds).Bool("gpu", !e.lame.Load()).Msg("starting whisper-server")
	err = child.Serve(ctx)
	if why := context.Cause(ctx); why != nil {
		err = why
	}
	l.err = err
	e.set(nil, err)
	close(l.gone)
	if !ready && len(b.kinds) > 0 && e.conf.GPU == "auto" && !errors.Is(err, context.Canceled) && !e.lame.Swap(true) {
		e.conf.Log.Warn().Err(err).Msg("whisper-server did not start on the graphics card; it goes on without")
		e.vain.Store(0)
	}
	return err
}

// watch ends the server after idle minutes. It runs in the child's health check, which has nothing else to do.
func (e *Engine) watch(ctx context.Context, stop context.CancelCauseFunc) {
	for e.conf.SleepIdle > 0 {
		e.mu.Lock()
		left := e.conf.SleepIdle - time.Since(e.last)
		if e.busy > 0 {
			left = e.conf.SleepIdle
		}
		if left <= 0 {
			e.now = nil // before anyone asks it again
			select {    // it was wanted for what it has done
			case <-e.used:
			default:
			}
			e.mu.Unlock()
			stop(errIdle)
			return
		}
		e.mu.Unlock()
		select {
		case <-time.After(left):
		case <-ctx.Done():
			return
		}
	}
}

// arguments of the server.
func (c Config) arguments(b build, model string, port int, path string, lame bool) []string {
	args := []string{"--model", model, "--host", "127.0.0.1", "--port", strconv.Itoa(port), "--request-path", path,
		"--public", filepath.Join(cmp.Or(c.Temp, os.TempDir()), "solo-shows-nothing"), "--language", c.Language,
		"--threads", strconv.Itoa(c.threads())}
	if c.Translate {
		args = append(args, "--translate")
	}
	if c.Beam > 1 {
		args = append(args, "--beam-size", strconv.Itoa(c.Beam))
	}
	if (c.GPU == "off" || lame) && b.can("--no-gpu") {
		args = append(args, "--no-gpu")
	}
	if c.Device > 0 && b.can("--device") {
		args = append(args, "--device", strconv.Itoa(c.Device))
	}
	return append(args, c.Extra...)
}

// threads leaves a core free: with as many threads as cores, whichever of them are busy, decoding becomes ten times slower.
func (c Config) threads() int {
	return cmp.Or(c.Threads, min(8, max(1, runtime.NumCPU()-1)))
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("finding a free port: %w", err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	if err := listener.Close(); err != nil {
		return 0, fmt.Errorf("finding a free port: %w", err)
	}
	return port, nil
}

// probe asks whether the model is loaded. Only Solo's own server knows the path; an old one has no /health.
func (l *life) probe(ctx context.Context) error {
	code, page, err := l.get(ctx, "/health")
	switch {
	case err != nil:
		return err
	case code == http.StatusOK:
		var health struct{ Status string }
		if json.Unmarshal(page, &health) != nil || health.Status != "ok" {
			return fmt.Errorf("another server has its port: it says %.40q", page)
		}
		return nil
	case code != http.StatusNotFound:
		return fmt.Errorf("it is still loading (%d)", code)
	}
	if code, page, err = l.get(ctx, "/"); err != nil || code != http.StatusOK || !strings.Contains(string(page), "Whisper") {
		return cmp.Or(err, fmt.Errorf("another server has its port (%d)", code))
	}
	return nil
}

func (l *life) get(ctx context.Context, path string) (int, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, l.base+path, nil)
	if err != nil {
		return 0, nil, err
	}
	reply, err := l.client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer reply.Body.Close()
	page, err := io.ReadAll(io.LimitReader(reply.Body, 1<<16))
	return reply.StatusCode, page, err
}
