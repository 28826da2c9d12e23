//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/device/pulsetest"
)

// keyboard is a real X server without a monitor, whose keys xdotool holds.
type keyboard struct{ t *testing.T }

// newKeyboard starts one and makes it the display of the test and its children.
func newKeyboard(t *testing.T) keyboard {
	t.Helper()
	for _, need := range []string{"Xvfb", "xdotool"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skipf("skipped: no %s", need)
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	server := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "320x200x8", "-nolisten", "tcp", "-noreset")
	server.ExtraFiles = []*os.File{w}
	err = server.Start()
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait() // it was killed
	})
	number, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("the X server did not start: %v", err)
	}
	t.Setenv("DISPLAY", ":"+strings.TrimSpace(number))
	t.Setenv("WAYLAND_DISPLAY", "")
	t.Setenv("XDG_SESSION_TYPE", "")
	return keyboard{t}
}

// hit lets xdotool use the keys: "keydown F9", "keyup F9", "key F9".
func (k keyboard) hit(text string) {
	k.t.Helper()
	if out, err := exec.Command("xdotool", strings.Fields(text)...).CombinedOutput(); err != nil {
		k.t.Fatalf("xdotool %s: %v: %s", text, err, out)
	}
}

// logged are the lines of a home's log that say a message, each with its fields.
func logged(t *testing.T, home, message string) (lines []lineOf) {
	t.Helper()
	f, err := os.Open(filepath.Join(home, "data", "logs", "solo.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		var l lineOf
		if json.Unmarshal(in.Bytes(), &l) == nil && l.text("message") == message {
			lines = append(lines, l)
		}
	}
	return lines
}

// words are what was heard in the turns so far.
func words(t *testing.T, home string) (heard []string) {
	t.Helper()
	for _, l := range logged(t, home, "words of a turn") {
		heard = append(heard, l.text("heard"))
	}
	return heard
}

// awaitTurns waits until so many turns are over, and a while longer for one that should not be.
func awaitTurns(t *testing.T, home string, n int) {
	t.Helper()
	for end := time.Now().Add(20 * second); turns(home) < n && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
	time.Sleep(second)
}

// speaks says words into the virtual microphone, without a pause before or after them.
func speaks(t *testing.T, server *pulsetest.Server, text string) {
	t.Helper()
	server.PlayIntoMic(audio.Clip{Format: audio.Mono16k, PCM: say(t, "slt", text)})
}

// Only what is said between the key's down and its up is heard: not what was said before, not what is said after.
func TestOnlyWhatIsSaidWhileTheKeyIsHeldIsHeard(t *testing.T) {
	listens(t)
	keys := newKeyboard(t)
	server := pulsetest.Start(t)
	home := t.TempDir()
	_, out := running(t, home, "--set", "ptt.mute_key=F10")
	wants := func(what string, want ...string) {
		t.Helper()
		awaitTurns(t, home, len(want))
		if heard := words(t, home); !slices.Equal(heard, want) {
			t.Fatalf("%s: heard %q, want %q\n%s", what, heard, want, out)
		}
	}
	const sum, day = "what is twelve plus thirty", "what day is it"
	speaks(t, server, "what time is it")
	keys.hit("keydown ctrl keydown alt keydown space") // long enough to repeat itself
	speaks(t, server, sum)
	keys.hit("keyup space keyup alt keyup ctrl")
	speaks(t, server, "what time is it")
	wants("held", sum)

	keys.hit("key F10")
	time.Sleep(second)
	speaks(t, server, "jarvis what time is it")
	wants("muted", sum)
	keys.hit("keydown ctrl keydown alt keydown space")
	speaks(t, server, day)
	keys.hit("keyup space keyup alt keyup ctrl")
	wants("muted, and the key held", sum, day)
	keys.hit("key F10")
	time.Sleep(second)
	speaks(t, server, "jarvis what time is it")
	awaitTurns(t, home, 3)
	if heard := words(t, home); len(heard) != 3 || !strings.Contains(heard[2], "what time is it") {
		t.Errorf("not muted any more: heard %q\n%s", heard, out)
	}
}

// With ptt.mode=toggle the key is hit before and after the words.
func TestTheKeyThatIsHitBeforeAndAfter(t *testing.T) {
	listens(t)
	keys := newKeyboard(t)
	server := pulsetest.Start(t)
	home := t.TempDir()
	_, out := running(t, home, "--set", "ptt.mode=toggle", "--set", "ptt.key=F9", "--set", "dialog.wake_cue=true")
	ctx, stop := context.WithCancel(t.Context())
	speaker := server.RecordSpeaker(ctx, audio.Rate)
	speaks(t, server, "what time is it")
	keys.hit("key F9")
	time.Sleep(second / 2)
	stop()
	if level := audio.Level(speaker().PCM); level < -60 {
		t.Errorf("no sound told that Solo listens: %.0f dBFS", level)
	}
	speaks(t, server, "what is twelve plus thirty")
	keys.hit("key F9")
	speaks(t, server, "what time is it")
	awaitTurns(t, home, 1)
	if heard := words(t, home); !slices.Equal(heard, []string{"what is twelve plus thirty"}) {
		t.Errorf("heard %q\n%s", heard, out)
	}
}

// meter measures the loudspeaker while it plays.
type meter struct {
	mu   sync.Mutex
	loud time.Time // when the last loud 5 ms arrived
}

func newMeter(t *testing.T, server *pulsetest.Server) *meter {
	t.Helper()
	cmd := exec.Command("parec", "--device=vspk.monitor", "--latency-msec=5", "--rate=16000", "--channels=1", "--format=s16le", "--raw")
	cmd.Env = server.Env()
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var m meter
	var wg sync.WaitGroup
	wg.Go(func() {
		raw, pcm := make([]byte, 160), make([]int16, 80)
		for {
			if _, err := io.ReadFull(out, raw); err != nil {
				return
			}
			for i := range pcm {
				pcm[i] = int16(binary.LittleEndian.Uint16(raw[2*i:]))
			}
			if audio.Level(pcm) > -60 {
				m.mu.Lock()
				m.loud = time.Now()
				m.mu.Unlock()
			}
		}
	})
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		wg.Wait()
		_ = cmd.Wait() // it was killed
	})
	return &m
}

// last is when the loudspeaker was last heard.
func (m *meter) last() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.loud
}

// Who presses the key while Solo speaks is not talked over.
func TestTheKeyStopsSpeechAtOnce(t *testing.T) {
	listens(t)
	keys := newKeyboard(t)
	server := pulsetest.Start(t)
	home := t.TempDir()
	running(t, home, "--set", "ptt.key=F9")
	loud := newMeter(t, server)
	var took []time.Duration
	for range 2 {
		keys.hit("keydown F9")
		speaks(t, server, "what can you do")
		keys.hit("keyup F9")
		began := time.Now()
		for end := began.Add(15 * second); loud.last().Before(began) && time.Now().Before(end); {
			time.Sleep(5 * time.Millisecond)
		}
		if loud.last().Before(began) {
			text, _ := os.ReadFile(filepath.Join(home, "data", "logs", "solo.log"))
			t.Fatalf("no answer was heard\n%s", text)
		}
		time.Sleep(second)
		pressed := time.Now()
		keys.hit("keydown F9")
		time.Sleep(second)
		took = append(took, max(0, loud.last().Sub(pressed)).Round(time.Millisecond))
		keys.hit("keyup F9")
	}
	slices.Sort(took)
	t.Logf("from the start of xdotool to silence on the loudspeaker: %v", took)
	if took[len(took)/2] > 500*time.Millisecond {
		t.Errorf("Solo talks on after the key: %v", took)
	}
}

// What keeps the key from being watched is told once, in one sentence, and Solo runs all the same. What Solo itself
// holds is not in its way.
func TestWhatIsInTheWayOfTheKeyIsOneSentence(t *testing.T) {
	listens(t)
	newKeyboard(t)
	pulsetest.Start(t)
	doctor := func(home string) lineOf {
		t.Helper()
		_, lines := solo(t, home, "", "doctor")
		for _, l := range lines {
			if l.text("job") == "keys" {
				return l
			}
		}
		t.Fatal("solo doctor is silent about the keys")
		return nil
	}
	first, second, blind := t.TempDir(), t.TempDir(), t.TempDir()
	_, out := running(t, first)
	if !strings.Contains(out.String(), "or hold ctrl+alt+space while you talk") || strings.Contains(out.String(), "Push to talk is off") {
		t.Errorf("the greeting does not name the key:\n%s", out)
	}
	if l := doctor(first); l["found"] != true {
		t.Errorf("the key of the Solo that runs: %v", l)
	}
	taken := "another program already holds the key ctrl+alt+space"
	_, out = running(t, second)
	if n := strings.Count(out.String(), "Push to talk is off: "+taken+"; choose another one for Solo, or free it there"); n != 1 {
		t.Errorf("that another Solo holds the key was told %d times:\n%s", n, out)
	}
	if l := doctor(second); l["found"] == true || l.text("missing") != taken || l.text("mend") == "" {
		t.Errorf("a key that another Solo holds: %v", l)
	}
	t.Setenv("DISPLAY", "")
	absent := "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set), so no key can be watched"
	if l := doctor(blind); l["found"] == true || l.text("missing") != absent {
		t.Errorf("without a display: %v", l)
	}
	_, out = running(t, blind)
	if n := strings.Count(out.String(), "Push to talk is off: "+absent); n != 1 {
		t.Errorf("that there is no display was told %d times:\n%s", n, out)
	}
}
