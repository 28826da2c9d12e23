package tool

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/models"
)

// Decision is what a policy says of a call.
type Decision uint8

const (
	Deny  Decision = iota // never
	Ask                   // only when the user agrees
	Allow                 // at once
)

// Policy decides whether a call may be made. models.OriginOf(ctx) tells who makes it.
type Policy func(ctx context.Context, s models.Spec, c models.Call) Decision

// Rules are what the user settles about tools. The package doc has them as a table.
type Rules struct {
	Allow []string `toml:"allow" doc:"tools, such as mail.send, or themes of tools, such as mail, that run without a question"`
	Ask   []string `toml:"ask" doc:"tools or themes that run only after a yes"`
	Deny  []string `toml:"deny" doc:"tools or themes that never run"`
	// May is the most that a channel or a speaker may do, as "guest=read": read, write, outward or dangerous, each with
	// those before it, or none. Who is not named may do all. Where both are named, the sterner holds.
	May []string `toml:"may" default:"guest=read,unknown=read" doc:"the most that a channel or speaker may do: none, read, write, outward or dangerous, such as guest=read"`
}

// Careful are the Rules without any setting.
func Careful(ctx context.Context, s models.Spec, c models.Call) Decision {
	return Rules{May: strangers}.Decide(ctx, s, c)
}

// strangers may read.
var strangers = []string{"guest=read", "unknown=read"}

// Decide is a Policy.
func (r Rules) Decide(ctx context.Context, s models.Spec, c models.Call) Decision {
	o := models.OriginOf(ctx)
	by, always := byClass(o, s)
	if place(s.Class) > r.most(o) {
		return Deny
	}
	set, ok := r.set(s.Name)
	switch {
	case !ok || by == Deny:
		return by
	case set == Allow && always:
		return Ask
	}
	return set
}

// byClass decides where no setting does. Always says that no setting changes an Ask into an Allow.
func byClass(o models.Origin, s models.Spec) (d Decision, always bool) {
	strange := o.Model && o.Outside
	switch s.Class {
	case models.Read:
		return Allow, false
	case models.Write:
		if strange && !slices.Contains(o.Planned, s.Name) {
			return Ask, false
		}
		return Allow, false
	case models.Outward, models.Dangerous:
		return Ask, strange
	}
	return Deny, false // a class that nobody heard of
}

// ladder are the classes; who may do one may do those before it.
var ladder = []models.Class{"none", models.Read, models.Write, models.Outward, models.Dangerous}

func place(c models.Class) int { return slices.Index(ladder, c) }

// most is the place on the ladder up to which the channel and the speaker of a call may go.
func (r Rules) most(o models.Origin) int {
	most := len(ladder)
	for _, one := range r.May {
		who, class, _ := strings.Cut(one, "=")
		if who = strings.TrimSpace(who); who != "" && (who == o.Channel || who == o.Speaker) {
			most = min(most, max(0, place(models.Class(strings.TrimSpace(class)))))
		}
	}
	return most
}

// wrong says which setting cannot be read.
func (r Rules) wrong() error {
	for _, one := range r.May {
		who, class, _ := strings.Cut(one, "=")
		if strings.TrimSpace(who) == "" || place(models.Class(strings.TrimSpace(class))) < 0 {
			return fmt.Errorf("may %q: want a channel or speaker and none, read, write, outward or dangerous, such as guest=read", one)
		}
	}
	return nil
}

// set is the setting for a tool: that of its name, else that of its theme; the sternest where there are several.
func (r Rules) set(name string) (Decision, bool) {
	theme, _, _ := strings.Cut(name, ".")
	for _, who := range []string{name, theme} {
		switch {
		case slices.Contains(r.Deny, who):
			return Deny, true
		case slices.Contains(r.Ask, who):
			return Ask, true
		case slices.Contains(r.Allow, who):
			return Allow, true
		}
	}
	return Deny, false
}

// Strays lists names in the settings that are no tool and no theme among specs: a misspelt deny denies nothing.
func (r Rules) Strays(specs []models.Spec) []string {
	known := map[string]bool{}
	for _, s := range specs {
		theme, _, _ := strings.Cut(s.Name, ".")
		known[s.Name], known[theme] = true, true
	}
	var out []string
	for list, names := range map[string][]string{"allow": r.Allow, "ask": r.Ask, "deny": r.Deny} {
		for _, name := range names {
			if !known[name] {
				out = append(out, fmt.Sprintf("%s: there is no tool or theme %q", list, name))
			}
		}
	}
	slices.Sort(out)
	return out
}
