package main

import (
	"strings"
	"testing"
)

func TestJudgeWake(t *testing.T) {
	s := judgeWake([]string{"c1", "c2"}, []string{"n1", "n2"}, []string{"o/1", "o/2"}, []line{
		{Event: "wake", File: "c1"}, {Event: "wake", File: "c1"}, {Event: "wake", File: "n2"}, {Event: "wake", File: "o/1"},
		{Event: "scanned", File: "c1", Length: 10, Elapsed: 100}, {Event: "scanned", File: "c2", Length: 10, Elapsed: 100},
		{Event: "scanned", File: "n1"}, {Event: "scanned", File: "n2"}, {Event: "scanned", File: "o/1"},
	})
	for i, want := range []string{"1 of 2", "1 of 2", "2"} {
		if s.goals[i].value != want || s.goals[i].met {
			t.Errorf("%+v, want %s", s.goals[i], want)
		}
	}
	for _, want := range []string{"found twice: 1.", "1 files could not be read", "factor 0.0100", "| 1 |"} {
		if !strings.Contains(s.text, want) {
			t.Errorf("%q is not in\n%s", want, s.text)
		}
	}
}
