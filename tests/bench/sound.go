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
	"path/filepath"
	"strings"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// pulse is a PulseAudio server of our own with a virtual microphone and speaker.
type pulse struct {
	cmd *exec.Cmd
	in  io.Closer // closing it ends the server
	env []string  // where programs find it
}

// The server's names of what is played into the microphone, and of what the microphone and the speaker carry.
const (
	intoMic  = "vmic_in"
	fromMic  = "vmic_in.monitor"
	fromSolo = "vspk.monitor"
)

// patient is what the server is told beside its arguments. By itself it asks the kernel to kill it when it works for
// 200 ms without a rest at real-time priority, which happens on a busy machine in some minutes.
const patient = "rlimit-rttime = -1\n"

// pulse starts the server when it is first asked for. It is lent by a test binary, because the package that
// knows how to make one is for tests.
func (b *bench) pulse(ctx context.Context) (*pulse, error) {
	if b.sound != nil {
		return b.sound, nil
	}
	lender := filepath.Join(b.dir, "lender")
	if out, err := exec.CommandContext(ctx, goTool(), "test", "-c", "-o", lender, "./tests/bench").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the lender of PulseAudio: %w: %s", err, out)
	}
	settings := filepath.Join(b.dir, "pulse.conf")
	if err := os.WriteFile(settings, []byte(patient), 0o644); err != nil {
		return nil, fmt.Errorf("start PulseAudio: %w", err)
	}
	p := &pulse{cmd: exec.Command(lender, "-test.run=^TestLendPulse$", "-test.v", "-test.timeout=0")}
	p.cmd.Env = append(os.Environ(), "SOLO_BENCH_LEND=1", "PULSE_CONFIG="+settings)
	p.cmd.Stderr = os.Stderr
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start PulseAudio: %w", err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start PulseAudio: %w", err)
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start PulseAudio: %w", err)
	}
	p.in = in
	if err := p.hear(out); err != nil {
		p.close()
		return nil, err
	}
	b.sound = p
	return p, nil
}

// hear reads where the server is found.
func (p *pulse) hear(out io.Reader) error {
	var said []string
	in := bufio.NewScanner(out)
	for in.Scan() {
		if json.Unmarshal(in.Bytes(), &p.env) == nil && len(p.env) > 0 {
			go func() { _, _ = io.Copy(io.Discard, out) }() // it ends with the program
			return nil
		}
		said = append(said, strings.TrimSpace(in.Text()))
	}
	return fmt.Errorf("no PulseAudio: %s", strings.Join(said, " / "))
}

func (p *pulse) close() {
	_ = p.in.Close()
	ended := time.AfterFunc(10*time.Second, func() { _ = p.cmd.Process.Kill() })
	_ = p.cmd.Wait() // how it ends says nothing about what was measured
	ended.Stop()
}

// command is a program that finds this server, at real-time priority where that is allowed: on a busy machine
// sound has gaps otherwise, as it has on no user's machine.
func (p *pulse) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	if exec.Command("chrt", "-f", "20", "true").Run() == nil {
		args = append([]string{"-f", "20", name}, args...)
		name = "chrt"
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), p.env...)
	return cmd
}

// play lets the microphone hear pcm, and returns when it was heard.
func (p *pulse) play(ctx context.Context, pcm []int16) error {
	var wav bytes.Buffer
	if err := audio.WriteWAV(&wav, audio.Clip{Format: audio.Mono16k, PCM: pcm}); err != nil {
		return fmt.Errorf("play: %w", err)
	}
	raw := wav.Bytes()[wav.Len()-2*len(pcm):]
	cmd := p.command(ctx, "pacat", "--playback", "--device="+intoMic, "--latency-msec=100", "--rate=16000", "--channels=1", "--format=s16le", "--raw")
	cmd.Stdin = bytes.NewReader(raw)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("play into the microphone: %w: %s", err, out)
	}
	return nil
}

// goTool is the go command of the toolchain that runs us.
func goTool() string {
	if tool := os.Getenv("SOLO_GO"); tool != "" {
		return tool
	}
	return "go"
}
