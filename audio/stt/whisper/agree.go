package whisper

import (
	"time"

	"github.com/solo-assistant/solo/audio"
)

// agreement keeps of readings that follow each other what two of them in a row say alike. Words that were agreed upon
// are not taken back.
type agreement struct {
	agreed []audio.Word // from the sound's beginning
	last   []audio.Word // of the last reading, those behind agreed
}

// hear takes a reading of the sound behind the agreed words' end, or of all of it.
func (a *agreement) hear(words []audio.Word) {
	words = a.behind(words)
	n := 0
	for n < len(words) && n < len(a.last) && bare(words[n].Text) == bare(a.last[n].Text) {
		n++
	}
	a.agreed = append(a.agreed, words[:n]...)
	a.last = words[n:]
}

// slack is how far the times of a word may differ between two readings.
const slack = 300 * time.Millisecond

// behind leaves out the words that were agreed upon before: by their places where the reading begins with them, else by time.
func (a *agreement) behind(words []audio.Word) []audio.Word {
	n := 0
	for n < len(words) && n < len(a.agreed) && bare(words[n].Text) == bare(a.agreed[n].Text) {
		n++
	}
	if n == len(a.agreed) {
		return words[n:]
	}
	end := a.end()
	for i, w := range words {
		if w.Start >= end-slack && (w.Start+w.End)/2 >= end {
			return words[i:]
		}
	}
	return nil
}

// end is where the last agreed word ends.
func (a *agreement) end() time.Duration {
	if n := len(a.agreed); n > 0 {
		return a.agreed[n-1].End
	}
	return 0
}
