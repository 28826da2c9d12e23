package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/solo-assistant/solo/core/agent"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/models"
)

// Sessions is agent.Sessions. Folding hides lines behind a summary and drops none.
type Sessions struct{ own *rows.Own }

var _ agent.Sessions = Sessions{}

// ErrNoLine says that a session has no such line, or that more is folded already.
var ErrNoLine = errors.New("no such line in the session")

// Sessions lends the rows to package agent.
func (s *Store) Sessions() Sessions { return Sessions{s.own} }

// Lines gives a session's summary and the lines after it, the oldest first. One that was never used is empty.
func (r Sessions) Lines(ctx context.Context, session string) (agent.Talk, error) {
	s, list, err := r.own.Session(ctx, session)
	return agent.Talk{Summary: s.Summary, Lines: lines(list)}, err
}

// Add puts lines at the end of a session, all or none. A line of a role that is none, or over MaxText, is an error.
func (r Sessions) Add(ctx context.Context, session string, l ...agent.Line) error {
	var list []rows.Message
	for _, line := range l {
		if err := fits("a line", len(line.Text)); err != nil {
			return err
		}
		switch line.Role {
		case models.System, models.User, models.Assistant, models.Tool:
		default:
			return fmt.Errorf("keeping a line: %q is no role", line.Role)
		}
		list = append(list, rows.Message{Role: string(line.Role), Text: line.Text, At: rows.Millis(line.At), Outside: line.Outside})
	}
	_, err := r.own.AddMessages(ctx, session, list...)
	return err
}

// Fold lets a summary stand for the lines up to one, or says ErrNoLine.
func (r Sessions) Fold(ctx context.Context, session string, upto int64, summary string) error {
	if err := fits("a summary", len(summary)); err != nil {
		return err
	}
	return absent(r.own.Fold(ctx, session, upto, summary), ErrNoLine)
}

// History gives the last n lines of a session, the oldest first, folded ones among them.
func (r Sessions) History(ctx context.Context, session string, n int) ([]agent.Line, error) {
	list, err := r.own.Messages(ctx, session, count(n))
	slices.Reverse(list)
	return lines(list), err
}

// Session is a conversation in a list of them.
type Session struct {
	Name    string // "" is the one by voice
	Summary string
	At      time.Time // of its newest line
}

// List gives the last n sessions, the newest first.
func (r Sessions) List(ctx context.Context, n int) ([]Session, error) {
	list, err := r.own.Sessions(ctx, count(n))
	var out []Session
	for _, row := range list {
		out = append(out, Session{row.Name, row.Summary, rows.Time(row.At)})
	}
	return out, err
}

// Forget takes a session and all its lines away, or says ErrNoLine.
func (r Sessions) Forget(ctx context.Context, session string) error {
	return absent(r.own.RemoveSession(ctx, session), ErrNoLine)
}

func lines(list []rows.Message) []agent.Line {
	var out []agent.Line
	for _, m := range list {
		out = append(out, agent.Line{ID: m.ID, Role: models.Role(m.Role), Text: m.Text, At: rows.Time(m.At), Outside: m.Outside})
	}
	return out
}
