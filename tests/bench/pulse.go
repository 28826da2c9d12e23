package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// compared turns are recorded twice, which tells how well recordings agree; more would only keep the machine busy.
const compared = 5

// measurePulse is measureTurns with devices instead of files: sound goes through the server into solo run, and
// its answer out to another device. Both devices are recorded.
func measurePulse(ctx context.Context, b *bench) (section, error) {
	all, err := b.cast(ctx)
	if err != nil {
		return section{}, err
	}
	s, err := b.run(ctx, b.dir+"/pulse")
	if err != nil {
		return section{}, err
	}
	defer s.end()
	var tracks [3]*recording // microphone, speaker, and the microphone again
	for i, source := range []string{fromMic, fromSolo, fromMic} {
		if tracks[i], err = s.sound.record(ctx, source); err != nil {
			return section{}, err
		}
		defer tracks[i].stop()
	}
	var done []exchange
	var broken error
	for i, o := range all {
		e, err := s.say(ctx, o)
		if err != nil {
			broken = fmt.Errorf("only %d of %d turns: %w", len(done), len(all), err)
			break
		}
		done = append(done, e)
		time.Sleep(e.rest)
		if i == compared {
			tracks[2].stop()
		}
		if i%10 == 9 {
			say("pulse: %d of %d turns", i+1, len(all))
		}
	}
	var outcomes []outcome
	var errors []float64
	for _, e := range done {
		if off := e.hear(tracks[0], tracks[1], tracks[2]); !math.IsNaN(off) {
			errors = append(errors, off)
		}
		outcomes = append(outcomes, e.outcome)
	}
	if len(done) == 0 {
		return section{}, broken
	}
	return turnsSection("PulseAudio", outcomes, fmt.Sprintf("The same %d turns through `solo run` on null sinks of a PulseAudio server. "+
		"The virtual microphone and the virtual speaker are both recorded, each piece with the time at which it came; the earliest time at which "+
		"a sample can have been there, over the pieces of the 10 s around it, puts both on one clock. Two recordings of the microphone made so agree within %s ms "+
		"(longest of the first turns). Input and output devices are part of the latency. ", len(outcomes), figure(percentile(errors, 1)))), broken
}

// hear finds the latency of a turn in the recordings, and whether it was cut off. It gives how far two recordings
// of the microphone are apart, in ms.
func (e *exchange) hear(mic, speaker, again *recording) float64 {
	end, ok := e.lastWord(mic)
	if !ok {
		return math.NaN()
	}
	if e.heard != nil && e.turn != nil {
		decided := e.heard.came.Add(-time.Duration(e.turn.STT * float64(time.Millisecond)))
		e.cut = decided.Before(end)
		e.lag = float64(decided.Sub(end))/float64(time.Millisecond) - e.turn.Endpoint
	}
	if pcm, began := speaker.between(end, e.ended.Add(ms(500))); e.heard != nil && !e.cut {
		if at := firstSound(pcm, 0, len(pcm)); at >= 0 {
			e.latency = float64(began.Add(audio.Time(int64(at), audio.Rate)).Sub(end)) / float64(time.Millisecond)
		}
	}
	other, ok := e.lastWord(again)
	if !ok {
		return math.NaN()
	}
	return math.Abs(float64(other.Sub(end)) / float64(time.Millisecond))
}

// lastWord is when the last sample of the order was in the microphone.
func (e *exchange) lastWord(mic *recording) (time.Time, bool) {
	pcm, began := mic.between(e.began, e.began.Add(audio.Time(int64(e.to), audio.Rate)+ms(2000)))
	from, to := speech(pcm)
	if to == 0 || to-from < (e.to-e.wake)/2 {
		return time.Time{}, false
	}
	return began.Add(audio.Time(int64(to), audio.Rate)), true
}
