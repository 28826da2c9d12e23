package memory

import (
	"regexp"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/memory"
	"github.com/solo-assistant/solo/core/tool"
)

// clause puts a fact behind "I'll remember": "that your bike is red", or as it is where it is no sentence, "milk".
func clause(text string) string {
	said := tool.Mirror(spell(text))
	if sentence(text) {
		return "that " + said
	}
	return said
}

// verbs tell a sentence from a mere name. Other verbs are known by their place and ending.
var verbs = set(`is isn't are aren't am was wasn't were weren't be has hasn't have haven't had do does doesn't don't did didn't
	can can't cannot could will won't would should must may might needs need likes like loves love hates hate wants want
	lives live works work goes go went comes came starts start ends opens closes left put parked bought sold gave got
	met told said says prefer prefers eat eats drink drinks drive drives cost costs weighs belongs means owe owes lent borrowed
	i'm i've i'd i'll it's he's she's we're we've they're there's that's`)

func set(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

var subjects = set("i you he she we they it")

func sentence(text string) bool {
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(text, "’", "'")))
	for i, w := range words {
		if verbs[w] && (i > 0 || strings.Contains(w, "'")) || subjects[w] && i+1 < len(words) {
			return i > 0 || words[0] != "to"
		}
		if w == "to" && i == 0 {
			return false
		}
		if strings.HasSuffix(w, "'s") && i+1 < len(words) && set("a an the in on at not")[words[i+1]] {
			return true
		}
	}
	return false
}

var (
	numbered = regexp.MustCompile(`(?i)\b(code|pin|number|password|combination|phone|account|plate|passport|id)\b`)
	digits   = regexp.MustCompile(`\b\d{3,}\b`)
)

// spell parts the digits of codes and telephone numbers, so that they are heard one by one: "4 2 7".
func spell(text string) string {
	if !numbered.MatchString(text) {
		return text
	}
	return digits.ReplaceAllStringFunc(text, func(run string) string { return strings.Join(strings.Split(run, ""), " ") })
}

// told words facts with their days: "on Monday that your bike is red, and that your car is blue".
// With sources it says of each how it was learnt.
func (f facts) told(all []memory.Item, sources bool) string {
	var b strings.Builder
	last := ""
	for i, k := range all {
		if i > 0 {
			b.WriteString(", and ")
		}
		if day := since(k.At, f.Now()); day != last {
			b.WriteString(day + " ")
			last = day
		}
		if !sentence(k.Text) {
			b.WriteString("to remember ")
		}
		b.WriteString(clause(k.Text))
		if sources {
			b.WriteString(", " + learnt(k.Source))
		}
	}
	return b.String()
}

// learnt says where something comes from.
func learnt(source string) string {
	switch source {
	case "voice":
		return "which you said aloud"
	case "typed", "cli":
		return "which you typed"
	case "web", "browser":
		return "which you said in the browser"
	case "talk", "summary":
		return "which came up in a talk"
	case Outside:
		return "which I read somewhere"
	case "":
		return "and I do not know from where"
	}
	return "which is from " + source
}

// since is the day of a fact: "today", "yesterday", "on Monday", "on October 3rd".
func since(t, now time.Time) string {
	t = t.In(now.Location())
	switch days := number(now) - number(t); {
	case days <= 0:
		return "today"
	case days == 1:
		return "yesterday"
	case days < 7:
		return "on " + t.Weekday().String()
	}
	said := "on " + t.Format("January ") + tool.Ordinal(t.Day())
	if t.Year() != now.Year() {
		said += t.Format(", 2006,")
	}
	return said
}

func number(t time.Time) int64 {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400
}

func some(all []memory.Item) string {
	var out []string
	for _, k := range all {
		out = append(out, clause(k.Text))
	}
	return tool.Some(out, spokenFacts)
}

type row struct {
	Text   string    `json:"text"`
	Source string    `json:"source"`
	At     time.Time `json:"at"`
}

func data(all ...memory.Item) []row {
	out := []row{}
	for _, k := range all {
		out = append(out, row{k.Text, k.Source, k.At})
	}
	return out
}
