package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

// ChatIn asks the assistant.
type ChatIn struct {
	User    string `json:"user_id,omitempty" jsonschema:"the token's own user; another is refused"`
	Session string `json:"session_id,omitempty" jsonschema:"a talk that remembers what was said in it, up to 64 letters, digits, - _ . :"`
	Message string `json:"message" jsonschema:"what the user says"`
}

// ChatOut is a whole answer.
type ChatOut struct {
	Reply   string          `json:"reply"`
	Actions []Action        `json:"actions" jsonschema:"tools that were called"`
	Turn    uint64          `json:"turn"`
	Session string          `json:"session_id"`
	Asks    bool            `json:"asks,omitempty" jsonschema:"the reply is a question, which the next message of the session answers"`
	Wants   json.RawMessage `json:"wants,omitempty" jsonschema:"what the user would agree to with a yes"`
}

// CommandIn runs one tool.
type CommandIn struct {
	User      string          `json:"user_id,omitempty"`
	Session   string          `json:"session_id,omitempty"`
	Tool      string          `json:"tool" jsonschema:"a tool's name: timers.set"`
	Arguments json.RawMessage `json:"arguments,omitempty" jsonschema:"an object that fits the tool's schema"`
}

// CommandOut is what a tool gave back.
type CommandOut struct {
	Tool   string          `json:"tool"`
	Status string          `json:"status" jsonschema:"ok, asked or failed"`
	Say    string          `json:"say,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"`
	Undo   *models.Call    `json:"undo,omitempty" jsonschema:"the call that takes it back"`
	Ask    *models.Ask     `json:"ask,omitempty" jsonschema:"the question that is left open"`
}

// webSession is the talk of those who name none.
const webSession = "web"

const longestSession = 64

func (d *Door) chatRoutes() []route {
	chat := route{method: http.MethodPost, path: "/chat", does: "asks the assistant; Accept: text/event-stream gives sentences and actions as they come", in: reflect.TypeFor[ChatIn](), out: reflect.TypeFor[ChatOut](),
		gives: []string{fiber.MIMEApplicationJSON, eventStream}, handle: d.chat}
	return []route{chat, asked("/command", "runs one tool with arguments, without a model", d.command)}
}

// allowed checks whose request it is, and gives ctx the session that it belongs to.
func (d *Door) allowed(ctx context.Context, user, session string) (context.Context, string, error) {
	if user != "" && user != d.c.User {
		return nil, "", fault(http.StatusForbidden, "other_user", "leave user_id out", "This token belongs to another user.")
	}
	if session == "" {
		session = webSession
	}
	if len(session) > longestSession || strings.Trim(session, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:") != "" {
		return nil, "", invalid("session_id may have up to %d letters, digits, - _ . and :.", longestSession)
	}
	o := models.OriginOf(ctx)
	o.Session, o.Speaker = session, d.c.User
	return models.WithOrigin(ctx, o), session, nil
}

// begin takes one of the places in which is thought; end gives it back.
func (d *Door) begin() error {
	if d.asks.take() {
		return nil
	}
	f := fault(http.StatusTooManyRequests, "busy", "web.at_once sets how many", "Solo is busy with other questions.")
	f.after = 2
	return f
}

func (d *Door) chat(c *fiber.Ctx) error {
	if err := unless(d.c.Assistant != nil, "assistant"); err != nil {
		return err
	}
	in, err := read[ChatIn](c, true)
	if err != nil {
		return err
	}
	if strings.TrimSpace(in.Message) == "" {
		return invalid("message is empty.")
	}
	ctx, session, err := d.allowed(c.UserContext(), in.User, in.Session)
	if err != nil {
		return err
	}
	if err := d.begin(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, d.c.Patience)
	if strings.Contains(c.Get(fiber.HeaderAccept), eventStream) {
		return stream(c, ctx, func() { cancel(); d.asks.give() }, func(ctx context.Context, s *streamer) error {
			out, err := d.answer(ctx, in.Message, session, func(p Piece) { s.send(p.kind(), p) })
			if err != nil {
				return err
			}
			s.send("answer", out)
			return nil
		})
	}
	defer d.asks.give()
	defer cancel()
	out, err := d.answer(ctx, in.Message, session, func(Piece) {})
	if err != nil {
		return err
	}
	return c.JSON(out)
}

// kind names a piece for a stream.
func (p Piece) kind() string {
	switch {
	case p.Action != nil:
		return "action"
	case p.Wants != nil:
		return "approval"
	}
	return "sentence"
}

// answer asks the assistant and keeps what the whole answer is made of.
func (d *Door) answer(ctx context.Context, text, session string, tell func(Piece)) (ChatOut, error) {
	out := ChatOut{Actions: []Action{}, Session: session}
	r, err := d.c.Assistant.Ask(ctx, text, func(p Piece) {
		if p.Action != nil {
			out.Actions = append(out.Actions, *p.Action)
		}
		if p.Wants != nil {
			out.Wants = p.Wants
		}
		tell(p)
	})
	if err != nil {
		return out, lateOr(ctx, err)
	}
	out.Reply, out.Turn, out.Asks = r.Text, r.Turn, r.Asks
	return out, nil
}

// lateOr gives the reason why ctx ended, where that is why something failed.
func lateOr(ctx context.Context, err error) error {
	if why := ctx.Err(); why != nil && !errors.Is(err, why) {
		return errors.Join(why, err)
	}
	return err
}

func (d *Door) command(ctx context.Context, in CommandIn) (CommandOut, error) {
	var out CommandOut
	if err := unless(d.c.Assistant != nil, "assistant"); err != nil {
		return out, err
	}
	ctx, _, err := d.allowed(ctx, in.User, in.Session)
	if err != nil {
		return out, err
	}
	if in.Tool == "" {
		return out, invalid("tool is empty.")
	}
	if err := d.begin(); err != nil {
		return out, err
	}
	defer d.asks.give()
	ctx, cancel := context.WithTimeout(ctx, d.c.Patience)
	defer cancel()
	r, err := d.c.Assistant.Call(ctx, models.Call{Tool: in.Tool, Arguments: in.Arguments})
	out = CommandOut{Tool: in.Tool, Status: "ok", Say: r.Say, Data: r.Data, Undo: r.Undo, Ask: r.Ask}
	switch {
	case refused(err):
		return out, err
	case ctx.Err() != nil:
		return out, lateOr(ctx, err)
	case err != nil:
		d.c.Log.Warn().Err(err).Str("tool", in.Tool).Msg("a command failed")
		out.Status = "failed"
	case r.Ask != nil:
		out.Status = "asked"
	}
	return out, nil
}

// refused tells errors of what was asked from those of doing it.
func refused(err error) bool {
	for _, e := range []error{tool.ErrUnknown, tool.ErrArguments, tool.ErrDenied, tool.ErrOften} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
