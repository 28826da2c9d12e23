//go:build linux

package pulsetest

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os/exec"

	"github.com/solo-assistant/solo/audio"
)

// PlayIntoMic lets the microphone hear a clip, and returns when it was heard.
func (s *Server) PlayIntoMic(c audio.Clip) {
	s.t.Helper()
	raw := make([]byte, 0, 2*len(c.PCM))
	for _, v := range c.PCM {
		raw = binary.LittleEndian.AppendUint16(raw, uint16(v))
	}
	cmd := s.command(s.t.Context(), "pacat", "--playback", "--device="+micIn, "--latency-msec=200", fmt.Sprintf("--rate=%d", c.Format.Rate),
		fmt.Sprintf("--channels=%d", c.Format.Channels), "--format=s16le", "--raw")
	var said bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(raw), &said, &said
	err := cmd.Start()
	if err == nil {
		prefer(cmd.Process.Pid, first)
		err = cmd.Wait()
	}
	if err != nil {
		s.t.Errorf("playing into the microphone: %v: %s", err, said.String())
	}
}

// RecordSpeaker records what the speaker plays, mono at rate Hz, until ctx ends.
// It returns at once; the function it gives waits for the end and gives the clip.
func (s *Server) RecordSpeaker(ctx context.Context, rate int) (wait func() audio.Clip) {
	s.t.Helper()
	return s.Record(ctx, sink+".monitor", rate)
}

// Record records a source of the server, such as "vspk.monitor". When it returns, sound already flows.
func (s *Server) Record(ctx context.Context, device string, rate int) (wait func() audio.Clip) {
	s.t.Helper()
	r := s.record(device, rate)
	first := make([]byte, 2)
	if _, err := io.ReadFull(r, first); err != nil {
		s.t.Fatalf("recording %s: %v", device, err)
	}
	done := make(chan audio.Clip, 1)
	unhook := context.AfterFunc(ctx, r.stop)
	go func() {
		b, _ := io.ReadAll(r) // it ends when the program does
		r.stop()
		_ = r.cmd.Wait()
		clip := audio.Clip{Format: audio.Format{Rate: rate, Channels: 1}}
		for b = append(first, b...); len(b) >= 2; b = b[2:] {
			clip.PCM = append(clip.PCM, int16(binary.LittleEndian.Uint16(b)))
		}
		done <- clip
	}()
	return func() audio.Clip {
		clip := <-done
		unhook()
		return clip
	}
}

// recorder is a parec that is read from.
type recorder struct {
	io.Reader
	cmd  *exec.Cmd
	stop func()
}

func (s *Server) record(device string, rate int) *recorder {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := s.command(ctx, "parec", "--device="+device, "--latency-msec=10", fmt.Sprintf("--rate=%d", rate),
		"--channels=1", "--format=s16le", "--raw")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		s.t.Fatalf("recording %s: %v", device, err)
	}
	prefer(cmd.Process.Pid, first)
	return &recorder{out, cmd, cancel}
}
