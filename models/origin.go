package models

import (
	"context"
	"fmt"
)

// Origin says who asks for a call and what the asker has read. Policy decides by it.
type Origin struct {
	Channel string // door that the request came through: "voice", "typed", "job", "web"
	Session string // conversation that the words belong to, "" is the one by voice
	Speaker string // the user, "" where nobody was told apart
	Model   bool   // a language model made the call, not the user's own words
	// Outside says that text from outside (page, document, mail, a tool's result) lay before the model.
	Outside bool
	// Planned are the tools that the plan named before any text from outside was read.
	Planned []string
}

type originKey struct{}

// WithOrigin marks what is done under ctx with who asked for it.
func WithOrigin(ctx context.Context, o Origin) context.Context {
	return context.WithValue(ctx, originKey{}, o)
}

// OriginOf says who asked; the zero Origin is the user's own words.
func OriginOf(ctx context.Context) Origin {
	o, _ := ctx.Value(originKey{}).(Origin)
	return o
}

type leaveKey struct{}

// WithLeave lets one request leave the machine: the user agreed to exactly the text whose digest is given.
func WithLeave(ctx context.Context, l Leave) context.Context {
	return context.WithValue(ctx, leaveKey{}, l)
}

// LeaveOf gives the user's agreement, false where there is none.
func LeaveOf(ctx context.Context) (Leave, bool) {
	l, ok := ctx.Value(leaveKey{}).(Leave)
	return l, ok
}

// Leave is the user's word for one request to one provider.
type Leave struct {
	Approval string // id of the approval
	Provider string
	Digest   string // Digest of the request's messages
}

func (l Leave) String() string { return fmt.Sprintf("approval %s for %s", l.Approval, l.Provider) }

// Sending is what leaves the machine in one request, for the ledger.
type Sending struct {
	Provider string
	Model    string
	Purpose  Work
	Approval string // the user's word for it: an approval's id, or "standing"
	Messages []Message
}
