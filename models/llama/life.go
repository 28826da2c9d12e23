package llama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/core/proc"
	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/openai"
)

// life is one run of the server, from its first answer to its end.
type life struct {
	*launch
	engine *openai.Engine
	pid    func() int
	gone   chan struct{} // closed at its end
	err    error         // why it ended, once gone
}

// live runs the child to its end.
func (s *Server) live(ctx context.Context, l *launch) error {
	engine, err := openai.New(openai.Config{Name: s.name, BaseURL: l.url("/v1"), Key: config.NewSecret(l.key), Model: l.id, Embedder: l.id, Place: "home", Log: s.conf.Log})
	if err != nil {
		return err
	}
	v := &life{launch: l, engine: engine, gone: make(chan struct{})}
	child := proc.New(proc.Config{
		Name: "llama-server", Path: l.build.path, Args: s.conf.arguments(l), Env: []string{"LLAMA_API_KEY=" + l.key},
		Probe: v.probe(), Every: 15 * time.Millisecond, Patience: s.conf.StartLimit, Check: 5 * time.Second, Words: 40,
		Ready: func(ctx context.Context) { s.ready(ctx, v) },
		Line:  func(line string) { s.conf.Log.Debug().Str("line", line).Msg("llama-server says") },
	})
	v.pid = child.Pid
	s.conf.Log.Info().Str("model", l.id).Int("context", l.plan.Context).Int("gpu_layers", l.plan.Layers).Str("version", l.build.version).Msg("starting llama-server")
	err = s.word(l, child.Serve(ctx))
	if ctx.Err() != nil {
		s.vain.Store(0) // it was stopped, it did not fail
	}
	s.set(nil, err)
	v.err = err
	close(v.gone) // after set: who hears of it asks for the next life
	return err
}

// ready lets questions in, and has the model read what every conversation begins with.
func (s *Server) ready(ctx context.Context, v *life) {
	s.set(v, nil)
	s.warm(ctx, v)
	if ctx.Err() == nil { // one that dies of its first words started in vain
		s.vain.Store(0)
	}
	supervise.Ready(ctx)
}

func (s *Server) warm(ctx context.Context, v *life) {
	if s.conf.Prefix == nil || s.embeds {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, s.conf.WarmLimit)
	defer cancel()
	began := time.Now()
	for _, err := range v.engine.Stream(ctx, models.Request{Messages: s.conf.Prefix(ctx), MaxTokens: -1}) {
		if err != nil {
			s.conf.Log.Warn().Err(err).Msg("the model did not read its instructions ahead")
			return
		}
	}
	s.conf.Log.Debug().Dur("took", time.Since(began)).Msg("the model has read its instructions")
}

func (l *launch) url(path string) string { return fmt.Sprintf("http://127.0.0.1:%d%s", l.port, path) }

// probe asks whether the model answers. Before it is trusted the first time the server has to prove that it is
// the one that was started: it knows our key, knows no other, and runs our model. A stranger may have taken the port.
func (l *launch) probe() func(context.Context) error {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 5 * time.Second}
	known := false
	return func(ctx context.Context) error {
		if code, _, err := get(ctx, client, l.url("/health"), l.key); err != nil || code != http.StatusOK {
			return unhealthy(code, err)
		}
		if known {
			return nil
		}
		code, _, err := get(ctx, client, l.url("/props"), "not-"+l.key[:8])
		switch {
		case err != nil:
			return err
		case code != http.StatusUnauthorized && code != http.StatusForbidden:
			return fmt.Errorf("the server on port %d answers a wrong key with %d: it is not Solo's", l.port, code)
		}
		code, page, err := get(ctx, client, l.url("/props"), l.key)
		switch {
		case err != nil:
			return err
		case code != http.StatusOK:
			return fmt.Errorf("the server on port %d does not know Solo's key (%d)", l.port, code)
		}
		var props struct {
			Path string `json:"model_path"`
		}
		if err := json.Unmarshal(page, &props); err != nil || props.Path != "" && props.Path != l.path {
			return fmt.Errorf("the server on port %d runs the model %q, not %q", l.port, props.Path, l.path)
		}
		known = true
		return nil
	}
}

func unhealthy(code int, err error) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("it is still loading (%d)", code)
}

func get(ctx context.Context, client *http.Client, url, key string) (int, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	reply, err := client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer reply.Body.Close()
	page, err := io.ReadAll(io.LimitReader(reply.Body, 1<<20))
	return reply.StatusCode, page, err
}

var (
	errorLine = regexp.MustCompile(`^[\d.]+ E |(?i)\berror\b|failed|unable|cannot|could not|invalid|abort|assert`)
	stamp     = regexp.MustCompile(`^[\d.]+ [A-Z] (srv|cmn|que|slot|res)?\s*`)
	noMemory  = regexp.MustCompile(`(?i)out of memory|failed to allocate|unable to allocate|OutOfDeviceMemory|bad_alloc`)
)

// word makes a sentence of how the child ended: of its last words, those that tell why.
func (s *Server) word(l *launch, err error) error {
	e, ok := errors.AsType[*proc.Exit](err)
	if !ok {
		return err
	}
	whole := strings.Join(e.Words, "\n")
	e.Words = telling(e.Words)
	switch {
	case noMemory.MatchString(whole):
		if len(l.devices) > 0 && l.plan.Layers > 0 {
			s.shy.Add(1 << 30) // what was free is not; the next try takes less
		}
		return fmt.Errorf("%w: %s: %w", models.ErrTooLarge, l.id, e)
	default:
		return fmt.Errorf("%w: %w", models.ErrUnreachable, e)
	}
}

// telling are the lines of error, at most four, or the last two where there are none.
func telling(lines []string) []string {
	var errs []string
	for _, line := range lines {
		if errorLine.MatchString(line) {
			errs = append(errs, stamp.ReplaceAllString(line, ""))
		}
	}
	if errs == nil {
		for _, line := range lines[max(0, len(lines)-2):] {
			errs = append(errs, stamp.ReplaceAllString(line, ""))
		}
	}
	return errs[:min(4, len(errs))]
}
