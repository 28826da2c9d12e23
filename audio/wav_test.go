package audio_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/solo-assistant/solo/audio"
)

// chunk is one chunk of a file, padded where it is odd.
func chunk(id string, body []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(id), uint32(len(body)))
	b = append(b, body...)
	return append(b, make([]byte, len(body)&1)...)
}

// fmtBody is the plain form of a fmt chunk's content.
func fmtBody(code, channels, rate, bits int) []byte {
	le := binary.LittleEndian
	b := le.AppendUint16(le.AppendUint16(nil, uint16(code)), uint16(channels))
	b = le.AppendUint32(le.AppendUint32(b, uint32(rate)), uint32(rate*channels*bits/8))
	return le.AppendUint16(le.AppendUint16(b, uint16(channels*bits/8)), uint16(bits))
}

// extensible is the long form.
func extensible(code, channels, rate, bits int) []byte {
	b := append(fmtBody(0xFFFE, channels, rate, bits), 22, 0, byte(bits), 0, 4, 0, 0, 0, byte(code), 0)
	return append(b, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71)
}

func file(chunks ...[]byte) []byte {
	body := append([]byte("WAVE"), slices.Concat(chunks...)...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

// patch overwrites the 32-bit number at place at.
func patch(b []byte, at int, v uint32) []byte {
	b = slices.Clone(b)
	binary.LittleEndian.PutUint32(b[at:], v)
	return b
}

func le16(v ...int16) []byte {
	var b []byte
	for _, s := range v {
		b = binary.LittleEndian.AppendUint16(b, uint16(s))
	}
	return b
}

func TestReadWAVKnowsEveryEncoding(t *testing.T) {
	f32 := func(v ...float32) (b []byte) {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
		return b
	}
	f64 := func(v ...float64) (b []byte) {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
		return b
	}
	for name, tt := range map[string]struct {
		fmt, data []byte
		want      []int16
	}{
		"8":        {fmtBody(1, 1, 16000, 8), []byte{0, 128, 255, 129}, []int16{-32768, 0, 32512, 256}},
		"16":       {fmtBody(1, 1, 16000, 16), le16(0, 1, -1, 32767, -32768), []int16{0, 1, -1, 32767, -32768}},
		"24":       {fmtBody(1, 1, 16000, 24), []byte{0, 1, 0, 0, 0, 0x80, 0xff, 0xff, 0x7f, 0x80, 1, 0}, []int16{1, -32768, 32767, 2}},
		"32":       {fmtBody(1, 1, 16000, 32), []byte{0, 0, 1, 0, 0, 0, 0, 0x80, 0xff, 0xff, 0xff, 0x7f}, []int16{1, -32768, 32767}},
		"float 32": {fmtBody(3, 1, 16000, 32), f32(0, 0.5, -0.5, 1, -1, 7, float32(math.NaN())), []int16{0, 16384, -16384, 32767, -32768, 32767, 0}},
		"float 64": {fmtBody(3, 1, 16000, 64), f64(0.25, math.Inf(1), math.Inf(-1)), []int16{8192, 32767, -32768}},
		"ext 16":   {extensible(1, 1, 16000, 16), le16(5, -5), []int16{5, -5}},
		"ext 24":   {extensible(1, 1, 16000, 24), []byte{0, 5, 0}, []int16{5}},
		"ext f32":  {extensible(3, 1, 16000, 32), f32(0.125), []int16{4096}},
	} {
		t.Run(name, func(t *testing.T) {
			clip, err := audio.ReadWAV(iotest.OneByteReader(bytes.NewReader(file(chunk("fmt ", tt.fmt), chunk("data", tt.data)))))
			if err != nil || !slices.Equal(clip.PCM, tt.want) || clip.Format != audio.Mono16k {
				t.Fatalf("got %v %v %v, want %v", clip.PCM, clip.Format, err, tt.want)
			}
		})
	}
}

func TestReadWAVIsPatientWithSizes(t *testing.T) {
	head := chunk("fmt ", fmtBody(1, 2, 8000, 16))
	data := le16(1, 2, 3, 4, 5, 6)
	plain := file(head, chunk("data", data))
	at := bytes.Index(plain, []byte("data")) + 4
	all := []int16{1, 2, 3, 4, 5, 6}
	for name, tt := range map[string]struct {
		file []byte
		want []int16
		cut  bool
	}{
		"plain":                    {plain, all, false},
		"chunks around":            {file(chunk("LIST", []byte("odd")), head, chunk("fact", nil), chunk("data", data), chunk("LIST", make([]byte, 99))), all, false},
		"streamed with ffffffff":   {patch(patch(plain, at, 0xffffffff), 4, 0xffffffff), all, false},
		"streamed with 0":          {patch(patch(plain, at, 0), 4, 0), all, false},
		"left at 0 by a crash":     {patch(patch(plain, at, 0), 4, 36), all, false},
		"streamed by sox":          {patch(plain, at, 0x7ffff000), all, false},
		"really empty":             {file(head, chunk("data", nil), chunk("LIST", data)), nil, false},
		"data cut between blocks":  {plain[:len(plain)-4], all[:4], true},
		"data cut within a block":  {plain[:len(plain)-1], all[:4], true},
		"streamed, cut in a block": {patch(plain, at, 0xffffffff)[:len(plain)-1], all[:4], true},
		"size not of whole blocks": {patch(append(slices.Clone(plain), 9, 9), at, 13), all, true},
	} {
		t.Run(name, func(t *testing.T) {
			w, err := audio.OpenWAV(bytes.NewReader(tt.file))
			if err != nil {
				t.Fatal(err)
			}
			var got []int16
			buf := make([]int16, 3) // one block of two samples fits
			for {
				n, err := w.Read(buf)
				got = append(got, buf[:n]...)
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil || n != 2 {
					t.Fatal(n, err)
				}
			}
			if !slices.Equal(got, tt.want) || w.Truncated() != tt.cut {
				t.Fatalf("got %v truncated %v, want %v %v", got, w.Truncated(), tt.want, tt.cut)
			}
			clip, err := audio.ReadWAV(bytes.NewReader(tt.file))
			if err != nil || !slices.Equal(clip.PCM, tt.want) {
				t.Fatalf("whole: %v %v", clip.PCM, err)
			}
		})
	}
}

func TestReadWAVTakesRF64(t *testing.T) {
	ds := make([]byte, 28)
	binary.LittleEndian.PutUint64(ds[8:], 4)
	b := file(chunk("ds64", ds), chunk("fmt ", fmtBody(1, 1, 16000, 16)), chunk("data", le16(7, 8, 9, 9)))
	copy(b, "RF64")
	b = patch(b, bytes.Index(b, []byte("data"))+4, 0xffffffff)
	clip, err := audio.ReadWAV(bytes.NewReader(b))
	if err != nil || !slices.Equal(clip.PCM, []int16{7, 8}) {
		t.Fatal(clip.PCM, err)
	}
}

func TestReadWAVSaysWhatIsWrong(t *testing.T) {
	ok, data := chunk("fmt ", fmtBody(1, 1, 16000, 16)), chunk("data", le16(1, 2))
	bad := func(at int, v byte) []byte {
		b := fmtBody(1, 1, 16000, 16)
		b[at] = v
		return file(chunk("fmt ", b), data)
	}
	strange := extensible(1, 1, 16000, 16)
	strange[30] ^= 1
	for want, in := range map[string][]byte{
		"the file is empty":                    {},
		"ends within its first 12 bytes":       []byte("RIFF"),
		`begins with "ID3\x03", not RIFF`:      []byte("ID3\x03 and so on"),
		`holds "AVI ", not WAVE`:               []byte("RIFF\x04\x00\x00\x00AVI "),
		"big-endian":                           []byte("RIFX\x04\x00\x00\x00WAVE"),
		"no data chunk":                        file(ok),
		"comes before the fmt chunk":           file(data, ok),
		"two fmt chunks":                       file(ok, ok, data),
		"fmt chunk has 4 bytes":                file(chunk("fmt ", make([]byte, 4)), data),
		"ends within its fmt chunk":            file(ok)[:24],
		"ends within a chunk's header":         file(ok)[:15],
		`ends within its "LIST" chunk`:         file(chunk("LIST", make([]byte, 50)))[:40],
		"0 channels":                           bad(2, 0),
		"9 channels":                           bad(2, 9),
		"128 samples per second":               patch(file(ok, data), 24, 128),
		"4000000000 samples per second":        patch(file(ok, data), 24, 4000000000),
		"samples of 12 bits":                   bad(14, 12),
		"mu-law":                               bad(0, 7),
		"blocks have 1 bytes":                  bad(12, 1),
		"extensible fmt chunk has 16 bytes":    file(chunk("fmt ", fmtBody(0xFFFE, 1, 16000, 16)), data),
		"neither PCM nor float":                file(chunk("fmt ", strange), data),
		"ds64 chunk has 3 bytes":               file(chunk("ds64", []byte("abc"))),
		"ends within its ds64 chunk":           file(chunk("ds64", make([]byte, 28)))[:30],
		"samples of 16 bits are not read, PCM": file(chunk("fmt ", fmtBody(3, 1, 16000, 16)), data),
	} {
		t.Run(want, func(t *testing.T) {
			_, err := audio.ReadWAV(bytes.NewReader(in))
			if !errors.Is(err, audio.ErrWAV) || !strings.Contains(err.Error(), want) {
				t.Fatalf("got %v", err)
			}
		})
	}
}

func TestReadWAVKeepsTheReadersOwnError(t *testing.T) {
	broken := errors.New("disk on fire")
	whole := file(chunk("fmt ", fmtBody(1, 1, 16000, 16)), chunk("data", make([]byte, 100)))
	for _, n := range []int{0, 4, 20, 60} {
		_, err := audio.ReadWAV(io.MultiReader(bytes.NewReader(whole[:n]), iotest.ErrReader(broken)))
		if !errors.Is(err, broken) {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
}

func TestWriteWAV(t *testing.T) {
	want := audio.Clip{Format: audio.Format{Rate: 44100, Channels: 2}, PCM: make([]int16, 20002)}
	for i := range want.PCM {
		want.PCM[i] = int16(i * 7)
	}
	var b bytes.Buffer
	if err := audio.WriteWAV(&b, want); err != nil {
		t.Fatal(err)
	}
	got, err := audio.ReadWAV(&b)
	if err != nil || got.Format != want.Format || !slices.Equal(got.PCM, want.PCM) {
		t.Fatal("did not come back", got.Format, err)
	}
	if err := audio.WriteWAV(&b, audio.Clip{}); err == nil {
		t.Fatal("a clip without a format was written")
	}
}

func TestWAVWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.wav")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	var pipe bytes.Buffer
	for _, to := range []io.Writer{f, &pipe} {
		w, err := audio.NewWAVWriter(to, audio.Mono16k)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if err := w.Write([]int16{1, -2}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	onDisk, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"file": onDisk, "pipe": pipe.Bytes()} {
		w, err := audio.OpenWAV(bytes.NewReader(b))
		if err != nil {
			t.Fatal(name, err)
		}
		if want := map[string]int64{"file": 6, "pipe": -1}[name]; w.Len() != want {
			t.Errorf("%s: %d samples promised, want %d", name, w.Len(), want)
		}
		clip, err := audio.ReadWAV(bytes.NewReader(b))
		if err != nil || !slices.Equal(clip.PCM, []int16{1, -2, 1, -2, 1, -2}) {
			t.Errorf("%s: %v %v", name, clip.PCM, err)
		}
	}
}

func FuzzReadWAV(f *testing.F) {
	f.Add(file(chunk("fmt ", fmtBody(1, 2, 8000, 16)), chunk("data", le16(1, 2, 3))))
	f.Add(file(chunk("fmt ", extensible(3, 1, 16000, 32)), chunk("data", make([]byte, 7))))
	f.Add(file(chunk("ds64", make([]byte, 28)), chunk("data", nil)))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		clip, err := audio.ReadWAV(bytes.NewReader(b))
		if err != nil {
			if !errors.Is(err, audio.ErrWAV) {
				t.Fatalf("an error that is not ErrWAV: %v", err)
			}
			return
		}
		if clip.Format.Check() != nil || len(clip.PCM) > len(b) || len(clip.PCM)%clip.Format.Channels != 0 {
			t.Fatalf("%d samples of %v out of %d bytes", len(clip.PCM), clip.Format, len(b))
		}
	})
}
