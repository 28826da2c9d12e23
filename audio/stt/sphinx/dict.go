package sphinx

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// pronounce finds every pronunciation of the words in a dictionary file, in the dictionary's own lines.
// Words that it lacks are spelled out by rule; what cannot be spelled is absent from the second result.
func pronounce(file string, words []string) (lines []string, known map[string]bool, guessed []string, err error) {
	want := make(map[string]bool, len(words))
	for _, w := range words {
		want[w] = true
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("reading the pronouncing dictionary: %w", err)
	}
	defer f.Close()
	known = map[string]bool{}
	scan := bufio.NewScanner(f)
	for scan.Scan() {
		word, _, _ := strings.Cut(scan.Text(), " ")
		base, _, _ := strings.Cut(word, "(") // read(2) is another way to say read
		if want[base] {
			known[base] = true
			lines = append(lines, scan.Text())
		}
	}
	for _, w := range words {
		if known[w] {
			continue
		}
		if phones := spell(w); len(phones) > 0 {
			known[w] = true
			guessed = append(guessed, w)
			lines = append(lines, w+" "+strings.Join(phones, " "))
		}
	}
	return lines, known, guessed, scan.Err()
}
