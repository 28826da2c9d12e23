package main

import (
	"context"
	"fmt"
	"slices"
)

// measurePauses says orders with exactly 400 ms of silence in the middle. The tape runs as fast as it can be
// heard: what ends a turn is counted in samples and does not depend on the clock.
func measurePauses(ctx context.Context, b *bench) (section, error) {
	wakes, err := b.wakeWords()
	if err != nil {
		return section{}, err
	}
	voices, err := people()
	if err != nil {
		return section{}, err
	}
	t := &tape{}
	t.wait(ms(1500))
	for round := range 2 {
		for i, h := range halves {
			v := voices[(i+round*2)%len(voices)]
			first, err := v.speak(ctx, h[0])
			if err != nil {
				return section{}, err
			}
			second, err := v.speak(ctx, h[1])
			if err != nil {
				return section{}, err
			}
			n := len(t.turns)
			if b.most > 0 && n == b.most {
				break
			}
			t.turn(order{text: h[0] + " " + h[1]}, v.name, wakes[n%len(wakes)], slices.Concat(first, make([]int16, samples(ms(400))), second), ms(150))
			t.wait(order{asks: true}.until())
		}
	}
	in, err := b.save("pauses.wav", inRoom(t.pcm))
	if err != nil {
		return section{}, err
	}
	say("pauses: %d turns", len(t.turns))
	lines, err := b.ask(ctx, b.dir+"/pauses", "talk", "--in", in)
	if err != nil {
		return section{}, err
	}
	all := onTape(t, lines)
	cut := count(all, func(o outcome) bool { return o.cut })
	for i := range all {
		all[i].latency = 0 // not measured here: the tape stands still while Solo thinks
	}
	return section{
		goals: []goal{atMost("cut-offs at a pause of 400 ms", 100*float64(cut)/float64(len(all)), 2, "%")},
		text: fmt.Sprintf("%d turns, %d orders by five voices, each broken off once for exactly 400 ms, through `solo talk`.\n\n", len(all), len(halves)) +
			quality(all) + faults(all),
	}, nil
}
