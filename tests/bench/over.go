package main

import (
	"context"
	"fmt"
)

// measureOver says orders while Solo still answers another one: the wake word must silence it and the order be
// heard to its end.
func measureOver(ctx context.Context, b *bench) (section, error) {
	all, err := b.cast(ctx)
	if err != nil {
		return section{}, err
	}
	voices, err := people()
	if err != nil {
		return section{}, err
	}
	question := order{text: "what can you do", long: true}
	asked, err := voices[0].speak(ctx, question.text)
	if err != nil {
		return section{}, err
	}
	t := &tape{}
	t.wait(ms(1500))
	for i, s := range all[:min(len(all), len(orders))] {
		t.turn(question, voices[0].name, all[(i+7)%len(all)].wake, asked, ms(150))
		t.wait(ms(2200)) // its answer takes longer than this
		t.turn(s.order, s.voice, s.wake, s.words, s.gap)
		t.wait(order{asks: true}.until())
	}
	in, err := b.save("over.wav", inRoom(t.pcm))
	if err != nil {
		return section{}, err
	}
	say("over: %d turns", len(t.turns))
	lines, err := b.ask(ctx, b.dir+"/over", "talk", "--in", in)
	if err != nil {
		return section{}, err
	}
	return judgeOver(onTape(t, lines)), nil
}

// judgeOver takes questions and what was said over their answers, in turn.
func judgeOver(all []outcome) section {
	var over []outcome
	silenced := 0
	for i := 1; i < len(all); i += 2 {
		if interrupted(all[i-1]) {
			silenced++
			all[i].latency = 0 // not measured here: the tape stands still while Solo thinks
			over = append(over, all[i])
		}
	}
	cut := count(over, func(o outcome) bool { return o.cut })
	return section{
		goals: []goal{atMost("cut-offs of orders spoken over an answer", 100*float64(cut)/float64(max(len(over), 1)), 2, "%")},
		text: fmt.Sprintf("%d times an order is said while Solo answers \"what can you do\", through `solo talk`; %d times the wake word silenced the answer. Of those orders:\n\n",
			len(all)/2, silenced) + quality(over) + faults(over),
	}
}
