package mind

import (
	"maps"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/core/when"
)

// held are the slots with free words in which a time may hide, and where the time goes.
var held = map[string][2]string{"reminders.create": {"text", "time"}, "tasks.create": {"description", "due_time"}}

// apart takes a time that the intent left in the free words out of them: of "call Anna on the third
// Monday of May" the text is "call Anna".
func (m *Mind) apart(name string, slots map[string]string) map[string]string {
	h, ok := held[name]
	text := slots[h[0]]
	if !ok || text == "" || slots[h[1]] != "" {
		return slots
	}
	for _, v := range slices.Backward(when.ParseAll(text, m.c.Now())) {
		rest, phrase, ok := cut(text, v)
		if !ok {
			continue
		}
		out := maps.Clone(slots)
		out[h[0]], out[h[1]] = rest, phrase
		return out
	}
	return slots
}

// cut removes the phrase of v from the head or the end of text, or from before a word that goes on anew.
func cut(text string, v when.Value) (rest, phrase string, ok bool) {
	head, tail := strings.TrimSpace(text[:v.Span[0]]), strings.TrimSpace(text[v.Span[1]:])
	phrase = strings.TrimSpace(text[v.Span[0]:v.Span[1]])
	if v.Kind == when.Duration || weak(phrase) {
		return "", "", false
	}
	if i := strings.LastIndexByte(head, ' ') + 1; joints[strings.ToLower(head[i:])] {
		head, phrase = strings.TrimSpace(head[:i]), head[i:]+" "+phrase
	}
	first, _, _ := strings.Cut(strings.ToLower(tail), " ")
	switch {
	case head == "" && tail == "":
		return "", "", false
	case head == "":
		return strings.TrimPrefix(tail, "to "), phrase, true
	case tail != "" && !goesOn[first] && len(strings.Fields(phrase)) < 3:
		return "", "", false
	}
	if last := strings.ToLower(head[strings.LastIndexByte(head, ' ')+1:]); dangling[last] {
		return "", "", false
	}
	return strings.TrimSpace(head + " " + tail), phrase, true
}

// weak phrases are too short to be sure that they are a time: "may", "sun", "second".
func weak(phrase string) bool {
	return !strings.Contains(phrase, " ") && !strong[strings.ToLower(phrase)]
}

var (
	strong   = words("today tomorrow tonight monday tuesday wednesday thursday friday saturday sunday noon midnight daily weekly monthly yearly hourly")
	joints   = words("at on by")
	goesOn   = words("about regarding because with so that to before after and for")
	dangling = words("the a an for of from until till to my your his her our their with this next last since between and")
)
