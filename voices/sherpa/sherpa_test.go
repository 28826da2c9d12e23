package sherpa

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/core/proc"
	"github.com/solo-assistant/solo/voices"
	"github.com/solo-assistant/solo/voices/synthtest"
)

// piperish is what a Piper voice for sherpa-onnx says of itself.
var piperish = map[string]string{"sample_rate": "22050", "n_speakers": "2", "comment": "piper", "language": "English", "voice": "en-us"}

func field(number int, b []byte) []byte {
	return append(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(number)<<3|2), uint64(len(b))), b...)
}

// onnx is a file with an empty graph and words about itself.
func onnx(meta map[string]string) []byte {
	b := append([]byte{8, 8}, field(7, make([]byte, 70<<10))...)
	for k, v := range meta {
		b = append(b, field(14, append(field(1, []byte(k)), field(2, []byte(v))...))...)
	}
	return b
}

// unpacked writes a voice's folder; change may spoil it.
func unpacked(t testing.TB, folder, name string, model []byte, change func(dir string)) {
	t.Helper()
	dir := filepath.Join(folder, name)
	if err := os.MkdirAll(filepath.Join(dir, "espeak-ng-data"), 0o700); err != nil {
		t.Fatal(err)
	}
	for file, b := range map[string][]byte{"voice.onnx": model, "tokens.txt": []byte("_ 0\n^ 1\n  2\na 3\n"),
		"espeak-ng-data/phontab": {1}, "espeak-ng-data/phonindex": {1}, "espeak-ng-data/phondata": {1}, "espeak-ng-data/intonations": {1}} {
		if err := os.WriteFile(filepath.Join(dir, file), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if change != nil {
		change(dir)
	}
}

// hum is a voice that hums each letter.
type hum struct {
	rate   int
	loaded *int
}

func (h hum) free() { *h.loaded-- }
func (h hum) speak(text string, speaker int, pace float64) (audio.Clip, error) {
	pcm := make([]int16, int(float64(len(text)*h.rate)/14/pace))
	for i := range pcm {
		pcm[i] = int16(6000 * math.Sin(float64(i)*float64(speaker+1)/30))
	}
	return audio.Clip{Format: audio.Format{Rate: h.rate, Channels: 1}, PCM: pcm}, nil
}

func humming(t *testing.T, folder string) (*Engine, *int) {
	t.Helper()
	loaded := new(int)
	e, err := newEngine(Config{Folder: folder, Log: zerolog.Nop()}, func(p place, _ int) (talker, error) {
		*loaded++
		return hum{p.rate, loaded}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return e, loaded
}

func TestSuite(t *testing.T) {
	folder := t.TempDir()
	unpacked(t, folder, "vits-piper-en_GB-alan-low", onnx(piperish), nil)
	unpacked(t, folder, "vits-piper-en_US-amy-low", onnx(piperish), nil)
	e, loaded := humming(t, folder)
	synthtest.Run(t, e)
	if *loaded != 1 {
		t.Errorf("%d voices are in memory, want one", *loaded)
	}
	if err := e.Close(); err != nil || *loaded != 0 {
		t.Errorf("%v, %d voices are left in memory", err, *loaded)
	}
}

func TestVoices(t *testing.T) {
	folder := t.TempDir()
	unpacked(t, folder, "vits-piper-en_GB-alan-low", onnx(piperish), nil)
	unpacked(t, folder, "kokoro-en-v0_19", onnx(map[string]string{"sample_rate": "24000", "n_speakers": "11", "version": "1", "has_espeak": "1", "style_dim": "510,1,256"}), func(dir string) {
		if err := os.WriteFile(filepath.Join(dir, "voices.bin"), []byte{1}, 0o600); err != nil {
			t.Fatal(err)
		}
	})
	e, _ := humming(t, folder)
	all := e.Voices()
	if len(all) != 2 || all[0].ID != "sherpa/kokoro-en-v0_19" || all[0].Lang != "en" || all[1].Lang != "en-GB" {
		t.Errorf("%+v", all)
	}
	for voice, want := range map[string]string{"kokoro-en-v0_19#10": "", "kokoro-en-v0_19#11": "speakers 0 to 10", "kokoro-en-v0_19#x": "speakers 0 to 10", "kokoro-en-v0_19#-1": "speakers", "nobody": "solo voices list", "sherpa/kokoro-en-v0_19": ""} {
		for _, err := range e.Synthesize(t.Context(), voices.Phrase{Text: "hello", Voice: voice}) {
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", voice, err)
			}
		}
	}
	why := errors.New("hush")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	for _, err := range e.Synthesize(ctx, voices.Phrase{Text: "hello"}) {
		if !errors.Is(err, why) {
			t.Errorf("cancelled: %v", err)
		}
	}
}

// A voice that would end the program is left out, with a sentence that says what is wrong with it.
func TestBrokenVoices(t *testing.T) {
	without := func(key string) []byte {
		meta := map[string]string{}
		for k, v := range piperish {
			if k != key {
				meta[k] = v
			}
		}
		return onnx(meta)
	}
	remove := func(name string) func(string) {
		return func(dir string) { _ = os.RemoveAll(filepath.Join(dir, name)) }
	}
	write := func(name, text string) func(string) {
		return func(dir string) { _ = os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600) }
	}
	many := map[string]string{"sample_rate": "22050", "n_speakers": "99999", "comment": "piper", "language": "English"}
	for name, tt := range map[string]struct {
		model  []byte
		change func(string)
		want   string
	}{
		"rhasspy's own":  {onnx(nil), nil, "not made for sherpa-onnx"},
		"no comment":     {without("comment"), nil, "does not say its comment"},
		"no rate":        {without("sample_rate"), nil, "does not say its sample_rate"},
		"too many":       {onnx(many), nil, "99999 speakers"},
		"cut":            {onnx(piperish)[:1000], nil, "breaks off"},
		"no model":       {[]byte("hello, this is no model"), nil, "broken model"},
		"empty":          {nil, nil, "broken model"},
		"no espeak data": {onnx(piperish), remove("espeak-ng-data"), "lacks espeak-ng-data"},
		"two models":     {onnx(piperish), write("b.onnx", "x"), "has 2 models"},
		"odd tokens":     {onnx(piperish), write("tokens.txt", "a b c\n"), "broken tokens.txt"},
		"no tokens":      {onnx(piperish), write("tokens.txt", ""), "it is empty"},
		"half Kokoro":    {onnx(piperish), write("voices.bin", "x"), "does not say its version"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "odd [name]")
			unpacked(t, folder, "voice", tt.model, tt.change)
			_, err := newEngine(Config{Folder: folder, Log: zerolog.Nop()}, open)
			if !errors.Is(err, ErrNoVoice) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// TestMain also is the program in which a voice is tried.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "try" {
		if err := Trial(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A voice that looks well and is damaged inside is tried in another program: this one lives, and says what is wrong.
func TestDamagedInside(t *testing.T) {
	folder := t.TempDir()
	unpacked(t, folder, "vits-piper-en_US-amy-low", onnx(piperish), nil)
	e, err := newEngine(Config{Folder: folder, Log: zerolog.Nop(), Try: func(ctx context.Context, dir string) error {
		_, err := proc.Run(ctx, proc.Command{Path: os.Args[0], Args: []string{"try", dir}})
		return err
	}}, open)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range e.Synthesize(t.Context(), voices.Phrase{Text: "hello"}) {
		if err == nil || !strings.Contains(err.Error(), "unpack its archive again") {
			t.Errorf("error %v", err)
		}
	}
}

func TestAbsent(t *testing.T) {
	_, err := New(Config{Folder: t.TempDir()})
	if want := map[bool]error{true: ErrNoVoice, false: ErrAbsent}[builtIn]; !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}

// The suite on real voices, where the tester has some.
func TestRealVoices(t *testing.T) {
	if !builtIn {
		t.Skip("skipped: built without the tag sherpa")
	}
	if os.Getenv("SOLO_SHERPA_VOICES") == "" {
		t.Skip("skipped: SOLO_SHERPA_VOICES names no folder of real voices")
	}
	e, err := New(Config{Folder: os.Getenv("SOLO_SHERPA_VOICES")})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	synthtest.Run(t, e)
}

func FuzzMetadata(f *testing.F) {
	f.Add(onnx(piperish)[70<<10:])
	f.Add([]byte{0x72, 4, 0x0a, 2, 'a', 'b'})
	f.Add([]byte{0x3a, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "x.onnx")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if meta, err := metadata(path); err == nil && meta == nil {
			t.Error("neither words nor an error")
		}
	})
}
