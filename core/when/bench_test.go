package when_test

import (
	"slices"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/when"
)

// BenchmarkParse reads all phrases of the tables and reports the median and the 95th percentile.
func BenchmarkParse(b *testing.B) {
	now := time.Date(2015, 5, 13, 10, 20, 30, 0, zone(b, "America/New_York"))
	phrases := sayings(b)
	took := make([]time.Duration, 0, 1<<16)
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		when.Parse(phrases[i%len(phrases)], now)
		if len(took) < cap(took) {
			took = append(took, time.Since(start))
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e3, "p50-us")
	b.ReportMetric(float64(took[len(took)*95/100].Nanoseconds())/1e3, "p95-us")
}
