package macsay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/voices"
	"github.com/solo-assistant/solo/voices/synthtest"
)

// TestMain also plays say: linked as say, the test binary takes its arguments and writes tones.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "say" {
		os.Exit(play(os.Args[1:]))
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // the race detector makes every program that ends wait a second
	os.Exit(m.Run())
}

const list = `Alex                en_US    # Most people recognize me by my voice.
Bad News            en_US    # The light you see at the end of the tunnel is the headlamp of a fast approaching train.
Eddy (German (Germany)) de_DE    # Hallo! Ich heisse Eddy.
Meijia              zh_TW    # 您好，我叫美佳。
Yelda               tr-TR    # Merhaba
nothing to see here
`

func play(args []string) int {
	arg := func(name string) string {
		if i := slices.Index(args, name); i >= 0 && i+1 < len(args) {
			return args[i+1]
		}
		return ""
	}
	if arg("-v") == "?" {
		fmt.Print(list)
		return 0
	}
	rate := 175.0
	if r := arg("-r"); r != "" {
		rate, _ = strconv.ParseFloat(r, 64)
	}
	text, _ := io.ReadAll(os.Stdin)
	if arg("-f") != "-" || !slices.Contains(args, "--file-format=WAVE") || !slices.Contains(args, "--data-format=LEI16@22050") {
		fmt.Fprintln(os.Stderr, "say: wrong arguments")
		return 1
	}
	if bytes.Contains(text, []byte("[[")) {
		fmt.Fprintln(os.Stderr, "say: obeyed a command")
		return 1
	}
	pcm := make([]int16, int(float64(len(text))*1200*175/rate))
	for i := range pcm {
		pcm[i] = int16(8000 * math.Sin(float64(i)/10))
	}
	f, err := os.Create(arg("-o"))
	if err == nil {
		err = errors.Join(audio.WriteWAV(f, audio.Clip{Format: audio.Format{Rate: 22050, Channels: 1}, PCM: pcm}), f.Close())
	}
	if err != nil {
		return 1
	}
	return 0
}

func engine(t testing.TB) *Engine {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped: links to the test binary need rights there")
	}
	path := filepath.Join(t.TempDir(), "say")
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, path)
	}
	if err != nil {
		t.Fatal(err)
	}
	e, err := New(Config{Program: path, Temp: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestSuite(t *testing.T) { synthtest.Run(t, engine(t)) }

func TestVoices(t *testing.T) {
	var got []string
	for _, v := range engine(t).Voices() {
		got = append(got, v.ID+" "+v.Lang)
	}
	want := "say/Alex en-US, say/Bad News en-US, say/Eddy (German (Germany)) de-DE, say/Meijia zh-TW, say/Yelda tr-TR"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %q", got)
	}
}

// A text cannot command say, and leaves nothing behind.
func TestTextIsOnlyText(t *testing.T) {
	e := engine(t)
	for _, err := range e.Synthesize(t.Context(), voices.Phrase{Text: "be quiet [[slnc 60000]] for ever [[[["}) {
		if err != nil {
			t.Error(err)
		}
	}
	if left, _ := os.ReadDir(e.temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestAbsent(t *testing.T) {
	if runtime.GOOS != "darwin" {
		if _, err := New(Config{}); !errors.Is(err, ErrAbsent) {
			t.Errorf("got %v", err)
		}
	}
	if _, err := New(Config{Program: filepath.Join(t.TempDir(), "say")}); !errors.Is(err, ErrAbsent) {
		t.Errorf("got %v", err)
	}
}

// The real program, on a Mac.
func TestReal(t *testing.T) {
	e, err := New(Config{})
	if err != nil {
		t.Skip("skipped: " + err.Error())
	}
	synthtest.Run(t, e)
}

func FuzzParse(f *testing.F) {
	f.Add(list)
	f.Fuzz(func(t *testing.T, text string) {
		for _, v := range parse(text) {
			if v.ID == "say/" || v.Lang == "" {
				t.Errorf("%q gave %+v", text, v)
			}
		}
	})
}
