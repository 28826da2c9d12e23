package depot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// wire is a server without a network: each request is answered by the next of its answers, the last of them for ever.
type wire struct {
	answers []func(r *http.Request) (*http.Response, error)
	asked   int
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	i := min(w.asked, len(w.answers)-1)
	w.asked++
	return w.answers[i](r)
}

// slow answers with b, piece by piece, and stops for good after stop bytes.
func slow(b []byte, piece int, every time.Duration, stop int) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		from := 0
		code, head := 200, http.Header{"Etag": {`"x"`}}
		if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err == nil {
			code = 206
			head.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(b)-1, len(b)))
		}
		in, out := io.Pipe()
		go func() {
			defer out.Close()
			for at := from; at < len(b); at += piece {
				if at >= stop {
					<-r.Context().Done()
					out.CloseWithError(context.Cause(r.Context()))
					return
				}
				select {
				case <-time.After(every):
				case <-r.Context().Done():
					out.CloseWithError(r.Context().Err())
					return
				}
				if _, err := out.Write(b[at:min(len(b), at+piece)]); err != nil {
					return
				}
			}
		}()
		return &http.Response{StatusCode: code, Header: head, Body: in, ContentLength: int64(len(b) - from), Request: r}, nil
	}
}

// timed is a depot whose waits are true ones, in a bubble.
func timed(t *testing.T, b []byte, w *wire) *rig {
	r := newRig(t, entry("ears", len(b), verified(b), "https://models.example/w.bin"), func(c *Config) { c.Transport = w })
	r.pause = pause
	return r
}

func TestStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := bytesOf(20, 1_000_000)
		w := &wire{answers: []func(*http.Request) (*http.Response, error){
			slow(b, 100_000, time.Second, 500_000),
			func(r *http.Request) (*http.Response, error) { <-r.Context().Done(); return nil, r.Context().Err() },
			slow(b, 100_000, time.Second, 1<<30),
		}}
		r := timed(t, b, w)
		began := time.Now()
		out := r.pull("ears")
		r.holds("ears", b)
		took := time.Since(began)
		// 5 s of bytes, 30 s of nothing, up to 1 s; 30 s without an answer, up to 2 s; 5 s of bytes.
		if took < 70*time.Second || took > 73*time.Second || out.Saved != 500_000 {
			t.Errorf("it took %v and saved %d bytes", took, out.Saved)
		}
	})
}

// A creeping download is no stalled one.
func TestSlowIsNotStalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := bytesOf(21, 6_000)
		w := &wire{answers: []func(*http.Request) (*http.Response, error){slow(b, 100, 20*time.Second, 1<<30)}}
		r := timed(t, b, w)
		r.pull("ears")
		if w.asked != 1 {
			t.Errorf("it was begun %d times", w.asked)
		}
	})
}

func TestGivesUpAndKeepsThePart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := bytesOf(22, 1_000_000)
		dead := func(*http.Request) (*http.Response, error) { return nil, errors.New("no route to host") }
		w := &wire{answers: []func(*http.Request) (*http.Response, error){slow(b, 100_000, time.Second, 300_000), dead}}
		r := timed(t, b, w)
		began := time.Now()
		_, err := r.Pull(t.Context(), r.order("ears"))
		if err == nil || !strings.Contains(err.Error(), "no route to host, 6 times in a row") {
			t.Fatalf("%v", err)
		}
		if took := time.Since(began); took > 3*time.Minute {
			t.Errorf("it took %v to give up", took)
		}
		if len(r.left()) != 2 {
			t.Errorf("of the part there is %v", r.left())
		}
		w.answers = append(w.answers[:0], slow(b, 100_000, time.Second, 1<<30))
		if out := r.pull("ears"); out.Saved != 300_000 {
			t.Errorf("later, %d bytes did not have to come again", out.Saved)
		}
		r.holds("ears", b)
	})
}

// Ctrl-C ends a download, a wait and the wait for another Solo at once, and what came stays.
func TestInterrupt(t *testing.T) {
	b := bytesOf(23, 1_000_000)
	dead := func(*http.Request) (*http.Response, error) { return nil, errors.New("no route to host") }
	for name, tt := range map[string]struct {
		first func(*http.Request) (*http.Response, error)
		after time.Duration
		parts int
	}{
		"download": {slow(b, 100_000, time.Second, 1<<30), 4500 * time.Millisecond, 400_000},
		"wait":     {dead, 2 * time.Second, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := timed(t, b, &wire{answers: []func(*http.Request) (*http.Response, error){tt.first}})
				stop := errors.New("Ctrl-C")
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(tt.after, func() { cancel(stop) })
				began := time.Now()
				_, err := r.Pull(ctx, r.order("ears"))
				if !errors.Is(err, stop) || time.Since(began) != tt.after {
					t.Errorf("after %v: %v", time.Since(began), err)
				}
				r.absent("ears")
				if info, err := os.Stat(filepath.Join(r.parts(), "ears--weights.bin.part")); tt.parts > 0 && (err != nil || info.Size() != int64(tt.parts)) {
					t.Errorf("the part is %v, %v", info, err)
				}
			})
		})
	}
}

func TestSpeedAndTimeLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := bytesOf(24, 2_000_000)
		r := timed(t, b, &wire{answers: []func(*http.Request) (*http.Response, error){slow(b, 10_000, 100*time.Millisecond, 1<<30)}})
		r.pull("ears")
		told := 0
		for _, p := range r.told {
			if p.State != Coming || p.Speed == 0 {
				continue
			}
			told++
			left := time.Duration(float64(p.Total-p.Done) / 100_000 * float64(time.Second))
			if p.Speed < 90_000 || p.Speed > 110_000 || p.Left < left*8/10 || p.Left > left*12/10 {
				t.Fatalf("%+v, and %v are left", p, left)
			}
		}
		if told < 50 || told > 90 { // 20 s, four times a second at most
			t.Errorf("told %d times", told)
		}
	})
}

// A second order for the same model waits for the first, and then finds the file.
func TestTwoAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := bytesOf(25, 1_000_000)
		w := &wire{answers: []func(*http.Request) (*http.Response, error){slow(b, 100_000, time.Second, 1<<30)}}
		r := timed(t, b, w)
		other, err := New(Config{Data: r.conf.Data, Own: r.conf.Own, Transport: w})
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() {
			time.Sleep(time.Second)
			waited := false
			out, err := other.Pull(t.Context(), Order{Name: "ears", Report: func(p Progress) { waited = waited || p.State == Waiting }})
			if err == nil && (!out.Already || !waited) {
				err = fmt.Errorf("it did not wait: %+v", out)
			}
			done <- err
		}()
		r.pull("ears")
		if err := <-done; err != nil || w.asked != 1 {
			t.Errorf("the server was asked %d times: %v", w.asked, err)
		}
		r.holds("ears", b)
	})
}
