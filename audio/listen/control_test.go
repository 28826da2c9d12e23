package listen_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type script = map[int64]func(*listen.Listener)

func press(l *listen.Listener)   { l.Press() }
func release(l *listen.Listener) { l.Release() }
func mute(l *listen.Listener)    { l.Mute(true) }
func unmute(l *listen.Listener)  { l.Mute(false) }
func gate(l *listen.Listener)    { l.Gate(true) }
func ungate(l *listen.Listener)  { l.Gate(false) }
func attend(l *listen.Listener)  { l.Attend(3 * time.Second) }

func TestControls(t *testing.T) {
	stop := []word{{"stop", 2, 2.3}}
	said := join(quiet(2), speech(0.4), quiet(6)) // speech from 2 to 2.4 s
	for name, tt := range map[string]struct {
		pcm   []int16
		wakes map[int64]string
		words []word
		do    script
		own   func(string) bool
		want  string
	}{
		"no word, no key: nothing": {said, nil, stop, nil, nil, ``},
		"the key hears what lies between, and ends at once": {
			said, nil, stop, script{at(1.5): press, at(2.5): release}, nil, `woke ""; ended key "stop"`,
		},
		"the key hears no word that began before": {
			said, nil, stop, script{at(2.2): press, at(2.5): release}, nil, `woke ""; ended key ""`,
		},
		"the key held in silence": {
			said, nil, nil, script{at(4): press, at(4.5): release}, nil, `woke ""; missed: the key was pressed but nothing was said`,
		},
		"no pause ends it while the key is held": {
			said, nil, stop, script{at(1.5): press, at(8): release}, nil, `woke ""; ended key "stop"`,
		},
		"a second press and a lonely release do nothing": {
			said, nil, stop, script{at(1): release, at(1.5): press, at(1.7): press, at(2.5): release, at(3): release}, nil, `woke ""; ended key "stop"`,
		},
		"the wake word does nothing while the key is held": {
			said, map[int64]string{at(2.2): "jarvis"}, stop, script{at(1.5): press, at(2.5): release}, nil, `woke ""; ended key "stop"`,
		},
		"the key takes over from the wake word": {
			said, map[int64]string{at(1): "jarvis"}, stop, script{at(1.5): press, at(2.5): release}, nil, `woke "jarvis"; ended key "stop"`,
		},
		"muted, the wake word is not heard": {
			said, map[int64]string{at(1.5): "jarvis"}, stop, script{at(1): mute}, nil, ``,
		},
		"unmuted, it is": {
			said, map[int64]string{at(1.5): "jarvis"}, stop, script{at(1): mute, at(1.2): unmute}, nil, `woke "jarvis"; ended final "stop"`,
		},
		"muted in a turn": {
			said, map[int64]string{at(1.5): "jarvis"}, stop, script{at(2.2): mute}, nil, `woke "jarvis"; missed: the microphone was muted`,
		},
		"muted, the key still hears": {
			said, map[int64]string{at(4): "jarvis"}, stop, script{at(1): mute, at(1.5): press, at(2.5): release}, nil, `woke ""; ended key "stop"`,
		},
		"gated, speech opens nothing": {
			said, nil, stop, script{at(1): gate, at(1.1): attend}, nil, ``,
		},
		"gated, the wake word does": {
			said, map[int64]string{at(1.5): "jarvis"}, stop, script{at(1): gate}, nil, `woke "jarvis"; ended final "stop"`,
		},
		"gated, the key does": {
			said, nil, stop, script{at(1): gate, at(1.5): press, at(2.5): release}, nil, `woke ""; ended key "stop"`,
		},
		"a gate in an open turn leaves it alone": {
			said, map[int64]string{at(1.5): "jarvis"}, stop, script{at(2.1): gate}, nil, `woke "jarvis"; ended final "stop"`,
		},
		"an answer that the wake word ends leaves the turn its room": {
			said, map[int64]string{at(1.5): "jarvis"}, stop, script{at(1): gate, at(1.56): ungate}, nil, `woke "jarvis"; ended final "stop"`,
		},
		"Solo's own word is no wake word": {
			said, map[int64]string{at(1.5): "jarvis"}, stop, nil, func(w string) bool { return w == "jarvis" }, ``,
		},
		"follow-up": {
			said, nil, stop, script{at(1): attend}, nil, `woke ""; ended final "stop"`,
		},
		"follow-up too late": {
			join(quiet(3), said), nil, []word{{"stop", 5, 5.3}}, script{at(1): attend}, nil, ``,
		},
		"follow-up counts from the end of the gate": {
			join(quiet(3), said), nil, []word{{"stop", 5, 5.3}}, script{at(0.8): gate, at(1): attend, at(2.5): ungate}, nil, `woke ""; ended final "stop"`,
		},
		"follow-up hears nothing of Solo's own end": {
			join(speech(1.5), said), nil, []word{{"own", 1.2, 1.5}, {"stop", 3.5, 3.8}}, script{at(0.2): gate, at(1.5): ungate, at(1.52): attend}, nil, `woke ""; ended final "stop"`,
		},
		"follow-up called off": {
			said, nil, stop, script{at(1): attend, at(1.5): func(l *listen.Listener) { l.Attend(0) }}, nil, ``,
		},
		"a cough is no follow-up, and waiting goes on": {
			join(quiet(1.3), speech(0.18), quiet(0.52), said[:at(0.1)], quiet(0.9), speech(0.4), quiet(3)), nil, []word{{"stop", 3, 3.3}}, script{at(1): attend}, nil, `woke ""; ended final "stop"`,
		},
		"the wake word in a follow-up begins it anew": {
			join(quiet(2), speech(1.5), quiet(4)), map[int64]string{at(2.5): "jarvis"}, []word{{"jar", 2, 2.2}, {"stop", 2.6, 3}}, script{at(1): attend}, nil, `woke ""; ended final "stop"`,
		},
		"the wake word twice": {
			join(quiet(3), said), map[int64]string{at(1): "jarvis", at(2.5): "jarvis"}, []word{{"stop", 5, 5.3}}, nil, nil, `woke "jarvis"; ended final "stop"`,
		},
		"two hits for one word": {
			said, map[int64]string{at(1): "jarvis", at(1.4): "jarvis"}, stop, nil, nil, `woke "jarvis"; ended final "stop"`,
		},
		"the word inside a long sentence is a word": {
			join(quiet(2), syllables(4), quiet(2)), map[int64]string{at(1.5): "jarvis", at(4.5): "jarvis"}, []word{{"what", 2, 2.3}, {"is", 3, 3.3}, {"jarvis", 4, 4.3}, {"like", 5, 5.4}}, nil, nil, `woke "jarvis"; ended open "what is jarvis like"`,
		},
		"the next turn works": {
			join(said, said), map[int64]string{at(1.5): "jarvis", at(9.9): "jarvis"}, append([]word{{"timer", 10.4, 10.7}}, stop...), nil, nil, `woke "jarvis"; ended final "stop"; woke "jarvis"; ended extendable "timer"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := &rig{pcm: tt.pcm, wakes: tt.wakes, words: tt.words, do: tt.do, own: tt.own, orders: orders}
			r.run(t)
			if got := r.say(); got != tt.want {
				t.Errorf("happened: %s\nwant:     %s", got, tt.want)
			}
		})
	}
}

func TestReleaseEndsAtOnce(t *testing.T) {
	r := &rig{pcm: join(quiet(2), speech(2)), do: script{at(1): press, at(3): release}}
	r.run(t)
	u := r.utterances[0]
	if u.Endpoint != 0 || u.End != 3*time.Second {
		t.Errorf("told at %v with the end %v before", u.End+u.Endpoint, u.Endpoint)
	}
}

func TestPartials(t *testing.T) {
	r := scene([]word{{"call", 2, 2.15}, {"anna", 2.2, 2.9}}, quiet(0.5), speech(1), quiet(2))
	r.run(t)
	want := `woke "jarvis"; partial "call"; stable "call"; partial "call anna"; stable "call anna"; ended extendable "call anna"`
	if got := strings.Join(r.happened, "; "); got != want {
		t.Errorf("happened: %s\nwant:     %s", got, want)
	}
}

func TestMutedIsKnownAtOnce(t *testing.T) {
	l := (&rig{}).build(t)
	if l.Mute(true); !l.Muted() {
		t.Error("not muted")
	}
	if l.Mute(false); l.Muted() {
		t.Error("still muted")
	}
}

func TestChainPrintsItself(t *testing.T) {
	l := (&rig{}).build(t)
	if got := l.Chain(); got != "Mic(16k) -> Wake(scripted) -> VAD -> Recogniser" {
		t.Error(got)
	}
	if l.String() != "listen" {
		t.Error(l.String())
	}
}

func TestNewSaysWhatIsMissing(t *testing.T) {
	if _, err := listen.New(listen.Config{}); err == nil {
		t.Error("a listener without ears")
	}
}

// A lost piece of sound is no silence, and places stay true.
func TestGap(t *testing.T) {
	r := &rig{pcm: join(quiet(2), speech(0.4), quiet(2)), wakes: map[int64]string{at(1.5): "jarvis"}, words: []word{{"stop", 2, 2.3}}, orders: orders}
	l := r.build(t)
	skip := skipping{rig: r, from: at(0.5), by: at(10)}
	c := skip.config(l, r)
	if err := c.Serve(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(r.utterances) != 1 {
		t.Fatal(r.say())
	}
	near(t, "end", r.utterances[0].End, 12.4, 0.03)
	r.utterances[0].Close()
}

// skipping loses by samples of the stream's time at from.
type skipping struct {
	*rig
	from, by int64
}

func (s *skipping) Read(ctx context.Context) (audio.Frame, error) {
	f, err := s.rig.Read(ctx)
	if f.At >= s.from {
		f.At += s.by
	}
	return f, err
}

func (s *skipping) config(l *listen.Listener, r *rig) *listen.Listener {
	l, err := listen.New(listen.Config{
		Source: s, Wake: scriptedWake{r}, VAD: loudVAD{r},
		Open:     func(context.Context) (listen.Stream, error) { return &reveals{r: r, to: -1}, nil },
		Complete: r.complete,
		Ended:    func(u *listen.Utterance) { r.utterances = append(r.utterances, u) },
	})
	if err != nil {
		panic(err)
	}
	return l
}

func TestFailures(t *testing.T) {
	broken := errors.New("broken")
	for name, tt := range map[string]struct {
		part, want string
		fatal      bool
	}{
		"source":     {"read", ``, true},
		"wake word":  {"wake", ``, true},
		"VAD":        {"vad", `woke "jarvis"; missed: speech recognition failed: hearing speech: broken`, false},
		"recogniser": {"feed", `woke "jarvis"; missed: speech recognition failed: broken`, false},
		"opening":    {"open", `woke "jarvis"; missed: speech recognition could not start: broken`, false},
		"closing":    {"close", `woke "jarvis"; ended final "stop"`, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := scene([]word{{"stop", 2, 2.3}}, quiet(0.5), speech(0.4), quiet(3))
			r.fail = func(what string) error {
				if what == tt.part {
					return broken
				}
				return nil
			}
			err := r.build(t).Serve(t.Context())
			if tt.fatal != errors.Is(err, broken) || !tt.fatal && err != nil {
				t.Errorf("Serve returned %v", err)
			}
			if got := r.say(); got != tt.want {
				t.Errorf("happened: %s\nwant:     %s", got, tt.want)
			}
			for _, u := range r.utterances {
				if _, err := u.Finish(t.Context()); tt.part == "close" && !errors.Is(err, broken) {
					t.Errorf("Finish returned %v", err)
				}
			}
			if r.opened != r.closed {
				t.Errorf("%d recognisers opened, %d closed", r.opened, r.closed)
			}
		})
	}
}

// The same sound gives the same turns from a clocked microphone, which commands do not wait for.
func TestClocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := scene([]word{{"stop", 2, 2.3}}, quiet(0.5), speech(0.4), quiet(1))
		r.clock = func(ctx context.Context) error {
			select {
			case <-time.After(audio.FrameTime):
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		r.run(t)
		if got := r.say(); got != `woke "jarvis"; ended final "stop"` {
			t.Error(got)
		}
		near(t, "end", r.utterances[0].End, 2.4, 0.03)
	})
}

// A microphone that gives nothing holds up neither a release nor the end.
func TestDeadMicrophone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		r := &rig{pcm: join(speech(1), speech(1))}
		r.clock = func(ctx context.Context) error {
			if r.pos.Load() >= at(1) {
				<-ctx.Done()
				return context.Cause(ctx)
			}
			return nil
		}
		r.do = does(0, press)
		l, done := r.build(t), make(chan error, 1)
		go func() { done <- l.Serve(ctx) }()
		synctest.Wait()
		l.Release()
		synctest.Wait()
		if got := r.say(); got != `woke ""; ended key ""` {
			t.Error(got)
		}
		reason := errors.New("enough")
		cancel(reason)
		if err := <-done; !errors.Is(err, reason) {
			t.Errorf("Serve returned %v", err)
		}
		r.utterances[0].Close()
	})
}

func TestCancelFreesTheRecogniser(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := scene(nil, speech(5))
	r.do = does(3, func(*listen.Listener) { cancel() })
	if err := r.build(t).Serve(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Serve returned %v", err)
	}
	if r.opened != 1 || r.closed != 1 {
		t.Errorf("%d opened, %d closed", r.opened, r.closed)
	}
}

func TestFinishAndClose(t *testing.T) {
	r := scene([]word{{"stop", 2, 2.3}}, quiet(0.5), speech(0.4), quiet(3))
	r.run(t) // finishes once
	said, err := r.utterances[0].Finish(t.Context())
	if err != nil || said.Text != "stop" {
		t.Errorf("the second Finish gave %+v, %v", said, err)
	}
	if err := r.utterances[0].Close(); err != nil || r.closed != 1 {
		t.Errorf("Close after Finish: %v, closed %d times", err, r.closed)
	}
	r = scene([]word{{"stop", 2, 2.3}}, quiet(0.5), speech(0.4), quiet(3))
	r.keep = true
	if err := r.build(t).Serve(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.utterances[0].Close()
	if _, err := r.utterances[0].Finish(t.Context()); err == nil || r.closed != 1 {
		t.Errorf("Finish after Close: %v, closed %d times", err, r.closed)
	}
}

// One recogniser may serve one turn at a time: an utterance that nobody reads does not keep it from the next.
func TestForsakenUtterance(t *testing.T) {
	r := &rig{
		pcm: join(quiet(2), speech(0.4), quiet(3), quiet(2), speech(0.4), quiet(3)), orders: orders,
		wakes: map[int64]string{at(1.5): "jarvis", at(6): "jarvis"}, words: []word{{"stop", 2, 2.3}, {"timer", 7.4, 7.7}},
	}
	r.keep = true
	r.fail = func(what string) error {
		if what == "open" && r.opened != r.closed {
			return errors.New("in use")
		}
		return nil
	}
	if err := r.build(t).Serve(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(r.utterances) != 2 {
		t.Fatal(r.say())
	}
	if _, err := r.utterances[0].Finish(t.Context()); err == nil {
		t.Error("the forsaken utterance was finished")
	}
	if said, err := r.utterances[1].Finish(t.Context()); err != nil || said.Text != "timer" {
		t.Errorf("heard %+v, %v", said, err)
	}
}

// Commands from everywhere at once.
func TestCommandsRace(t *testing.T) {
	r := scene([]word{{"stop", 2, 2.3}}, quiet(0.5), speech(0.4), quiet(20))
	l := r.build(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 200 {
			l.Press()
			l.Release()
			l.Gate(true)
			l.Gate(false)
			l.Mute(true)
			_ = l.Muted()
			l.Mute(false)
			l.Attend(time.Second)
		}
	}()
	if err := l.Serve(t.Context()); err != nil {
		t.Error(err)
	}
	<-done
	for _, u := range r.utterances {
		u.Close()
	}
	if r.opened != r.closed {
		t.Errorf("%d recognisers opened, %d closed", r.opened, r.closed)
	}
}
