//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/device/pulsetest"
	"github.com/solo-assistant/solo/audio/echo"
	"github.com/solo-assistant/solo/core/channel/local"
)

// soundOf asks a running Solo how its devices are.
func sounding(t *testing.T, home string) (now heardSound) {
	t.Helper()
	err := local.Call(t.Context(), filepath.Join(home, "data"), "sound", typed{}, func(raw json.RawMessage) error { return json.Unmarshal(raw, &now) })
	if err != nil {
		t.Fatal(err)
	}
	return now
}

// tale is something to say for about so many seconds, the wake word in every sixth sentence.
func tale(seconds int) string {
	lines := []string{
		"The museum opens at ten in the morning and closes at six.", "Tomorrow it will rain in the north, with some wind from the west.",
		"A lighthouse shows ships the way at night, and warns them of rocks.", "Trains leave every half hour from platform nine.",
		"I have added milk, bread and two lemons to the shopping list.", "I am Jarvis, your assistant on this machine.",
	}
	var b strings.Builder
	for i := range seconds * 10 / 34 {
		fmt.Fprintf(&b, "%s ", lines[i%len(lines)])
	}
	return b.String()
}

// A microphone that hears the loudspeaker: Solo does not wake itself, says what it does about it, and is spoken over. On a
// machine that is busy with other tests the server's streams slip against each other, so that it has the machine to itself.
func TestSoakTheUserIsHeardOverSolo(t *testing.T) {
	soaking(t)
	listens(t)
	if !echo.Built {
		t.Skip("skipped: this build has no canceller")
	}
	server := pulsetest.Start(t)
	server.Load("module-loopback", "source=vspk.monitor", "sink=vmic_in", "latency_msec=40", "adjust_time=0")
	home := t.TempDir()
	_, out := running(t, home)
	if now := sounding(t, home); now.Audio.Echo != "unmeasured" || now.Audio.Input != pulsetest.Mic {
		t.Errorf("at the start %+v", now)
	}
	if code, lines := solo(t, home, "", "say", tale(12)); code != 0 {
		t.Fatalf("exit %d: %v", code, lines)
	}
	now := sounding(t, home)
	t.Logf("%+v", now)
	// On a busy machine the server's streams slip against each other, and then nothing can be cancelled for a while.
	if mode, _, _ := strings.Cut(now.Audio.Echo, ":"); mode != "cancelling" && mode != "half-duplex" {
		t.Errorf("the echo: %s\n%s", now.Audio.Echo, out)
	}
	if n := turns(home); n != 0 {
		t.Errorf("Solo woke itself: %d turns", n)
	}
	_, lines := solo(t, home, "", "doctor")
	told := false
	for _, l := range only(lines, "engine") {
		told = told || l.text("job") == "echo" && strings.Contains(l.text("version"), "; now ")
	}
	if !told {
		t.Errorf("the doctor does not tell of it: %v", lines)
	}
	var wg sync.WaitGroup
	began := time.Now()
	wg.Go(func() { solo(t, home, "", "say", tale(25)) })
	time.Sleep(4 * second)
	server.PlayIntoMic(audio.Clip{Format: audio.Mono16k, PCM: join(say(t, "rms", "jarvis"), quiet(second/5), say(t, "rms", "what time is it"), quiet(second))})
	wg.Wait()
	if mode := sounding(t, home).Audio.Echo; !strings.HasPrefix(mode, "cancelling") {
		t.Skipf("skipped: the server's streams slip too much to speak over Solo: %s", mode)
	}
	if took := time.Since(began); took > 15*second {
		t.Errorf("spoken over after 4 s, Solo spoke for %v", took)
	}
	for end := time.Now().Add(10 * second); turns(home) == 0 && time.Now().Before(end); {
		time.Sleep(50 * time.Millisecond)
	}
	if turns(home) == 0 {
		t.Errorf("the order over the answer was not heard; %+v", sounding(t, home))
	}
}

// Five minutes of Solo's own speech through devices of a sound server, on three pairs of them at once.
func TestSoakEchoThroughPulse(t *testing.T) {
	soaking(t)
	listens(t)
	server := pulsetest.Start(t)
	const pairs, seconds = 3, 100
	homes := make([]string, pairs)
	for i := range pairs {
		in, out := fmt.Sprintf("Room%d", i), fmt.Sprintf("Box%d", i)
		server.PlugSpeaker(fmt.Sprintf("room%d", i), in)
		server.PlugSpeaker(fmt.Sprintf("box%d", i), out)
		server.Load("module-remap-source", fmt.Sprintf("source_name=ear%d", i), fmt.Sprintf("master=room%d.monitor", i), "channels=1", "source_properties=device.description=Ear"+fmt.Sprint(i))
		server.Load("module-loopback", fmt.Sprintf("source=box%d.monitor", i), fmt.Sprintf("sink=room%d", i), fmt.Sprintf("latency_msec=%d", 30+25*i), "adjust_time=0")
		homes[i] = t.TempDir()
		running(t, homes[i], "--set", "audio.microphone=Ear"+fmt.Sprint(i), "--set", "audio.speaker="+out)
	}
	began := time.Now()
	var wg sync.WaitGroup
	for _, home := range homes {
		wg.Go(func() {
			for end := began.Add(seconds * second); time.Now().Before(end); {
				solo(t, home, "", "say", tale(20))
			}
		})
	}
	wg.Wait()
	spoke, woke := time.Since(began)*pairs, 0
	for i, home := range homes {
		n := turns(home)
		woke += n
		t.Logf("pair %d: %d self-wakes; %s", i, n, sounding(t, home).Audio.Echo)
	}
	fmt.Printf("soak: %.1f minutes of Solo's own speech through PulseAudio, on %d pairs of devices at once, its wake word in it: %d self-wakes\n", spoke.Minutes(), pairs, woke)
	if woke > 0 || spoke < 5*time.Minute {
		t.Errorf("%d self-wakes in %v", woke, spoke)
	}
}
