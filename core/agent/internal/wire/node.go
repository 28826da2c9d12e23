package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Node is what is used of a JSON schema.
type Node struct {
	Type        json.RawMessage   `json:"type"`
	Description string            `json:"description"`
	Format      string            `json:"format"`
	Enum        []json.RawMessage `json:"enum"`
	Const       json.RawMessage   `json:"const"`
	Minimum     json.RawMessage   `json:"minimum"`
	Maximum     json.RawMessage   `json:"maximum"`
	Items       json.RawMessage   `json:"items"`
	Fields      Fields            `json:"properties"`
	Required    []string          `json:"required"`
}

// Properties reads a tool's schema.
func Properties(schema json.RawMessage) (n Node, err error) {
	if err := json.Unmarshal(schema, &n); err != nil {
		return n, fmt.Errorf("reading a schema: %w", err)
	}
	return n, nil
}

// Field is one argument.
type Field struct {
	Name string
	Node
}

// Fields keep the order of the schema.
type Fields []Field

// UnmarshalJSON reads an object in its order.
func (f *Fields) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		name, ok := key.(string)
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil || !ok {
			return fmt.Errorf("property %v: %w", key, err)
		}
		var n Node
		_ = json.Unmarshal(raw, &n) // true, false and what else is no object allow anything
		*f = append(*f, Field{name, n})
	}
	return nil
}

// kind is the node's type without null, "" for none or several.
func (n Node) kind() string {
	var one string
	if json.Unmarshal(n.Type, &one) == nil {
		return one
	}
	var many []string
	_ = json.Unmarshal(n.Type, &many) // none at all is ""
	many = slices.DeleteFunc(many, func(t string) bool { return t == "null" })
	if len(many) != 1 {
		return ""
	}
	return many[0]
}

// Kind is the type for a person or a model to read: "text", "time", "duration", "int", "number", "bool", "list", "object".
func (n Node) Kind() string {
	switch kind := n.kind(); {
	case kind == "string" && n.Format == "date-time":
		return "time"
	case kind == "string" && n.Format == "duration":
		return "duration"
	case kind == "string":
		return "text"
	case kind == "integer":
		return "int"
	case kind == "boolean":
		return "bool"
	case kind == "array":
		return "list"
	default:
		return kind
	}
}
