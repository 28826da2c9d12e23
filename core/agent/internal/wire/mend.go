package wire

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"github.com/kaptinlin/jsonrepair"
)

// What is longer or deeper than this is not repaired: the library looks back over all it wrote, and calls itself.
const (
	maxRepair = 16 << 10
	maxDepth  = 40
	maxQuotes = 300 // every quote makes it read on to the end
)

func count(text, chars string) (n int) {
	for _, c := range chars {
		n += strings.Count(text, string(c))
	}
	return n
}

var errNoObject = errors.New("no JSON object")

// firstObject reads the first object of text, which begins with its brace; a broken one is repaired.
func firstObject(text string) (map[string]json.RawMessage, error) {
	whole, depth := balanced(text)
	if depth > maxDepth {
		return nil, errNoObject
	}
	var o map[string]json.RawMessage
	if whole != "" && json.Unmarshal([]byte(whole), &o) == nil {
		return o, nil
	}
	for _, broken := range []string{text, whole} { // quotes that are not closed make the wrong brace the last
		if fixed, err := repair(broken); err == nil && json.Unmarshal([]byte(fixed), &o) == nil && ours(o) {
			return o, nil
		}
	}
	return nil, errNoObject
}

// balanced gives the object at the head of text, "" where it does not end, and the depth of its nesting.
func balanced(text string) (whole string, deepest int) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return text[:i+1], deepest
			}
		}
	}
	return "", deepest
}

// torn says whether calls were broken off where something of them may be missing: only the last bracket may lack, behind
// the arguments of a single call.
func torn(text string, calls int) bool {
	if whole, _ := balanced(text); whole != "" {
		return false
	}
	end := strings.TrimRight(text, " \t\r\n`")
	quotes := strings.Count(strings.ReplaceAll(end, `\"`, ""), `"`)
	return calls != 1 || strings.Contains(text, "multi_tool_call") || quotes%2 != 0 || !strings.HasSuffix(end, "}")
}

// repair mends JSON that is nearly whole.
func repair(text string) (fixed string, err error) {
	if len(text) > maxRepair || text == "" || count(text, "{[") > 4*maxDepth || count(text, `"'`) > maxQuotes {
		return "", errNoObject
	}
	defer func() {
		if recover() != nil { // the library is not made for every text
			fixed, err = "", errNoObject
		}
	}()
	fixed, err = jsonrepair.JSONRepair(text)
	if err != nil {
		return "", errNoObject
	}
	if whole, _ := balanced(fixed); whole != "" {
		return whole, nil
	}
	return "", errNoObject
}

const thinkOpen, thinkClose = "<think>", "</think>"

// thoughtless drops what a model thought aloud before its answer.
func thoughtless(raw string) string {
	raw = strings.TrimLeft(raw, " \t\r\n\ufeff")
	if !strings.HasPrefix(raw, thinkOpen) {
		return raw
	}
	if _, rest, ok := strings.Cut(raw, thinkClose); ok {
		return rest
	}
	return ""
}

// control are the marks of models' templates, which an engine ought not to show.
var control = regexp.MustCompile(`<\|[^<>|]{0,40}\|>|</?s>|<(start|end)_of_turn>|</?think>`)

func tokenless(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	return control.ReplaceAllString(text, "")
}

// Decode reads the first object of raw, repaired where it must be, into a struct.
func Decode(raw string, into any) error {
	raw = thoughtless(valid(raw))
	at := strings.IndexByte(raw, '{')
	if at < 0 {
		return fault("the answer is not a JSON object")
	}
	whole, depth := balanced(raw[at:])
	if depth > maxDepth {
		return fault("the answer is nested too deep")
	}
	if whole != "" && json.Unmarshal([]byte(whole), into) == nil {
		return nil
	}
	if fixed, err := repair(raw[at:]); err == nil && json.Unmarshal([]byte(fixed), into) == nil {
		return nil
	}
	return fault("the answer is not a JSON object of the form that was asked for")
}
