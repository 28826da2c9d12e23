//go:build linux

package packages

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/device/pulsetest"
	"github.com/solo-assistant/solo/tests/corpus"
)

// Solo for Windows, built here, does its work under wine. What wine lacks is in docs/windows.md.
func TestSoakWindows(t *testing.T) {
	soaking(t)
	server := pulsetest.Start(t) // before wine, which looks for sound once
	w := newWindows(t)
	for _, step := range []struct {
		name string
		do   func(t *testing.T, w *windows)
	}{
		{"starts", starts}, {"finds its engines", findsEngines}, {"finds programs in the data folder", findsPrograms},
		{"asks a language model's program", asksModel}, {"talks from a recording", talks}, {"hears by a program", hearsByProgram},
		{"answers at its door and keeps what it was told", keeps}, {"is started at login", loggedIn}, {"makes models smaller", quantizes},
		{"hears through WASAPI", func(t *testing.T, w *windows) { throughWASAPI(t, w, server) }},
		{"hears while a key is held", func(t *testing.T, w *windows) { whileKeyHeld(t, w, server) }},
	} {
		t.Run(step.name, func(t *testing.T) {
			inner := *w
			inner.t = t
			step.do(t, &inner)
		})
	}
}

func starts(t *testing.T, w *windows) {
	info, err := os.Stat(w.path(program))
	if err != nil {
		t.Fatal(err)
	}
	v := first(w.solo("version"), "version")
	if said(v, "system") != "windows/amd64" || said(v, "built") != "sphinx cgo" {
		t.Fatalf("got %v", v)
	}
	t.Logf("soak: wine: solo.exe has %d MB and starts", info.Size()>>20)
	if l := first(w.solo("when", "tomorrow at nine", "--now", "2026-11-21T12:00:00Z", "--tz", "Europe/Berlin"), "when"); said(l, "start") != "2026-11-22T09:00:00+01:00" {
		t.Errorf("a zone of its own: %v", l)
	}
}

// examine is what the doctor says, by the engine's name.
func (w *windows) examine() map[string]map[string]any {
	w.t.Helper()
	found := map[string]map[string]any{}
	for _, l := range w.solo("doctor") {
		found[said(l, "name")] = l
	}
	return found
}

func findsEngines(t *testing.T, w *windows) {
	found := w.examine()
	for _, name := range []string{"porcupine", "webrtc vad", "pocketsphinx", "push to talk", "sqlite"} {
		if found[name]["found"] != true {
			t.Errorf("%s: %v", name, found[name])
		}
	}
	t.Log("soak: wine: doctor finds Porcupine, WebRTC's VAD, pocketsphinx with its model beside the program, the key, SQLite")
}

const data = `C:\users\solo home\data\`

func findsPrograms(t *testing.T, w *windows) {
	w.play(data + `piper\piper\piper.exe`)
	w.put(data+`models\piper\en_US-standin-medium.onnx`, []byte("no voice"))
	w.put(data+`models\piper\en_US-standin-medium.onnx.json`, []byte(`{"audio":{"sample_rate":16000,"quality":"medium"},"espeak":{"voice":"en-us"},"language":{"code":"en_US"},"num_speakers":1}`))
	w.play(data + `whisper-b5130-cpu\Release\whisper-server.exe`)
	w.put(data+`whisper-b5130-cpu\Release\hears.txt`, []byte("what is twelve plus thirty"))
	w.put(data+`models\whisper\ggml-standin.en.bin`, append([]byte("lmgg"), make([]byte, 2<<20)...))
	w.play(data + `llama-b11146-cpu\llama-server.exe`)
	if model, err := os.ReadFile(filepath.Join(corpus.Dir(t), "llm", "stories260K-ctx4k.gguf")); err == nil {
		w.put(data+`models\stories260K.gguf`, model)
	}
	found := w.examine()
	for _, name := range []string{"piper", "whisper-server", "llama-server"} {
		if found[name]["found"] != true {
			t.Errorf("%s: %v", name, found[name])
		}
	}
	t.Log("soak: wine: piper.exe, whisper-server.exe and llama-server.exe (stand-ins) are found in the data folder, as the official archives lie there")
}

func asksModel(t *testing.T, w *windows) {
	lines := w.solo("ask", "why is the sky blue")
	all := fmt.Sprint(lines)
	if !strings.Contains(all, "scattered by the air") {
		t.Fatalf("got %v", all)
	}
	t.Log("soak: wine: solo ask starts llama-server.exe (a stand-in) and has its answer")
}

// converse holds a session from a recording and returns its lines and what was said.
func converse(t *testing.T, w *windows, text string, args ...string) ([]map[string]any, audio.Clip) {
	t.Helper()
	var wav bytes.Buffer
	in, out := `C:\users\question.wav`, `C:\users\answer.wav`
	f, err := os.Create(w.path(in))
	if err == nil {
		err = audio.WriteWAV(f, order(t, text))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	lines := w.solo(append(args, "talk", "--in", in, "--out", out)...)
	answer, err := os.ReadFile(w.path(out))
	if err != nil {
		t.Fatalf("%v: %v", err, lines)
	}
	wav.Write(answer)
	clip, err := audio.ReadWAV(&wav)
	if err != nil {
		t.Fatal(err)
	}
	return lines, clip
}

func talks(t *testing.T, w *windows) {
	lines, clip := converse(t, w, "what day is it", "--set", "whisper.use=off")
	turn, heard := first(lines, "turn"), first(lines, "heard")
	if said(heard, "text") != "what day is it" || !strings.HasPrefix(said(heard, "engine"), "pocketsphinx") || said(turn, "outcome") != "answered" {
		t.Fatalf("got %v", lines)
	}
	if audio.Level(clip.PCM) < -60 {
		t.Errorf("the answer has no sound")
	}
	t.Logf("soak: wine: a session from a WAV: Porcupine woke, pocketsphinx heard %q, %q was spoken by piper.exe (a stand-in); %v ms after the question's end",
		said(heard, "text"), said(first(lines, "reply"), "text"), turn["total_ms"])
}

func hearsByProgram(t *testing.T, w *windows) {
	lines, _ := converse(t, w, "what is twelve plus thirty")
	heard := first(lines, "heard")
	if !strings.Contains(said(heard, "engine"), "whisper") || !strings.Contains(said(first(lines, "reply"), "text"), "42") {
		t.Fatalf("got %v", lines)
	}
	t.Log("soak: wine: the same through whisper-server.exe (a stand-in)")
}

const whisperUp = `"service":"whisper","state":"up"`

// keeps kills Solo right after it confirmed something, again and again: nothing is lost, and no child is left.
func keeps(t *testing.T, w *windows) {
	const rounds = 5
	var ready []time.Duration
	for i := range rounds {
		began := time.Now()
		up := strings.Count(w.log(), whisperUp)
		l := w.start()
		ready = append(ready, time.Since(began))
		if code, text := l.ask("GET", "/healthz", ""); code != 200 {
			t.Fatalf("/healthz: %d %s", code, text)
		}
		if code, text := l.ask("GET", "/status", ""); code != 200 || !strings.Contains(text, "windows") && !strings.Contains(text, "uptime") {
			t.Fatalf("/status: %d %s", code, text)
		}
		if code, text := l.ask("POST", "/chat", fmt.Sprintf(`{"message":"add buy lamp %d to my tasks"}`, i+1)); code != 200 {
			t.Fatalf("/chat: %d %s", code, text)
		}
		// One that is just being started when Solo dies is left suspended by wine.
		for end := time.Now().Add(10 * time.Second); strings.Count(w.log(), whisperUp) == up && time.Now().Before(end); {
			time.Sleep(20 * time.Millisecond)
		}
		l.kill()
		if left := w.left("piper.exe", "whisper-server.exe", "llama-server.exe"); len(left) > 0 {
			for pid, line := range left {
				state, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // it may have ended
				t.Errorf("round %d: left behind: %s\n%s", i+1, line, state)
			}
			w.endAll("piper.exe", "whisper-server.exe", "llama-server.exe")
		}
	}
	tasks := fmt.Sprint(w.solo("understand", "what are my tasks"))
	for i := range rounds {
		if !strings.Contains(tasks, fmt.Sprintf("lamp %d", i+1)) {
			t.Errorf("task %d is lost: %s", i+1, tasks)
		}
	}
	if t.Failed() {
		return
	}
	t.Logf("soak: wine: %d times up (%v the first time), /healthz and /status answered, a task kept, and killed: none lost, no child left", rounds, ready[0].Round(10*time.Millisecond))
}

// left are the programs of this home that still run some seconds later, by their number.
func (w *windows) left(names ...string) (list map[int]string) {
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if list = w.running(names...); len(list) == 0 {
			return nil
		}
	}
	return list
}

func (w *windows) running(names ...string) map[int]string {
	list := map[int]string{}
	found, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range found {
		line, _ := os.ReadFile(path) // it may have ended
		for _, name := range names {
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil && bytes.Contains(line, []byte(w.home)) && bytes.Contains(line, []byte(name)) {
				list[pid] = string(line)
			}
		}
	}
	return list
}

// endAll ends the programs of this home, as the Task Manager does.
func (w *windows) endAll(names ...string) {
	for pid := range w.running(names...) {
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
	}
}

func loggedIn(t *testing.T, w *windows) {
	on := first(w.solo("autostart", "on"), "autostart")
	command := said(on, "command")
	if on["on"] != true || said(on, "how") != "registry" || !strings.Contains(command, `"C:\Program Files\Solo\solow.exe" --home "C:\users\solo home" run --no-input`) {
		t.Fatalf("got %v", on)
	}
	query, err := w.command(t.Context(), "reg", "query", `HKCU\Software\Microsoft\Windows\CurrentVersion\Run`).Output()
	if err != nil || !bytes.Contains(query, []byte("solow.exe")) {
		t.Errorf("reg query: %v\n%s", err, query)
	}
	if err := w.command(t.Context(), `C:\Program Files\Solo\solow.exe`, "--home", w.home, "run", "--no-input").Run(); err != nil {
		t.Fatalf("solow.exe: %v", err)
	}
	up := false
	for end := time.Now().Add(40 * time.Second); !up && time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		up = first(w.solo("dashboard", "--no-open"), "link") != nil // given by a Solo that runs alone
	}
	w.endAll("solo.exe")
	if !up {
		t.Errorf("solow.exe started no Solo:\n%s", w.log())
	}
	if off := first(w.solo("autostart", "off"), "autostart"); off["on"] != false || said(off, "command") != "" {
		t.Errorf("off: %v", off)
	}
	if t.Failed() {
		return
	}
	t.Log("soak: wine: autostart writes and removes HKCU Run, and solow.exe starts what stands there")
}

func quantizes(t *testing.T, w *windows) {
	local, err := w.command(t.Context(), "cmd", "/c", "echo %LocalAppData%").Output()
	if err != nil {
		t.Fatal(err)
	}
	w.play(strings.TrimSpace(string(local)) + `\solo\llama-b11146-cpu\llama-quantize.exe`)
	w.put(`C:\users\large model.gguf`, []byte("GGUF 12345678"))
	script, err := os.ReadFile("../../scripts/quantize.bat")
	if err != nil {
		t.Fatal(err)
	}
	w.put(`C:\quantize.bat`, bytes.ReplaceAll(bytes.ReplaceAll(script, []byte("\r"), nil), []byte("\n"), []byte("\r\n")))
	run := func(args ...string) ([]byte, error) {
		return w.command(t.Context(), append([]string{"cmd", "/c", `C:\quantize.bat`}, args...)...).CombinedOutput()
	}
	out, err := run(`C:\users\large model.gguf`, `C:\users\small model.gguf`)
	small, readErr := os.ReadFile(w.path(`C:\users\small model.gguf`))
	if err != nil || readErr != nil || !strings.HasSuffix(string(small), "Q4_K_M") {
		t.Errorf("%v, %v: %q\n%s", err, readErr, small, out)
	}
	if out, err := run(`C:\users\none.gguf`, `C:\x.gguf`); err == nil || !bytes.Contains(out, []byte("There is no")) {
		t.Errorf("a model that is not there: %v\n%s", err, out)
	}
	if out, err := run(); err == nil || !bytes.Contains(out, []byte("usage")) {
		t.Errorf("without arguments: %v\n%s", err, out)
	}
	if t.Failed() {
		return
	}
	t.Log("soak: wine: quantize.bat finds and runs llama-quantize.exe (a stand-in)")
}

// turns counts the turns in the log.
func (w *windows) turns() int { return strings.Count(w.log(), `"message":"turn"`) }

// turn waits for one more turn than there were.
func (w *windows) turn(before int) bool {
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if w.turns() > before {
			return true
		}
	}
	return false
}

func throughWASAPI(t *testing.T, w *windows, server *pulsetest.Server) {
	devices := w.solo("devices")
	if first(devices, "device") == nil {
		t.Skipf("skipped: this wine has no sound: %v", devices)
	}
	w.start("--set", "whisper.use=off")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	heard := server.RecordSpeaker(ctx, audio.Rate)
	before := w.turns()
	server.PlayIntoMic(order(t, "what day is it"))
	ok := w.turn(before)
	time.Sleep(time.Second) // what the devices still hold
	cancel()
	clip := heard()
	if !ok || !strings.Contains(w.log(), "what day is it") {
		t.Fatalf("no turn:\n%s", w.log())
	}
	if audio.Level(clip.PCM) < -60 {
		t.Error("no answer was heard from the loudspeaker")
	}
	t.Logf("soak: wine: WASAPI: %d devices; a question played into PulseAudio's virtual microphone was heard, understood and answered through the loudspeaker (%.0f dB)", len(devices), audio.Level(clip.PCM))
}

// whileKeyHeld needs no wake word. wine hears keys only while a window of its own is in front, so Solo runs in one.
func whileKeyHeld(t *testing.T, w *windows, server *pulsetest.Server) {
	for _, need := range []string{"Xvfb", "xdotool"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skip("skipped: no " + need)
		}
	}
	display := screen(t)
	w.env = append(w.env, "DISPLAY="+display)
	w.inFront("--set", "whisper.use=off")
	time.Sleep(2 * time.Second) // until the window is in front
	key := func(action string) {
		cmd := exec.Command("xdotool", action, "ctrl+alt+space")
		cmd.Env = append(os.Environ(), "DISPLAY="+display)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("xdotool: %v: %s", err, out)
		}
	}
	before := w.turns()
	key("keydown")
	time.Sleep(300 * time.Millisecond)
	server.PlayIntoMic(audio.Clip{Format: audio.Mono16k, PCM: flite(t, "what time is it")})
	time.Sleep(200 * time.Millisecond)
	key("keyup")
	if !w.turn(before) || !strings.Contains(w.log(), "what time is it") {
		t.Fatalf("no turn by the key:\n%s", w.log())
	}
	t.Log("soak: wine: what is said while Ctrl+Alt+Space is held is heard without a wake word")
}

// screen is an X server without a monitor.
func screen(t *testing.T) string {
	t.Helper()
	r, pipe, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	x := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset")
	x.ExtraFiles = []*os.File{pipe}
	err = x.Start()
	pipe.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = x.Process.Kill()
		_ = x.Wait()
	})
	var n int
	if _, err := fmt.Fscan(r, &n); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(":%d", n)
}
