package tool

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/solo-assistant/solo/models"
)

// Fine is the call of a yes that needs nothing done: it only acknowledges. The package core/tool/talk has the tool.
var Fine = models.Call{Tool: "talk.fine"}

// Said is a Result that only speaks.
func Said(format string, a ...any) models.Result {
	return models.Result{Say: fmt.Sprintf(format, a...)}
}

// CallOf is a call of a tool with its arguments, which must be fit for JSON as structs and maps of plain values are.
func CallOf(name string, args any) *models.Call {
	if args == nil {
		return &models.Call{Tool: name}
	}
	return &models.Call{Tool: name, Arguments: raw(args)}
}

// With adds data for a program or a model to a Result.
func With(r models.Result, data any) models.Result {
	r.Data = raw(data)
	return r
}

func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("tool: %T is unfit for JSON: %v", v, err)) // a mistake in a tool; the Box turns it into an error
	}
	return b
}

// About finds the description of a tool in its theme's page: the text under the heading "## name".
func About(page, name string) string {
	_, rest, ok := strings.Cut("\n"+strings.ReplaceAll(page, "\r\n", "\n"), "\n## "+name+"\n")
	if !ok {
		return ""
	}
	about, _, _ := strings.Cut(rest, "\n## ")
	return strings.TrimSpace(about)
}
