package silero_test

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen/listentest"
	"github.com/solo-assistant/solo/audio/vad/silero"
	"github.com/solo-assistant/solo/tests/corpus"
)

func open(t testing.TB) *silero.Detector {
	t.Helper()
	path := filepath.Join(corpus.Dir(t), "models/silero/silero_vad_16k_v6.2_from_onnx.safetensors")
	d, err := silero.New(silero.Config{Weights: path})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// share is the part of pcm's frames that are speech.
func share(t testing.TB, d *silero.Detector, pcm []int16) float64 {
	t.Helper()
	yes, all := 0.0, 0.0
	for f := range audio.NewFramer(0).Frames(pcm) {
		speech, err := d.Speech(f)
		if err != nil {
			t.Fatal(err)
		}
		if speech {
			yes++
		}
		all++
	}
	return yes / all
}

func TestKnowsSpeech(t *testing.T) {
	dir, d := corpus.Dir(t), open(t)
	for _, f := range listentest.Files(t, dir, "speech/*.wav") {
		d.Reset()
		if s := share(t, d, listentest.Load(t, f)); s < 0.35 {
			t.Errorf("%s: only %.0f %% is speech", filepath.Base(f), 100*s)
		}
	}
}

func TestKnowsWhatIsNoSpeech(t *testing.T) {
	dir, d := corpus.Dir(t), open(t)
	hiss := make([]int16, 10*audio.Rate)
	for i := range hiss {
		hiss[i] = int16(rand.N(400) - 200)
	}
	for name, tt := range map[string]struct {
		pcm  []int16
		most float64
	}{
		"silence": {listentest.Quiet(5000), 0},
		"hiss":    {hiss, 0.01},
		"dog":     {listentest.Load(t, filepath.Join(dir, "noise/esc50_dog_1-100032-A-0.flac")), 0.1},
		"noise 1": {listentest.Load(t, filepath.Join(dir, "noise/sb_noise1.flac")), 0.3},
		"noise 2": {listentest.Load(t, filepath.Join(dir, "noise/sb_noise2.flac")), 0.3},
		"kitchen": {listentest.Load(t, filepath.Join(dir, "noise/pv_kitchen.flac")), 0.3},
	} {
		t.Run(name, func(t *testing.T) {
			d.Reset()
			s := share(t, d, tt.pcm)
			t.Logf("%.1f %% speech", 100*s)
			if s > tt.most {
				t.Errorf("%.1f %% is speech, want at most %.0f", 100*s, 100*tt.most)
			}
		})
	}
}

func TestFindsTheSpeechInSilence(t *testing.T) {
	d := open(t)
	said := listentest.Say(t, "slt", "set a timer for ten minutes")
	pcm := listentest.Join(listentest.Quiet(1000), said, listentest.Quiet(1000))
	first, last := int64(-1), int64(-1)
	for f := range audio.NewFramer(0).Frames(pcm) {
		speech, err := d.Speech(f)
		if err != nil {
			t.Fatal(err)
		}
		if speech && first < 0 {
			first = f.At
		}
		if speech {
			last = f.At + audio.FrameLen
		}
	}
	begin, end := int64(audio.Rate), int64(audio.Rate+len(said))
	if first < begin-audio.Rate/10 || first > begin+audio.Rate/5 || last < end-audio.Rate/5 || last > end+audio.Rate/5 {
		t.Errorf("speech from %d to %d, said from %d to %d", first, last, begin, end)
	}
}

func TestResetForgets(t *testing.T) {
	d := open(t)
	pcm := listentest.Load(t, filepath.Join(corpus.Dir(t), "speech/goforward.wav"))[:2*audio.Rate]
	var want []float64
	for range 2 {
		d.Reset()
		var got []float64
		for f := range audio.NewFramer(0).Frames(pcm) {
			if _, err := d.Speech(f); err != nil {
				t.Fatal(err)
			}
			got = append(got, d.Probability())
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("frame %d: %v, before %v", i, got[i], want[i])
			}
		}
		want = got
	}
}

func TestNewSaysWhatIsWrong(t *testing.T) {
	if _, err := silero.New(silero.Config{}); !errors.Is(err, silero.ErrAbsent) {
		t.Errorf("without a path: %v", err)
	}
	if _, err := silero.New(silero.Config{Weights: filepath.Join(t.TempDir(), "none")}); !errors.Is(err, silero.ErrAbsent) {
		t.Errorf("without a file: %v", err)
	}
	if _, err := silero.New(silero.Config{Weights: "silero.go"}); err == nil || !strings.Contains(err.Error(), "silero.go: the header claims") {
		t.Errorf("with another file: %v", err)
	}
	if _, err := silero.New(silero.Config{On: 0.3, Off: 0.4}); err == nil {
		t.Error("off above on was taken")
	}
}

func TestSpeechWantsWholeFrames(t *testing.T) {
	if _, err := open(t).Speech(audio.Frame{PCM: make([]int16, 100)}); err == nil {
		t.Error("a short frame was taken")
	}
}

// BenchmarkSpeech reports how much of one core it costs.
func BenchmarkSpeech(b *testing.B) {
	d := open(b)
	f := audio.Frame{PCM: listentest.Load(b, filepath.Join(corpus.Dir(b), "speech/goforward.wav"))[8000:][:audio.FrameLen]}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Speech(f); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(100*b.Elapsed().Seconds()/float64(b.N)/audio.FrameTime.Seconds(), "%core")
}
