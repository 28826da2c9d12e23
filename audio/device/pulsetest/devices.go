//go:build linux

package pulsetest

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Module is a loaded module of the server.
type Module string

// Load loads a module, such as Load("module-null-sink", "sink_name=other").
func (s *Server) Load(name string, args ...string) Module {
	s.t.Helper()
	out, err := s.pactl(append([]string{"load-module", name}, args...)...)
	if err != nil {
		s.t.Fatal(err)
	}
	return Module(out)
}

// Unload takes a module away, and its device with it.
func (s *Server) Unload(m Module) {
	s.t.Helper()
	if _, err := s.pactl("unload-module", string(m)); err != nil {
		s.t.Fatal(err)
	}
}

// Plug makes the virtual microphone and speaker, where they are not there.
func (s *Server) Plug() {
	s.t.Helper()
	if !s.has("sinks", micIn) {
		s.nullSink(micIn, "VMicIn", 1)
	}
	if !s.has("sources", source) {
		s.PlugMic(source, Mic)
	}
	if !s.has("sinks", sink) {
		s.PlugSpeaker(sink, Speaker)
	}
}

// PlugMic adds another microphone, which hears the same. The name is the server's, the title the user's.
func (s *Server) PlugMic(name, title string) Module {
	s.t.Helper()
	return s.Load("module-remap-source", "source_name="+name, "master="+micIn+".monitor", "channels=1", "source_properties=device.description="+title)
}

// PlugSpeaker adds another speaker.
func (s *Server) PlugSpeaker(name, title string) Module {
	s.t.Helper()
	return s.nullSink(name, title, 2)
}

// nullSink adds a sink that goes nowhere but to its monitor, with a clock that never sleeps:
// left alone, a null sink wakes only every two seconds.
func (s *Server) nullSink(name, title string, channels int) Module {
	s.t.Helper()
	m := s.Load("module-null-sink", "sink_name="+name, "rate=48000", fmt.Sprintf("channels=%d", channels),
		"norewinds=1", "sink_properties=device.description="+title)
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := s.keepers[name]; k != nil {
		k.kill()
	}
	s.keepers[name] = s.start("pacat", "--playback", "--device="+name, "--latency-msec=10", "--rate=48000",
		fmt.Sprintf("--channels=%d", channels), "--format=s16le", "--raw", "/dev/zero")
	return m
}

// Unplug takes the device with this title away.
func (s *Server) Unplug(title string) {
	s.t.Helper()
	out, err := s.pactl("list", "modules")
	if err != nil {
		s.t.Fatal(err)
	}
	for block := range strings.SplitSeq(out, "\n\n") {
		head, _, _ := strings.Cut(block, "\n")
		if strings.Contains(block, "device.description="+title+"\n") {
			s.Unload(Module(strings.TrimPrefix(head, "Module #")))
			return
		}
	}
	s.t.Fatalf("no device %q to unplug", title)
}

// Default makes the device with this title the system's choice.
func (s *Server) Default(title string) {
	s.t.Helper()
	for _, kind := range []string{"source", "sink"} {
		out, err := s.pactl("list", kind+"s")
		if err != nil {
			s.t.Fatal(err)
		}
		name := ""
		for line := range strings.SplitSeq(out, "\n") {
			line = strings.TrimSpace(line)
			if n, ok := strings.CutPrefix(line, "Name: "); ok {
				name = n
			}
			if line == "Description: "+title {
				if _, err := s.pactl("set-default-"+kind, name); err != nil {
					s.t.Fatal(err)
				}
				return
			}
		}
	}
	s.t.Fatalf("no device %q", title)
}

func (s *Server) has(kind, name string) bool {
	s.t.Helper()
	out, err := s.pactl("list", "short", kind)
	if err != nil {
		s.t.Fatal(err)
	}
	return strings.Contains(out, "\t"+name+"\t")
}

// awaken waits until the microphone and the speaker give sound without a pause.
func (s *Server) awaken() {
	s.t.Helper()
	for _, device := range []string{source, sink + ".monitor"} {
		r := s.record(device, 16000)
		began := time.Now()
		_, err := io.CopyN(io.Discard, r, 2*16000/4)
		r.stop()
		_ = r.cmd.Wait() // it was just killed
		if err != nil {
			s.t.Fatalf("%s gives no sound after %v: %v", device, time.Since(began), err)
		}
	}
}
