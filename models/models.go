// Package models is the vocabulary of thinking: what is asked of a language model, what it says, the calls of tools and
// what they gave.
package models

import "encoding/json"

// Call asks for one tool to be run. An understood command and a language model make the same Call.
type Call struct {
	Tool      string          `json:"tool"` // "timers.set"
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// Class says what a tool may do to the world; policy is written against it.
type Class string

const (
	Read      Class = "read"      // changes nothing
	Write     Class = "write"     // changes what Solo keeps, and can be undone
	Outward   Class = "outward"   // tells someone or something outside this machine
	Dangerous Class = "dangerous" // cannot be taken back
)

// Spec describes a tool to policy, to a model and to a person.
type Spec struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Class       Class           `json:"class"`
	Schema      json.RawMessage `json:"schema"` // JSON schema of the arguments
	// Outside says that what the tool gives back was written by strangers: a page, a document, a mail.
	Outside bool `json:"outside,omitempty"`
	// Ask words a call for the user who is asked to approve it: "Send {text|quote} to {to}[ at {at}]". A part in brackets is
	// left out where its argument is, and what it does not mention is said after it. "" names the tool and all arguments.
	Ask string `json:"ask,omitempty"`
}

// Result is what a tool gives back.
type Result struct {
	Say  string          `json:"say"`            // one or two sentences for the user; one that ends in "?" waits for an answer
	Data json.RawMessage `json:"data,omitempty"` // the same for a program or a model
	Undo *Call           `json:"undo,omitempty"` // the call that takes it back, where there is one
	// Ask, where set, is a call that Solo runs with the user's next words as Ask's missing argument,
	// or with "yes" or "no": the way a tool asks "when?" or "is that right?".
	Ask *Ask `json:"ask,omitempty"`
}

// Ask is a question that a Result leaves open.
type Ask struct {
	Slot string `json:"slot,omitempty"` // argument that the next words fill, "" for a yes or no
	Call Call   `json:"call"`           // run when the slot is filled, or on yes when Slot is ""
	No   *Call  `json:"no,omitempty"`   // run on no, nil to let it be
	// Approval is the id of the approval that waits for the answer, "" where Solo only wants to know something.
	Approval string `json:"approval,omitempty"`
}
