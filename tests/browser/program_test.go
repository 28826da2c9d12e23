//go:build linux

package browser

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// program is a Solo that runs, in a process and a home of its own.
type program struct {
	t    *testing.T
	home string
	args []string
	url  string
	file string // that holds the token

	cmd *exec.Cmd
	out *lines
}

// start runs a Solo on a free port, without sound devices and without language models but those that args set.
func start(t *testing.T, args ...string) *program {
	t.Helper()
	chromium(t)
	if _, err := os.Stat(filepath.Join("..", "..", "dashboard", "dist", "page", "index.html")); err != nil {
		t.Skip("skipped: the page is not built; make page")
	}
	p := &program{t: t, home: t.TempDir(), args: append([]string{"--set", "llama.use=off", "--set", "ollama.use=off"}, args...)}
	p.run("0")
	t.Cleanup(p.kill)
	return p
}

// run starts the process and waits until its door is open.
func (p *program) run(port string) {
	p.t.Helper()
	args := append([]string{"--json", "--home", p.home, "--set", "log.level=debug"}, p.args...)
	p.cmd = exec.Command(binary(p.t), append(args, "run", "--port", port)...)
	p.cmd.Env = append(os.Environ(), "DISPLAY=", "WAYLAND_DISPLAY=", "PULSE_SERVER=unix:/nowhere", "OLLAMA_HOST=")
	p.out = &lines{}
	p.cmd.Stdout, p.cmd.Stderr = p.out, p.out
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	heard := p.await("listening")
	p.url, p.file = heard["url"].(string), heard["token_file"].(string)
	p.await("ready")
}

// kill ends the process as a crash does.
func (p *program) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	_ = p.cmd.Wait()
	if p.t.Failed() {
		p.t.Logf("solo said:\n%s", p.out.text())
	}
}

// restart starts a killed program again, at the same address.
func (p *program) restart() {
	p.t.Helper()
	p.run(p.url[strings.LastIndex(p.url, ":")+1:])
}

// await waits for a printed object with this event.
func (p *program) await(event string) map[string]any {
	p.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		for _, o := range p.out.objects() {
			if o["event"] == event {
				return o
			}
		}
		if p.cmd.ProcessState != nil {
			break
		}
	}
	p.t.Fatalf("solo does not say %q:\n%s", event, p.out.text())
	return nil
}

// log is the program's log.
func (p *program) log() string {
	text, _ := os.ReadFile(filepath.Join(p.home, "data", "logs", "solo.log"))
	return string(text)
}

// ask asks the door, with the token.
func (p *program) ask(method, path string, in, out any) {
	p.t.Helper()
	body, err := json.Marshal(in)
	if err != nil {
		p.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.url+path, bytes.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	p.send(r, out)
}

// send asks the door, with the token, and reads the answer into out, where there is one.
func (p *program) send(r *http.Request, out any) {
	p.t.Helper()
	token, err := os.ReadFile(p.file)
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 300 {
		p.t.Fatalf("%s %s: %s: %s, %v", r.Method, r.URL.Path, answer.Status, said, err)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(said, out); err != nil {
		p.t.Fatalf("%s %s: %v: %s", r.Method, r.URL.Path, err, said)
	}
}

// link is a fresh one-time link into the page.
func (p *program) link() string {
	p.t.Helper()
	var link struct{ URL string }
	p.ask(http.MethodPost, "/links", struct{}{}, &link)
	return link.URL
}

// lines are what a process prints, read while it prints.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *lines) objects() (all []map[string]any) {
	for line := range strings.Lines(l.text()) {
		var o map[string]any
		if json.Unmarshal([]byte(line), &o) == nil {
			all = append(all, o)
		}
	}
	return all
}
