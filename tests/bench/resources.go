package main

import (
	"context"
	"fmt"
	"time"
)

// listening is how long the processor is watched while Solo only listens.
const listening = 30 * time.Second

// use is what a session took.
type use struct {
	silence, babble float64 // percent of a core; 0 where it was not watched
	ready, peak     float64 // MB
	heard           int
}

func measureResources(ctx context.Context, b *bench) (section, error) {
	first, err := b.run(ctx, b.dir+"/resources")
	if err != nil {
		return section{}, err
	}
	building := grown(first.cmd.Process.Pid)
	first.end()
	lean, err := b.use(ctx, true, "stt.dictate=false")
	if err != nil {
		return section{}, err
	}
	full, err := b.use(ctx, false, "stt.dictate=true")
	if err != nil {
		return section{}, err
	}
	t := newTable("", "without dictation", "with dictation")
	t.row("processor in silence, % of one core", figure(lean.silence), "not measured")
	t.row("processor in babble, % of one core", figure(lean.babble), "not measured")
	t.row("most memory of a first start, which builds the models, MB", figure(building), "not measured")
	t.row("memory when it begins to listen, MB", figure(lean.ready), figure(full.ready))
	t.row("most memory during turns, MB", figure(lean.peak), figure(full.peak))
	t.row("turns heard", fmt.Sprint(lean.heard), fmt.Sprint(full.heard))
	return section{
		goals: []goal{
			atMost("processor while only listening, in silence", lean.silence, 3, "%"),
			atMost("processor while only listening, in babble", lean.babble, 3, "%"),
			atMost("memory without dictation", lean.peak, 150, "MB"),
			atMost("memory with dictation", full.peak, 300, "MB"),
		},
		text: fmt.Sprintf("`solo run` on PulseAudio null sinks, for %v in the noise of a quiet room (-66 dBFS) and for %v in babble (-30 dBFS), then ten turns. "+
			"Memory is the sum of the resident sets of Solo and its child programs, sampled every 10 ms; what they share counts for each.\n\n", listening, listening) + t.String(),
	}, nil
}

// use runs a session, listens, and holds ten turns.
func (b *bench) use(ctx context.Context, watchProcessor bool, settings ...string) (use, error) {
	var u use
	all, err := b.cast(ctx)
	if err != nil {
		return u, err
	}
	s, err := b.run(ctx, b.dir+"/resources", settings...)
	if err != nil {
		return u, err
	}
	defer s.end()
	pid := s.cmd.Process.Pid
	if watchProcessor {
		if err := b.idle(ctx, s, &u); err != nil {
			return u, err
		}
	}
	u.ready = resident(pid)
	most := watch(pid)
	// Every kind of order, those with free words first: they are what dictation is for.
	for _, i := range []int{11, 21, 19, 0, 1, 3, 7, 5, 13, 12} {
		e, err := s.say(ctx, all[i])
		if err != nil {
			most()
			return u, err
		}
		if e.heard != nil {
			u.heard++
		}
	}
	u.peak = most()
	return u, nil
}

// idle watches the processor in a quiet room and in babble.
func (b *bench) idle(ctx context.Context, s *session, u *use) error {
	babble, err := b.babble(listening + 6*time.Second)
	if err != nil {
		return err
	}
	quiet := make([]int16, len(babble))
	for _, part := range []struct {
		name  string
		pcm   []int16
		share *float64
	}{{"silence", inRoom(quiet), &u.silence}, {"babble", babble, &u.babble}} {
		say("resources: listening to %s", part.name)
		played := make(chan error, 1)
		go func() { played <- s.sound.play(ctx, part.pcm) }()
		time.Sleep(3 * time.Second) // until what comes before has settled
		if *part.share, err = busy(ctx, s.cmd.Process.Pid, listening); err != nil {
			return err
		}
		if err := <-played; err != nil {
			return err
		}
	}
	return nil
}

// babble is people talking in the background, at -30 dBFS.
func (b *bench) babble(length time.Duration) ([]int16, error) {
	paths, err := b.files("noise", "*babble*")
	if err != nil {
		return nil, err
	}
	noise, err := load(paths[0])
	if err != nil {
		return nil, err
	}
	pcm := make([]int16, samples(length))
	for i := range pcm {
		pcm[i] = noise[i%len(noise)]
	}
	return gained(pcm, 1036/rms(pcm)), nil
}
