package dialog_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/dialog"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/voices"
)

// thinker answers with fixed sentences, 100 ms each.
type thinker map[string][]string

func (m thinker) Answer(ctx context.Context, h event.Heard) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, s := range m[h.Text] {
			select {
			case <-time.After(100 * time.Millisecond):
			case <-ctx.Done():
				yield("", context.Cause(ctx))
				return
			}
			if s == "!" {
				yield("", errors.New("the model broke"))
				return
			}
			if !yield(s+" ", nil) {
				return
			}
		}
	}
}

// mouth speaks a word in 200 ms, and keeps what was said.
type mouth struct {
	pace  time.Duration // for which Say keeps its caller waiting
	mu    sync.Mutex
	queue []string
	first time.Time
	lines []string // the same as whole sentences
	said  []string // whole answers, as flushed
	cues  []voices.Earcon
}

func (m *mouth) Say(ctx context.Context, s string) error {
	defer func() {
		select {
		case <-time.After(m.pace):
		case <-ctx.Done():
		}
	}()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.first.IsZero() {
		m.first = time.Now().Add(30 * time.Millisecond)
	}
	m.queue, m.lines = append(m.queue, strings.Fields(s)...), append(m.lines, s)
	return context.Cause(ctx)
}

func (m *mouth) Flush(ctx context.Context) (voices.Spoken, error) {
	m.mu.Lock()
	words, lines, first := m.queue, m.lines, m.first
	m.queue, m.lines, m.first = nil, nil, time.Time{}
	m.mu.Unlock()
	var done []string
	defer func() {
		m.mu.Lock()
		m.said = append(m.said, strings.Join(done, " "))
		m.mu.Unlock()
	}()
	for _, w := range words {
		select {
		case <-time.After(200 * time.Millisecond):
			done = append(done, w)
		case <-ctx.Done():
			return voices.Spoken{Text: strings.Join(done, " "), First: first, Rest: unsaid(lines, len(done))}, context.Cause(ctx)
		}
	}
	return voices.Spoken{Text: strings.Join(done, " "), First: first}, nil
}

// unsaid are the lines that n words do not reach the end of.
func unsaid(lines []string, n int) []string {
	for i, l := range lines {
		if n -= len(strings.Fields(l)); n < 0 {
			return lines[i:]
		}
	}
	return nil
}

func (m *mouth) Cue(ctx context.Context, e voices.Earcon) error {
	m.mu.Lock()
	m.cues = append(m.cues, e)
	m.mu.Unlock()
	select {
	case <-time.After(300 * time.Millisecond):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (m *mouth) sounds() []voices.Earcon {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.cues)
}

func (m *mouth) heard() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.said)
}

// ears note how they were led.
type ears struct {
	mu       sync.Mutex
	gate     bool
	attended []time.Duration
	muted    bool
}

func (e *ears) Gate(on bool) { e.mu.Lock(); e.gate = on; e.mu.Unlock() }
func (e *ears) Attend(d time.Duration) {
	e.mu.Lock()
	e.attended = append(e.attended, d)
	e.mu.Unlock()
}
func (e *ears) Muted() bool { return e.muted }
func (e *ears) gated() bool { e.mu.Lock(); defer e.mu.Unlock(); return e.gate }
func (e *ears) windows() []time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.attended)
}

// stage is a running conductor in virtual time.
type stage struct {
	*dialog.Conductor
	mouth *mouth
	ears  *ears
	rings map[int64]bool
	mu    sync.Mutex
	log   []string // events as "turn name detail"
}

func play(t *testing.T, m thinker, act func(ctx context.Context, s *stage)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var b bus.Bus
		s := &stage{mouth: &mouth{}, ears: &ears{}, rings: map[int64]bool{}}
		s.Conductor = dialog.New(dialog.Config{Mind: m, Voice: s.mouth, Ears: s.ears, Bus: &b, FollowUp: 5 * time.Second, Resume: true,
			Rings: func(e event.Due) bool { s.mu.Lock(); defer s.mu.Unlock(); return s.rings[e.ID] }})
		defer b.Tap(s.note)()
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := s.Serve(ctx); err != nil {
				t.Error(err)
			}
		})
		act(ctx, s)
		cancel()
		wg.Wait()
	})
}

func (s *stage) note(m bus.Meta, v any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch e := v.(type) {
	case event.StateChanged:
		s.log = append(s.log, string(e.State))
	case event.Heard:
		s.log = append(s.log, "heard "+e.Text)
	case event.Replied:
		s.log = append(s.log, "replied "+e.Text)
	case event.Interrupted:
		s.log = append(s.log, "interrupted "+e.Spoken)
	case event.Turned:
		s.log = append(s.log, fmt.Sprintf("%s %s %v", e.Outcome, e.Spoken, e.Total()))
	}
}

func (s *stage) events() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.log)
}

func (s *stage) ring(id int64, on bool) { s.mu.Lock(); s.rings[id] = on; s.mu.Unlock() }

// says wakes Solo and speaks.
func (s *stage) says(text string) {
	s.Woke(audio.Hit{Word: "jarvis"}, time.Second)
	synctest.Wait()
	s.Hear(dialog.Utterance{Start: time.Second, End: 2 * time.Second, Endpoint: 150 * time.Millisecond,
		Finish: func(context.Context) (audio.Transcript, error) {
			time.Sleep(40 * time.Millisecond)
			if text == "" {
				return audio.Transcript{}, audio.ErrNoSpeech
			}
			if text == "crash" {
				return audio.Transcript{}, errors.New("the recogniser crashed")
			}
			return audio.Transcript{Text: text, Sure: 1, Engine: "test"}, nil
		}})
}

func TestATurnFromWakeToSilence(t *testing.T) {
	play(t, thinker{"time": {"It is four.", "More or less."}}, func(_ context.Context, s *stage) {
		s.says("time")
		time.Sleep(300 * time.Millisecond)
		if !s.ears.gated() || s.State() != event.Speaking || !s.Busy() {
			t.Errorf("while it speaks: gate %v, state %s, busy %v", s.ears.gated(), s.State(), s.Busy())
		}
		time.Sleep(5 * time.Second)
		want := []string{"listening", "thinking", "heard time", "speaking", "replied It is four.", "replied More or less.",
			// 150 to find the end, 40 to recognise, 200 until the first sentence is known to be whole, 30 to its sound
			"answered It is four. More or less. 420ms", "idle"}
		if got := s.events(); !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
		if s.ears.gated() || s.Busy() || len(s.ears.windows()) != 0 {
			t.Errorf("after it: gate %v, busy %v, follow-ups %v", s.ears.gated(), s.Busy(), s.ears.windows())
		}
		if s.Last() != "It is four. More or less." {
			t.Errorf("last answer %q", s.Last())
		}
	})
}

func TestAQuestionIsFollowedByListening(t *testing.T) {
	play(t, thinker{"remind": {"When?"}}, func(_ context.Context, s *stage) {
		s.says("remind")
		time.Sleep(5 * time.Second)
		if !slices.Equal(s.ears.windows(), []time.Duration{5 * time.Second}) {
			t.Fatalf("follow-ups %v", s.ears.windows())
		}
	})
}

func TestBargeInKeepsOnlyWhatWasSaid(t *testing.T) {
	play(t, thinker{"story": {"Once upon a time there was a very long story."}, "stop": {"OK."}}, func(_ context.Context, s *stage) {
		s.says("story")
		time.Sleep(140*time.Millisecond + 700*time.Millisecond) // three words and a half
		s.says("stop")
		time.Sleep(5 * time.Second)
		log := strings.Join(s.events(), "\n")
		for _, want := range []string{"interrupted Once upon a\ninterrupted", "\nlistening\nthinking\nheard stop", "answered OK."} {
			if !strings.Contains(log, want) {
				t.Errorf("no %q in\n%s", want, log)
			}
		}
		if s.Last() != "OK." {
			t.Errorf("last answer %q", s.Last())
		}
	})
}

func TestThinkingCanBeInterrupted(t *testing.T) {
	play(t, thinker{"think": slices.Repeat([]string{""}, 1000), "stop": {"OK."}}, func(_ context.Context, s *stage) {
		s.says("think")
		time.Sleep(time.Second)
		began := time.Now()
		s.says("stop")
		for s.Last() != "OK." {
			time.Sleep(time.Millisecond)
		}
		if d := time.Since(began); d > 600*time.Millisecond {
			t.Fatalf("the next turn took %v", d)
		}
	})
}

func TestNoWordsAndNoRecogniser(t *testing.T) {
	play(t, thinker{"ok": {"Fine."}}, func(_ context.Context, s *stage) {
		s.says("")
		time.Sleep(time.Second)
		if !slices.Equal(s.mouth.sounds(), []voices.Earcon{voices.Sorry}) {
			t.Errorf("cues %v", s.mouth.sounds())
		}
		s.says("crash")
		time.Sleep(3 * time.Second)
		s.Missed("nothing was said")
		time.Sleep(time.Second)
		s.says("ok")
		time.Sleep(3 * time.Second)
		log := strings.Join(s.events(), "\n")
		if strings.Count(log, "misheard") != 2 || !strings.Contains(log, "failed") || !strings.HasSuffix(log, "idle") || s.Last() != "Fine." {
			t.Errorf("%s", log)
		}
		if said := s.mouth.heard(); said[0] != "Sorry, I could not make that out." {
			t.Errorf("said %q", said)
		}
	})
}

func TestABrokenAnswerEndsWithASentence(t *testing.T) {
	play(t, thinker{"x": {"It is", "!"}}, func(_ context.Context, s *stage) {
		s.says("x")
		time.Sleep(5 * time.Second)
		if !strings.HasPrefix(s.Last(), "It is Sorry, something went wrong") {
			t.Fatalf("last answer %q", s.Last())
		}
	})
}

func TestTypedLines(t *testing.T) {
	play(t, thinker{"time": {"It is four."}}, func(ctx context.Context, s *stage) {
		for _, aloud := range []bool{false, true} {
			reply, err := s.Typed(ctx, "time", aloud, dialog.Reader{})
			if err != nil || reply != "It is four." {
				t.Fatalf("aloud %v: %q, %v", aloud, reply, err)
			}
		}
		if said := s.mouth.heard(); !slices.Equal(said, []string{"It is four."}) {
			t.Errorf("said %q", said)
		}
		short, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
		defer cancel()
		if _, err := s.Typed(short, "time", false, dialog.Reader{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if err := s.Say(ctx, "Dinner. Now."); err != nil || s.Last() != "Dinner. Now." {
			t.Errorf("%q, %v", s.Last(), err)
		}
	})
}

func TestATimerRingsUntilStopped(t *testing.T) {
	play(t, thinker{"hello": {"Hello."}}, func(ctx context.Context, s *stage) {
		s.ring(7, true)
		_ = s.Due(ctx, event.Due{Kind: "timer", ID: 7, Text: "pasta"})
		time.Sleep(20 * time.Second)
		if n := count(s.mouth.heard(), "Your pasta timer is done."); n < 5 || len(s.mouth.sounds()) < 3*(n-1) {
			t.Errorf("in 20 s it was announced %d times with %d chimes", n, len(s.mouth.sounds()))
		}
		s.says("hello") // spoken over, answered, and then it rings on
		time.Sleep(5 * time.Second)
		said := s.mouth.heard()
		if i := slices.Index(said, "Hello."); i < 0 || count(said[i:], "Your pasta timer is done.") == 0 {
			t.Errorf("said %q", said)
		}
		s.ring(7, false)
		time.Sleep(3 * time.Second)
		n := len(s.mouth.heard())
		time.Sleep(10 * time.Second)
		if more := s.mouth.heard()[n:]; len(more) > 0 || s.State() != event.Idle {
			t.Errorf("stopped, but still %q and %s", more, s.State())
		}
	})
}

func TestAReminderIsSaidOnceAndWaitsForItsMoment(t *testing.T) {
	play(t, thinker{"time": {"It is four o'clock in the afternoon."}}, func(ctx context.Context, s *stage) {
		s.ring(1, true)
		s.says("time")
		time.Sleep(500 * time.Millisecond)
		_ = s.Due(ctx, event.Due{Kind: "reminder", ID: 1, Text: "call mom", Late: 3 * time.Hour})
		time.Sleep(time.Minute)
		want := []string{"It is four o'clock in the afternoon.", "Here is your reminder: call mom. This is 3 hours late: I was not running."}
		if said := s.mouth.heard(); !slices.Equal(said, want) {
			t.Fatalf("said %q", said)
		}
	})
}

// What is due while the user speaks must not talk over them.
func TestNothingRingsWhileTheUserSpeaks(t *testing.T) {
	play(t, nil, func(ctx context.Context, s *stage) {
		s.ring(1, true)
		s.Woke(audio.Hit{Word: "jarvis"}, time.Second)
		_ = s.Due(ctx, event.Due{Kind: "alarm", ID: 1})
		time.Sleep(4 * time.Second)
		if said := s.mouth.heard(); len(said) > 0 {
			t.Fatalf("said %q while the user spoke", said)
		}
		s.Missed("nothing was said")
		time.Sleep(4 * time.Second)
		if count(s.mouth.heard(), "Your alarm is ringing.") == 0 {
			t.Fatal("the alarm never rang")
		}
		s.ring(1, false)
	})
}

func count(said []string, what string) (n int) {
	for _, s := range said {
		if s == what {
			n++
		}
	}
	return n
}

// A timer that came due while Solo was off is told of once; nobody wants an hour-old timer to ring.
func TestAMissedTimerIsToldOfOnce(t *testing.T) {
	play(t, nil, func(ctx context.Context, s *stage) {
		s.ring(3, true)
		_ = s.Due(ctx, event.Due{Kind: "timer", ID: 3, Text: "tea", Late: time.Hour})
		time.Sleep(time.Minute)
		want := []string{"Your tea timer is done. This is 1 hour late: I was not running."}
		if said := s.mouth.heard(); !slices.Equal(said, want) || len(s.mouth.sounds()) > 0 {
			t.Fatalf("said %q with %d chimes", said, len(s.mouth.sounds()))
		}
	})
}
