package main

import (
	"context"
	"fmt"
	"time"
)

// gaps lie between the wake word and the order: in one breath, and with a short pause.
var gaps = []time.Duration{ms(60), ms(300), ms(150)}

// spoken is an order said by someone, ready to be put on a tape.
type spoken struct {
	order
	voice       string
	wake, words []int16
	gap         time.Duration
}

// enough turns for a 95th percentile, in a time that one likes to wait for.
const enough = 52

// cast gives the orders to one voice each and then to another, until there are enough, and every turn another human
// wake word.
func (b *bench) cast(ctx context.Context) ([]spoken, error) {
	wakes, err := b.wakeWords()
	if err != nil {
		return nil, err
	}
	voices, err := people()
	if err != nil {
		return nil, err
	}
	var all []spoken
	for round := range 2 {
		for i, o := range orders {
			v := voices[(i+round*2)%len(voices)]
			words, err := v.speak(ctx, o.text)
			if err != nil {
				return nil, err
			}
			n := len(all)
			if n == enough || b.most > 0 && n == b.most {
				return all, nil
			}
			all = append(all, spoken{o, v.name, wakes[n%len(wakes)], words, gaps[n%len(gaps)]})
		}
	}
	return all, nil
}

// until is how long the tape waits behind an order: for the answer, and where Solo asks something, until it
// no longer listens for a reply.
func (o order) until() time.Duration {
	switch {
	case o.asks:
		return ms(12000)
	case o.long:
		return ms(9000)
	}
	return ms(4800)
}

func measureTurns(ctx context.Context, b *bench) (section, error) {
	all, err := b.cast(ctx)
	if err != nil {
		return section{}, err
	}
	t := &tape{}
	t.wait(ms(1500))
	for _, s := range all {
		t.turn(s.order, s.voice, s.wake, s.words, s.gap)
		t.wait(s.until())
	}
	in, err := b.save("turns.wav", inRoom(t.pcm))
	if err != nil {
		return section{}, err
	}
	out := in + ".answers.wav"
	say("turns: %d turns in %.0f s", len(t.turns), float64(len(t.pcm))/16000)
	lines, err := b.ask(ctx, b.dir+"/turns", "talk", "--in", in, "--out", out, "--clocked")
	if err != nil {
		return section{}, err
	}
	played, err := load(out)
	if err != nil {
		return section{}, err
	}
	done := onTape(t, lines)
	listen(done, played)
	return turnsSection("WAV", done, fmt.Sprintf("%d turns in one session of `solo talk --in --out --clocked`, %d orders by five voices (flite slt, rms, awb and kal16, espeak-ng), "+
		"each behind a human \"jarvis\" of the recordings with 60 to 300 ms between, in the noise of a quiet room (-66 dBFS). "+
		"Latency is measured in the recorded answer: from the last speech sample of the order (the last 5 ms within 40 dB of its loudest) "+
		"to the first sample louder than -50 dBFS. ", len(done), len(orders))), nil
}

// turnsSection is the report on turns.
func turnsSection(way string, all []outcome, how string) section {
	v := latencies(all)
	cut := count(all, func(o outcome) bool { return o.cut })
	s := section{goals: []goal{
		atMost("turn latency from "+way+", p50", percentile(v, 0.5), 450, "ms"),
		atMost("turn latency from "+way+", p95", percentile(v, 0.95), 800, "ms"),
		atMost("cut-offs from "+way, 100*float64(cut)/float64(max(len(all), 1)), 2, "%"),
	}}
	s.text = how + fmt.Sprintf("%d of the %d orders cannot go on, so that 150 ms of silence end them; the others wait 600 ms.\n\n", len(only(all, true)), len(all)) +
		latencyTable(all) + "\n" + quality(all) + faults(all)
	return s
}
