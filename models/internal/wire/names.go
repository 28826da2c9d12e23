package wire

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/solo-assistant/solo/models"
)

const longestName = 64 // letters of a tool's name, the least of what the APIs allow

// Names turns the names of tools into such that every API allows (letters, digits, "_" and "-"), and back.
type Names struct{ wire, own map[string]string }

// NewNames knows the tools that are offered and those that were called before.
func NewNames(tools []models.Spec, talk []models.Message) *Names {
	n := &Names{wire: map[string]string{}, own: map[string]string{}}
	for _, t := range tools {
		n.add(t.Name)
	}
	for _, m := range talk {
		for _, c := range m.Calls {
			n.add(c.Tool)
		}
	}
	return n
}

func (n *Names) add(own string) {
	if _, known := n.wire[own]; known {
		return
	}
	plain := strings.Map(func(r rune) rune {
		if r < 128 && (r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return r
		}
		return '_'
	}, own)
	plain = plain[:min(len(plain), longestName)]
	name := plain
	for i := 2; name == "" || n.own[name] != ""; i++ {
		tail := fmt.Sprintf("_%d", i)
		name = plain[:min(len(plain), longestName-len(tail))] + tail
	}
	n.wire[own], n.own[name] = name, own
}

// Wire is what the API is told.
func (n *Names) Wire(own string) string { return n.wire[own] }

// Own is our name for what the model called; a name that nobody offered stays as it is.
func (n *Names) Own(name string) string {
	if own, ok := n.own[name]; ok {
		return own
	}
	return name
}

// Arguments makes JSON of what a model wrote as the arguments of a call. Nothing is "{}". What is no JSON comes
// as a JSON text of it, so that the asker can still mend it.
func Arguments(written []byte) json.RawMessage {
	switch text := strings.TrimSpace(string(written)); {
	case text == "" || text == "null":
		return json.RawMessage("{}")
	case json.Valid([]byte(text)):
		return json.RawMessage(text)
	}
	quoted, _ := json.Marshal(string(written)) // a string always can
	return quoted
}

// Object makes a JSON object of a call's arguments, for APIs that take nothing else: what is none is wrapped into one.
func Object(arguments json.RawMessage) json.RawMessage {
	a := Arguments(arguments)
	if a[0] == '{' {
		return a
	}
	wrapped, _ := json.Marshal(map[string]json.RawMessage{"arguments": a}) // valid JSON always can
	return wrapped
}

// InWords asks for JSON in words, for servers that cannot hold an answer to a schema.
func InWords(talk []models.Message, schema json.RawMessage) []models.Message {
	rule := models.Message{Role: models.System, Text: "Answer with one JSON value and nothing else. It must fit this JSON schema: " + string(schema)}
	return append([]models.Message{rule}, talk...)
}

// Schema is a tool's schema, or that of an object without fields where it has none.
func Schema(s json.RawMessage) json.RawMessage {
	if len(s) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return s
}
