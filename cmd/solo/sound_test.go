package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/device/pulsetest"
)

// running starts `solo run` on the virtual devices and waits until it listens.
func running(t *testing.T, home string, args ...string) (*exec.Cmd, *lockedBuffer) {
	t.Helper()
	cmd, out := process(t, home, append(args, "--set", "log.level=debug", "run")...) // it finds PULSE_SERVER in the environment
	await(t, out, `"ready"`)
	return cmd, out
}

// turns counts the turns in the log of a home.
func turns(home string) int {
	text, _ := os.ReadFile(filepath.Join(home, "data", "logs", "solo.log"))
	return bytes.Count(text, []byte(`"message":"turn"`))
}

// ask speaks into the virtual microphone and returns what the virtual speaker plays until the turn is over.
func ask(t *testing.T, server *pulsetest.Server, home, text string) audio.Clip {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	before := turns(home)
	heard := server.RecordSpeaker(ctx, audio.Rate)
	server.PlayIntoMic(audio.Clip{Format: audio.Mono16k, PCM: join(quiet(second/2), say(t, "slt", "jarvis"), say(t, "slt", text), quiet(second/2))})
	for end := time.Now().Add(15 * second); turns(home) == before && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
	time.Sleep(second / 2) // what the devices still hold
	cancel()
	return heard()
}

// transcript is what the recogniser's dictation makes of a clip.
func transcript(t *testing.T, c audio.Clip) string {
	t.Helper()
	_, lines := solo(t, t.TempDir(), "", "transcribe", record(t, c.Mono16k().PCM))
	for _, l := range only(lines, "transcript") {
		return l.text("text")
	}
	return ""
}

// The whole of Solo through real sound devices: spoken to, it answers aloud, and its answer is understood.
func TestSpokenTurnThroughSoundDevices(t *testing.T) {
	listens(t)
	server := pulsetest.Start(t)
	home := t.TempDir()
	_, out := running(t, home)
	answer := ask(t, server, home, "what day is it")
	said := transcript(t, answer)
	t.Logf("recognised in the recording of the speaker: %q", said)
	if day := strings.ToLower(time.Now().Format("Monday")); !strings.Contains(said, day) {
		t.Errorf("the answer %q does not name %s\n%s", said, day, out)
	}
}

// A microphone that is pulled and put back, and a sound server that dies, cost a moment and no more.
func TestTheNextTurnWorksAfterTheDevicesWereGone(t *testing.T) {
	listens(t)
	server := pulsetest.Start(t)
	home := t.TempDir()
	_, out := running(t, home)
	for name, disturb := range map[string]func(){
		"microphone pulled": func() {
			server.Unplug(pulsetest.Mic)
			time.Sleep(time.Second)
			server.Plug()
		},
		"sound server restarted": func() { server.Restart(500 * time.Millisecond) },
		"speaker pulled while it speaks": func() {
			server.PlayIntoMic(audio.Clip{Format: audio.Mono16k, PCM: join(say(t, "slt", "jarvis"), say(t, "slt", "what can you do"), quiet(second))})
			time.Sleep(time.Second)
			server.Unplug(pulsetest.Speaker)
			time.Sleep(time.Second)
			server.Plug()
		},
	} {
		disturb()
		time.Sleep(3 * time.Second) // the time that a recovery may take
		answer := ask(t, server, home, "what time is it")
		if audio.Level(answer.PCM) < -60 {
			text, _ := os.ReadFile(filepath.Join(home, "data", "logs", "solo.log"))
			t.Errorf("%s: no answer was heard after it\n%s\n%s", name, out, text)
		}
	}
}
