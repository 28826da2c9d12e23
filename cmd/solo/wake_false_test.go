package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/wake/own"
	"github.com/solo-assistant/solo/audio/wake/own/train"
	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/job"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/tool/wake"
	"github.com/solo-assistant/solo/tests/corpus"
)

// Which wake is called false: not the one by which the user woke Solo to say so, and rather one that came to nothing.
func TestWhichWakeWasFalse(t *testing.T) {
	type step struct {
		turn  uint64
		begun time.Duration // words behind the wake word, 0 for none
		fruit string
	}
	for name, tt := range map[string]struct {
		steps []step
		in    uint64 // the turn in which it is called false, 0 for typed
		want  int    // which step, -1 for none
	}{
		"the only one":                         {[]step{{1, 0, ""}}, 0, 0},
		"said in its own turn, late":           {[]step{{1, 3 * time.Second, "wake.false"}}, 1, 0},
		"woken to say so":                      {[]step{{1, 0, ""}, {2, 300 * time.Millisecond, "wake.false"}}, 2, 0},
		"woken to say so, nothing before":      {[]step{{2, 300 * time.Millisecond, "wake.false"}}, 2, -1},
		"an order between":                     {[]step{{1, 0, ""}, {2, 300 * time.Millisecond, "clock.time"}, {3, 300 * time.Millisecond, "wake.false"}}, 3, 0},
		"all came to something":                {[]step{{1, 300 * time.Millisecond, "speech.stop"}}, 0, 0},
		"of two the last":                      {[]step{{1, 0, ""}, {2, 0, ""}}, 0, 1},
		"of too many only the last are known":  {[]step{{1, 0, ""}, {2, 0, "x"}, {3, 0, "x"}, {4, 0, "x"}}, 0, 3},
		"talk that was no order":               {[]step{{1, time.Second, ""}, {2, time.Second, "clock.time"}}, 0, 0},
		"its own turn, after an order as well": {[]step{{1, time.Second, "clock.time"}, {2, 4 * time.Second, "wake.false"}}, 2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := &wakes{d: &ownEngine{}}
			var all []*woken
			for i, s := range tt.steps {
				w.hit = &woken{word: "hey solo"}
				all = append(all, w.hit)
				at := time.Duration(i+1) * time.Minute
				w.woke(audio.Hit{Word: "hey solo"}, at)
				w.hear(bus.Meta{Turn: s.turn}, event.Woke{Word: "hey solo", At: at})
				if s.begun > 0 {
					w.hear(bus.Meta{Turn: s.turn}, event.Heard{Start: at + s.begun})
				}
				if s.fruit != "" {
					w.hear(bus.Meta{Turn: s.turn}, event.Understood{Intent: s.fruit})
				}
			}
			got, err := w.wrong(tt.in)
			if i := slices.Index(all, got); i != tt.want || (err == nil) != (tt.want >= 0) {
				t.Errorf("wake %d, %v; want %d", i, err, tt.want)
			}
			if again, _ := w.wrong(tt.in); again != nil && again == got {
				t.Error("the same wake is called false twice")
			}
		})
	}
	if _, err := (&wakes{}).wrong(0); !errors.Is(err, wake.ErrNotOwn) {
		t.Errorf("another engine: %v", err)
	}
}

// A hit that opened no turn, as when Solo says the word itself, is no wake.
func TestOwnWordsAreNoWake(t *testing.T) {
	w := &wakes{d: &ownEngine{}, hit: &woken{word: "hey solo"}}
	w.woke(audio.Hit{}, time.Second) // by the key
	if _, err := w.wrong(0); !errors.Is(err, wake.ErrNone) {
		t.Errorf("error %v", err)
	}
}

// taught is the word that the tests share.
var (
	taught      sync.Once
	taughtFiles = map[string][]byte{}
)

// trainedHome is a home whose word wakes to anything, with what it was learnt from.
func trainedHome(t *testing.T) *app {
	t.Helper()
	weights, err := os.ReadFile(filepath.Join(corpus.Dir(t), "models/openwakeword/embedding_model.onnx"))
	if err != nil {
		t.Skip("skipped: ", err)
	}
	at := t.TempDir()
	a := &app{home: home{config: at, data: filepath.Join(at, "data"), cache: filepath.Join(at, "cache")}, mendScale: 0.02}
	for _, dir := range []string{filepath.Dir(a.home.embedding()), a.home.ownWords()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(a.home.embedding(), weights, 0o600); err != nil {
		t.Fatal(err)
	}
	voices := a.teachers()
	if len(voices) == 0 {
		t.Skip("skipped: no voice is installed; apt install flite")
	}
	taught.Do(func() { // once for all tests: under the race detector it takes half a minute
		dir, err := os.MkdirTemp("", "solo-taught-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		model := filepath.Join(dir, "word.wake")
		if _, err := train.Train(t.Context(), train.Config{Phrase: "solo computer", Embedding: a.home.embedding(), Voices: voices[len(voices)-4:],
			Model: model, Scale: 0.02, Seed: 1}); err != nil {
			t.Fatal(err)
		}
		for _, ext := range []string{".wake", ".set"} {
			if taughtFiles[ext], err = os.ReadFile(filepath.Join(dir, "word"+ext)); err != nil {
				t.Fatal(err)
			}
		}
	})
	for ext, b := range taughtFiles {
		if err := os.WriteFile(strings.TrimSuffix(a.ownWord("solo computer"), ".wake")+ext, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// wakesTo lets the word be found somewhere in pcm, but not in its first second.
func wakesTo(t *testing.T, a *app, pcm []int16) {
	t.Helper()
	for th := 0.5; th > 1e-12; th /= 2 {
		m, err := own.Load(a.ownWord("solo computer"))
		if err != nil {
			t.Fatal(err)
		}
		m.Threshold = th
		if err := m.Save(a.ownWord("solo computer")); err != nil {
			t.Fatal(err)
		}
		d, err := own.New(own.Config{Embedding: a.home.embedding(), Models: []string{a.ownWord("solo computer")}})
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at+audio.FrameLen <= len(pcm); at += audio.FrameLen {
			if _, found, err := d.Feed(pcm[at : at+audio.FrameLen]); err != nil {
				t.Fatal(err)
			} else if found && at > audio.Rate {
				return
			} else if found {
				break
			}
		}
	}
	t.Fatal("nothing wakes it")
}

// The whole way: a sound wakes Solo, the user says that it was false, the word is learnt again and taken up while Solo
// runs, and undone.
func TestFalseWakeIsLearnt(t *testing.T) {
	listens(t)
	a := trainedHome(t)
	s, _, err := loadSettings(a.home, []string{"wake.engine=own", "wake.sure=0", "llama.use=off", "ollama.use=off", "whisper.use=off"})
	if err != nil {
		t.Fatal(err)
	}
	a.settings = s
	db, err := rows.Open(t.Context(), s.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	sound := join(quiet(2*second), say(t, "slt", "solo computer"), quiet(second))
	wakesTo(t, a, sound)
	room := &oneSound{pcm: join(sound, quiet(8*second)), over: make(chan struct{})}
	solo, err := a.assemble(t.Context(), db, ends{source: room, sink: silence{}, think: true})
	if err != nil {
		t.Fatal(err)
	}
	defer solo.Close()
	ended := bus.Subscribe[job.Ended](&solo.bus, "test", 8, bus.DropOldest)
	stop := serving(t, solo)
	defer stop()
	<-room.over
	first := modelTime(t, a)
	told := func(text, want string) {
		t.Helper()
		u, err := solo.understand(t.Context(), text, false)
		if err != nil || u.Reply != want {
			t.Fatalf("%q: %q, %v", text, u.Reply, err)
		}
		if e := <-ended.C; e.Val.Job.State != job.Done || e.Val.Job.Title != "learning the wake word solo computer again" {
			t.Fatalf("%+v", e.Val.Job)
		}
	}
	told("that was a false wake", "Sorry. I'm learning that this wasn't solo computer.")
	learnt := modelTime(t, a)
	if !learnt.After(first) {
		t.Error("the word's file was not made again")
	}
	told("undo", "So it was solo computer. I'm learning it again.")
	if !modelTime(t, a).After(learnt) {
		t.Error("the word was not learnt again after the undo")
	}
}

func modelTime(t *testing.T, a *app) time.Time {
	t.Helper()
	m, err := own.Load(a.ownWord("solo computer"))
	if err != nil {
		t.Fatal(err)
	}
	return m.Made
}

// The command line learns from a recording where no Solo runs, and says what is missing.
func TestFalseWakeOnTheCommandLine(t *testing.T) {
	a := trainedHome(t)
	at := a.home.config
	file := record(t, say(t, "slt", "the weather is fine today"))
	for name, tt := range map[string]struct {
		args []string
		exit int
		want string
	}{
		"nobody runs":   {nil, 1, "no running Solo was found"},
		"half of it":    {[]string{"--sound", file}, cli.ExitUsage, "together"},
		"another word":  {[]string{"--sound", file, "--word", "hey you"}, 1, "solo wake train \"hey you\""},
		"no such file":  {[]string{"--sound", file + "x", "--word", "solo computer"}, 1, "check the name"},
		"nothing in it": {[]string{"--sound", record(t, quiet(second)), "--word", "solo computer"}, cli.ExitSilence, "too little sound"},
	} {
		t.Run(name, func(t *testing.T) {
			code, lines := solo(t, at, "", append([]string{"wake", "false"}, tt.args...)...)
			text := ""
			for _, l := range lines {
				text += l.text("message") + " " + l.text("hint") + "\n"
			}
			if code != tt.exit || !strings.Contains(text, tt.want) {
				t.Errorf("exit %d, %s", code, text)
			}
		})
	}
	var made []cli.Trained
	err := a.FalseWake(t.Context(), cli.FalseWake{Word: "Solo Computer", Sound: file}, func(l cli.Line) {
		if m, ok := l.(cli.Trained); ok {
			made = append(made, m)
		}
	})
	if err != nil || len(made) != 1 || made[0].Phrase != "solo computer" {
		t.Errorf("made %+v, %v", made, err)
	}
}

// oneSound is a microphone that hears one thing and then nothing more.
type oneSound struct {
	pcm  []int16
	at   int64
	over chan struct{} // closed when it was heard
}

func (o *oneSound) Read(ctx context.Context) (audio.Frame, error) {
	if len(o.pcm) < audio.FrameLen {
		close(o.over)
		<-ctx.Done()
		return audio.Frame{}, context.Cause(ctx)
	}
	f := audio.Frame{At: o.at, PCM: o.pcm[:audio.FrameLen]}
	o.pcm, o.at = o.pcm[audio.FrameLen:], o.at+audio.FrameLen
	return f, nil
}

// serving runs an assistant until stop.
func serving(t *testing.T, s *assistant) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { _ = s.Serve(ctx) }) // it ends with ctx
	return func() { cancel(); wg.Wait() }
}

// Said aloud it is understood; a wake word that was not trained here cannot learn.
func TestFalseWakeIsHeard(t *testing.T) {
	listens(t)
	in := record(t, quiet(second), say(t, "slt", "jarvis"), quiet(second/4), say(t, "slt", "that was a false wake"), quiet(2*second))
	code, lines := solo(t, t.TempDir(), "", "talk", "--in", in)
	intents, replies := only(lines, "intent"), only(lines, "reply")
	if code != 0 || len(intents) != 1 || intents[0].text("name") != "wake.false" || len(replies) == 0 || !strings.Contains(replies[0].text("text"), "wake word of your own") {
		t.Errorf("exit %d, %v", code, lines)
	}
}
