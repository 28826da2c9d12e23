package speak_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/voices"
	"github.com/solo-assistant/solo/voices/speak"
)

const rate = audio.Rate

// slowVoice makes 100 ms of sound a word and needs 50 ms of time a sentence.
type slowVoice struct{ fail string }

func (v slowVoice) Synthesize(ctx context.Context, p voices.Phrase) iter.Seq2[audio.Clip, error] {
	return func(yield func(audio.Clip, error) bool) {
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			yield(audio.Clip{}, context.Cause(ctx))
			return
		}
		if v.fail != "" && strings.Contains(p.Text, v.fail) {
			yield(audio.Clip{}, errors.New("the engine crashed"))
			return
		}
		for range strings.Fields(p.Text) {
			pcm := slices.Repeat([]int16{1000}, rate/10)
			if !yield(audio.Clip{Format: audio.Mono16k, PCM: pcm}, nil) {
				return
			}
		}
	}
}

// loudspeaker plays in (virtual) real time and keeps what was heard.
type loudspeaker struct {
	mu     sync.Mutex
	queue  []int16
	heard  []int16
	hushed time.Time
}

func (l *loudspeaker) Rate() int { return rate }

// run plays 10 ms each 10 ms until ctx ends.
func (l *loudspeaker) run(ctx context.Context) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			l.mu.Lock()
			n := min(rate/100, len(l.queue))
			l.heard = append(l.heard, l.queue[:n]...)
			l.queue = l.queue[n:]
			l.mu.Unlock()
		case <-ctx.Done():
			return
		}
	}
}

func (l *loudspeaker) waiting() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.queue)
}

func (l *loudspeaker) await(ctx context.Context, most int) error {
	for l.waiting() > most {
		select {
		case <-time.After(time.Millisecond):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (l *loudspeaker) Play(ctx context.Context, pcm []int16) error {
	if err := l.await(ctx, rate/5); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = append(l.queue, pcm...)
	return context.Cause(ctx)
}

func (l *loudspeaker) Drain(ctx context.Context) error { return l.await(ctx, 0) }

func (l *loudspeaker) Hush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue, l.hushed = nil, time.Now()
}

func (l *loudspeaker) played() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return audio.Time(int64(len(l.heard)), rate)
}

// stage runs a Speaker over a loudspeaker in a bubble of virtual time.
func stage(t *testing.T, v speak.Synth, act func(ctx context.Context, s *speak.Speaker, l *loudspeaker)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		l := &loudspeaker{}
		s := speak.New(speak.Config{Synth: v, Sink: l, Volume: 100})
		var wg sync.WaitGroup
		wg.Go(func() { l.run(ctx) })
		wg.Go(func() {
			if err := s.Serve(ctx); err != nil {
				t.Error(err)
			}
		})
		act(ctx, s, l)
		cancel()
		wg.Wait()
	})
}

func TestAnAnswerIsHeardToItsEnd(t *testing.T) {
	stage(t, slowVoice{}, func(ctx context.Context, s *speak.Speaker, l *loudspeaker) {
		began := time.Now()
		for _, line := range []string{"One two three.", "Four five.", "Six."} {
			if err := s.Say(ctx, line); err != nil {
				t.Fatal(err)
			}
		}
		said, err := s.Flush(ctx)
		if err != nil || said.Text != "One two three. Four five. Six." {
			t.Fatalf("said %q, %v", said.Text, err)
		}
		if wait := said.First.Sub(began); wait > 70*time.Millisecond {
			t.Errorf("the first sound came after %v, when only one sentence takes 50 ms", wait)
		}
		if all := time.Since(began); l.played() != 600*time.Millisecond || all > 800*time.Millisecond {
			t.Errorf("%v of sound took %v: sentences are not made while others play", l.played(), all)
		}
	})
}

func TestSpokenOverItIsSilentAtOnce(t *testing.T) {
	stage(t, slowVoice{}, func(ctx context.Context, s *speak.Speaker, l *loudspeaker) {
		turn, cancel := context.WithCancelCause(ctx)
		barge := errors.New("barge in")
		go func() {
			time.Sleep(500 * time.Millisecond)
			cancel(barge)
		}()
		for _, line := range []string{"one two three four five six seven eight.", "nine ten."} {
			if err := s.Say(turn, line); err != nil {
				t.Fatal(err)
			}
		}
		began := time.Now()
		said, err := s.Flush(turn)
		if !errors.Is(err, barge) {
			t.Fatalf("got %v", err)
		}
		if late := time.Since(began); late > 501*time.Millisecond {
			t.Errorf("Flush came back after %v", late)
		}
		atOnce := l.played()
		time.Sleep(time.Second)
		if more := l.played() - atOnce; more > 50*time.Millisecond {
			t.Errorf("%v were heard after the cancel", more)
		}
		if n := len(strings.Fields(said.Text)); n < 3 || n > 7 || !strings.HasPrefix("one two three four five six seven eight.", said.Text) {
			t.Errorf("450 ms of 100 ms words were heard, but it says %q", said.Text)
		}
		if s.Saying() != "" {
			t.Errorf("still saying %q", s.Saying())
		}
	})
}

// What ended an answer must not touch the next one.
func TestTheNextAnswerIsWhole(t *testing.T) {
	stage(t, slowVoice{}, func(ctx context.Context, s *speak.Speaker, l *loudspeaker) {
		for range 20 {
			turn, cancel := context.WithCancel(ctx)
			_ = s.Say(turn, "never mind this long sentence")
			time.Sleep(120 * time.Millisecond)
			cancel()
			if _, err := s.Flush(turn); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			before := l.played()
			if err := s.Say(ctx, "all three words"); err != nil {
				t.Fatal(err)
			}
			said, err := s.Flush(ctx)
			if err != nil || said.Text != "all three words" || l.played()-before < 300*time.Millisecond {
				t.Fatalf("said %q in %v, %v", said.Text, l.played()-before, err)
			}
		}
	})
}

// lateVoice begins with 300 ms of silence, as engines do.
type lateVoice struct{}

func (lateVoice) Synthesize(_ context.Context, p voices.Phrase) iter.Seq2[audio.Clip, error] {
	return func(yield func(audio.Clip, error) bool) {
		pcm := append(make([]int16, 3*rate/10), slices.Repeat([]int16{5000}, rate/10)...)
		yield(audio.Clip{Format: audio.Mono16k, PCM: pcm}, nil)
	}
}

func TestTheSilenceBeforeASentenceIsNotWaitedFor(t *testing.T) {
	stage(t, lateVoice{}, func(ctx context.Context, s *speak.Speaker, l *loudspeaker) {
		_ = s.Say(ctx, "hello")
		if _, err := s.Flush(ctx); err != nil {
			t.Fatal(err)
		}
		if at := slices.IndexFunc(l.heard, func(x int16) bool { return x > 1000 }); at != rate/50 {
			t.Fatalf("the voice is heard after %d samples of silence", at)
		}
	})
}

func TestAnEngineThatFailsIsToldOf(t *testing.T) {
	stage(t, slowVoice{fail: "two"}, func(ctx context.Context, s *speak.Speaker, _ *loudspeaker) {
		for _, line := range []string{"one.", "two.", "three."} {
			if err := s.Say(ctx, line); err != nil {
				t.Fatal(err)
			}
		}
		said, err := s.Flush(ctx)
		if err == nil || said.Text != "one. three." {
			t.Fatalf("said %q, %v", said.Text, err)
		}
	})
}

func TestSayingIsTheSentenceThatIsHeard(t *testing.T) {
	stage(t, slowVoice{}, func(ctx context.Context, s *speak.Speaker, _ *loudspeaker) {
		_ = s.Say(ctx, "I am Jarvis, hello there")
		time.Sleep(200 * time.Millisecond)
		if s.Saying() != "I am Jarvis, hello there" {
			t.Fatalf("saying %q", s.Saying())
		}
		_, _ = s.Flush(ctx)
		if s.Saying() != "" {
			t.Fatalf("saying %q after the end", s.Saying())
		}
	})
}

func TestVolumeIsHeardAtOnce(t *testing.T) {
	stage(t, slowVoice{}, func(ctx context.Context, s *speak.Speaker, l *loudspeaker) {
		s.SetVolume(50)
		_ = s.Say(ctx, "quiet")
		_, _ = s.Flush(ctx)
		if got := l.heard[100]; got != 250 {
			t.Fatalf("a sample of 1000 at half the loudness is %d", got)
		}
		s.SetVolume(250)
		if s.Volume() != 100 {
			t.Fatalf("volume is %d", s.Volume())
		}
	})
}

func TestEarconsAreHeardAndCanBeCutOff(t *testing.T) {
	stage(t, slowVoice{}, func(ctx context.Context, s *speak.Speaker, l *loudspeaker) {
		if err := s.Cue(ctx, voices.Chime); err != nil || l.played() < 500*time.Millisecond {
			t.Fatalf("%v of chime, %v", l.played(), err)
		}
		short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		defer cancel()
		before := l.played()
		if err := s.Cue(short, voices.Chime); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if d := l.played() - before; d > 150*time.Millisecond {
			t.Fatalf("%v were heard of a chime cut off after 100 ms", d)
		}
	})
}

func TestWithoutAVoiceItSaysSo(t *testing.T) {
	s := speak.New(speak.Config{Sink: &loudspeaker{}})
	if err := s.Say(t.Context(), "hello"); !errors.Is(err, speak.ErrNoVoice) {
		t.Fatal(err)
	}
	if said, err := s.Flush(t.Context()); said.Text != "" || err != nil {
		t.Fatal(said, err)
	}
}
