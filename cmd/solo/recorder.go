package main

import (
	"context"
	"sync"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/device"
)

// recorder takes pieces of what the microphone hears.
type recorder struct {
	mic  *device.Mic
	stop context.CancelFunc
	wg   sync.WaitGroup
	done chan struct{}
	err  error
}

// openRecorder opens the microphone and waits until it gives sound.
func (a *app) openRecorder(ctx context.Context) (*recorder, error) {
	if _, err := device.List(device.Capture); err != nil {
		return nil, err
	}
	work, stop := context.WithCancel(ctx)
	r := &recorder{mic: device.NewMic(a.micConfig(&levels{})), stop: stop, done: make(chan struct{})}
	r.wg.Go(func() {
		defer close(r.done)
		r.err = r.mic.Serve(work)
	})
	if _, err := r.record(ctx, time.Second/10); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// record gives what is heard from now on.
func (r *recorder) record(ctx context.Context, long time.Duration) ([]int16, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	wg.Go(func() {
		select {
		case <-r.done: // the microphone could not be opened
			cancel()
		case <-ctx.Done():
		}
	})
	began := time.Now()
	var pcm []int16
	for want := int(audio.Samples(long, audio.Rate)); len(pcm) < want; {
		f, err := r.mic.Read(ctx)
		if err != nil {
			if r.ended() && r.err != nil {
				err = r.err
			}
			return nil, err
		}
		if len(pcm) == 0 && time.Since(began) < 5*time.Millisecond {
			continue // it waited in the queue while something else was going on
		}
		pcm = append(pcm, f.PCM...)
	}
	return pcm, nil
}

func (r *recorder) ended() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

func (r *recorder) close() {
	r.stop()
	r.wg.Wait()
}
