package main

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// bargesPulse is fewer than on the tape: what the devices add varies little.
const bargesPulse = 16

// deviceBarge is what came of one wake word over an answer that a loudspeaker plays.
type deviceBarge struct {
	word   time.Time // the last speech sample of the wake word was in the microphone
	sound  time.Time // the last audible sample of the answer left the loudspeaker
	closed time.Time // the model server saw its connection closed
}

// measureBargePulse says the wake word over a model's answer through devices, both of which are recorded.
func measureBargePulse(ctx context.Context, b *bench) (section, error) {
	server, err := newPaced(chapter(bargeTokens), pacedRate)
	if err != nil {
		return section{}, err
	}
	defer server.close()
	s, err := b.run(ctx, b.dir+"/bargepulse", server.settings()...)
	if err != nil {
		return section{}, err
	}
	defer s.end()
	mic, err := s.sound.record(ctx, fromMic)
	if err != nil {
		return section{}, err
	}
	defer mic.stop()
	speaker, err := s.sound.record(ctx, fromSolo)
	if err != nil {
		return section{}, err
	}
	defer speaker.stop()
	var all []deviceBarge
	out := map[string]int{}
	for i := range b.times(bargesPulse) {
		d, why, err := b.bargeOnce(ctx, s, server, mic, speaker, i)
		if err != nil {
			return section{}, fmt.Errorf("only %d barge-ins: %w", i, err)
		}
		if why != "" {
			out[why]++
			continue
		}
		all = append(all, d)
	}
	return deviceSection(all, out), nil
}

// bargeOnce plays one round into the microphone; why says why it cannot be judged, "" where it can.
func (b *bench) bargeOnce(ctx context.Context, s *session, server *paced, mic, speaker *recording, i int) (d deviceBarge, why string, err error) {
	t := &tape{}
	t.wait(ms(300))
	if err := b.bargeRound(ctx, t, i); err != nil {
		return d, "", err
	}
	began := time.Now()
	if err := s.sound.play(ctx, inRoom(t.pcm)); err != nil {
		return d, "", err
	}
	time.Sleep(ms(500)) // until the recordings have it too
	var ok bool
	if d.word, ok = wordInMic(mic, t, began); !ok {
		return d, "not found in the microphone", nil
	}
	said := server.sayings()
	if d.closed, ok = closedAfter(said, d.word.Add(-ms(300))); !ok {
		return d, whyNot(said, d.word), nil
	}
	d.sound, ok = silenced(speaker, d.closed, d.word.Add(audio.Time(int64(t.turns[1].to-wakeEnd(t, t.turns[1])), audio.Rate)))
	if !ok {
		return d, "in a pause between two sentences", nil
	}
	return d, "", nil
}

// whyNot says why no answer was broken off by a wake word: the latest that was asked for before it tells.
func whyNot(said []saying, word time.Time) string {
	for _, s := range slices.Backward(said) {
		switch {
		case s.asked.After(word):
		case s.closed.IsZero():
			return "without a hit"
		case s.closed.After(word.Add(-10 * time.Second)):
			say("brain: an answer was broken off %v before the end of the wake word", word.Sub(s.closed))
			return "broken off before the wake word had ended"
		default:
			return "with a question that was not heard as one"
		}
	}
	return "with a question that was not heard as one"
}

// wordInMic is when the wake word of the second turn of a tape ended in the microphone. It is looked for by its own
// samples: on a busy machine a player falls behind, and what follows comes later than on the tape.
func wordInMic(mic *recording, t *tape, began time.Time) (time.Time, bool) {
	o := t.turns[1]
	from := began.Add(audio.Time(int64(o.wake), audio.Rate) - time.Second)
	pcm, first := mic.between(from, from.Add(4*time.Second))
	end := wakeEnd(t, o)
	at, like := found(t.pcm[o.wake:end], pcm)
	return first.Add(audio.Time(int64(at+end-o.wake), audio.Rate)), like > 0.8
}

// found is where word fits best into pcm, to a quarter of a millisecond, and how well: 1 is a copy of any loudness.
func found(word, pcm []int16) (at int, like float64) {
	size := energy(word)
	for i := 0; i+len(word) <= len(pcm); i += 4 {
		var sum float64
		for j := 0; j < len(word); j += 2 {
			sum += 2 * float64(word[j]) * float64(pcm[i+j])
		}
		if sum <= 0 {
			continue
		}
		if l := sum / math.Sqrt(size*energy(pcm[i:i+len(word)])); l > like {
			at, like = i, l
		}
	}
	return at, like
}

// silenced is when the answer that was broken off sounded last, judged up to a time before which no other begins;
// false where it did not sound just before.
func silenced(speaker *recording, closed, before time.Time) (time.Time, bool) {
	pcm, first := speaker.between(closed.Add(-ms(300)), before)
	at := lastSound(pcm, 0, len(pcm))
	return first.Add(audio.Time(int64(at), audio.Rate)), at >= 0
}

// deviceSection is the report.
func deviceSection(all []deviceBarge, out map[string]int) section {
	var closed, silence, behind []float64
	for _, d := range all {
		closed = append(closed, inMillis(d.closed.Sub(d.word)))
		silence = append(silence, inMillis(d.sound.Sub(d.word)))
		behind = append(behind, inMillis(d.sound.Sub(d.closed)))
	}
	n, left := len(all), ""
	for _, why := range slices.Sorted(maps.Keys(out)) {
		n += out[why]
		left += fmt.Sprintf(", %d %s", out[why], why)
	}
	t := newTable("ms", "barge-ins", "p50", "p95", "longest")
	t.spread("last speech sample of the wake word in the microphone to the model's connection closed", closed)
	t.spread("the same to the last audible sample of the loudspeaker", silence)
	t.spread("**connection closed to the last audible sample**", behind)
	return section{
		goals: []goal{atMost("barge-in through PulseAudio: the model's connection closed to silence of the loudspeaker, p95", percentile(behind, 0.95), 200, "ms")},
		text: fmt.Sprintf("`solo run` on null sinks of a PulseAudio server, %d rounds as on the tape, of which %d are judged%s. "+
			"Both devices are recorded. When the hit was is not seen from outside; the connection is closed within milliseconds of it, as the tape shows.\n\n", n, len(all), left) + t.String(),
	}
}
