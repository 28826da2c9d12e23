//go:build linux

package main

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/device/pulsetest"
)

// faults are those of the microphone of a name that a test of the devices told.
func faults(t *testing.T, name string, args ...string) []string {
	t.Helper()
	began := time.Now()
	code, lines := solo(t, t.TempDir(), "", append([]string{"devices", "test", name}, args...)...)
	if code != 0 {
		t.Fatalf("exit %d: %v", code, lines)
	}
	if d := time.Since(began); d > 10*time.Second {
		t.Errorf("it took %v", d)
	}
	checked := only(lines, "checked")
	if len(checked) != 1 || checked[0].text("name") != name {
		t.Fatalf("checked %v", lines)
	}
	var kinds []string
	for _, f := range checked[0]["faults"].([]any) {
		fault := f.(map[string]any)
		if fault["what"] == "" || fault["mend"] == "" {
			t.Errorf("a fault without words: %v", fault)
		}
		kinds = append(kinds, fault["kind"].(string))
	}
	return kinds
}

func TestDevicesAreTested(t *testing.T) {
	s := pulsetest.Start(t)
	s.Load("module-remap-source", "source_name=phone", "master=vmic_in.monitor", "channels=1", "rate=8000", "source_properties=device.description=Headset")
	if got := faults(t, pulsetest.Mic, "--seconds", "2"); strings.Join(got, " ") != "zeros" {
		t.Errorf("a muted microphone: %v", got)
	}
	words := say(t, "rms", "Hello Solo, this is a test of my microphone. Six thick sticks.")
	for _, c := range []struct {
		mic   string
		gain  float64
		fault string
	}{{pulsetest.Mic, 1, ""}, {pulsetest.Mic, 60, "clipped"}, {pulsetest.Mic, 0.004, "faint"}, {"Headset", 1, "narrow"}} {
		pcm := make([]int16, len(words))
		for i, v := range words {
			pcm[i] = int16(min(max(c.gain*float64(v)+float64(i*7919%13-6), -32768), 32767))
		}
		var wg sync.WaitGroup
		wg.Go(func() { s.PlayIntoMic(audio.Clip{Format: audio.Mono16k, PCM: pcm}) })
		got := strings.Join(faults(t, c.mic, "--seconds", "3"), " ")
		wg.Wait()
		if got != c.fault {
			t.Errorf("%s, %g times: %q, want %q", c.mic, c.gain, got, c.fault)
		}
	}
	if code, lines := solo(t, t.TempDir(), "", "devices", "test", "nonesuch"); code != 1 || !strings.Contains(lines[0].text("message"), "nonesuch") {
		t.Errorf("exit %d: %v", code, lines)
	}
}
