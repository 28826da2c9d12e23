package sphinx_test

import (
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/codec"
	"github.com/solo-assistant/solo/audio/stt/sphinx"
)

// engine opens an engine or skips where pocketsphinx is not compiled in or has no model.
func engine(t testing.TB, c sphinx.Config) *sphinx.Engine {
	t.Helper()
	if c.Cache == "" {
		c.Cache = t.TempDir()
	}
	e, err := sphinx.New(c)
	if errors.Is(err, sphinx.ErrAbsent) {
		t.Skipf("skipped: %v (tests need -tags sphinx)", err)
	}
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// read decodes a recording of any format to 16 kHz mono.
func read(t testing.TB, file string) []int16 {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	clip, err := codec.Decode(f)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return clip.Mono16k().PCM
}

// say speaks a sentence by flite, with a little silence around it.
func say(t testing.TB, voice, text string) []int16 {
	t.Helper()
	if _, err := exec.LookPath("flite"); err != nil {
		t.Skip("skipped: no flite")
	}
	file := filepath.Join(t.TempDir(), "said.wav")
	if out, err := exec.Command("flite", "-voice", voice, "-t", text, "-o", file).CombinedOutput(); err != nil {
		t.Fatalf("flite: %v %s", err, out)
	}
	pcm := make([]int16, audio.Rate/3)
	return append(append(pcm, read(t, file)...), pcm...)
}

// mix adds noise to speech, snr dB softer, from a different place of the noise each time.
func mix(speech, noise []int16, snr float64, from int) []int16 {
	gain := power(speech) / power(noise) / math.Pow(10, snr/20)
	out := make([]int16, len(speech))
	for i, s := range speech {
		v := float64(s) + gain*float64(noise[(i+from)%len(noise)])
		out[i] = int16(max(-32767, min(32767, v)))
	}
	return out
}

func power(pcm []int16) float64 {
	sum := 1.0
	for _, v := range pcm {
		sum += float64(v) * float64(v)
	}
	return math.Sqrt(sum / float64(len(pcm)))
}

func lines(text string) []string { return strings.Split(strings.TrimSpace(text), "\n") }

// tape gives samples as a decoded file does.
type tape struct{ pcm []int16 }

func (t *tape) Read(pcm []int16) (int, error) {
	n := copy(pcm, t.pcm[:min(len(t.pcm), 5000)])
	t.pcm = t.pcm[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}
