package sphinx

import (
	"math"
	"slices"
	"strings"
	"testing"
)

var little = []string{"set a timer for [digit] minutes", "set an alarm for [digit]", "stop", "stop the timer", "what is [digit] plus [digit]"}

var digits = map[string][]string{"digit": {"one", "two", "three", "twenty one"}}

// After every history the words share a probability of one.
func TestTrigramSumsToOne(t *testing.T) {
	three := estimate(little, digits)
	vocabulary := append(three.words(), "</s>")
	for order, byHistory := range three.counts {
		for h := range byHistory {
			sum, backedOff := 0.0, 0.0
			for _, w := range vocabulary {
				sum += three.prob(h, w, order)
				if _, seen := byHistory[h][w]; order > 0 && !seen {
					backedOff += three.backoff(h, order) * three.prob(shorter(h), w, order-1)
				}
			}
			if math.Abs(sum-1) > 1e-6 {
				t.Errorf("after %q the words have %.6f", h, sum)
			}
			if seen := seenMass(three, h, order); order > 0 && math.Abs(seen+backedOff-1) > 1e-4 {
				t.Errorf("after %q seen words have %.4f and backed off ones %.4f", h, seen, backedOff)
			}
		}
	}
}

func seenMass(t *trigram, h string, order int) (sum float64) {
	for w := range t.counts[order][h] {
		sum += t.prob(h, w, order)
	}
	return sum
}

func TestTrigramPrefersWhatWasSaid(t *testing.T) {
	three := estimate(little, digits)
	for _, tt := range []struct{ history, likely, unlikely string }{
		{"set a", "timer", "stop"}, {"<s>", "stop", "minutes"}, {"timer for", "two", "alarm"}, {"for twenty", "one", "two"},
	} {
		order := len(strings.Fields(tt.history))
		if l, u := three.prob(tt.history, tt.likely, order), three.prob(tt.history, tt.unlikely, order); l <= 3*u {
			t.Errorf("after %q: %q %.4f, %q %.4f", tt.history, tt.likely, l, tt.unlikely, u)
		}
	}
}

func TestTrigramFile(t *testing.T) {
	three := estimate(little, digits)
	text := three.String()
	if again := estimate(little, digits).String(); again != text {
		t.Error("the same sentences gave another file")
	}
	for _, want := range []string{"\\data\\\nngram 1=", "\\1-grams:\n-99.0 <s> ", "\\3-grams:", "\\end\\"} {
		if !strings.Contains(text, want) {
			t.Errorf("the file lacks %q", want)
		}
	}
	for _, part := range strings.Split(text, "\n\n")[1:4] {
		head, grams, _ := strings.Cut(part, ":\n")
		order := strings.Trim(head, "\\-grams")
		if want := "ngram " + order + "=" + itoa(len(lines(grams))); !strings.Contains(text, want+"\n") {
			t.Errorf("order %s has %d grams, which the head does not say", order, len(lines(grams)))
		}
	}
	if strings.Contains(text, "[digit]") || !strings.Contains(text, "twenty one") {
		t.Error("classes are not expanded")
	}
}

func TestTrigramWithout(t *testing.T) {
	three := estimate(little, digits)
	three.without(func(w string) bool { return w != "timer" })
	if strings.Contains(three.String(), "timer") || !slices.Contains(three.words(), "alarm") {
		t.Error("a word was not taken out, or another was")
	}
}

func FuzzTrigram(f *testing.F) {
	f.Add("set a timer\nstop", "one two|three")
	f.Add("[x] [x] [y\n\n  \n[", "")
	f.Add("<s> </s>\n</s> a", "<s>")
	f.Fuzz(func(t *testing.T, sentences, members string) {
		if len(sentences) > 500 {
			return
		}
		three := estimate(lines(sentences), map[string][]string{"x": strings.Split(members, "|")})
		three.without(func(w string) bool { return spell(w) != nil })
		for _, line := range lines(three.String()) {
			if strings.Contains(line, "NaN") || strings.Contains(line, "Inf") {
				t.Fatalf("%q", line)
			}
		}
	})
}

func lines(text string) []string { return strings.Split(strings.TrimSpace(text), "\n") }

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}
