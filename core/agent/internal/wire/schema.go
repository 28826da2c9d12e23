package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/solo-assistant/solo/models"
)

// Schema is the JSON schema of an answer that may use these tools. Engines turn it into a grammar, so that it keeps to
// what all of them know: no references, no descriptions, no limits of length, and "type" and "tool" come before what
// depends on them. Whatever it leaves out, the toolbox checks.
func Schema(specs []models.Spec) json.RawMessage {
	reply := object{{"type", constant("reply")}, {"text", raw(`{"type":"string"}`)}}
	ways := []any{reply.schema()}
	var calls []any
	for _, s := range specs {
		args := arguments(s.Schema)
		call := object{{"tool", constant(s.Name)}, {"arguments", args}}
		ways = append(ways, append(object{{"type", constant("tool_call")}}, call...).schema())
		calls = append(calls, call.schema())
	}
	if len(calls) > 1 {
		list := ordered{{"type", "array"}, {"items", ordered{{"anyOf", calls}}}, {"minItems", 2}, {"maxItems", MaxCalls}}
		ways = append(ways, object{{"type", constant("multi_tool_call")}, {"calls", list}}.schema())
	}
	return must(ordered{{"anyOf", ways}})
}

// Fixed is the schema of an object whose keys are all required, in this order.
func Fixed(pairs ...any) json.RawMessage {
	var o object
	for i := 0; i+1 < len(pairs); i += 2 {
		o = append(o, pair{pairs[i].(string), raw(pairs[i+1].(string))})
	}
	return must(o.schema())
}

func raw(text string) json.RawMessage { return json.RawMessage(text) }

func constant(v string) any { return ordered{{"const", v}} }

// pair and ordered are a JSON object whose keys keep their order.
type pair struct {
	key   string
	value any
}

type ordered []pair

// object is what an answer's object holds, all of it required.
type object ordered

func (o object) schema() ordered {
	required := make([]string, len(o))
	for i, p := range o {
		required[i] = p.key
	}
	return ordered{{"type", "object"}, {"properties", ordered(o)}, {"required", required}, {"additionalProperties", false}}
}

// must writes what is made of texts, numbers and valid JSON.
func must(v any) json.RawMessage {
	var b bytes.Buffer
	write(&b, v)
	return b.Bytes()
}

// write writes a value; an object keeps the order of its keys.
func write(b *bytes.Buffer, v any) {
	switch v := v.(type) {
	case ordered:
		b.WriteByte('{')
		for i, p := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			write(b, p.key)
			b.WriteByte(':')
			write(b, p.value)
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			write(b, item)
		}
		b.WriteByte(']')
	case json.RawMessage:
		b.Write(v)
	default:
		raw, err := json.Marshal(v)
		if err != nil {
			panic(fmt.Sprintf("writing a schema: %v", err))
		}
		b.Write(raw)
	}
}

// maxNest is how deep the arguments of a tool may lie; below it any JSON is let through to the toolbox.
const maxNest = 4

// arguments makes the part of a tool's schema that a grammar can hold.
func arguments(schema json.RawMessage) any {
	s, err := Properties(schema)
	if err != nil || s.kind() != "object" {
		return ordered{{"type", "object"}}
	}
	return s.plain(0)
}

// duration is ISO 8601, as far as a person speaks of it: P1D, PT5M, PT1H30M.
const duration = `^P([0-9]{1,4}[DW]|([0-9]{1,3}D)?T[0-9]{1,4}[HMS]([0-9]{1,2}[MS])?([0-9]{1,2}S)?)$`

func (n Node) plain(depth int) any {
	kind := n.kind()
	switch {
	case n.Const != nil:
		return ordered{{"const", n.Const}}
	case len(n.Enum) > 0:
		return ordered{{"enum", n.Enum}}
	case kind == "object" && len(n.Fields) > 0 && depth < maxNest:
		return n.fields(depth)
	case kind == "object" && n.Fields != nil, kind == "object" && depth == 0:
		return object{}.schema()
	case kind == "array" && len(n.Items) > 0 && depth < maxNest:
		var item Node
		_ = json.Unmarshal(n.Items, &item) // anything is allowed where it is no object
		return ordered{{"type", kind}, {"items", item.plain(depth + 1)}}
	case kind == "string" && n.Format == "date-time":
		return ordered{{"type", kind}, {"format", n.Format}}
	case kind == "string" && n.Format == "duration":
		return ordered{{"type", kind}, {"pattern", duration}}
	case kind == "integer":
		return n.integer()
	case slices.Contains([]string{"string", "number", "boolean", "object", "array"}, kind):
		return ordered{{"type", kind}}
	}
	return ordered{}
}

func (n Node) fields(depth int) any {
	var properties ordered
	var required []string
	for _, f := range n.Fields {
		properties = append(properties, pair{f.Name, f.plain(depth + 1)})
		if slices.Contains(n.Required, f.Name) {
			required = append(required, f.Name)
		}
	}
	o := ordered{{"type", "object"}, {"properties", properties}}
	if len(required) > 0 {
		o = append(o, pair{"required", required})
	}
	return append(o, pair{"additionalProperties", false})
}

func (n Node) integer() any {
	o := ordered{{"type", "integer"}}
	if n.Minimum != nil {
		o = append(o, pair{"minimum", n.Minimum})
	}
	if n.Maximum != nil {
		o = append(o, pair{"maximum", n.Maximum})
	}
	return o
}
