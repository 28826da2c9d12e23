package rank

// Stem cuts an English word to its stem by M. F. Porter, An algorithm for suffix stripping (1980), as full-text indexes
// do. It takes a word in lower case; what is no word of ASCII letters stays as it is.
func Stem(word string) string {
	if len(word) < 3 || len(word) > 64 {
		return word
	}
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	w := stemmer(word)
	w = w.plural()
	w = w.past()
	if n := len(w) - 1; w[n] == 'y' && w[:n].vowel() {
		w = append(w[:n:n], 'i')
	}
	w = w.first(long)
	w = w.first(full)
	w = w.tail()
	return string(w.last())
}

type stemmer []byte

func (w stemmer) consonant(i int) bool {
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !w.consonant(i-1)
	}
	return true
}

// measure counts the vowel-consonant sequences.
func (w stemmer) measure() int {
	n, vowel := 0, false
	for i := range w {
		c := w.consonant(i)
		if c && vowel {
			n++
		}
		vowel = !c
	}
	return n
}

func (w stemmer) vowel() bool {
	for i := range w {
		if !w.consonant(i) {
			return true
		}
	}
	return false
}

func (w stemmer) double() bool {
	n := len(w)
	return n >= 2 && w[n-1] == w[n-2] && w.consonant(n-1)
}

// short tells whether w ends in consonant, vowel, consonant, the last of them no w, x or y.
func (w stemmer) short() bool {
	n := len(w)
	if n < 3 || !w.consonant(n-1) || w.consonant(n-2) || !w.consonant(n-3) {
		return false
	}
	return w[n-1] != 'w' && w[n-1] != 'x' && w[n-1] != 'y'
}

func (w stemmer) ends(end string) bool {
	return len(w) > len(end) && string(w[len(w)-len(end):]) == end
}

func (w stemmer) without(end string) stemmer { return w[: len(w)-len(end) : len(w)-len(end)] }

func (w stemmer) plural() stemmer {
	switch {
	case w.ends("sses"), w.ends("ies"):
		return w[:len(w)-2]
	case w.ends("ss"):
		return w
	case w.ends("s"):
		return w[:len(w)-1]
	}
	return w
}

func (w stemmer) past() stemmer {
	if w.ends("eed") {
		if w.without("eed").measure() > 0 {
			return w[:len(w)-1]
		}
		return w
	}
	for _, end := range []string{"ed", "ing"} {
		if !w.ends(end) || !w.without(end).vowel() {
			continue
		}
		w = w.without(end)
		last := w[len(w)-1]
		switch {
		case w.ends("at"), w.ends("bl"), w.ends("iz"):
			return append(w, 'e')
		case w.double() && last != 'l' && last != 's' && last != 'z':
			return w[:len(w)-1]
		case w.measure() == 1 && w.short():
			return append(w, 'e')
		}
		return w
	}
	return w
}

// ending is what stands for an ending where something is left before it.
type ending struct{ end, by string }

var long = []ending{
	{"ational", "ate"}, {"ization", "ize"}, {"iveness", "ive"}, {"fulness", "ful"}, {"ousness", "ous"}, {"tional", "tion"},
	{"biliti", "ble"}, {"entli", "ent"}, {"ousli", "ous"}, {"ation", "ate"}, {"alism", "al"}, {"aliti", "al"}, {"iviti", "ive"},
	{"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"}, {"abli", "able"}, {"alli", "al"}, {"ator", "ate"}, {"logi", "log"},
	{"eli", "e"}, {"bli", "ble"},
}

var full = []ending{{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ness", ""}, {"ful", ""}}

// first puts the first ending that fits in another's place.
func (w stemmer) first(list []ending) stemmer {
	for _, e := range list {
		if w.ends(e.end) {
			if rest := w.without(e.end); rest.measure() > 0 {
				return append(rest, e.by...)
			}
			return w
		}
	}
	return w
}

var tails = []string{"ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ion", "ism", "ate", "iti", "ous", "ive", "ize", "al", "er", "ic", "ou"}

func (w stemmer) tail() stemmer {
	for _, t := range tails {
		if !w.ends(t) {
			continue
		}
		rest := w.without(t)
		if t == "ion" && !rest.ends("s") && !rest.ends("t") {
			return w
		}
		if rest.measure() > 1 {
			return rest
		}
		return w
	}
	return w
}

func (w stemmer) last() stemmer {
	if w.ends("e") {
		rest := w.without("e")
		if m := rest.measure(); m > 1 || m == 1 && !rest.short() {
			w = rest
		}
	}
	if w.ends("ll") && w.measure() > 1 {
		w = w[:len(w)-1]
	}
	return w
}
