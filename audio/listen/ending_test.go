package listen_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen"
)

// verdict hears always the same in a pause.
type verdict struct {
	sure  []float64 // one for each question, the last for all others
	err   error
	asked []int // samples that it was given
}

func (v *verdict) Complete(_ context.Context, pcm []int16) (float64, error) {
	v.asked = append(v.asked, len(pcm))
	return v.sure[min(len(v.asked), len(v.sure))-1], v.err
}

// Who sounds as if there were more to come is waited for longer, who sounds finished less; a whole order ends as ever.
func TestSoundOfAnEnding(t *testing.T) {
	one := func(text string) *rig {
		return scene([]word{{text, 2, 2.3}}, quiet(0.5), speech(0.4), quiet(3))
	}
	for name, tt := range map[string]struct {
		r      *rig
		v      verdict
		want   string
		within [2]float64
		asked  int
	}{
		"open, finished":           {one("remind"), verdict{sure: []float64{0.9}}, `woke "jarvis"; ended open "remind"`, [2]float64{0.6, 0.65}, 1},
		"open, unfinished":         {one("remind"), verdict{sure: []float64{0.1}}, `woke "jarvis"; ended open "remind"`, [2]float64{1.35, 1.4}, 1},
		"may go on, finished":      {one("timer"), verdict{sure: []float64{0.6}}, `woke "jarvis"; ended extendable "timer"`, [2]float64{0.3, 0.35}, 1},
		"may go on, unfinished":    {one("timer"), verdict{sure: []float64{0.3}}, `woke "jarvis"; ended extendable "timer"`, [2]float64{0.9, 0.95}, 1},
		"strange, finished":        {one("nonsense"), verdict{sure: []float64{1}}, `woke "jarvis"; ended strange "nonsense"`, [2]float64{0.3, 0.35}, 1},
		"a whole order, asked not": {one("stop"), verdict{sure: []float64{0}}, `woke "jarvis"; ended final "stop"`, [2]float64{0.15, 0.2}, 0},
		"broken":                   {one("remind"), verdict{sure: []float64{0}, err: errors.New("no memory")}, `woke "jarvis"; ended open "remind"`, [2]float64{0.9, 0.95}, 1},
		"each pause anew": {
			scene([]word{{"remind", 2, 2.3}, {"me", 3.5, 3.8}}, quiet(0.5), speech(0.4), quiet(1.1), speech(0.4), quiet(3)),
			verdict{sure: []float64{0.1, 0.9}}, `woke "jarvis"; ended open "remind me"`, [2]float64{0.6, 0.65}, 2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			tt.r.turns = &tt.v
			tt.r.run(t)
			if got := tt.r.say(); got != tt.want {
				t.Fatalf("happened: %s\nwant:     %s", got, tt.want)
			}
			if e := tt.r.utterances[0].Endpoint.Seconds(); e < tt.within[0]-0.02 || e > tt.within[1]+0.02 {
				t.Errorf("endpoint %v, want between %v", e, tt.within)
			}
			if len(tt.v.asked) != tt.asked {
				t.Errorf("asked %d times, want %d", len(tt.v.asked), tt.asked)
			}
			for _, n := range tt.v.asked {
				if d := audio.Time(int64(n), audio.Rate); d < 500*time.Millisecond || d > listen.TurnSpan {
					t.Errorf("given %v", d)
				}
			}
		})
	}
}
