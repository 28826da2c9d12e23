package codec_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/codec"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// voice is something like a voice: a gliding tone with overtones below 5 kHz that comes and goes.
func voice(rate int, d time.Duration) []int16 {
	out := make([]int16, audio.Samples(d, rate))
	phase := 0.0
	for i := range out {
		s := float64(i) / float64(rate)
		phase += 2 * math.Pi * (140 + 40*math.Sin(3*s)) / float64(rate)
		x := 0.0
		for k := 1.0; k <= 25 && k*180 < 0.35*float64(rate); k++ {
			x += math.Sin(k*phase+k*k) / (k + 2)
		}
		out[i] = int16(9000 * x * (0.6 + 0.4*math.Sin(9*s)))
	}
	return out
}

// made is a file that ffmpeg made of a voice, with the given arguments.
func made(t testing.TB, name string, channels, rate int, d time.Duration, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("skipped: no ffmpeg to make the files with")
	}
	dir := t.TempDir()
	clip := audio.Clip{Format: audio.Format{Rate: rate, Channels: channels}}
	for _, s := range voice(rate, d) {
		for range channels {
			clip.PCM = append(clip.PCM, s)
		}
	}
	var wav bytes.Buffer
	if err := audio.WriteWAV(&wav, clip); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, name)
	cmd := exec.Command("ffmpeg", append(append([]string{"-v", "error", "-f", "wav", "-i", "pipe:0"}, args...), out)...)
	cmd.Stdin = &wav
	if b, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("skipped: this ffmpeg can not make %s: %s", name, b)
	}
	return out
}

// reference is what ffmpeg hears in a file.
func reference(t testing.TB, path string) []int16 {
	t.Helper()
	in := []string{"-v", "error"}
	if strings.Contains(t.Name(), "opus") {
		in = append(in, "-c:a", "libopus") // the reference decoder; ffmpeg's own has another delay
	}
	b, err := exec.Command("ffmpeg", append(in, "-i", path, "-af", "aresample=filter_size=96", "-f", "wav", "-ac", "1", "-ar", "16000", "-")...).Output()
	if err != nil {
		t.Fatal(err)
	}
	clip, err := audio.ReadWAV(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return clip.PCM
}

// align finds the shift of got against want, in samples, and the SNR in dB there.
func align(got, want []int16) (lag int, snr float64) {
	snr = math.Inf(-1)
	n := min(len(got), len(want)) - 4000
	for l := -300; l <= 300; l++ {
		var ab, bb, aa float64
		for i := 2000; i < n+2000; i += 5 {
			if i+l < 0 || i+l >= len(got) {
				continue
			}
			a, b := float64(got[i+l]), float64(want[i])
			ab, bb, aa = ab+a*b, bb+b*b, aa+a*a
		}
		if s := 10 * math.Log10(ab*ab/(aa*bb-ab*ab+1e-9)); s > snr {
			lag, snr = l, s
		}
	}
	return lag, snr
}

var files = map[string]struct {
	name     string
	channels int
	rate     int
	args     []string
	kind     string
	snr      float64
}{
	"wav 24 bit":       {"x.wav", 2, 44100, []string{"-c:a", "pcm_s24le"}, "WAV", 60},
	"wav float":        {"x.wav", 1, 48000, []string{"-c:a", "pcm_f32le"}, "WAV", 60},
	"wav 8 kHz stereo": {"x.wav", 2, 8000, nil, "WAV", 55},
	"wav mu-law":       {"x.wav", 1, 8000, []string{"-c:a", "pcm_mulaw"}, "WAV", 55},
	"mp3":              {"x.mp3", 1, 44100, []string{"-b:a", "96k"}, "MP3", 50},
	"mp3 vbr stereo":   {"x.mp3", 2, 48000, []string{"-q:a", "4"}, "MP3", 50},
	"mp3 MPEG 2":       {"x.mp3", 1, 22050, []string{"-b:a", "32k"}, "MP3", 50},
	"mp3 MPEG 2.5":     {"x.mp3", 2, 8000, []string{"-b:a", "24k"}, "MP3", 50},
	"mp3 12 kHz":       {"x.mp3", 1, 12000, []string{"-b:a", "24k"}, "MP3", 50},
	"mp3 without tags": {"x.mp3", 2, 44100, []string{"-write_xing", "0", "-id3v2_version", "0"}, "MP3", 50},
	"flac":             {"x.flac", 2, 44100, nil, "FLAC", 60},
	"flac 24 bit":      {"x.flac", 1, 48000, []string{"-sample_fmt", "s32"}, "FLAC", 60},
	"ogg opus":         {"x.ogg", 2, 48000, []string{"-c:a", "libopus"}, "Ogg Opus", 40},
	"ogg opus voice":   {"x.ogg", 1, 16000, []string{"-c:a", "libopus", "-application", "voip", "-b:a", "16k"}, "Ogg Opus", 40},
	"ogg vorbis":       {"x.ogg", 2, 44100, []string{"-c:a", "libvorbis"}, "Ogg Vorbis", 55},
	"webm":             {"x.webm", 1, 48000, []string{"-c:a", "libopus"}, "WebM", 40},
	"webm live":        {"x.webm", 1, 48000, []string{"-c:a", "libopus", "-live", "1", "-f", "webm"}, "WebM", 40},
	"m4a":              {"x.m4a", 1, 44100, []string{"-c:a", "aac"}, "MP4", 60},
	"aac":              {"x.aac", 2, 44100, []string{"-c:a", "aac"}, "AAC", 60},
	"aiff":             {"x.aiff", 1, 44100, nil, "AIFF", 60},
}

func TestDecodeHearsWhatFFmpegHears(t *testing.T) {
	for name, tt := range files {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := made(t, tt.name, tt.channels, tt.rate, 3*time.Second, tt.args...)
			misnamed := filepath.Join(t.TempDir(), "sound.xyz") // the content counts
			if err := os.Rename(path, misnamed); err != nil {
				t.Fatal(err)
			}
			s, err := codec.OpenFile(misnamed)
			if err != nil {
				t.Fatal(err)
			}
			if s.Kind() != tt.kind {
				t.Errorf("taken for %s, want %s", s.Kind(), tt.kind)
			}
			got, err := drain(s)
			if err != nil {
				t.Fatal(err)
			}
			want := reference(t, misnamed)
			lag, snr := align(got, want)
			t.Logf("%d samples (ffmpeg %d), lag %d, SNR %.1f dB", len(got), len(want), lag, snr)
			if snr < tt.snr || lag != 0 {
				t.Errorf("SNR %.1f dB at lag %d, want %.0f at 0", snr, lag, tt.snr)
			}
			if d := len(got) - len(want); d < -1 || d > 400 { // an encoder may state a shorter end
				t.Errorf("%d samples, ffmpeg has %d", len(got), len(want))
			}
		})
	}
}

// drain reads a stream in odd pieces and closes it.
func drain(s *codec.Stream) (pcm []int16, err error) {
	defer func() { err = errors.Join(err, s.Close()) }()
	buf := make([]int16, 777)
	for {
		n, err := s.Read(buf)
		pcm = append(pcm, buf[:n]...)
		if errors.Is(err, io.EOF) {
			return pcm, nil
		}
		if err != nil {
			return pcm, err
		}
	}
}

func TestMP3BeginsAndEndsWhereTheSoundDoes(t *testing.T) {
	path := made(t, "x.mp3", 1, 48000, 2*time.Second, "-b:a", "128k")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{"tagged": b, "with a large picture": append(picture(300_000), b...)} {
		got, err := codec.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatal(name, err)
		}
		lag, snr := align(got.PCM, audio.Resample(voice(48000, 2*time.Second), 48000, 16000))
		if lag != 0 || len(got.PCM) != 32000 {
			t.Errorf("%s: lag %d (SNR %.1f), %d samples, want 0 and 32000", name, lag, snr, len(got.PCM))
		}
	}
}

// picture is an ID3 tag of n bytes.
func picture(n int) []byte {
	b := []byte{'I', 'D', '3', 4, 0, 0, byte(n >> 21 & 127), byte(n >> 14 & 127), byte(n >> 7 & 127), byte(n & 127)}
	return append(b, make([]byte, n)...)
}

func TestDecodeGivesWhatThereIsOfABrokenFile(t *testing.T) {
	for name, tt := range files {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.kind == "MP4" {
				t.Skip("skipped: without its end an MP4 has no index and no sound")
			}
			b, err := os.ReadFile(made(t, tt.name, tt.channels, tt.rate, 3*time.Second, tt.args...))
			if err != nil {
				t.Fatal(err)
			}
			got, err := codec.Decode(bytes.NewReader(b[:len(b)*6/10+1]))
			if tt.kind == "AIFF" || tt.kind == "AAC" || name == "wav mu-law" || name == "mp3 MPEG 2.5" {
				if err != nil && !errors.Is(err, codec.ErrTruncated) { // ffmpeg does not always mind
					t.Fatal(err)
				}
			} else if !errors.Is(err, codec.ErrTruncated) {
				t.Errorf("got %v, want ErrTruncated", err)
			}
			if d := got.Duration(); d < 900*time.Millisecond || d > 2500*time.Millisecond {
				t.Errorf("%v of sound in six tenths of 3 s", d)
			}
		})
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // no ffmpeg
	mp3 := append([]byte{0xff, 0xfb, 0x90, 0x64}, make([]byte, 100)...)
	for name, tt := range map[string]struct {
		in   string
		want error
		says string
	}{
		"nothing":      {"", codec.ErrEmpty, "0 bytes"},
		"text":         {strings.Repeat("Dear diary, ", 100), codec.ErrUnknown, "WAV, MP3"},
		"one byte":     {"R", codec.ErrUnknown, ""},
		"zeros":        {strings.Repeat("\x00", 9000), codec.ErrUnknown, ""},
		"bad WAV":      {"RIFF....WAVEfmt", audio.ErrWAV, "chunk"},
		"bad FLAC":     {"fLaC", codec.ErrTruncated, "FLAC"},
		"bad Ogg":      {"OggS" + strings.Repeat("\x00", 24) + "OpusHead", codec.ErrUnreadable, "Ogg Opus"},
		"bad Vorbis":   {"OggS" + strings.Repeat("\x00", 24) + "\x01vorbis", codec.ErrUnreadable, "Ogg Vorbis"},
		"bad WebM":     {"\x1a\x45\xdf\xa3", codec.ErrTruncated, "WebM"},
		"huge element": {"\x1a\x45\xdf\xa3\x80\x63\xa2\x08\xff\xff\xff\xff", codec.ErrUnreadable, "at most"},
		"short MP3":    {string(mp3), codec.ErrTruncated, "MP3"},
		"only a tag":   {string(picture(50)), codec.ErrTruncated, "MP3"},
		"MP4":          {"\x00\x00\x00\x20ftypM4A ", codec.ErrNoFFmpeg, "install"},
		"AAC":          {"\xff\xf1\x50\x80\x00\x00\x00", codec.ErrNoFFmpeg, "AAC"},
	} {
		t.Run(name, func(t *testing.T) {
			clip, err := codec.Decode(strings.NewReader(tt.in))
			if err == nil || tt.want != nil && !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) {
				t.Fatalf("got %v and %d samples", err, len(clip.PCM))
			}
		})
	}
	if _, err := codec.OpenFile(filepath.Join(t.TempDir(), "none.wav")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestGarbageBehindAHeaderIsNoPanic(t *testing.T) {
	for name, tt := range files {
		if tt.kind == "MP4" || tt.kind == "AAC" || tt.kind == "AIFF" {
			continue
		}
		b, err := os.ReadFile(made(t, tt.name, tt.channels, tt.rate, 500*time.Millisecond, tt.args...))
		if err != nil {
			t.Fatal(err)
		}
		for i := len(b) / 3; i < len(b); i += 7 {
			b[i] ^= byte(i)
		}
		clip, err := codec.Decode(bytes.NewReader(b))
		if err != nil && !errors.Is(err, codec.ErrTruncated) && !errors.Is(err, codec.ErrUnreadable) {
			t.Errorf("%s: %v", name, err)
		}
		if clip.Duration() > 5*time.Second {
			t.Errorf("%s: %v out of half a second", name, clip.Duration())
		}
	}
}
