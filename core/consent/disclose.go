package consent

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/solo-assistant/solo/models"
)

// disclose words what would leave the machine: "I would send your question and 85 words of context to Anthropic:
// 'should I ...'. Shall I?"
func disclose(provider string, m []models.Message) string {
	question, context, notes := "", 0, 0
	for i, x := range m {
		if i == len(m)-1 && x.Role == models.User {
			question = x.Text
			continue
		}
		text := x.Text
		for _, c := range x.Calls {
			text += " " + c.Tool + " " + string(c.Arguments)
		}
		context += words(text)
		for line := range strings.Lines(text) {
			if l := strings.TrimSpace(line); strings.HasPrefix(l, "- ") || strings.HasPrefix(l, "* ") {
				notes++
			}
		}
	}
	var what []string
	if question != "" {
		what = append(what, "your question")
	}
	if context > 0 {
		about := many(context, "word") + " of context"
		if notes > 0 {
			about += " with " + many(notes, "note")
		}
		what = append(what, about)
	}
	said := "I would send " + list(what) + " to " + Name(provider)
	if question != "" {
		said += ": " + quoted(shorten(clean(question)))
	}
	return said + ". Shall I?"
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
