package consent

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/solo-assistant/solo/models"
)

// The tools that answer an approval: what a yes runs for a call, and for messages, and what a no runs. The packages
// core/tool/approvals and core/tool/think have them.
const (
	GrantTool  = "consent.grant"
	SendTool   = "think.send"
	RefuseTool = "consent.refuse"
)

// Question is how a door asks for the user's answer to an approval.
func (a Approval) Question() *models.Ask {
	yes := by(GrantTool, a.ID)
	if a.Tool == "" {
		yes = by(SendTool, a.ID)
	}
	return &models.Ask{Call: yes, No: new(by(RefuseTool, a.ID)), Approval: a.ID}
}

// Ask asks the user to approve a call. The Result reads the call back and runs GrantTool on yes, RefuseTool on no; its Data
// is the call to the letter.
func (b *Book) Ask(ctx context.Context, s models.Spec, c models.Call) (models.Result, error) {
	args, err := canonical(c.Arguments)
	if err != nil {
		return models.Result{}, fmt.Errorf("asking to approve %s: %w", c.Tool, err)
	}
	a := Approval{Tool: c.Tool, Class: s.Class, Arguments: args, Say: readBack(s, args)}
	if a, err = b.open(ctx, a); err != nil {
		return models.Result{}, fmt.Errorf("asking to approve %s: %w", c.Tool, err)
	}
	data, err := json.Marshal(struct {
		Call models.Call `json:"waits_for_approval"`
	}{a.Call()})
	if err != nil {
		return models.Result{}, fmt.Errorf("asking to approve %s: %w", c.Tool, err)
	}
	return models.Result{Say: a.Say, Data: data, Ask: a.Question()}, nil
}

// Propose asks the user to let exactly these messages go to a provider; broken text in them is made valid first, and Leave
// gives them as they are then. say tells what would leave, in one or two sentences, the last a question.
func (b *Book) Propose(ctx context.Context, provider, model string, w models.Work, m []models.Message) (id, say string, err error) {
	if provider == "" || len(m) == 0 {
		return "", "", errors.New("proposing to send messages: there is no provider, or nothing to send")
	}
	if m, err = settled(m); err != nil {
		return "", "", fmt.Errorf("proposing to ask %s: %w", provider, err)
	}
	a := Approval{Provider: provider, Model: model, Purpose: w, Messages: m, Digest: models.Digest(m), Say: disclose(provider, m)}
	if a, err = b.open(ctx, a); err != nil {
		return "", "", fmt.Errorf("proposing to ask %s: %w", provider, err)
	}
	return a.ID, a.Say, nil
}

// settled gives messages as they come back from the rows, so that their digest stays the same: writing and reading JSON
// puts valid text in the place of broken text.
func settled(m []models.Message) ([]models.Message, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("writing the messages: %w", err)
	}
	var out []models.Message
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, fmt.Errorf("reading the messages: %w", err)
	}
	return out, nil
}

// open stores a new approval.
func (b *Book) open(ctx context.Context, a Approval) (Approval, error) {
	waiting, err := b.Open(ctx)
	if err != nil {
		return a, err
	}
	if len(waiting) >= openMost {
		return a, ErrMany
	}
	bits := make([]byte, 16)
	if _, err := rand.Read(bits); err != nil {
		return a, fmt.Errorf("drawing an id: %w", err)
	}
	a.ID, a.State, a.Asked = hex.EncodeToString(bits), Open, b.c.Now()
	a.Until = a.Asked.Add(holds)
	if err := b.c.Rows.InsertApproval(ctx, a); err != nil {
		return a, err
	}
	b.c.Log.Info().Str("approval", a.ID).Str("tool", a.Tool).Str("provider", a.Provider).Msg("approval asked for")
	b.wanted(ctx, Wanted{a})
	return a, nil
}

// by is the call that answers an approval.
func by(tool, id string) models.Call {
	return models.Call{Tool: tool, Arguments: json.RawMessage(`{"id":"` + id + `"}`)}
}
