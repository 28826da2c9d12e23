package when_test

import (
	"slices"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/when"
)

var phrases = []string{
	"tomorrow at 9", "in 20 minutes", "every weekday at 7", "the first Monday of March 2016", "between 9:30 and 11:00 on Thursday",
	"remind me to call my sister on Friday evening at half past seven, please", "what is the capital of France", "for two and a half hours",
	"three days before Easter", "2015-03-28T17:00:00+02:00", "from the 13th to the 15th of July", "next christmas", "8am until 3pm tomorrow",
	"set an alarm for 6:45 tomorrow morning", "the last weekend of July", "by the end of the month", "4pm EST", "this morning",
}

func BenchmarkParse(b *testing.B) {
	now := time.Date(2015, 5, 13, 10, 20, 30, 0, zone(b, "America/New_York"))
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
