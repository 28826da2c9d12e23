package words

import (
	"strings"
)

// Stem cuts an English word's common endings: "parties", "party" -> "party"; "baking", "bakes", "bake" -> "bak".
// It takes a folded word.
func Stem(w string) string {
	if s, ok := odd[w]; ok {
		w = s
	}
	w = singular(w)
	switch {
	case strings.HasSuffix(w, "ing") && sounds(w[:len(w)-3]):
		w = single(w[:len(w)-3])
	case strings.HasSuffix(w, "ied") && len(w) > 4:
		w = w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "ed") && sounds(w[:len(w)-2]):
		w = single(w[:len(w)-2])
	}
	if len(w) > 3 && strings.HasSuffix(w, "e") {
		w = w[:len(w)-1]
	}
	return w
}

func singular(w string) string {
	switch {
	case len(w) < 4 || !strings.HasSuffix(w, "s"):
		return w
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case hasAny(w, "sses", "shes", "ches", "xes", "zes"):
		return w[:len(w)-2]
	case hasAny(w, "ss", "us", "is"):
		return w
	}
	return w[:len(w)-1]
}

// sounds tells whether what is left of a word can be one: three letters and a vowel.
func sounds(w string) bool { return len(w) >= 3 && strings.ContainsAny(w, "aeiouy") }

// single undoes a doubled last letter: "shopp" -> "shop", but "call" stays.
func single(w string) string {
	n := len(w)
	if w[n-1] == w[n-2] && strings.IndexByte("bdgmnprt", w[n-1]) >= 0 {
		return w[:n-1]
	}
	return w
}

func hasAny(w string, ends ...string) bool {
	for _, e := range ends {
		if strings.HasSuffix(w, e) {
			return true
		}
	}
	return false
}

// odd are frequent words that no rule reaches.
var odd = map[string]string{
	"children": "child", "people": "person", "men": "man", "women": "woman", "feet": "foot", "teeth": "tooth",
	"mice": "mouse", "wives": "wife", "knives": "knife", "lives": "live", "leaves": "leaf", "shelves": "shelf",
	"bought": "buy", "went": "go", "gone": "go", "paid": "pay", "wrote": "write", "written": "write", "made": "make",
	"got": "get", "took": "take", "taken": "take", "sent": "send", "found": "find", "gave": "give", "given": "give",
	"brought": "bring", "mum": "mom", "mama": "mom", "mommy": "mom", "daddy": "dad",
}
