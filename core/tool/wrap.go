package tool

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/solo-assistant/solo/models"
)

// Internal marks a tool as Solo's own: no model sees it among the specs. It runs only as the undoing of a call, or as
// the answer to a question that the Box handed out a short while ago, and never for a model.
func Internal(t Tool) Tool { return internal{t} }

type internal struct{ Tool }

func (i internal) unwrap() Tool { return i.Tool }

// Patient gives a tool a time limit of its own.
func Patient(t Tool, limit time.Duration) Tool { return patient{t, limit} }

type patient struct {
	Tool
	limit time.Duration
}

func (p patient) unwrap() Tool { return p.Tool }

// Worded gives a tool the words in which the user is asked to approve a call, as models.Spec.Ask tells.
func Worded(t Tool, ask string) Tool { return respecified{t, func(s *models.Spec) { s.Ask = ask }} }

// Foreign marks a tool whose results were written by strangers: pages, documents, mail.
func Foreign(t Tool) Tool { return respecified{t, func(s *models.Spec) { s.Outside = true }} }

type respecified struct {
	Tool
	edit func(*models.Spec)
}

func (r respecified) unwrap() Tool { return r.Tool }

func (r respecified) Spec() models.Spec {
	s := r.Tool.Spec()
	r.edit(&s)
	return s
}

// find looks through the wrappers of a tool for one that is, or can do, T.
func find[T any](t Tool) (found T, ok bool) {
	for {
		if found, ok = t.(T); ok {
			return found, true
		}
		w, wrapped := t.(interface{ unwrap() Tool })
		if !wrapped {
			return found, false
		}
		t = w.unwrap()
	}
}

func usable(t Tool) error {
	if u, ok := find[interface{ usable() error }](t); ok {
		return u.usable()
	}
	return nil
}

// fit tells what is wrong with the arguments of a call. A tool that Of did not make says so itself when it runs; only
// what is no object is refused before.
func fit(t Tool, args json.RawMessage) error {
	if f, ok := find[interface{ fit(json.RawMessage) error }](t); ok {
		return f.fit(args)
	}
	var object map[string]json.RawMessage
	if len(args) > 0 && json.Unmarshal(args, &object) != nil {
		return &ArgumentError{Problems: []string{"arguments: not a JSON object"}}
	}
	return nil
}

// errTerm is a limit of no length.
var errTerm = errors.New("a time limit must be longer than nothing")

// term is the longest that a call of a tool may take.
func term(t Tool, otherwise time.Duration) (time.Duration, error) {
	p, ok := find[patient](t)
	if !ok {
		return otherwise, nil
	}
	if p.limit <= 0 {
		return 0, errTerm
	}
	return p.limit, nil
}
