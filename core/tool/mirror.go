package tool

import "strings"

// Mirror turns the user's words about themselves into Solo's words to the user: "my bike" becomes "your bike",
// "I am" becomes "you are", and "you" becomes "I" or "me". Other words stay as they are.
func Mirror(s string) string {
	words := strings.Fields(s)
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w
		bare := strings.ToLower(strings.ReplaceAll(strings.TrimRight(w, ".,;:!?"), "’", "'"))
		if turned, ok := turn(bare, words, i); ok {
			out[i] = turned + w[len(strings.TrimRight(w, ".,;:!?")):]
		}
	}
	return strings.Join(out, " ")
}

var mirrored = map[string]string{
	"i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself",
	"i'm": "you're", "i've": "you've", "i'll": "you'll", "i'd": "you'd",
	"our": "your", "ours": "yours", "ourselves": "yourselves", "we": "you", "us": "you",
	"we're": "you're", "we've": "you've", "we'll": "you'll", "we'd": "you'd",
	"your": "my", "yours": "mine", "yourself": "myself",
	"you're": "I'm", "you've": "I've", "you'll": "I'll", "you'd": "I'd",
}

// starters open a clause, so that a "you" after them does something.
var starters = map[string]bool{
	"": true, "that": true, "and": true, "but": true, "if": true, "when": true, "because": true,
	"whether": true, "while": true, "how": true, "what": true, "where": true, "why": true, "since": true,
}

func turn(bare string, words []string, i int) (string, bool) {
	switch bare {
	case "am", "was", "are", "were":
		return verb(bare, near(words, i-1), near(words, i+1))
	case "us":
		return "you", words[i] == "us" // and not the country
	case "you":
		if next := near(words, i+1); starters[near(words, i-1)] || doing[next] {
			return "I", true
		}
		return "me", true
	}
	to, ok := mirrored[bare]
	return to, ok
}

// doing follows a "you" that does something.
var doing = map[string]bool{
	"are": true, "were": true, "can": true, "could": true, "will": true, "would": true, "should": true, "must": true,
	"may": true, "might": true, "have": true, "had": true, "do": true, "did": true, "don't": true, "can't": true,
	"won't": true, "never": true, "always": true, "said": true, "told": true, "like": true, "know": true,
}

// verb fits a form of "to be" to its turned subject, which stands before it or, in a question, after it.
func verb(bare, before, after string) (string, bool) {
	subject := before
	if before != "i" && before != "you" && (after == "i" || after == "you") {
		subject = after
	}
	switch subject + " " + bare {
	case "i am":
		return "are", true
	case "i was":
		return "were", true
	case "you are":
		return "am", true
	case "you were":
		return "was", true
	}
	return "", false
}

// near is a neighbouring word in small letters, "" outside.
func near(words []string, i int) string {
	if i < 0 || i >= len(words) {
		return ""
	}
	return strings.ToLower(strings.TrimRight(words[i], ".,;:!?"))
}
