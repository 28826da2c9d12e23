//go:build linux

package packages

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// soaking skips a long proof outside of make soak.
func soaking(t *testing.T) {
	t.Helper()
	if os.Getenv("SOLO_SOAK") == "" {
		t.Skip("skipped: a long proof; make soak runs it")
	}
}

// windows is a Windows of wine's, with Solo unpacked in a folder with a space, as people do.
type windows struct {
	t    *testing.T
	root string   // drive C, as Linux sees it
	env  []string // for every program in it
	home string   // of Solo, as Windows sees it
}

// randomSource stands in for the source of random numbers that every Go program loads and wine 8 lacks.
const randomSource = `#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE p, SIZE_T n) { return SystemFunction036(p, (ULONG)n); }
`

const mingw = "x86_64-w64-mingw32-gcc"

// newWindows builds Solo for Windows and unpacks it there.
func newWindows(t *testing.T) *windows {
	t.Helper()
	loader := "/usr/lib/wine/wine64"
	if _, err := os.Stat(loader); err != nil {
		t.Skip("skipped: no wine64")
	}
	if _, err := exec.LookPath(mingw); err != nil {
		t.Skip("skipped: no mingw")
	}
	dir, err := os.MkdirTemp("", "solo-wine-")
	if err != nil {
		t.Fatal(err)
	}
	prefix := filepath.Join(dir, "wine")
	w := &windows{t: t, root: filepath.Join(prefix, "drive_c"), home: `C:\users\solo home`}
	w.env = append(os.Environ(), "WINEPREFIX="+prefix, "WINEARCH=win64", "WINEDEBUG=-all", "WINEDLLOVERRIDES=mscoree,mshtml=", "DISPLAY=", "HOME="+dir)
	t.Cleanup(func() {
		end := exec.Command("wineserver", "-k")
		end.Env = w.env
		_ = end.Run() // it may have ended
		_ = os.RemoveAll(dir)
	})
	w.must(exec.Command(loader, "wineboot", "-i"))
	source := filepath.Join(dir, "random.c")
	if err := os.WriteFile(source, []byte(randomSource), 0o600); err != nil {
		t.Fatal(err)
	}
	w.must(exec.Command(mingw, "-O2", "-shared", "-o", filepath.Join(w.root, "windows", "system32", "bcryptprimitives.dll"), source, "-ladvapi32"))
	w.build()
	return w
}

// build builds what is handed out, and the stand-ins.
func (w *windows) build() {
	t := w.t
	t.Helper()
	built, err := filepath.Abs("../../dist/windows")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("../../scripts/windows.sh", built).CombinedOutput()
	if err != nil {
		t.Fatalf("scripts/windows.sh: %v\n%s", err, out)
	}
	if err := os.CopyFS(w.path(`C:\Program Files\Solo`), os.DirFS(built)); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", w.path(`C:\standin.exe`), "./standin")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=windows", "GOARCH=amd64")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("the stand-in: %v\n%s", err, out)
	}
}

// path is where Linux sees a file of Windows'.
func (w *windows) path(name string) string {
	return filepath.Join(w.root, filepath.FromSlash(strings.ReplaceAll(strings.TrimPrefix(name, `C:\`), `\`, "/")))
}

// put writes a file of Windows'.
func (w *windows) put(name string, text []byte) {
	w.t.Helper()
	err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755)
	if err == nil {
		err = os.WriteFile(w.path(name), text, 0o755) //nolint:gosec // some are programs
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// play puts a stand-in under the name of a program.
func (w *windows) play(name string) {
	w.t.Helper()
	text, err := os.ReadFile(w.path(`C:\standin.exe`))
	if err != nil {
		w.t.Fatal(err)
	}
	w.put(name, text)
}

func (w *windows) must(cmd *exec.Cmd) {
	w.t.Helper()
	cmd.Env = w.env
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
}

const program = `C:\Program Files\Solo\solo.exe`

// command is a program of Windows'.
func (w *windows) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "/usr/lib/wine/wine64", args...)
	cmd.Env, cmd.WaitDelay = w.env, 5*time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd
}

// solo runs a command of Solo's to its end and returns the objects that it printed.
func (w *windows) solo(args ...string) (lines []map[string]any) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), 2*time.Minute)
	defer cancel()
	cmd := w.command(ctx, append([]string{program, "--json", "--home", w.home}, args...)...)
	out, err := cmd.Output()
	if ctx.Err() != nil {
		w.t.Fatalf("solo %v did not end: %v\n%s", args, err, out)
	}
	return objects(w.t, out)
}

func objects(t *testing.T, text []byte) (lines []map[string]any) {
	t.Helper()
	for l := range bytes.Lines(text) {
		var o map[string]any
		if err := json.Unmarshal(bytes.TrimSpace(l), &o); err != nil {
			t.Errorf("%q is no object: %v", l, err)
			continue
		}
		lines = append(lines, o)
	}
	return lines
}

// first is the first object of an event, nil for none.
func first(lines []map[string]any, event string) map[string]any {
	for _, l := range lines {
		if l["event"] == event {
			return l
		}
	}
	return nil
}

func said(o map[string]any, key string) string { s, _ := o[key].(string); return s }

// living is a Solo that runs.
type living struct {
	w     *windows
	cmd   *exec.Cmd
	mu    sync.Mutex
	out   bytes.Buffer
	file  string // where its output goes instead, "" for nowhere
	url   string
	token string
}

func (l *living) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(p)
}

func (l *living) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != "" {
		text, _ := os.ReadFile(l.file) // there is none yet
		return strings.ReplaceAll(string(text), "\r", "")
	}
	return l.out.String()
}

// start runs solo run and waits until it is ready.
func (w *windows) start(args ...string) *living {
	w.t.Helper()
	l := &living{w: w, cmd: w.command(context.Background(), append(w.commandLine(), args...)...)}
	return l.begin()
}

// inFront does the same in a window of wine's desktop, which gives its output to nobody.
func (w *windows) inFront(args ...string) *living {
	w.t.Helper()
	var line strings.Builder
	for _, a := range append(w.commandLine(), args...) {
		line.WriteString(`"` + a + `" `)
	}
	w.put(`C:\run.bat`, []byte("@"+line.String()+">C:\\out.txt 2>&1\r\n"))
	l := &living{w: w, file: w.path(`C:\out.txt`), cmd: w.command(context.Background(), "explorer", "/desktop=solo,640x480", "cmd", "/c", `C:\run.bat`)}
	return l.begin()
}

// commandLine is the command line of a Solo that runs.
func (w *windows) commandLine() []string {
	return []string{program, "--json", "--home", w.home, "--set", "log.level=debug", "run", "--no-input", "--port", "0"}
}

func (l *living) begin() *living {
	w := l.w
	w.t.Helper()
	l.cmd.Stdout, l.cmd.Stderr = l, l
	if err := l.cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(l.kill)
	l.url = said(l.await("listening"), "url")
	token, err := os.ReadFile(w.path(said(first(objects(w.t, l.whole()), "listening"), "token_file")))
	if err != nil {
		w.t.Fatal(err)
	}
	l.token = strings.TrimSpace(string(token))
	l.await("ready")
	return l
}

// whole are the lines so far that are whole and objects.
func (l *living) whole() []byte {
	var b []byte
	for line := range strings.Lines(l.text()) {
		if strings.HasPrefix(line, "{") && strings.HasSuffix(line, "\n") {
			b = append(b, line...)
		}
	}
	return b
}

// await waits for a line of an event.
func (l *living) await(event string) map[string]any {
	l.w.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if o := first(objects(l.w.t, l.whole()), event); o != nil {
			return o
		}
	}
	l.w.t.Fatalf("no line of %s in\n%s", event, l.text())
	return nil
}

// kill ends it as the Task Manager does, with all that it has.
func (l *living) kill() {
	_ = l.cmd.Process.Kill() // it may have ended
	_ = l.cmd.Wait()
	l.w.endAll("solo.exe")
}

// ask is one request at its web door.
func (l *living) ask(method, path, body string) (int, string) {
	l.w.t.Helper()
	r, err := http.NewRequestWithContext(l.w.t.Context(), method, l.url+path, strings.NewReader(body))
	if err != nil {
		l.w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+l.token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 1<<20)) // what came is judged
	return answer.StatusCode, string(text)
}

// log is the log of Solo's home.
func (w *windows) log() string {
	text, _ := fs.ReadFile(os.DirFS(w.path(w.home)), "data/logs/solo.log")
	return string(text)
}

// flite makes speech; a test without it is skipped.
func flite(t *testing.T, text string) []int16 {
	t.Helper()
	program, err := exec.LookPath("flite")
	if err != nil {
		t.Skip("skipped: no flite")
	}
	path := filepath.Join(t.TempDir(), "said.wav")
	if out, err := exec.Command(program, "-voice", "slt", "-t", text, "-o", path).CombinedOutput(); err != nil {
		t.Fatalf("flite: %v: %s", err, out)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	clip, err := audio.ReadWAV(f)
	if err != nil {
		t.Fatal(err)
	}
	return clip.Mono16k().PCM
}

// order is a wake word and an order in one breath, with silence around.
func order(t *testing.T, text string) audio.Clip {
	quiet := func(d time.Duration) []int16 { return make([]int16, audio.Samples(d, audio.Rate)) }
	pcm := quiet(500 * time.Millisecond)
	pcm = append(append(pcm, flite(t, "jarvis")...), flite(t, text)...)
	return audio.Clip{Format: audio.Mono16k, PCM: append(pcm, quiet(2*time.Second)...)}
}
