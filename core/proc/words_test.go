package proc

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for name, tt := range map[string]struct {
		write []string
		want  []string
		told  int
	}{
		"lines":      {[]string{"a\nb\n"}, []string{"a", "b"}, 2},
		"pieces":     {[]string{"he", "llo\nwor", "ld"}, []string{"hello", "world"}, 1},
		"the last 3": {[]string{"a\nb\nc\nd\n"}, []string{"b", "c", "d"}, 4},
		"unfinished": {[]string{"a\nb\nc\nd"}, []string{"b", "c", "d"}, 3},
		"progress":   {[]string{"1%\r2%\r\n\n done \n"}, []string{"1%", "2%", "done"}, 3},
		"not UTF-8":  {[]string{"a\xff\n"}, []string{"a?"}, 1},
		"nothing":    {nil, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			told := 0
			w := newWords(3, func(string) { told++ })
			for _, s := range tt.write {
				fmt.Fprint(w, s)
			}
			if got := w.lines(); !slices.Equal(got, tt.want) || told != tt.told {
				t.Errorf("got %q, told %d", got, told)
			}
		})
	}
}

func TestWordsAreBounded(t *testing.T) {
	w := newWords(2, nil)
	for range 1000 {
		fmt.Fprint(w, strings.Repeat("x", 4096))
	}
	if got := w.lines(); len(got) != 1 || len(got[0]) != longestLine {
		t.Errorf("%d lines", len(got))
	}
}
