package piper

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/voices"
	"github.com/solo-assistant/solo/voices/internal/clerk"
	"github.com/solo-assistant/solo/voices/synthtest"
)

const (
	oneVoice  = `{"audio":{"sample_rate":16000,"quality":"medium"},"espeak":{"voice":"en-us"},"inference":{"length_scale":1},"num_speakers":1,"speaker_id_map":{}}`
	manyHeads = `{"audio":{"sample_rate":16000,"quality":"low"},"language":{"code":"de_DE"},"inference":{"length_scale":1.2},"num_speakers":3,"speaker_id_map":{"anna":0,"bert":1,"carl":2}}`
)

// data makes a data folder with two voices.
func data(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"en_US-fake-medium": oneVoice, "de_DE-heads-low": manyHeads} {
		put(t, filepath.Join(dir, "voices", name+".onnx"), "weights")
		put(t, filepath.Join(dir, "voices", name+".onnx.json"), text)
	}
	return dir
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func engine(t testing.TB, behaviour string) *Engine {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped: links to the test binary need rights there")
	}
	return built(t, Config{Settings: Settings{Program: newFake(t, behaviour, "piper"), Limit: 5 * time.Second}, Data: data(t), Temp: t.TempDir()})
}

func built(t testing.TB, c Config) *Engine {
	t.Helper()
	e, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func say(ctx context.Context, e *Engine, p voices.Phrase) (all audio.Clip, err error) {
	for c, err := range e.Synthesize(ctx, p) {
		if err != nil {
			return all, err
		}
		all.Format = c.Format
		all.PCM = append(all.PCM, c.PCM...)
	}
	return all, nil
}

func TestSuite(t *testing.T) {
	for _, behaviour := range []string{"mit", "gpl", "python", "mit,flite,split"} {
		t.Run(behaviour, func(t *testing.T) { synthtest.Run(t, engine(t, behaviour)) })
	}
}

// What programs do beside what they were asked.
func TestOddPrograms(t *testing.T) {
	for _, behaviour := range []string{"mit,chatter", "python,chatter", "mit,words", "mit,more", "mit,split", "mit,late", "gpl,elsewhere", "python,early", "python,late"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			e := engine(t, behaviour)
			for _, text := range []string{"The first line.", "A second, which is longer."} {
				c, err := say(t.Context(), e, voices.Phrase{Text: text})
				if err != nil || len(c.PCM) != 1000*len(text) || c.Format != audio.Mono16k {
					t.Errorf("%q: %d samples at %v, %v", text, len(c.PCM), c.Format, err)
				}
			}
		})
	}
}

func TestFailures(t *testing.T) {
	for behaviour, want := range map[string]string{
		"mit,broken": "no such model", "mit,nosize": "no WAV of known length", "mit,half": "exit status 1", "mit,junk": "no RIFF", "python,broken": "no such model",
	} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			if _, err := say(t.Context(), engine(t, behaviour), voices.Phrase{Text: "hello"}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %q", err, want)
			}
		})
	}
}

// A program that dies at a sentence is started again, and the sentence is spoken.
func TestCrash(t *testing.T) {
	for _, b := range []string{"mit", "gpl", "python"} {
		t.Run(b, func(t *testing.T) {
			t.Parallel()
			e := engine(t, b+",crash2") // each program dies of its second line
			for i := range 6 {
				if c, err := say(t.Context(), e, voices.Phrase{Text: "hello"}); err != nil || len(c.PCM) != 5000 {
					t.Errorf("line %d: %d samples, %v", i, len(c.PCM), err)
				}
			}
		})
	}
}

// A sentence that kills every program is told with its last words, and the next one is spoken.
func TestDeadlySentence(t *testing.T) {
	e := engine(t, "mit")
	if _, err := say(t.Context(), e, voices.Phrase{Text: "please die"}); err == nil || !strings.Contains(err.Error(), "Segmentation fault") {
		t.Errorf("got %v", err)
	}
	if _, err := say(t.Context(), e, voices.Phrase{Text: "hello"}); err != nil {
		t.Error(err)
	}
}

// A program that cannot start is not started for every sentence.
func TestNoStorm(t *testing.T) {
	e := engine(t, "mit,broken")
	var last error
	for range 6 {
		_, last = say(t.Context(), e, voices.Phrase{Text: "hello"})
	}
	if last == nil || !strings.Contains(last.Error(), "the next try is in") || !strings.Contains(last.Error(), "no such model") {
		t.Errorf("got %v", last)
	}
}

func TestHang(t *testing.T) {
	e := engine(t, "mit")
	e.conf.Limit = 50 * time.Millisecond
	if _, err := say(t.Context(), e, voices.Phrase{Text: "warm up"}); err != nil {
		t.Fatal(err)
	}
	if _, err := say(t.Context(), e, voices.Phrase{Text: "please hang"}); !errors.Is(err, clerk.ErrHung) {
		t.Errorf("got %v", err)
	}
	if _, err := say(t.Context(), e, voices.Phrase{Text: "hello"}); err != nil {
		t.Errorf("after a program that hung: %v", err)
	}
}

// Who was spoken over leaves at once; the next sentence is its own and no other.
func TestLeaveAndGoOn(t *testing.T) {
	for _, b := range []string{"mit", "python"} {
		e := engine(t, b)
		if _, err := say(t.Context(), e, voices.Phrase{Text: "hello"}); err != nil {
			t.Fatal(err)
		}
		over := errors.New("the user spoke")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(50*time.Millisecond, func() { cancel(over) })
		began := time.Now()
		if _, err := say(ctx, e, voices.Phrase{Text: "take your time with this"}); !errors.Is(err, over) {
			t.Errorf("got %v", err)
		}
		if took := time.Since(began); took > 350*time.Millisecond {
			t.Logf("left after %v; the machine is busy", took)
		}
		if c, err := say(t.Context(), e, voices.Phrase{Text: "short"}); err != nil || len(c.PCM) != 5000 {
			t.Errorf("%s: %d samples, %v", b, len(c.PCM), err)
		}
	}
}

// Two programs are kept; another voice or pace takes the place of the one not used for longest.
func TestTwoPrograms(t *testing.T) {
	e := engine(t, "mit")
	for _, p := range []voices.Phrase{{Voice: "de_DE-heads-low#bert"}, {Voice: "de_DE-heads-low#2"}, {Pace: 2}, {}, {Pace: 0.5}, {Voice: "de_DE-heads-low"}} {
		p.Text = "hello"
		c, err := say(t.Context(), e, p)
		if err != nil || len(c.PCM) == 0 {
			t.Errorf("%+v: %v", p, err)
		}
		e.pool.mu.Lock()
		if len(e.pool.kept) > most {
			t.Errorf("%d programs", len(e.pool.kept))
		}
		e.pool.mu.Unlock()
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if _, err := say(t.Context(), e, voices.Phrase{Text: "hello", Pace: []float64{0.5, 1, 1.5, 2}[i%4]}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestSpeakersAndStretch(t *testing.T) {
	e := engine(t, "mit")
	c, err := say(t.Context(), e, voices.Phrase{Text: "hello", Voice: "de_DE-heads-low", Pace: 2})
	if err != nil || len(c.PCM) != 3000 { // its own stretch of 1.2, twice as fast
		t.Errorf("%d samples, %v", len(c.PCM), err)
	}
	for _, voice := range []string{"de_DE-heads-low#dora", "de_DE-heads-low#3", "de_DE-heads-low#-1", "de_DE-heads-low#", "en_US-fake-medium#1", "", "../voices/en_US-fake-medium"} {
		_, err := say(t.Context(), e, voices.Phrase{Text: "hello", Voice: voice})
		if (err == nil) != (voice == "") {
			t.Errorf("%q: %v", voice, err)
		}
	}
}

func TestLines(t *testing.T) {
	for text, want := range map[string]string{
		"one\ntwo\r\n\nthree": "one two three", "a\u2028b": "a b", "\x00\x1b[2J": "[2J", "...": "", "🎉 !": "", " \n": "", "\xff\xfe": "", "4": "4", "你好": "你好",
	} {
		if got := line(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	e := engine(t, "python")
	if c, err := say(t.Context(), e, voices.Phrase{Text: "…"}); err != nil || len(c.PCM) != 0 {
		t.Errorf("%d samples, %v", len(c.PCM), err)
	}
}

func TestInstalled(t *testing.T) {
	dir := data(t)
	for name, text := range map[string]string{"nojson": "", "bad": "{", "odd": `{"audio":{"sample_rate":3}}`, "huge": oneVoice + strings.Repeat(" ", longestHead)} {
		put(t, filepath.Join(dir, "voices", name+".onnx"), "x")
		if text != "" {
			put(t, filepath.Join(dir, "voices", name+".onnx.json"), text)
		}
	}
	list := Config{Data: dir}.installed()
	if len(list) != 2 || list[0].Name != "de_DE-heads-low" || strings.Join(list[0].Speakers, " ") != "anna bert carl" || list[0].Lang != "de-DE" || list[0].Quality != "low" ||
		list[1].Lang != "en-US" || list[1].Bytes != 7 || len(list[1].Speakers) != 0 {
		t.Errorf("got %+v", list)
	}
}

func TestWhichBuild(t *testing.T) {
	for behaviour, want := range map[string]string{"mit": "(C++, MIT)", "gpl": "1.7.0 (C++, GPL-3)", "python": "(Python, GPL-3)"} {
		if got := engine(t, behaviour).Version(t.Context()); got != want {
			t.Errorf("%s is %q", behaviour, got)
		}
	}
	module := built(t, Config{Settings: Settings{Program: newFake(t, "python", "python3")}, Data: data(t)})
	if got := strings.Join(module.build.args, " "); got != "-m piper" {
		t.Errorf("a Python is started with %q", got)
	}
}

func TestAbsent(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := New(Config{Data: data(t)}); !errors.Is(err, ErrAbsent) {
		t.Errorf("no program: %v", err)
	}
	t.Setenv("PATH", filepath.Dir(newFake(t, "mice", "piper")))
	if _, err := New(Config{Data: data(t)}); !errors.Is(err, ErrAbsent) || !strings.Contains(err.Error(), "another program") {
		t.Errorf("a stranger: %v", err)
	}
	dir := data(t) // one in the data folder is found past the stranger
	put(t, filepath.Join(dir, "piper_linux", "x"), "")
	self, _ := os.Executable()
	unpacked := filepath.Join(dir, "piper_linux", "mit")
	if err := os.Mkdir(unpacked, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(unpacked, "piper")); err != nil {
		t.Fatal(err)
	}
	if _, err := New(Config{Settings: Settings{Folder: filepath.Join(dir, "voices")}, Data: dir}); !errors.Is(err, ErrAbsent) {
		t.Errorf("too deep: %v", err)
	}
	if err := os.Rename(unpacked, filepath.Join(dir, "mit")); err != nil {
		t.Fatal(err)
	}
	if _, err := New(Config{Settings: Settings{Program: filepath.Join(dir, "mit", "piper")}, Data: t.TempDir()}); !errors.Is(err, ErrNoVoice) {
		t.Errorf("no voice: %v", err)
	}
}

// Serve loads the voice ahead and ends everything.
func TestServe(t *testing.T) {
	e := engine(t, "mit")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- e.Serve(ctx) }()
	if _, err := say(t.Context(), e, voices.Phrase{Text: "hello"}); err != nil {
		t.Error(err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	e.pool.mu.Lock()
	defer e.pool.mu.Unlock()
	if len(e.pool.kept) != 0 {
		t.Error("programs are kept")
	}
}

func TestIdleProgramIsPutAway(t *testing.T) {
	e := engine(t, "python")
	e.conf.KeepIdle = 20 * time.Millisecond
	for range 3 {
		if _, err := say(t.Context(), e, voices.Phrase{Text: "hello"}); err != nil {
			t.Fatal(err)
		}
		k := e.pool.kept[0].teller.(*housed)
		for until := time.Now().Add(10 * time.Second); k.Pid() != 0; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(until) {
				t.Fatal("it is kept for ever")
			}
		}
	}
}

// The real program, with a real voice.
func TestReal(t *testing.T) {
	program, folder := os.Getenv("PIPER_TEST_PROGRAM"), os.Getenv("PIPER_TEST_VOICES")
	if program == "" || folder == "" {
		t.Skip("skipped: PIPER_TEST_PROGRAM and PIPER_TEST_VOICES name no Piper and no folder of voices")
	}
	e := built(t, Config{Settings: Settings{Program: program, Folder: folder, Limit: 20 * time.Second}, Temp: t.TempDir()})
	t.Log(e.Version(t.Context()), e.Voices())
	for i := range 5 {
		began := time.Now()
		c, err := say(t.Context(), e, voices.Phrase{Text: "It is twenty past four in the afternoon."})
		if err != nil || c.Duration() == 0 {
			t.Fatal(c.Duration(), err)
		}
		t.Logf("sentence %d: %v of sound at %d Hz in %v", i, c.Duration(), c.Format.Rate, time.Since(began))
	}
}

func FuzzFrame(f *testing.F) {
	s := &speaking{behaviour: []string{"mit"}}
	f.Add(s.wav([]int16{1, 2, 3}))
	f.Add([]byte("RIFF\xff\xff\xff\xffWAVEdata\xff\xff\xff\xff"))
	f.Add([]byte("hello RIFF0000WAVELIST\x03\x00\x00\x00abc_data\x02\x00\x00\x00ab"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := readFrame(newReader(b))
		if err == nil && 2*len(c.PCM) > 4*len(b) {
			t.Errorf("%d bytes became %d samples", len(b), len(c.PCM))
		}
		whole(bytes.Clone(b))
	})
}

func FuzzDescription(f *testing.F) {
	f.Add([]byte(oneVoice))
	f.Add([]byte(manyHeads))
	f.Add([]byte(`{"audio":{"sample_rate":22050},"num_speakers":1000000000,"inference":{"length_scale":1e300}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		v := Installed{Name: "x"}
		if v.describe(text) == nil && (v.Rate < 8000 || v.stretch <= 0 || len(v.Speakers) > len(text)+10000) {
			t.Errorf("%+v", v)
		}
	})
}
