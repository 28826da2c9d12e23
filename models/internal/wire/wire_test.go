package wire

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/models"
)

// fickle answers the first request of each connection with the promise to keep it, and closes it at the second one.
func fickle(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	t.Cleanup(func() {
		l.Close()
		wg.Wait()
	})
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer c.Close()
				lines := bufio.NewReader(c)
				if r, err := http.ReadRequest(lines); err == nil {
					_, _ = io.Copy(io.Discard, r.Body)
					fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nKeep-Alive: timeout=5, max=100\r\n\r\n{}")
					_, _ = http.ReadRequest(lines)
				}
			})
		}
	})
	return "http://" + l.Addr().String()
}

// Posts one after the other succeed, wherever the server is, though it closes connections that it promised to keep.
func TestConnectionsThatAreNotKept(t *testing.T) {
	url := fickle(t)
	for _, cloud := range []string{"", "yes"} {
		p, err := New(Config{Name: "x", URL: url, Cloud: cloud})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 200 {
			if err := p.Post(t.Context(), "/", 1, &struct{}{}); err != nil {
				t.Fatalf("cloud %q, post %d: %v", cloud, i, err)
			}
		}
		p.client.CloseIdleConnections()
	}
}

func TestEnded(t *testing.T) {
	p := &Peer{name: "x"}
	cause := errors.New("the user spoke")
	late, stop := context.WithTimeoutCause(t.Context(), 0, cause)
	defer stop()
	<-late.Done()
	for _, is := range []error{models.ErrLate, context.DeadlineExceeded, cause} {
		if err := p.Ended(late); !errors.Is(err, is) {
			t.Errorf("%v is not %v", err, is)
		}
	}
	plain, cancel := context.WithCancelCause(t.Context())
	cancel(nil)
	if err := p.Ended(plain); !errors.Is(err, context.Canceled) || errors.Is(err, models.ErrLate) || err.Error() != "x: context canceled" {
		t.Errorf("%v", err)
	}
	silent, cancel := context.WithCancelCause(t.Context())
	cancel(fmt.Errorf("%w: nothing for 15 s", models.ErrLate))
	if err := p.Ended(silent); !errors.Is(err, context.Canceled) || !errors.Is(err, models.ErrLate) {
		t.Errorf("%v", err)
	}
}

// An answer without end fills no memory.
func TestHugeAnswer(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		piece := []byte(`["` + strings.Repeat("x", 1<<20))
		for {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
	}))
	defer srv.Close()
	p, err := New(Config{Name: "x", URL: srv.URL})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Get(t.Context(), "/", &struct{}{}); !errors.Is(err, models.ErrNonsense) {
		t.Errorf("%v", err)
	}
}

// A wait that the server asks for ends with ctx.
func TestBusyAndCancelled(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "2")
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer srv.Close()
	p, err := New(Config{Name: "x", URL: srv.URL})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	began := time.Now()
	if err := p.Get(ctx, "/", &struct{}{}); !errors.Is(err, models.ErrBusy) && !errors.Is(err, models.ErrLate) || time.Since(began) > time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}
