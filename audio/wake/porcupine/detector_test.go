package porcupine_test

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen/listentest"
	"github.com/solo-assistant/solo/audio/wake/porcupine"
)

func TestConfigSaysWhatIsWrong(t *testing.T) {
	for name, tt := range map[string]struct {
		c    porcupine.Config
		want string
	}{
		"unknown word":  {porcupine.Config{Words: []string{"solo"}}, `wake word "solo" is not one of alexa, `},
		"word twice":    {porcupine.Config{Words: []string{"jarvis", "Jarvis"}}, "given twice"},
		"too sensitive": {porcupine.Config{Sensitivity: 1.1}, "not between 0 and 1"},
		"below nothing": {porcupine.Config{Sensitivity: -0.1}, "not between 0 and 1"},
		"no number":     {porcupine.Config{Sensitivity: math.NaN()}, "not between 0 and 1"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := porcupine.New(tt.c); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestEveryWordOpens(t *testing.T) {
	d := open(t, porcupine.Config{Words: porcupine.Words()})
	for _, w := range porcupine.Words() {
		d.Reset()
		hit, n := audio.Hit{}, 0
		pcm := listentest.Join(listentest.Quiet(500), listentest.Say(t, "rms", w), listentest.Quiet(1000))
		for f := range audio.NewFramer(0).Frames(pcm) {
			if h, ok, err := d.Feed(f.PCM); err != nil {
				t.Fatal(err)
			} else if ok {
				hit, n = h, n+1
			}
		}
		if n != 1 || hit.Word != w || !math.IsNaN(hit.Score) {
			t.Errorf("%q: %d hits, the last %+v", w, n, hit)
		}
	}
}

func TestFeedTakesAnyLength(t *testing.T) {
	pcm := listentest.Join(listentest.Quiet(500), listentest.Say(t, "slt", "jarvis"), listentest.Quiet(1000))
	for _, step := range []int{1, 7, 320, 512, 513, 5000, len(pcm)} {
		d := open(t, porcupine.Config{})
		n := 0
		for rest := pcm; len(rest) > 0; {
			piece := rest[:min(step, len(rest))]
			rest = rest[len(piece):]
			if _, ok, err := d.Feed(piece); err != nil {
				t.Fatal(err)
			} else if ok {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d hits in pieces of %d samples, want 1", n, step)
		}
	}
}

func TestResetParts(t *testing.T) {
	word := listentest.Say(t, "slt", "jarvis")
	d := open(t, porcupine.Config{})
	if _, ok, err := d.Feed(listentest.Join(listentest.Quiet(500), word[:len(word)/2])); ok || err != nil {
		t.Fatalf("half a word: %v, %v", ok, err)
	}
	d.Reset()
	if n := hits(t, d, word[len(word)/2:]); n != 0 {
		t.Errorf("the other half after Reset was heard as the word")
	}
	if n := hits(t, d, word); n != 1 {
		t.Errorf("%d hits of the whole word, want 1", n)
	}
}

func TestClosedDetectorSaysSo(t *testing.T) {
	d := open(t, porcupine.Config{})
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Feed(make([]int16, 512)); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("error %v", err)
	}
	d.Reset()
}

// TestMain runs the child of TestProcessesDoNotMeet.
func TestMain(m *testing.M) {
	if os.Getenv("SOLO_TEST_WAKE_CHILD") == "" {
		os.Exit(m.Run())
	}
	d, err := porcupine.New(porcupine.Config{})
	if err != nil {
		os.Stderr.WriteString(err.Error())
		os.Exit(1)
	}
	for range 1500 { // 30 s of sound, so that other children start meanwhile
		if _, _, err := d.Feed(make([]int16, 320)); err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
	}
	os.Stdout.WriteString("TMPDIR=" + os.Getenv("TMPDIR"))
}

// Many processes start and hear at once; none harms another, none leaves a file behind, and none finds
// its TMPDIR changed. Were the order of initialisation to change, a folder "porcupine" would be left.
func TestProcessesDoNotMeet(t *testing.T) {
	open(t, porcupine.Config{})
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "porcupine"), nil, 0o400); err != nil { // in the binding's way
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 3 {
				cmd := exec.Command(os.Args[0])
				cmd.Env = append(os.Environ(), "SOLO_TEST_WAKE_CHILD=1", "TMPDIR="+dir)
				if out, err := cmd.CombinedOutput(); err != nil || string(out) != "TMPDIR="+dir {
					t.Errorf("child: %v: %s", err, out)
				}
			}
		})
	}
	wg.Wait()
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}

// BenchmarkFeed reports how much of one core a second of sound costs.
func BenchmarkFeed(b *testing.B) {
	d := open(b, porcupine.Config{})
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

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		d := open(b, porcupine.Config{})
		d.Close()
	}
}
