// Package wire reads what a language model answers: a reply or calls of tools, whole, in pieces or broken.
//
// The answer is one JSON object, of one of three types:
//
//	{"type":"reply","text":"..."}
//	{"type":"tool_call","tool":"...","arguments":{...}}
//	{"type":"multi_tool_call","calls":[{"tool":"...","arguments":{...}}]}
//
// Everything here is hostile: no text makes it fail in another way than by an error, or take long.
package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/solo-assistant/solo/models"
)

// MaxAnswer is the longest answer that is read, in bytes.
const MaxAnswer = 256 << 10

// MaxCalls is how many calls one answer may make.
const MaxCalls = 8

// Answer is a reply, or calls where there are any.
type Answer struct {
	Text   string
	Calls  []models.Call
	object bool // it was JSON, not plain text
}

// Fault lists everything that is wrong with an answer. It wraps models.ErrNonsense.
type Fault struct{ Problems []string }

func (f *Fault) Error() string {
	return fmt.Sprintf("%v: %s", models.ErrNonsense, strings.Join(f.Problems, "; "))
}

// Unwrap makes errors.Is(err, models.ErrNonsense) true.
func (f *Fault) Unwrap() error { return models.ErrNonsense }

func fault(format string, a ...any) *Fault { return &Fault{[]string{fmt.Sprintf(format, a...)}} }

// Parse reads a whole answer. Text that holds no JSON object at all is a reply. The error is a *Fault.
func Parse(raw string) (Answer, error) {
	raw = strings.TrimSpace(thoughtless(valid(raw)))
	at := strings.IndexByte(raw, '{')
	if raw == "" {
		return Answer{}, fault("the answer is empty")
	}
	if at < 0 {
		return Answer{Text: tokenless(raw)}, nil
	}
	object, err := firstObject(raw[at:])
	if err != nil || !ours(object) {
		if prose(raw[:at], raw[at:]) {
			return Answer{Text: tokenless(raw)}, nil // prose with braces in it
		}
		return Answer{}, fault("the answer is not one JSON object with type reply, tool_call or multi_tool_call")
	}
	a, err := read(object)
	if err == nil && len(a.Calls) > 0 && torn(raw[at:], len(a.Calls)) {
		return Answer{}, fault("the answer broke off in the middle of a call")
	}
	if inner := strings.TrimSpace(a.Text); err == nil && strings.HasPrefix(inner, "{") {
		if o, err := firstObject(inner); err == nil && ours(o) && !torn(inner, 0) { // an answer packed into a reply
			return read(o)
		}
	}
	return a, err
}

// prose says whether an object that is none of ours stands among words for a person.
func prose(head, object string) bool {
	if i := strings.LastIndex(head, "```"); i >= 0 && !strings.ContainsAny(strings.TrimSpace(head[i:]), "\n ") {
		head = head[:i]
	}
	near := object[:min(len(object), 30)]
	return strings.TrimSpace(head) != "" && !strings.Contains(near, "type") && !strings.Contains(near, "tool")
}

// ours says whether an object means to follow the protocol.
func ours(o map[string]json.RawMessage) bool {
	for _, key := range []string{"type", "tool", "calls", "text"} {
		if _, ok := o[key]; ok {
			return true
		}
	}
	return false
}

// kindOf gives the type of the answer, guessed where it is missing and only one is possible.
func kindOf(o map[string]json.RawMessage) string {
	var kind string
	if json.Unmarshal(o["type"], &kind) == nil && kind != "" {
		return kind
	}
	var found []string
	for key, kind := range map[string]string{"text": "reply", "tool": "tool_call", "calls": "multi_tool_call"} {
		if _, ok := o[key]; ok {
			found = append(found, kind)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return ""
}

func read(o map[string]json.RawMessage) (Answer, error) {
	switch kind := kindOf(o); kind {
	case "reply":
		var text string
		if err := json.Unmarshal(o["text"], &text); err != nil {
			return Answer{}, fault("a reply needs text, a string")
		}
		return Answer{Text: tokenless(text), object: true}, nil
	case "tool_call":
		c, problem := readCall(o)
		if problem != "" {
			return Answer{}, fault("%s", problem)
		}
		return Answer{Calls: []models.Call{c}, object: true}, nil
	case "multi_tool_call":
		return readCalls(o["calls"])
	default:
		return Answer{}, fault("type is %q; it is one of reply, tool_call, multi_tool_call", short(kind))
	}
}

// readCalls reads all calls or none, and tells everything that is wrong with them.
func readCalls(raw json.RawMessage) (Answer, error) {
	var list []map[string]json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil || len(list) == 0 {
		return Answer{}, fault("a multi_tool_call needs calls, a list of objects with tool and arguments")
	}
	if len(list) > MaxCalls {
		return Answer{}, fault("there are %d calls; at most %d fit into one answer", len(list), MaxCalls)
	}
	a, f := Answer{object: true}, &Fault{}
	for i, o := range list {
		c, problem := readCall(o)
		if problem != "" {
			f.Problems = append(f.Problems, fmt.Sprintf("call %d: %s", i+1, problem))
		}
		a.Calls = append(a.Calls, c)
	}
	if len(f.Problems) > 0 {
		return Answer{}, f
	}
	return a, nil
}

func readCall(o map[string]json.RawMessage) (c models.Call, problem string) {
	if err := json.Unmarshal(o["tool"], &c.Tool); err != nil || c.Tool == "" {
		return c, "tool is missing; it is a tool's name"
	}
	args, err := Arguments(o["arguments"])
	if err != nil {
		return c, err.Error()
	}
	c.Arguments = args
	return c, ""
}

// Arguments makes an object of a call's arguments: none are an empty one, and one packed into a string is unpacked.
// What comes back holds every key once, so that whoever checks it and whoever runs it read the same.
func Arguments(raw json.RawMessage) (json.RawMessage, error) {
	raw = bytes.TrimSpace(raw)
	var packed string
	if len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &packed) == nil {
		raw = bytes.TrimSpace([]byte(packed))
	}
	if len(raw) == 0 || string(raw) == "null" {
		return json.RawMessage("{}"), nil
	}
	var object map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&object); err != nil {
		return nil, errors.New("arguments is not a JSON object")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("arguments is more than one JSON object")
	}
	out, err := json.Marshal(object)
	if err != nil {
		return nil, errors.New("arguments cannot be written as JSON")
	}
	return out, nil
}

// valid writes every byte that is no text as U+FFFD.
func valid(s string) string { return strings.Map(func(r rune) rune { return r }, s) }

func short(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}
