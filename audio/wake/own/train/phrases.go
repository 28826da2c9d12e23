package train

import (
	_ "embed" // for the words
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/audio/wake/own"
)

//go:embed words.txt
var wordList string

// everyday are common English words: what is said when nobody means Solo.
var everyday = strings.Fields(wordList)

// sentence is 6 to 14 words in no order, none of them of the phrase. Order does not matter to an ear that
// hears one second.
func sentence(r *rand.Rand, phrase string) string {
	avoid := strings.Fields(phrase)
	var words []string
	for n := 6 + r.IntN(9); len(words) < n; {
		if w := everyday[r.IntN(len(everyday))]; !slices.Contains(avoid, w) {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// near are phrases that sound somewhat like the phrase and are not it: pieces of it, it with other words or
// with half of its sounds changed, and words that are spelt like its own. They must not come nearer: voices
// differ more from people than one consonant from another, and a classifier that is made to hear the one
// hears the other too ("jarvis" was then found in 27 of 40 people's recordings instead of in all).
func near(r *rand.Rand, phrase string, n int) []string {
	words := strings.Fields(own.Phrase(phrase))
	out := pieces(words)
	for tries := 0; len(out) < n && tries < 20*n; tries++ {
		changed := slices.Clone(words)
		i := r.IntN(len(words))
		switch k := r.IntN(4); {
		case k == 0 && len(words) > 1:
			changed[i] = everyday[r.IntN(len(everyday))]
		case k <= 1:
			changed[i] = alike(r, words[i])
		case k == 2:
			changed[i] = alike(r, words[i]) + " " + everyday[r.IntN(len(everyday))]
		default:
			changed[i] = twist(r, words[i])
		}
		if text := strings.Join(changed, " "); !slices.Contains(out, text) && apart(text, phrase) {
			out = append(out, text)
		}
	}
	return out[:min(n, len(out))]
}

// pieces are the phrase without much of it: its words alone, and halves of long words.
func pieces(words []string) []string {
	var out []string
	add := func(text string) {
		if len(text) > 1 && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	for _, w := range words {
		if len(words) > 1 {
			add(w)
		}
		if groups := sounds(w); len(groups) > 3 {
			add(strings.Join(groups[:len(groups)/2], ""))
			add(strings.Join(groups[(len(groups)+1)/2:], ""))
		}
	}
	return out
}

// apart is false where a text may well be spoken like the phrase.
func apart(text, phrase string) bool {
	return heard(text) != heard(phrase) && !strings.Contains(heard(text), heard(phrase))
}

// heard is a rough spelling of how a text sounds.
var soundsLike = strings.NewReplacer("ph", "f", "ck", "k", "c", "k", "q", "k", "z", "s", "y", "i", "ee", "i", "ea", "i", "gh", "", "w", "u", "e", "i", "a", "o", "u", "o", " ", "", "'", "", "-", "", "h", "")

func heard(text string) string { return slim(soundsLike.Replace(text)) }

// slim is text with double letters single.
func slim(text string) string {
	var b strings.Builder
	last := rune(0)
	for _, c := range text {
		if c != last {
			b.WriteRune(c)
		}
		last = c
	}
	return b.String()
}

// alike is an everyday word that begins or ends like word, or any where there is none.
func alike(r *rand.Rand, word string) string {
	var found []string
	for _, w := range everyday {
		if w != word && len(word) > 2 && len(w) > 2 && (w[:2] == word[:2] || w[len(w)-2:] == word[len(word)-2:]) {
			found = append(found, w)
		}
	}
	if len(found) == 0 {
		found = everyday
	}
	return found[r.IntN(len(found))]
}

const vowels = "aeiouy"

// sounds parts a word where vowels and consonants meet.
func sounds(word string) (groups []string) {
	vowel := false
	for _, c := range word {
		if is := strings.ContainsRune(vowels, c); len(groups) == 0 || is != vowel {
			groups, vowel = append(groups, ""), is
		}
		groups[len(groups)-1] += string(c)
	}
	return groups
}

var (
	otherVowels     = []string{"a", "e", "i", "o", "u", "ee", "oo", "ai", "ow", "oy", "ar", "or"}
	otherConsonants = []string{"b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "st", "pl", "br", "sh", "ch", "nd", "mp", "lt"}
)

// twist puts other sounds into half of a word, its consonants first: one other vowel is often but another
// accent.
func twist(r *rand.Rand, word string) string {
	groups := sounds(word)
	order := r.Perm(len(groups))
	slices.SortStableFunc(order, func(a, b int) int {
		return strings.Count(vowels, groups[a][:1]) - strings.Count(vowels, groups[b][:1])
	})
	for _, i := range order[:(len(groups)+1)/2] {
		from := otherConsonants
		if strings.Contains(vowels, groups[i][:1]) {
			from = otherVowels
		}
		groups[i] = from[r.IntN(len(from))]
	}
	return strings.Join(groups, "")
}

// Others are everyday words that may be said in a phrase's place, for a recogniser that is to tell them apart: few and
// long ones. Short ones add up to anything ("job is" to "jarvis"), and each makes the recogniser slower. They are the same
// at every call.
func Others(phrase string) []string {
	phrase = own.Phrase(phrase)
	var out []string
	for i := 0; i < len(everyday) && len(out) < 15; i += 11 {
		if w := everyday[i]; len(w) >= 5 && apart(w, phrase) && !strings.Contains(" "+phrase+" ", " "+w+" ") {
			out = append(out, w)
		}
	}
	return out
}
