// Package system tells how Solo is.
package system

import (
	"context"
	_ "embed"
	"strings"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

//go:embed system.md
var page string

// Service is one of Solo's parts, as the user would name it: "the microphone".
type Service struct {
	Name    string `json:"name"`
	Healthy bool   `json:"healthy"`
	Why     string `json:"why,omitempty"` // what is wrong, or how to mend it; "" where unknown
}

// Status knows Solo's parts.
type Status interface{ Services() []Service }

// Tools makes system.status.
func Tools(s Status) []tool.Tool {
	status := func(context.Context, struct{}) (models.Result, error) {
		all := s.Services()
		return tool.With(models.Result{Say: say(all)}, all), nil
	}
	return []tool.Tool{tool.Of("system.status", tool.About(page, "system.status"), models.Read, status)}
}

func say(all []Service) string {
	var ill []string
	why := ""
	for _, s := range all {
		if !s.Healthy {
			ill = append(ill, s.Name)
			why = s.Why
		}
	}
	rest := " Everything else is fine."
	if len(ill) == len(all) {
		rest = ""
	}
	switch {
	case len(ill) == 0:
		return "I'm fine. Everything is running."
	case len(ill) == 1 && why != "":
		return tool.Upper(ill[0]) + " isn't working: " + strings.TrimRight(why, ".") + "." + rest
	case len(ill) == 1:
		return tool.Upper(ill[0]) + " isn't working." + rest
	}
	return tool.Upper(tool.Some(ill, 4)) + " aren't working." + rest
}
