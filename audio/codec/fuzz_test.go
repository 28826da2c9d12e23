package codec_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/codec"
)

// fuzz feeds changed files of one kind. Only decoders in Go are tried, and they may neither panic,
// nor hang, nor give an error without a name, nor more sound than fits.
func fuzz(f *testing.F, kinds ...string) {
	for name, tt := range files {
		for _, k := range kinds {
			if tt.kind != k {
				continue
			}
			if _, err := exec.LookPath("ffmpeg"); err != nil {
				continue
			}
			b, err := os.ReadFile(made(f, tt.name, tt.channels, tt.rate, 200*time.Millisecond, tt.args...))
			if err != nil {
				f.Fatal(name, err)
			}
			f.Add(b)
		}
	}
	f.Add([]byte("OggS" + string(make([]byte, 24)) + "OpusHead"))
	f.Add([]byte("\x1a\x45\xdf\xa3\x80\x18\x53\x80\x67\xff\xae\x80\xd7\x81\x01"))
	f.Setenv("PATH", f.TempDir())
	f.Fuzz(func(t *testing.T, b []byte) {
		clip, err := codec.Decode(bytes.NewReader(b))
		named := false
		for _, e := range []error{codec.ErrEmpty, codec.ErrUnknown, codec.ErrUnreadable, codec.ErrTruncated, codec.ErrNoFFmpeg} {
			named = named || errors.Is(err, e)
		}
		if err != nil && !named {
			t.Fatalf("an error without a name: %v", err)
		}
		if int64(len(clip.PCM)) > 100_000*int64(len(b)+1) {
			t.Fatalf("%d samples out of %d bytes", len(clip.PCM), len(b))
		}
	})
}

func FuzzWAV(f *testing.F)    { fuzz(f, "WAV") }
func FuzzMP3(f *testing.F)    { fuzz(f, "MP3") }
func FuzzFLAC(f *testing.F)   { fuzz(f, "FLAC") }
func FuzzOpus(f *testing.F)   { fuzz(f, "Ogg Opus") }
func FuzzVorbis(f *testing.F) { fuzz(f, "Ogg Vorbis") }
func FuzzWebM(f *testing.F)   { fuzz(f, "WebM") }

// again is a head and then n times the same body, without holding it all.
type again struct {
	head, body []byte
	n          int64
	at         int64
}

func (a *again) size() int64 { return int64(len(a.head)) + a.n*int64(len(a.body)) }

func (a *again) Read(b []byte) (int, error) {
	if a.at >= a.size() {
		return 0, io.EOF
	}
	from := a.head
	if off := a.at - int64(len(a.head)); off >= 0 {
		from = a.body[off%int64(len(a.body)):]
	} else {
		from = from[a.at:]
	}
	n := copy(b, from)
	a.at += int64(n)
	return n, nil
}

func (a *again) Seek(offset int64, whence int) (int64, error) {
	a.at = offset + map[int]int64{io.SeekStart: 0, io.SeekCurrent: a.at, io.SeekEnd: a.size()}[whence]
	return a.at, nil
}

func TestHoursNeedNoMemory(t *testing.T) {
	long := 2 * time.Minute
	if os.Getenv("SOLO_SOAK") != "" {
		long = 3 * time.Hour
	}
	var head bytes.Buffer
	if _, err := audio.NewWAVWriter(&head, audio.Format{Rate: 48000, Channels: 2}); err != nil {
		t.Fatal(err)
	}
	mp3, err := os.ReadFile(made(t, "x.mp3", 1, 22050, 10*time.Second, "-write_xing", "0", "-id3v2_version", "0", "-b:a", "32k"))
	if err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]*again{
		"WAV": {head: head.Bytes(), body: make([]byte, 4*48000), n: int64(long.Seconds())},
		"MP3": {body: mp3, n: int64(long.Seconds()) / 10},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := codec.Open(in)
			if err != nil {
				t.Fatal(err)
			}
			began, before, n, peak := time.Now(), heap(), int64(0), uint64(0)
			buf := make([]int16, 16000)
			for err == nil {
				var got int
				got, err = s.Read(buf)
				if n/400_000 != (n+int64(got))/400_000 {
					peak = max(peak, heap())
				}
				n += int64(got)
			}
			if !errors.Is(err, io.EOF) || audio.Time(n, audio.Rate) < long {
				t.Fatalf("%v after %v", err, audio.Time(n, audio.Rate))
			}
			grown := (int64(peak) - int64(before)) >> 10
			t.Logf("%v decoded in %v, heap grew by %d KiB", audio.Time(n, audio.Rate).Round(time.Second), time.Since(began).Round(time.Millisecond), grown)
			if grown > 4<<10 {
				t.Errorf("the heap grew by %d KiB", grown)
			}
		})
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
