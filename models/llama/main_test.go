package llama

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/solo-assistant/solo/core/proc"
	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/gpu"
	"github.com/solo-assistant/solo/models/llama/internal/fit"
	"github.com/solo-assistant/solo/models/llama/llamatest"
)

// TestMain also plays a small Solo that serves the story model until it is killed: see TestDiesWithSolo.
func TestMain(m *testing.M) {
	if os.Getenv(playSolo) != "" {
		c := Config{Settings: Settings{Server: os.Getenv(playSolo), Model: os.Getenv(playSolo + "_MODEL"), Context: 512, Threads: 1}, Cards: noCards}
		s, err := New(c)
		if err == nil {
			go func() {
				for ; s.Pid() == 0; time.Sleep(time.Millisecond) {
				}
				fmt.Println("pid", s.Pid())
			}()
			err = s.Serve(context.Background())
		}
		fmt.Println(err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

const playSolo = "SOLO_TEST_PLAY"

func noCards(context.Context) ([]gpu.Card, error) { return nil, gpu.ErrNone }

// config is one for the story model.
func config4k(t testing.TB) Config {
	return Config{Settings: Settings{Server: llamatest.Program(t), Model: llamatest.Model(t), Context: 2048, Threads: 1},
		Data: t.TempDir(), Cards: noCards, Log: zerolog.Nop()}
}

func build4k(t testing.TB, c Config) *Server {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// tended is a server in a tree.
type tended struct {
	*Server
	tree *supervise.Tree
	mu   sync.Mutex
	ups  []time.Time
	stop func()
}

// serve keeps a server running until the test ends, and waits until it is up.
func serve(t testing.TB, s *Server) *tended {
	t.Helper()
	d := begin(t, s)
	d.waitUp(t, 1)
	return d
}

func begin(t testing.TB, s *Server) *tended {
	t.Helper()
	d := &tended{Server: s}
	d.tree = supervise.New(supervise.Config{Watch: func(st supervise.Status) {
		if st.State == supervise.Up {
			d.mu.Lock()
			d.ups = append(d.ups, time.Now())
			d.mu.Unlock()
		}
	}}, s.Keep())
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- d.tree.Serve(ctx) }()
	d.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(d.stop)
	return d
}

// waitUp waits until the server was up so often.
func (d *tended) waitUp(t testing.TB, times int) time.Time {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		d.mu.Lock()
		n := len(d.ups)
		d.mu.Unlock()
		if n >= times {
			return d.ups[times-1]
		}
	}
	t.Fatalf("not up: %+v", d.tree.States())
	return time.Time{}
}

func (d *tended) life() *life {
	d.Server.mu.Lock()
	defer d.Server.mu.Unlock()
	return d.now
}

func (d *tended) kill(t testing.TB) (pid int) {
	t.Helper()
	v := d.life()
	if v == nil {
		t.Fatal("there is no server to kill")
		return 0
	}
	pid = v.pid()
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Signal(syscall.SIGKILL)
	}
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// gone is whether a process is.
func gone(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(b), ") Z ")
}

func story(text string) models.Request {
	return models.Request{Messages: []models.Message{{Role: models.System, Text: "You tell stories."}, {Role: models.User, Text: text}}, MaxTokens: 64}
}

// told reads an answer to its end.
func told(ctx context.Context, s *Server, r models.Request) (text string, u models.Usage, err error) {
	for d, err := range s.Stream(ctx, r) {
		if err != nil {
			return text, u, err
		}
		text += d.Text
		if d.Usage != nil {
			u = *d.Usage
		}
	}
	if u.Engine == "" {
		return text, u, errors.New("no usage was told")
	}
	return text, u, nil
}

var plainClient = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

func everythingOnOneCard() []fit.Device { return []fit.Device{{Name: "CUDA0", Free: 8 << 30}} }

func exit(words ...string) error {
	return &proc.Exit{Name: "llama-server", Err: errors.New("exit status 1"), Words: words}
}
