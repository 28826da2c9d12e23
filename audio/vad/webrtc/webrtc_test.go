package webrtc_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen/listentest"
	"github.com/solo-assistant/solo/audio/vad/webrtc"
	"github.com/solo-assistant/solo/tests/corpus"
)

func open(t testing.TB, mode int) *webrtc.Detector {
	t.Helper()
	d, err := webrtc.New(webrtc.Config{Mode: mode})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// speech lists the answers for pcm's frames.
func speech(t testing.TB, d *webrtc.Detector, pcm []int16) []bool {
	t.Helper()
	var out []bool
	for f := range audio.NewFramer(0).Frames(pcm) {
		yes, err := d.Speech(f)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, yes)
	}
	return out
}

func share(answers []bool) float64 {
	n := 0.0
	for _, yes := range answers {
		if yes {
			n++
		}
	}
	return n / float64(len(answers))
}

func TestKnowsSpeechFromSilence(t *testing.T) {
	d := open(t, 0)
	if s := share(speech(t, d, listentest.Quiet(3000))); s > 0 {
		t.Errorf("%.0f %% of silence is speech", 100*s)
	}
	for _, f := range listentest.Files(t, filepath.Join(corpus.Dir(t), "commands"), "*.flac") {
		d.Reset()
		if s := share(speech(t, d, listentest.Load(t, f))); s < 0.1 {
			t.Errorf("%s: only %.0f %% is speech", filepath.Base(f), 100*s)
		}
	}
}

// What comes after the last word is its hangover: some frames, not many.
func TestHangover(t *testing.T) {
	said := listentest.Say(t, "slt", "set a timer for ten minutes")
	said = said[:len(said)/audio.FrameLen*audio.FrameLen]
	for mode := 1; mode <= 3; mode++ {
		after := speech(t, open(t, mode), listentest.Join(listentest.Quiet(500), said, listentest.Quiet(1000)))[25+len(said)/audio.FrameLen:]
		n := 0
		for n < len(after) && after[n] {
			n++
		}
		t.Logf("mode %d: %d ms of hangover", mode, n*20)
		if n > 15 || share(after[n:]) > 0 {
			t.Errorf("mode %d: %d frames of hangover, then %.0f %%", mode, n, 100*share(after[n:]))
		}
	}
}

func TestResetForgets(t *testing.T) {
	said := listentest.Say(t, "slt", "set a timer for ten minutes")
	d := open(t, 2)
	first := speech(t, d, said)
	speech(t, d, listentest.Scale(said, 10))
	d.Reset()
	for i, yes := range speech(t, d, said) {
		if yes != first[i] {
			t.Fatalf("frame %d: %v, before %v", i, yes, first[i])
		}
	}
}

func TestSaysWhatIsWrong(t *testing.T) {
	for _, mode := range []int{-1, 4} {
		if _, err := webrtc.New(webrtc.Config{Mode: mode}); err == nil || !strings.Contains(err.Error(), "is not 1, 2 or 3") {
			t.Errorf("mode %d: %v", mode, err)
		}
	}
	if _, err := open(t, 0).Speech(audio.Frame{PCM: make([]int16, 5)}); err == nil {
		t.Error("a frame of 5 samples was taken")
	}
}

// BenchmarkSpeech reports how much of one core it costs.
func BenchmarkSpeech(b *testing.B) {
	d := open(b, 0)
	f := audio.Frame{PCM: listentest.Say(b, "slt", "set a timer for ten minutes")[8000:][:audio.FrameLen]}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Speech(f); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(100*b.Elapsed().Seconds()/float64(b.N)/audio.FrameTime.Seconds(), "%core")
}
