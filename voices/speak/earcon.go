package speak

import (
	"math"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/voices"
)

// note is one tone of an earcon.
type note struct {
	hz  float64
	dur time.Duration
}

// earcons are short and soft, so that they neither startle nor cover the user's first word.
var earcons = map[voices.Earcon][]note{
	voices.Hark:  {{880, 60 * time.Millisecond}, {1318.5, 80 * time.Millisecond}},
	voices.Sorry: {{523.3, 90 * time.Millisecond}, {392, 130 * time.Millisecond}},
	voices.Chime: {{784, 160 * time.Millisecond}, {1046.5, 160 * time.Millisecond}, {1318.5, 320 * time.Millisecond}, {0, 120 * time.Millisecond}},
}

// tones renders an earcon at audio.Rate.
func tones(e voices.Earcon) []int16 {
	var pcm []int16
	for _, n := range earcons[e] {
		size := int(audio.Samples(n.dur, audio.Rate))
		for i := range size {
			at := float64(i) / audio.Rate
			// Up in 5 ms and then fading, so that no edge clicks.
			swell := min(at/0.005, 1) * math.Pow(1-float64(i)/float64(size), 1.5)
			pcm = append(pcm, int16(9000*swell*math.Sin(2*math.Pi*n.hz*at)))
		}
	}
	return pcm
}
