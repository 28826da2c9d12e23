package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// recording is what a device of the server carries, with the wall clock beside it.
//
// Each piece that comes tells: the sample behind it existed before now. The earliest that a sample can have
// existed, over all pieces around it, is its time; what is left of an error is the shortest way through the
// server, which is the same for every recording and cancels where two are compared.
type recording struct {
	cmd  *exec.Cmd
	done chan struct{}
	once sync.Once

	mu    sync.Mutex
	pcm   []int16
	marks []mark
}

// mark says that n samples had come at a time.
type mark struct {
	n  int
	at time.Time
}

// record begins to record a source of the server at 16 kHz. It returns once sound flows.
func (p *pulse) record(ctx context.Context, source string) (*recording, error) {
	r := &recording{done: make(chan struct{})}
	r.cmd = p.command(ctx, "parec", "--device="+source, "--latency-msec=10", "--rate=16000", "--channels=1", "--format=s16le", "--raw")
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("record %s: %w", source, err)
	}
	if err := r.cmd.Start(); err != nil {
		return nil, fmt.Errorf("record %s: %w", source, err)
	}
	go r.read(out)
	for limit := time.Now().Add(10 * time.Second); time.Now().Before(limit); time.Sleep(20 * time.Millisecond) {
		if r.length() > 0 {
			return r, nil
		}
	}
	r.stop()
	return nil, fmt.Errorf("record %s: no sound came", source)
}

func (r *recording) read(out io.Reader) {
	defer close(r.done)
	buf, odd := make([]byte, 4096), 0
	for {
		n, err := out.Read(buf[odd:])
		now := time.Now()
		n += odd
		r.mu.Lock()
		for i := 0; i+1 < n; i += 2 {
			r.pcm = append(r.pcm, int16(binary.LittleEndian.Uint16(buf[i:])))
		}
		r.marks = append(r.marks, mark{len(r.pcm), now})
		r.mu.Unlock()
		if odd = n % 2; odd == 1 {
			buf[0] = buf[n-1]
		}
		if err != nil {
			return
		}
	}
}

func (r *recording) length() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.pcm)
}

// stop ends the recording; a second call does nothing.
func (r *recording) stop() {
	r.once.Do(func() {
		_ = r.cmd.Process.Kill()
		<-r.done
		_ = r.cmd.Wait() // it was killed
	})
}

// around is how far from a moment pieces tell its time.
const around = 5 * time.Second

// origin is when sample 0 would have been recorded, as told by what came around a moment.
func (r *recording) origin(moment time.Time) time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	from, _ := slices.BinarySearchFunc(r.marks, moment.Add(-around), func(m mark, t time.Time) int { return m.at.Compare(t) })
	var best time.Time
	for _, m := range r.marks[from:] {
		if m.at.After(moment.Add(around)) {
			break
		}
		if o := m.at.Add(-audio.Time(int64(m.n), audio.Rate)); best.IsZero() || o.Before(best) {
			best = o
		}
	}
	return best
}

// between is what was recorded from one moment to another, and when its first sample was.
func (r *recording) between(from, to time.Time) ([]int16, time.Time) {
	origin := r.origin(from)
	if origin.IsZero() {
		return nil, from
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	a := min(max(samples(from.Sub(origin)), 0), len(r.pcm))
	b := min(max(samples(to.Sub(origin)), a), len(r.pcm))
	return r.pcm[a:b], origin.Add(audio.Time(int64(a), audio.Rate))
}
