package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// line is any line that solo --json prints.
type line struct {
	Event   string            `json:"event"`
	Turn    uint64            `json:"turn"`
	File    string            `json:"file"`
	Word    string            `json:"word"`
	Text    string            `json:"text"`
	Name    *string           `json:"name"`
	Slots   map[string]string `json:"slots"`
	Outcome string            `json:"outcome"`
	At      float64           `json:"at_s"`
	Start   float64           `json:"start_s"`
	End     float64           `json:"end_s"`
	Length  float64           `json:"duration_s"`
	Elapsed float64           `json:"elapsed_ms"`

	Endpoint   float64 `json:"endpoint_ms"`
	STT        float64 `json:"stt_ms"`
	Think      float64 `json:"think_ms"`
	FirstAudio float64 `json:"tts_first_audio_ms"`
	Total      float64 `json:"total_ms"`

	Message string `json:"message"`
	Hint    string `json:"hint"`

	came time.Time
}

// program is a running solo.
type program struct {
	cmd  *exec.Cmd
	errs bytes.Buffer
	read chan struct{} // closed when its output ended

	mu    sync.Mutex
	lines []line
	news  chan struct{} // holds something after a line came
}

// start runs solo --json with a home folder of its own.
func (b *bench) start(ctx context.Context, home string, env []string, stdin *os.File, args ...string) (*program, error) {
	p := &program{read: make(chan struct{}), news: make(chan struct{}, 1)}
	p.cmd = exec.CommandContext(ctx, b.solo, append([]string{"--json", "--home", home}, args...)...)
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(os.Interrupt) }
	p.cmd.WaitDelay = 5 * time.Second
	p.cmd.Stderr = &p.errs
	p.cmd.Env = append(os.Environ(), env...)
	if stdin != nil {
		p.cmd.Stdin = stdin
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("run solo: %w", err)
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("run solo: %w", err)
	}
	go p.follow(io.TeeReader(out, diary(home)))
	return p, nil
}

// diary is a file beside a home folder for all that solo prints there.
func diary(home string) io.Writer {
	f, err := os.Create(home + ".jsonl")
	if err != nil {
		return io.Discard // it is only for whoever asks why
	}
	return f // closed with the program
}

// follow reads the output to its end.
func (p *program) follow(out io.Reader) {
	defer close(p.read)
	for in := bufio.NewScanner(out); in.Scan(); {
		l := line{came: time.Now()}
		if json.Unmarshal(in.Bytes(), &l) != nil {
			continue // a line for people
		}
		p.mu.Lock()
		p.lines = append(p.lines, l)
		p.mu.Unlock()
		select {
		case p.news <- struct{}{}:
		default:
		}
	}
}

// printed is what came so far, from line number n on.
func (p *program) printed(n int) []line {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]line(nil), p.lines[min(n, len(p.lines)):]...)
}

// await waits until one of the lines from number n on is wanted.
func (p *program) await(ctx context.Context, n int, limit time.Duration, wanted func(line) bool) (line, bool) {
	timeout := time.After(limit)
	for {
		for _, l := range p.printed(n) {
			if wanted(l) {
				return l, true
			}
		}
		select {
		case <-p.news:
		case <-p.read:
			return line{}, false
		case <-timeout:
			return line{}, false
		case <-ctx.Done():
			return line{}, false
		}
	}
}

// wait waits for the end and gives all lines.
func (p *program) wait() ([]line, error) {
	<-p.read
	err := p.cmd.Wait()
	if err != nil {
		err = fmt.Errorf("solo %s: %w%s", strings.Join(p.cmd.Args[4:min(5, len(p.cmd.Args))], " "), err, p.lastWords())
	}
	return p.printed(0), err
}

// stop ends it as Ctrl-C does.
func (p *program) stop() error {
	_ = p.cmd.Process.Signal(os.Interrupt) // where it is gone already, that shows next
	_, err := p.wait()
	return err
}

// lastWords is why it failed, as it said itself.
func (p *program) lastWords() string {
	for _, l := range p.printed(0) {
		if l.Event == "error" {
			return ": " + strings.TrimSpace(l.Message+"; "+l.Hint)
		}
	}
	if text := strings.TrimSpace(p.errs.String()); text != "" {
		if len(text) > 400 {
			text = "... " + text[len(text)-400:]
		}
		return ": " + strings.ReplaceAll(text, "\n", " / ")
	}
	return ""
}

// ask runs solo --json to its end.
func (b *bench) ask(ctx context.Context, home string, args ...string) ([]line, error) {
	p, err := b.start(ctx, home, nil, nil, args...)
	if err != nil {
		return nil, err
	}
	return p.wait()
}
