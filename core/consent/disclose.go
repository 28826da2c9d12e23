package consent

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/solo-assistant/solo/models"
)

// factsSaid is how many facts are read aloud.
const factsSaid = 3

// disclose words what would leave the machine: "I would send your question and 2 facts to Anthropic: 'should I ...'. The
// facts are 'you have a dog' and 'you live in Bonn'. Shall I?"
func disclose(provider string, m []models.Message) string {
	said, facts := contents(provider, m)
	return "I would send " + said + theFacts(facts) + ". Shall I?"
}

// Say words an entry of the ledger: "your question and 2 facts to Anthropic: 'should I ...'".
func (e Entry) Say() string {
	if e.Purpose == call {
		var c models.Call
		values := map[string]any{}
		if json.Unmarshal(e.Content, &c) != nil || json.Unmarshal(c.Arguments, &values) != nil {
			return "something by " + aloud(e.Provider) // an entry that was changed from outside
		}
		return aloud(c.Tool) + rest("", values)
	}
	var m []models.Message
	if json.Unmarshal(e.Content, &m) != nil {
		return "something to " + Name(e.Provider)
	}
	said, _ := contents(e.Provider, m)
	return said
}

// contents sums up messages: "your question and 2 facts to Anthropic: 'should I ...'".
func contents(provider string, m []models.Message) (said string, facts []string) {
	question, talk, rules := "", 0, 0
	for i, x := range m {
		switch {
		case x.Role == models.System:
			rules += words(x.Text)
		case x.Role == models.User && i == len(m)-1:
			question, facts = apart(x.Text)
		default:
			talk += words(x.Text)
			for _, c := range x.Calls {
				talk += words(c.Tool + " " + string(c.Arguments))
			}
		}
	}
	var what []string
	if question != "" {
		what = append(what, "your question")
	}
	if len(facts) > 0 {
		what = append(what, many(len(facts), "fact"))
	}
	if talk > 0 {
		what = append(what, many(talk, "word")+" of our talk")
	}
	if rules > 0 {
		what = append(what, many(rules, "word")+" of instructions")
	}
	said = list(what) + " to " + Name(provider)
	if question != "" {
		said += ": " + quoted(shorten(clean(question)))
	}
	return said, facts
}

func theFacts(facts []string) string {
	var said []string
	for _, f := range facts[:min(len(facts), factsSaid)] {
		said = append(said, quoted(shorten(clean(f))))
	}
	switch n := len(facts) - len(said); {
	case len(facts) == 0:
		return ""
	case n > 0:
		said = append(said, many(n, "other"))
	case len(facts) == 1:
		return ". The fact is " + said[0]
	}
	return ". The facts are " + list(said)
}

// apart takes a question apart from the list of facts that goes with it, and from the line that leads to the list.
func apart(text string) (question string, facts []string) {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if fact, ok := strings.CutPrefix(line, "- "); ok {
			facts = append(facts, fact)
		} else if line != "" {
			lines = append(lines, line)
		}
	}
	if n := len(lines); len(facts) > 0 && n > 1 && strings.HasSuffix(lines[n-1], ":") {
		lines = lines[:n-1]
	}
	return strings.Join(lines, " "), facts
}

// words counts what has a letter or a digit.
func words(s string) int {
	n := 0
	for w := range strings.FieldsSeq(s) {
		if strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			n++
		}
	}
	return n
}

func many(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// names are providers as people say them.
var names = map[string]string{"openai": "OpenAI", "anthropic": "Anthropic", "groq": "Groq", "ollama": "Ollama's cloud",
	"openrouter": "OpenRouter", "mistral": "Mistral", "google": "Google", "deepseek": "DeepSeek", "lmstudio": "LM Studio"}

// Name is a provider's name for the ear: "openai:groq" is Groq.
func Name(provider string) string {
	_, name, ok := strings.Cut(provider, ":")
	if !ok || name == "" {
		name = provider
	}
	if known, ok := names[strings.ToLower(name)]; ok {
		return known
	}
	return clean(name)
}
