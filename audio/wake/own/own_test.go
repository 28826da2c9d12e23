package own

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen/listentest"
	"github.com/solo-assistant/solo/audio/wake/own/internal/ear"
	"github.com/solo-assistant/solo/audio/wake/own/internal/net"
	"github.com/solo-assistant/solo/tests/corpus"
)

// word is a model that always finds its word, or never.
func word(t testing.TB, phrase string, always bool) *Model {
	t.Helper()
	n, err := net.New(4, ear.Size, 24)
	if err != nil {
		t.Fatal(err)
	}
	n.Begin(rand.New(rand.NewPCG(1, 1)))
	for i := range n.Scale {
		n.Scale[i] = 0.1
	}
	clear(n.Out)
	if n.OutBias = -10; always {
		n.OutBias = 10
	}
	m := NewModel(phrase, n)
	m.Smooth, m.Made = 2, time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC)
	m.Held = Held{Words: 10, Missed: 1, Other: 60}
	return m
}

func saved(t testing.TB, m *Model) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), FileName(m.Phrase))
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAModelComesBackAsItWas(t *testing.T) {
	m := word(t, " Hey  Solo", true)
	got, err := Load(saved(t, m))
	if err != nil {
		t.Fatal(err)
	}
	if got.Phrase != "hey solo" || got.Threshold != 0.5 || got.Smooth != 2 || got.Held != m.Held || !got.Made.Equal(m.Made) || got.net.OutBias != 10 {
		t.Errorf("got %+v", got)
	}
	for i, x := range m.net.Numbers() {
		for k, v := range x {
			if got.net.Numbers()[i][k] != v {
				t.Fatalf("number %d of %d is another", k, i)
			}
		}
	}
}

func TestSaveRefusesWhatLoadWould(t *testing.T) {
	for name, spoil := range map[string]func(m *Model){
		"no phrase":      func(m *Model) { m.Phrase = "" },
		"an untidy one":  func(m *Model) { m.Phrase = "Hey Solo" },
		"no threshold":   func(m *Model) { m.Threshold = 0 },
		"a strange one":  func(m *Model) { m.Threshold = math.NaN() },
		"no mean":        func(m *Model) { m.Smooth = 0 },
		"not a number":   func(m *Model) { m.net.In[7] = float32(math.NaN()) },
		"without an end": func(m *Model) { m.net.Mean[0] = float32(math.Inf(1)) },
		"a bias of none": func(m *Model) { m.net.OutBias = float32(math.NaN()) },
	} {
		t.Run(name, func(t *testing.T) {
			m := word(t, "hey solo", true)
			spoil(m)
			path := filepath.Join(t.TempDir(), "x.wake")
			if err := m.Save(path); err == nil {
				t.Error("no error")
			}
			if left, _ := os.ReadDir(filepath.Dir(path)); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// signed gives bytes the checksum that they need.
func signed(b []byte) []byte {
	sum := sha256.Sum256(b)
	return append(bytes.Clone(b), sum[:]...)
}

func TestBrokenFiles(t *testing.T) {
	whole, err := word(t, "hey solo", true).encode()
	if err != nil {
		t.Fatal(err)
	}
	body := whole[:len(whole)-sha256.Size]
	changed := func(old, new string) []byte {
		if len(old) != len(new) || !bytes.Contains(body, []byte(old)) {
			t.Fatalf("%q cannot become %q", old, new)
		}
		return signed(bytes.Replace(body, []byte(old), []byte(new), 1))
	}
	for name, tt := range map[string]struct {
		file []byte
		want error
	}{
		"empty":             {nil, ErrNoWakeWord},
		"another file":      {[]byte("RIFF and so on, a recording perhaps"), ErrNoWakeWord},
		"only the magic":    {[]byte(magic), ErrNoWakeWord},
		"newer":             {changed("SOLOWAKE\x01", "SOLOWAKE\x02"), ErrNewer},
		"cut":               {whole[:len(whole)/2], ErrDamaged},
		"one bit":           {append(append(bytes.Clone(whole[:200]), whole[200]^1), whole[201:]...), ErrDamaged},
		"numbers missing":   {signed(body[:len(body)-4]), ErrDamaged},
		"numbers too many":  {signed(append(bytes.Clone(body), 0, 0, 0, 0)), ErrDamaged},
		"other frames":      {changed(`"frames":4`, `"frames":5`), ErrDamaged},
		"no frames":         {changed(`"frames":4`, `"frames":0`), ErrDamaged},
		"other embedding":   {changed(`"size":96`, `"size":92`), ErrDamaged},
		"odd units":         {changed(`"hidden":24`, `"hidden":25`), ErrDamaged},
		"threshold above 1": {changed(`"threshold":0.5`, `"threshold":5.0`), ErrDamaged},
		"no JSON":           {changed(`{"phrase"`, `["phrase"`), ErrDamaged},
		"header too long":   {signed([]byte(magic + "\x01\x00\xff\xff\xff\xff")), ErrDamaged},
		"header is null":    {signed([]byte(magic + "\x01\x00\x04\x00\x00\x00null")), ErrDamaged},
		"far too long":      {make([]byte, mostFile+10), ErrNoWakeWord},
	} {
		t.Run(name, func(t *testing.T) {
			if m, err := Read(bytes.NewReader(tt.file)); !errors.Is(err, tt.want) {
				t.Errorf("%v, error %v, want %v", m, err, tt.want)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	whole, err := word(f, "hey solo", true).encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole[:len(whole)-sha256.Size], true)
	f.Add(whole, false)
	f.Add([]byte(magic+"\x01\x00\x02\x00\x00\x00{}"), true)
	f.Fuzz(func(t *testing.T, b []byte, sign bool) {
		if sign {
			b = signed(b)
		}
		m, err := Read(bytes.NewReader(b))
		if err != nil {
			if m != nil {
				t.Error("a model and an error")
			}
			return
		}
		if _, err := m.encode(); err != nil {
			t.Errorf("what was read cannot be written: %v", err)
		}
	})
}

func TestFileNames(t *testing.T) {
	for phrase, want := range map[string]string{
		"hey solo": "hey_solo.wake", " Hey  SOLO ": "hey_solo.wake", "o'clock-man": "oclock_man.wake", "../../etc": "etc.wake", "соло": "word_d181d0bed0bbd0be.wake",
	} {
		if got := FileName(phrase); got != want {
			t.Errorf("%q: %q, want %q", phrase, got, want)
		}
	}
}

func embedding(t testing.TB) string {
	t.Helper()
	path := filepath.Join(corpus.Dir(t), "models/openwakeword/embedding_model.onnx")
	if _, err := os.Stat(path); err != nil {
		t.Skip("skipped: ", err)
	}
	return path
}

func TestConfigSaysWhatIsWrong(t *testing.T) {
	model := saved(t, word(t, "hey solo", true))
	absent := filepath.Join(t.TempDir(), "absent")
	for name, tt := range map[string]struct {
		c    Config
		want string
	}{
		"no word":      {Config{}, "solo wake train"},
		"no embedding": {Config{Embedding: absent, Models: []string{model}}, "solo models pull openwakeword-embedding"},
		"no network":   {Config{Embedding: model, Models: []string{model}}, "loading the speech embedding from"},
		"no model":     {Config{Embedding: embedding(t), Models: []string{absent}}, "make it with: solo wake train"},
		"no word file": {Config{Embedding: embedding(t), Models: []string{embedding(t)}}, "not a trained wake word"},
		"threshold":    {Config{Models: []string{model}, Threshold: 1.5}, "want 0 to 1"},
		"sure":         {Config{Models: []string{model}, Sure: math.NaN()}, "want 0 to 1"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := New(tt.c); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func open(t testing.TB, c Config, models ...*Model) *Detector {
	t.Helper()
	c.Embedding = embedding(t)
	for _, m := range models {
		c.Models = append(c.Models, saved(t, m))
	}
	d, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// told is each hit in sound that is fed in pieces, with its place.
func told(t testing.TB, d *Detector, pcm []int16, step int) (hits []audio.Hit, at []int) {
	t.Helper()
	for n := 0; n < len(pcm); n += step {
		hit, ok, err := d.Feed(pcm[n:min(n+step, len(pcm))])
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			hits, at = append(hits, hit), append(at, n)
		}
	}
	return hits, at
}

func TestAWordIsToldOnceASecond(t *testing.T) {
	d := open(t, Config{}, word(t, "hey solo", true), word(t, "never mind", false))
	hits, at := told(t, d, listentest.Quiet(4000), audio.FrameLen)
	if len(hits) != 4 || hits[0].Word != "hey solo" || hits[0].Score < 0.99 || at[1]-at[0] < audio.Rate {
		t.Errorf("told %v at %v", hits, at)
	}
	if w := d.Words(); len(w) != 2 || w[1] != "never mind" {
		t.Errorf("words %v", w)
	}
}

func TestFeedTakesAnyLength(t *testing.T) {
	for _, step := range []int{1, 7, 320, 1281} {
		if hits, _ := told(t, open(t, Config{}, word(t, "hey solo", true)), listentest.Quiet(1000), step); len(hits) != 1 {
			t.Errorf("%d hits in pieces of %d", len(hits), step)
		}
	}
}

func TestThreshold(t *testing.T) {
	m := word(t, "hey solo", true)
	m.net.OutBias = 0 // every score is 0.5
	m.Threshold = 0.6
	if hits, _ := told(t, open(t, Config{}, m), listentest.Quiet(1000), 320); len(hits) != 0 {
		t.Errorf("told below the word's threshold: %v", hits)
	}
	if hits, _ := told(t, open(t, Config{Threshold: 0.4}, m), listentest.Quiet(500), 320); len(hits) != 1 {
		t.Errorf("%v with a lower threshold in the settings", hits)
	}
}

func TestSecondStage(t *testing.T) {
	for name, tt := range map[string]struct {
		sure  float64
		yes   bool
		err   error
		hits  int
		asked bool
	}{
		"agrees":              {0, true, nil, 1, true},
		"disagrees":           {0, false, nil, 0, true},
		"fails":               {0, false, errors.New("no recogniser"), 1, true},
		"not asked when sure": {0.9, false, nil, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			d := open(t, Config{Sure: tt.sure, Check: func(ctx context.Context, pcm []int16) (bool, error) {
				if _, ok := ctx.Deadline(); !ok || len(pcm) < audio.Rate/10 {
					t.Errorf("asked about %d samples, deadline %v", len(pcm), ok)
				}
				asked++
				return tt.yes, tt.err
			}}, word(t, "hey solo", true))
			if hits, _ := told(t, d, listentest.Quiet(1000), 320); len(hits) != tt.hits || (asked > 0) != tt.asked || asked > 1 {
				t.Errorf("%d hits, asked %d times", len(hits), asked)
			}
		})
	}
}

func TestSwap(t *testing.T) {
	d := open(t, Config{}, word(t, "hey solo", false))
	if hits, _ := told(t, d, listentest.Quiet(500), 320); len(hits) != 0 {
		t.Fatalf("told %v", hits)
	}
	d.Swap(word(t, "hey solo", true))
	if hits, _ := told(t, d, listentest.Quiet(500), 320); len(hits) != 1 || len(d.Words()) != 1 {
		t.Errorf("told %v of %v", hits, d.Words())
	}
	d.Swap(word(t, "good evening", true))
	if hits, _ := told(t, d, listentest.Quiet(500), 320); len(hits) != 1 || hits[0].Word != "good evening" {
		t.Errorf("told %v", hits)
	}
}

func TestResetAndClose(t *testing.T) {
	d := open(t, Config{}, word(t, "hey solo", true))
	told(t, d, listentest.Quiet(300), 320)
	d.Reset()
	if hits, _ := told(t, d, listentest.Quiet(300), 320); len(hits) != 1 {
		t.Errorf("%d hits after Reset: what was told before it must not count", len(hits))
	}
	for range 2 {
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := d.Feed(make([]int16, 320)); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("error %v", err)
	}
}

// BenchmarkFeed reports how much of one core a second of sound costs.
func BenchmarkFeed(b *testing.B) {
	d := open(b, Config{}, word(b, "hey solo", false))
	second := listentest.Join(listentest.Say(b, "slt", "what is the weather like today"), listentest.Quiet(1000))[:audio.Rate]
	b.ReportAllocs()
	for b.Loop() {
		for i := 0; i < len(second); i += audio.FrameLen {
			if _, _, err := d.Feed(second[i : i+audio.FrameLen]); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(100*b.Elapsed().Seconds()/float64(b.N), "%core")
}
