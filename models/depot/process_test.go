package depot

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// child is the test binary as a process of its own that pulls one model.
func child() {
	d, err := New(Config{Data: os.Getenv("DEPOT_TEST_DATA"), Own: os.Getenv("DEPOT_TEST_OWN")})
	if err == nil {
		_, err = d.Pull(context.Background(), Order{Name: os.Getenv("DEPOT_TEST_CHILD")})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (r *rig) child(name string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "DEPOT_TEST_CHILD="+name, "DEPOT_TEST_DATA="+r.conf.Data, "DEPOT_TEST_OWN="+r.conf.Own)
	cmd.Stderr = os.Stderr
	return cmd
}

// A process that is killed in the middle leaves nothing half in place, and the next goes on where it was.
func TestKilled(t *testing.T) {
	for name, known := range map[string]bool{"known by hash": true, "known by tag": false} {
		t.Run(name, func(t *testing.T) {
			b := bytesOf(40, 40_000_000)
			var sent atomic.Int64
			half := make(chan struct{})
			var once sync.Once
			killed := make(chan struct{})
			url := serve(t, func(w http.ResponseWriter, r *http.Request) {
				good(b, `"x"`)(writer{w, func(p []byte) (int, error) {
					n, err := w.Write(p)
					if sent.Add(int64(n)) > 38_000_000 {
						once.Do(func() { close(half); <-killed })
					}
					return n, err
				}}, r)
			})
			more := ""
			if known {
				more = verified(b)
			}
			r := newRig(t, entry("ears", len(b), more, url+"/w.bin"))
			cmd := r.child("ears")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			<-half
			part := filepath.Join(r.parts(), "ears--weights.bin.part")
			for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
				if info, err := os.Stat(part); err == nil && info.Size() >= 36_000_000 {
					break
				}
			}
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // it was killed
			close(killed)
			r.absent("ears")
			there := int64(0)
			if info, err := os.Stat(part); err == nil {
				there = info.Size()
			}
			sent.Store(0)
			out := r.pull("ears")
			r.holds("ears", b)
			want := there
			if !known {
				want = syncEvery // what surely reached the disk
			}
			if out.Saved < want-1<<20 || out.Saved > there {
				t.Errorf("%d bytes were there, and %d did not have to come again", there, out.Saved)
			}
		})
	}
}

type writer struct {
	http.ResponseWriter
	write func([]byte) (int, error)
}

func (w writer) Write(b []byte) (int, error) { return w.write(b) }

// Four processes that want the same model fetch it once.
func TestProcessesAtOnce(t *testing.T) {
	b := bytesOf(41, 5_000_000)
	s := &cutting{b: b, piece: 1 << 30}
	r := newRig(t, entry("ears", len(b), verified(b), serve(t, s.ServeHTTP)+"/w.bin"))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := r.child("ears").Run(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	r.holds("ears", b)
	if s.asked.Load() != 1 || s.sent.Load() != int64(len(b)) {
		t.Errorf("asked %d times, %d bytes", s.asked.Load(), s.sent.Load())
	}
}
