package sapi

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/voices"
	"github.com/solo-assistant/solo/voices/synthtest"
)

// TestMain also plays PowerShell: linked as DIR/powershell, the test binary answers as the script would, in the manner
// that DIR's name says.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "powershell" {
		os.Exit(play(filepath.Base(filepath.Dir(os.Args[0])), os.Args[1:]))
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // the race detector makes every program that ends wait a second
	goleak.VerifyTestMain(m)
}

func engine(t testing.TB, manner string) *Engine {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped: links to the test binary need rights there")
	}
	dir := filepath.Join(t.TempDir(), manner)
	self, err := os.Executable()
	if err == nil {
		err = errors.Join(os.Mkdir(dir, 0o700), os.Symlink(self, filepath.Join(dir, "powershell")))
	}
	if err != nil {
		t.Fatal(err)
	}
	return build(t, Config{Program: filepath.Join(dir, "powershell"), Limit: 5 * time.Second})
}

func build(t testing.TB, c Config) *Engine {
	t.Helper()
	e, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// play answers the script's orders with tones.
func play(manner string, args []string) int {
	if args[len(args)-2] != "-EncodedCommand" || args[len(args)-1] != encoded(script) {
		return 2
	}
	if manner == "stub" { // as wine has it
		return 0
	}
	if manner == "chatty" {
		fmt.Print("Windows PowerShell\r\nCopyright (C)\r\n")
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		f := strings.Fields(in.Text())
		if f[0] == "VOICES" {
			fmt.Printf("VOICE %s en-US Female\r\nVOICE %s de-DE Male\r\nVOICE !!! x\r\nVOICE\r\nEND\r\n", packed("Fake Zira Desktop"), packed("Fräulein Fake"))
			continue
		}
		rate, _ := strconv.Atoi(f[1])
		text, _ := base64.StdEncoding.DecodeString(f[3])
		if name, _ := base64.StdEncoding.DecodeString(f[2]); f[2] != "-" && string(name) != "Fake Zira Desktop" && string(name) != "Fräulein Fake" {
			fmt.Println("ERR " + packed("Cannot set voice. No matching voice is installed."))
			continue
		}
		if strings.Contains(string(text), "please die") {
			fmt.Fprintln(os.Stderr, "out of memory")
			return 1
		}
		var wav bytes.Buffer
		pcm := make([]int16, int(float64(len(text))*1200*math.Pow(3, -float64(rate)/10)))
		for i := range pcm {
			pcm[i] = int16(8000 * math.Sin(float64(i)/10))
		}
		_ = audio.WriteWAV(&wav, audio.Clip{Format: audio.Format{Rate: 22050, Channels: 1}, PCM: pcm})
		fmt.Print("WAV " + base64.StdEncoding.EncodeToString(wav.Bytes()) + "\r\n")
	}
	return 0
}

func TestSuite(t *testing.T) {
	for _, manner := range []string{"plain", "chatty"} {
		t.Run(manner, func(t *testing.T) { synthtest.Run(t, engine(t, manner)) })
	}
}

func TestVoices(t *testing.T) {
	got := engine(t, "chatty").Voices()
	want := []voices.Voice{{ID: "sapi/Fake Zira Desktop", Lang: "en-US", Gender: "female"}, {ID: "sapi/Fräulein Fake", Lang: "de-DE", Gender: "male"}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %+v", got)
	}
}

func say(t *testing.T, e *Engine, text, voice string) error {
	t.Helper()
	for _, err := range e.Synthesize(t.Context(), voices.Phrase{Text: text, Voice: voice}) {
		if err != nil {
			return err
		}
	}
	return nil
}

// A voice that is not there is refused in Windows' own words, and by the child that goes on.
func TestRefusal(t *testing.T) {
	e := engine(t, "plain")
	if err := e.Warm(); err != nil {
		t.Fatal(err)
	}
	if err := say(t, e, "hello", "Nobody"); err == nil || !strings.Contains(err.Error(), "No matching voice") {
		t.Errorf("got %v", err)
	}
	pid := e.clerk.Pid()
	if err := say(t, e, "hello", ""); err != nil || e.clerk.Pid() != pid {
		t.Errorf("%v, child %d became %d", err, pid, e.clerk.Pid())
	}
	if err := say(t, e, "please die", ""); err == nil || !strings.Contains(err.Error(), "out of memory") {
		t.Errorf("got %v", err)
	}
	if err := say(t, e, "hello", ""); err != nil {
		t.Error(err)
	}
}

func TestNotHere(t *testing.T) {
	if err := say(t, engine(t, "stub"), "hello", ""); err == nil {
		t.Error("a PowerShell that says nothing speaks")
	}
	if runtime.GOOS != "windows" {
		if _, err := New(Config{}); !errors.Is(err, ErrAbsent) {
			t.Errorf("got %v", err)
		}
	}
}

func TestRate(t *testing.T) {
	for pace, want := range map[float64]int{0: 0, 1: 0, 3: 10, 9: 10, 0.5: -6, 0.1: -6, 2: 6} {
		if got := rate(pace); got != want {
			t.Errorf("pace %v is rate %d, want %d", pace, got, want)
		}
	}
}

// The real thing, on Windows.
func TestReal(t *testing.T) {
	e, err := New(Config{Limit: time.Minute})
	if errors.Is(err, ErrAbsent) {
		t.Skip("skipped: " + err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if len(e.Voices()) == 0 {
		t.Skip("skipped: this Windows has no voice, or a PowerShell that says nothing")
	}
	synthtest.Run(t, e)
}

func FuzzVoice(f *testing.F) {
	f.Add("RmFrZQ== en-US Female")
	f.Add("  ")
	f.Fuzz(func(t *testing.T, text string) {
		if v, ok := voice(text); ok && (v.ID == "sapi/" || v.Gender != "" && v.Gender != "male" && v.Gender != "female") {
			t.Errorf("%+v", v)
		}
	})
}
