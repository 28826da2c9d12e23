package web_test

import (
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/codec"
	"github.com/solo-assistant/solo/core/channel/web"
)

// singer says every text as a gliding tone of a second and a half, at a rate that most forms do not have.
type singer struct{}

func (singer) Speak(_ context.Context, text, _ string, _ float64) (audio.Clip, error) {
	if text == "nothing" {
		return audio.Clip{}, nil
	}
	if text == "two" { // channels
		return audio.Clip{Format: audio.Format{Rate: 22050, Channels: 2}, PCM: make([]int16, 22050)}, nil
	}
	pcm := make([]int16, 33000)
	for i := range pcm {
		s := float64(i) / 22050
		pcm[i] = int16(9000 * math.Sin(2*math.Pi*(300+80*s)*s))
	}
	return audio.Clip{Format: audio.Format{Rate: 22050, Channels: 1}, PCM: pcm}, nil
}

func TestSpeechInEveryForm(t *testing.T) {
	h := openDoor(t, func(c *web.Config) { c.Voice = singer{} })
	want, _ := singer{}.Speak(t.Context(), "a", "", 1)
	for form, kind := range map[string]string{"wav": "audio/wav", "flac": "audio/flac", "mp3": "audio/mpeg", "opus": "audio/ogg", "aac": "audio/aac", "": "audio/mpeg"} {
		t.Run(form, func(t *testing.T) {
			if form != "wav" && form != "flac" {
				if _, err := exec.LookPath("ffmpeg"); err != nil {
					t.Skip("skipped: no ffmpeg")
				}
			}
			for _, text := range []string{"la", "two", "nothing"} {
				resp, sound := h.ask("POST", "/v1/audio/speech", `{"input":"`+text+`","response_format":"`+form+`"}`, nil)
				if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != kind {
					t.Fatalf("%s: got %d %v %.200s", text, resp.StatusCode, resp.Header, sound)
				}
				if text == "nothing" {
					continue // a file without sound
				}
				clip, err := codec.Decode(strings.NewReader(sound))
				if err != nil {
					t.Fatal(err)
				}
				length := map[string]float64{"la": 1.4966, "two": 0.5}[text]
				if got := float64(len(clip.PCM)) / audio.Rate; math.Abs(got-length) > 0.15 {
					t.Errorf("%s: %.3f s, want %.3f", text, got, length)
				}
			}
		})
	}
	// What is lossless is the same sound.
	_, sound := h.ask("POST", "/v1/audio/speech", `{"input":"la","response_format":"flac"}`, nil)
	_, plain := h.ask("POST", "/v1/audio/speech", `{"input":"la","response_format":"wav"}`, nil)
	a, err1 := codec.Decode(strings.NewReader(sound))
	b, err2 := codec.Decode(strings.NewReader(plain))
	if err := errors.Join(err1, err2); err != nil || len(a.PCM) != len(b.PCM) || len(sound) > 2*len(want.PCM) {
		t.Fatalf("%d and %d samples, %d bytes of FLAC: %v", len(a.PCM), len(b.PCM), len(sound), err)
	}
	for i := range a.PCM {
		if a.PCM[i] != b.PCM[i] {
			t.Fatalf("sample %d is %d, want %d", i, a.PCM[i], b.PCM[i])
		}
	}
}

func TestSpeechWithoutPrograms(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	h := openDoor(t, func(c *web.Config) { c.Voice = singer{} })
	for form, hint := range map[string]string{"mp3": "install ffmpeg or lame", "opus": "install ffmpeg", "aac": "install ffmpeg"} {
		if text := h.wants(415, "no_encoder", "POST", "/v1/audio/speech", `{"input":"a","response_format":"`+form+`"}`, nil); !strings.Contains(text, hint) {
			t.Errorf("%s: %s", form, text)
		}
	}
	if resp, sound := h.ask("POST", "/v1/audio/speech", `{"input":"a"}`, nil); resp.Header.Get("Content-Type") != "audio/wav" || !strings.HasPrefix(sound, "RIFF") {
		t.Errorf("got %v", resp.Header)
	}
	if runtime.GOOS == "windows" {
		return
	}
	// A program that cannot is as good as none; the next one is asked.
	dir := t.TempDir()
	for name, script := range map[string]string{"ffmpeg": "#!/bin/sh\necho 'Unknown encoder' >&2\nexit 1\n", "lame": "#!/bin/sh\nexec /bin/cat >/dev/null\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	h.wants(415, "no_encoder", "POST", "/v1/audio/speech", `{"input":"a","response_format":"aac"}`, nil)
	if resp, _ := h.ask("POST", "/v1/audio/speech", `{"input":"a","response_format":"mp3"}`, nil); resp.Header.Get("Content-Type") != "audio/mpeg" {
		t.Errorf("got %v", resp.Header)
	}
}
