package main

import (
	"math"
	"strings"
	"testing"
)

func command(name string) *string { return &name }

// A tape with four turns: one goes well, one is cut off, one is heard wrong, one is missed.
func TestOutcomes(t *testing.T) {
	var tp tape
	for _, text := range []string{"what time is it", "set a timer for ten minutes", "who are you", "what day is it"} {
		tp.turn(order{text: text}, "slt", make([]int16, 8000), make([]int16, 16000), 0)
		tp.wait(ms(2500)) // a turn takes four seconds
	}
	lines := []line{
		{Event: "wake", Turn: 1, Word: "jarvis", At: 0.6}, {Event: "heard", Turn: 1, Text: "what time is it", End: 1.45},
		{Event: "intent", Turn: 1, Name: command("clock.time")}, {Event: "turn", Turn: 1, Outcome: "answered", Endpoint: 160, Total: 200},
		{Event: "wake", Turn: 2, Word: "jarvis", At: 4.7}, {Event: "heard", Turn: 2, Text: "set a timer", End: 4.9},
		{Event: "intent", Turn: 2, Name: command("timers.set")}, {Event: "turn", Turn: 2, Outcome: "answered", Endpoint: 400},
		{Event: "wake", Turn: 3, Word: "", At: 7.9}, {Event: "heard", Turn: 3, Text: "what follows an answer is no turn of the tape"},
		{Event: "wake", Turn: 4, Word: "jarvis", At: 8.6}, {Event: "heard", Turn: 4, Text: "thank you", End: 9.5},
		{Event: "intent", Turn: 4, Name: command("talk.thanks")}, {Event: "turn", Turn: 4, Outcome: "answered", Endpoint: 150},
	}
	played := make([]int16, len(tp.pcm)+16000)
	played[int(1.7*16000)] = 50 // too soft to be heard
	played[int(1.75*16000)] = -3000
	played[int(9.8*16000)] = 3000

	all := onTape(&tp, lines)
	listen(all, played)
	if len(all) != 4 || all[0].latency != 250 || math.Abs(all[0].lag+50) > 1e-6 || all[0].cut || !all[0].right() {
		t.Errorf("the first turn: %+v", all[0])
	}
	if !all[1].cut || !math.IsNaN(all[1].latency) || all[1].right() || !all[1].alike() {
		t.Errorf("the second turn: %+v", all[1])
	}
	if all[2].cut || all[2].alike() || math.Abs(all[2].latency-300) > 0.1 {
		t.Errorf("the third turn: %+v", all[2])
	}
	if !missed(all[3]) {
		t.Errorf("the fourth turn: %+v", all[3])
	}
	text := quality(all) + faults(all) + latencyTable(all)
	for _, want := range []string{
		"same slots): 1 of 4", "at least: 2 of 4", "did): 1 of 4", "nothing heard): 1 of 4",
		"| who are you | slt | thank you | another command |", "| what day is it | slt |  | missed |",
		"first audible sample** | 2 | 275 | 298 | 300 |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestSpeechEnds(t *testing.T) {
	pcm := make([]int16, 16000)
	for i := 4000; i < 8000; i++ {
		pcm[i] = int16(8000 * math.Sin(float64(i)))
	}
	for i := 8000; i < 12000; i++ {
		pcm[i] = int16(20 * math.Sin(float64(i))) // 52 dB weaker: breath
	}
	if from, to := speech(pcm); from != 4000 || to != 8000 {
		t.Errorf("speech from %d to %d", from, to)
	}
	if from, to := speech(make([]int16, 1000)); from != 0 || to != 0 {
		t.Errorf("speech in silence from %d to %d", from, to)
	}
}

// Only what was said while Solo spoke counts.
func TestJudgeOver(t *testing.T) {
	cut := unheard(said{order: order{text: "who are you"}})
	cut.heard, cut.turn, cut.cut = &line{Text: "who"}, &line{Outcome: "answered"}, true
	silenced, finished := outcome{turn: &line{Outcome: "interrupted"}}, outcome{turn: &line{Outcome: "answered"}}
	s := judgeOver([]outcome{silenced, cut, finished, cut})
	if s.goals[0].met || !strings.Contains(s.text, "2 times an order") || !strings.Contains(s.text, "; 1 times the wake word") || !strings.Contains(s.text, "did): 1 of 1") {
		t.Errorf("%+v", s)
	}
}
