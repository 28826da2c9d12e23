package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/solo-assistant/solo/audio"
)

const (
	barges      = 24
	bargeTokens = 3000 // of the answer that is broken off: half a minute of writing
)

// puzzles are questions that a recogniser of commands hears as no command, and the voices that say them well.
var puzzles = []struct{ text, voice string }{
	{"describe the life of a farmer long ago", "rms"}, {"how did the romans build their roads", "rms"},
	{"why is the sky blue in the summer", "rms"}, {"explain how a steam engine works", "rms"},
}

// measureBarge says the wake word over a model's answer that is still being written.
func measureBarge(ctx context.Context, b *bench) (section, error) {
	t, err := b.bargeTape(ctx, b.times(barges))
	if err != nil {
		return section{}, err
	}
	server, err := newPaced(chapter(bargeTokens), pacedRate)
	if err != nil {
		return section{}, err
	}
	defer server.close()
	in, err := b.save("barge.wav", inRoom(t.pcm))
	if err != nil {
		return section{}, err
	}
	out := in + ".answers.wav"
	say("brain: %d barge-ins in %.0f s", len(t.turns)/2, float64(len(t.pcm))/16000)
	lines, err := b.ask(ctx, b.dir+"/barge", append([]string{"talk", "--in", in, "--out", out, "--clocked"}, sets(server.settings())...)...)
	if err != nil {
		return section{}, err
	}
	played, err := load(out)
	if err != nil {
		return section{}, err
	}
	return bargeSection(judgeBarges(t, lines, played, server.sayings()), onTape(t, lines)), nil
}

// bargeTape is a tape of questions, and over each answer a wake word with an order.
func (b *bench) bargeTape(ctx context.Context, n int) (*tape, error) {
	t := &tape{}
	t.wait(ms(1500))
	for i := range n {
		if err := b.bargeRound(ctx, t, i); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// bargeRound adds a question, and over its answer a wake word with an order.
func (b *bench) bargeRound(ctx context.Context, t *tape, i int) error {
	wakes, err := b.wakeWords()
	if err != nil {
		return err
	}
	voices, err := people()
	if err != nil {
		return err
	}
	q, o := puzzles[i%len(puzzles)], order{text: "what time is it"}
	at := slices.IndexFunc(voices, func(p person) bool { return p.name == q.voice })
	asked, err := voices[at].speak(ctx, q.text)
	if err != nil {
		return err
	}
	v := voices[i%len(voices)]
	spoken, err := v.speak(ctx, o.text)
	if err != nil {
		return err
	}
	t.turn(order{text: q.text}, q.voice, wakes[i%len(wakes)], asked, ms(150))
	t.wait(ms(3000 + 370*(i%6))) // in the middle of some sentence
	t.turn(o, v.name, wakes[(i+7)%len(wakes)], spoken, ms(300))
	t.wait(ms(3300)) // "It's 5:14 PM." is said by then
	return nil
}

// barge is what came of one wake word over an answer, in ms; NaN where it cannot be told.
type barge struct {
	hit     float64 // from the end of the wake word to the hit
	said    float64 // from the end of the wake word to the last audible sample of the answer
	silence float64 // from the hit to that sample
	closed  float64 // from the hit to the server's seeing the connection closed
}

// judgeBarges finds them on a tape of questions and orders in turn; what did not wake or sounded at no time is left out.
func judgeBarges(t *tape, lines []line, played []int16, said []saying) (all []barge) {
	origin := tapeOrigin(t, lines)
	for i := 1; i < len(t.turns); i += 2 {
		s := t.turns[i]
		hit, ok := hitOf(s, lines)
		if !ok {
			continue
		}
		at, word := int(hit.At*audio.Rate), wakeEnd(t, s)
		b := barge{hit: inMS(at - word), said: math.NaN(), silence: math.NaN(), closed: math.NaN()}
		// Within 200 ms before the hit there must be sound: else the answer was in a pause, or over.
		if firstSound(played, at-samples(ms(200)), at) >= 0 {
			end := lastSound(played, at-samples(ms(200)), s.to) + 1
			b.said, b.silence = inMS(end-word), inMS(end-at)
		}
		moment := origin.Add(time.Duration(hit.At * float64(time.Second)))
		if c, ok := closedAfter(said, moment); ok {
			b.closed = inMillis(c.Sub(moment))
		}
		all = append(all, b)
	}
	return all
}

func inMS(n int) float64 { return float64(n) * 1000 / audio.Rate }

// wakeEnd is the place behind the wake word of a turn: the last speech before the gap.
func wakeEnd(t *tape, s said) int {
	_, to := speech(t.pcm[s.wake:s.from])
	return s.wake + to
}

// hitOf is the line of the wake word of a turn.
func hitOf(s said, lines []line) (line, bool) {
	for _, l := range lines {
		if at := int(l.At * audio.Rate); l.Event == "wake" && at >= s.wake && at <= s.to {
			return l, true
		}
	}
	return line{}, false
}

// tapeOrigin is when the tape began: the wake word of a question is told as soon as it is found, and the one that was
// told soonest tells the time best. Over an answer it is told only when the answer has ended.
func tapeOrigin(t *tape, lines []line) (best time.Time) {
	for i := 0; i < len(t.turns); i += 2 {
		hit, ok := hitOf(t.turns[i], lines)
		if !ok {
			continue
		}
		if o := hit.came.Add(-time.Duration(hit.At * float64(time.Second))); best.IsZero() || o.Before(best) {
			best = o
		}
	}
	return best
}

// lastSound is the last audible sample of pcm from place from on and before place before, -1 for none.
func lastSound(pcm []int16, from, before int) int {
	for i := min(before, len(pcm)) - 1; i >= max(from, 0); i-- {
		if pcm[i] >= audible || pcm[i] <= -audible {
			return i
		}
	}
	return -1
}

// closedAfter is when the answer that was being written at a moment was broken off; false where none was.
func closedAfter(said []saying, moment time.Time) (time.Time, bool) {
	for _, s := range slices.Backward(said) {
		if s.asked.After(moment) {
			continue
		}
		// A hit is known to a few milliseconds, so that the end may seem to come before it.
		if s.closed.IsZero() || s.closed.Before(moment.Add(-50*time.Millisecond)) {
			return time.Time{}, false
		}
		return s.closed, true
	}
	return time.Time{}, false
}

// bargeSection is the report.
func bargeSection(all []barge, turns []outcome) section {
	of := func(get func(barge) float64) (v []float64) {
		for _, b := range all {
			if x := get(b); !math.IsNaN(x) {
				v = append(v, x)
			}
		}
		return v
	}
	commands, broken := 0, 0
	var think []float64
	for i := 0; i < len(turns); i += 2 {
		if turns[i].turn != nil {
			think = append(think, turns[i].turn.Think)
		}
		if turns[i].intent {
			commands++
		}
		if interrupted(turns[i]) {
			broken++
		}
	}
	silence, closed := of(func(b barge) float64 { return b.silence }), of(func(b barge) float64 { return b.closed })
	t := newTable("ms", "times", "p50", "p95", "longest")
	t.spread("spoken question: transcript to the first sentence, the model's own time included", think)
	t.spread("last speech sample of the wake word to the hit", of(func(b barge) float64 { return b.hit }))
	t.spread("last speech sample of the wake word to the last audible sample of the answer", of(func(b barge) float64 { return b.said }))
	t.spread("**hit to the last audible sample of the answer**", silence)
	t.spread("**hit to the model server's seeing its connection closed**", closed)
	return section{
		goals: []goal{atMost("barge-in on a tape: wake hit to silence of a model's answer, p95", percentile(silence, 0.95), 200, "ms"),
			atMost("barge-in on a tape: wake hit to the model's connection closed, p95", percentile(closed, 0.95), 200, "ms")},
		text: fmt.Sprintf("`solo talk --in --out --clocked`: %d questions that are no command (%d were taken for one) are answered by a server that writes a long answer at %g tokens/s; "+
			"%.1f to %.1f s after the question someone says \"jarvis, what time is it\". %d answers were interrupted. "+
			"Sound is judged where the answer sounded within 200 ms before the hit, and is what is louder than -50 dBFS; the tape hears and plays 20 ms at a time, so that what is hushed at a hit has ended there.\n\n",
			len(turns)/2, commands, pacedRate, 3.0, 4.85, broken) + t.String(),
	}
}
