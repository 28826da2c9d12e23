package sphinx_test

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/stt/sphinx"
)

// spoken are commands of every kind, as flite says them.
var spoken = []string{
	"what time is it", "stop", "what's the date", "set a timer for five minutes", "set an alarm for half past six",
	"what is twelve times eleven", "convert fifty miles to kilometers", "good morning", "wake me up at seven thirty in the morning",
	"how much time is left", "louder", "set the volume to sixty percent",
}

// BenchmarkCommand measures Solo's own commands as the listener feeds them: the live decoding, and the wait for Finish
// when the turn ends 150 ms and 600 ms after the last word, in real time.
func BenchmarkCommand(b *testing.B) {
	for _, silence := range []time.Duration{150 * time.Millisecond, 600 * time.Millisecond} {
		b.Run("after "+silence.String(), func(b *testing.B) {
			e := engine(b, english())
			var all [][]int16
			for _, text := range spoken {
				all = append(all, say(b, "slt", text))
			}
			var feeding, sound time.Duration
			waits := []time.Duration{}
			for i := range max(b.N, 36) {
				pcm := all[i%len(all)]
				pcm = pcm[:len(pcm)-audio.Rate/3] // say adds silence
				begun := time.Now()
				s, err := e.Open(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				for f := range slices.Chunk(pcm, audio.FrameLen) {
					if err := s.Feed(f); err != nil {
						b.Fatal(err)
					}
				}
				feeding, sound = feeding+time.Since(begun), sound+audio.Time(int64(len(pcm)), audio.Rate)
				waits = append(waits, wait(b, s, silence))
			}
			slices.Sort(waits)
			b.ReportMetric(feeding.Seconds()/sound.Seconds(), "live-rtf")
			b.ReportMetric(float64(waits[len(waits)/2].Milliseconds()), "finish-p50-ms")
			b.ReportMetric(float64(waits[len(waits)*95/100].Milliseconds()), "finish-p95-ms")
			b.ReportMetric(resident(b), "rss-MB")
		})
	}
}

// wait feeds silence in real time and measures Finish.
func wait(b *testing.B, s *sphinx.Stream, silence time.Duration) time.Duration {
	defer s.Close()
	for range silence / audio.FrameTime {
		if err := s.Feed(make([]int16, audio.FrameLen)); err != nil {
			b.Fatal(err)
		}
		time.Sleep(audio.FrameTime)
	}
	begun := time.Now()
	got, err := s.Finish(b.Context())
	took := time.Since(begun)
	if err != nil {
		b.Errorf("Finish: %v", err)
	}
	b.Logf("%v for %q by %s, sure %.2f", took, got.Text, got.Engine, got.Sure)
	return took
}

// resident is the memory of this process in MB.
func resident(b *testing.B) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		b.Fatal(err)
	}
	return float64(kb) / 1024
}
