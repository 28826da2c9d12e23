package main

import (
	"strings"
	"testing"
)

const benchOutput = `goos: linux
pkg: github.com/solo-assistant/solo/bus
BenchmarkPublish/bus/readers=1-2         	  100	       200 ns/op	       0 B/op	       0 allocs/op
BenchmarkPublish/channels/readers=1-2    	  100	       100 ns/op	       0 B/op	       0 allocs/op
BenchmarkPublish/kelindar/readers=1-2    	  100	       400 ns/op	       9 B/op	       1 allocs/op
BenchmarkLatestUnread-2   	  100	        37.25 ns/op
ok  	github.com/solo-assistant/solo/bus	1.0s
pkg: github.com/solo-assistant/solo/audio
BenchmarkResample48kTo16k-2   	  30	    123456 ns/op	 812.5 x-realtime
`

func TestSpeeds(t *testing.T) {
	text := speedTables(readSpeeds(benchOutput))
	for _, want := range []string{
		"| Publish readers=1 | 200 | 100 | 400 | 2 times | 0.5 times |\n",
		"| bus | LatestUnread | 37.2 |  |  |\n",
		"| audio | Resample48kTo16k | 123456 |  | 812.5 x-realtime |\n",
		"| core/when | has no benchmark |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Count(text, "Publish") != 1 {
		t.Errorf("what is compared is told twice:\n%s", text)
	}
	if got := speedTables(readSpeeds("FAIL\n")); strings.Contains(got, "NaN") || strings.Contains(got, "beside") {
		t.Errorf("of nothing:\n%s", got)
	}
}
