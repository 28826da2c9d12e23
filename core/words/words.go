// Package words finds a short text by some of its words, small slips forgiven.
//
// It serves what a person names from memory: a task, a kept fact, a timer. It knows English endings, leaves out words
// that carry nothing ("my", "the", "about") and gives a rare word more weight than a common one. All functions are
// pure, and cheap enough for some thousand texts of a sentence or two each.
package words

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// maxQuery is how many different words of a query count.
const maxQuery = 64

// Match is one text that a query was found in.
type Match struct {
	Index int     // of the text
	Cover float64 // 0 to 1: how much of the query's weight the text holds
	Score float64 // 0 to 1: Cover, and how much of the text the query names
}

// Rank finds the texts that hold at least the share least (0 to 1) of the query, the best first; among equals the
// earlier first. A query without any word of content finds only a text that is just like it.
func Rank(query string, texts []string, least float64) []Match {
	folded := Fold(query)
	asked, whole := content(folded), strings.Join(folded, "")
	held, letters := make([][]string, len(texts)), make([]string, len(texts))
	for i, t := range texts {
		folded := Fold(t)
		held[i], letters[i] = content(folded), strings.Join(folded, "")
	}
	like, weight := compare(asked, held)
	var out []Match
	for i := range texts {
		m := Match{Index: i, Cover: cover(like, weight, i)}
		m.Score = 0.8*m.Cover + 0.2*min(1, float64(len(asked))/float64(max(1, len(held[i]))))*m.Cover
		if text := letters[i]; len(whole) > 0 && (text == whole || len(whole) >= 6 && len(asked) > 0 && strings.Contains(text, whole)) {
			m.Cover = 1 // the same letters, parted into words in another way: "tooth paste"
			m.Score = max(m.Score, 0.9)
			if text == whole {
				m.Score = 1
			}
		}
		if m.Cover > 0 && m.Cover >= least {
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b Match) int { return cmp.Compare(b.Score, a.Score) })
	return out
}

// compare gives how like each text's nearest word is to each asked word, and what each asked word weighs.
func compare(asked []string, held [][]string) (like [][]float64, weight []float64) {
	like, weight = make([][]float64, len(asked)), make([]float64, len(asked))
	for q, word := range asked {
		like[q] = make([]float64, len(held))
		in := 0.0
		for i, text := range held {
			for _, w := range text {
				like[q][i] = max(like[q][i], alike(word, w))
			}
			if like[q][i] > 0 {
				in++
			}
		}
		weight[q] = math.Log(1 + float64(len(held)+1)/max(1, in)) // an unknown word weighs as one that a single text has
		if light[word] {
			weight[q] *= 0.4
		}
	}
	return like, weight
}

// cover is the share of the asked weight that text i holds.
func cover(like [][]float64, weight []float64, i int) float64 {
	var got, all float64
	for q := range weight {
		got += weight[q] * like[q][i]
		all += weight[q]
	}
	if all == 0 {
		return 0
	}
	return got / all
}

// Content gives the different words of a text that carry something, as stems in their order, at most 64.
func Content(text string) []string { return content(Fold(text)) }

func content(folded []string) []string {
	var out []string
	for _, w := range folded {
		if stem := Stem(w); !empty[w] && !slices.Contains(out, stem) {
			out = append(out, stem)
		}
		if len(out) == maxQuery {
			break
		}
	}
	return out
}
