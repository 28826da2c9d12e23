package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/solo-assistant/solo/models"
)

// V1Completion is an answer, or with Object "chat.completion.chunk" a piece of one.
type V1Completion struct {
	ID      string     `json:"id"`
	Object  string     `json:"object"`
	Created int64      `json:"created"`
	Model   string     `json:"model"`
	Choices []V1Choice `json:"choices"`
	Usage   *V1Usage   `json:"usage,omitempty"`
}

// V1Choice is the one answer: whole in Message, a piece in Delta.
type V1Choice struct {
	Index   int      `json:"index"`
	Message *V1Reply `json:"message,omitempty"`
	Delta   *V1Reply `json:"delta,omitempty"`
	Finish  *string  `json:"finish_reason"`
}

// V1Reply is what the model says.
type V1Reply struct {
	Role    string   `json:"role,omitempty"`
	Content *string  `json:"content,omitempty"`
	Calls   []V1Call `json:"tool_calls,omitempty"`
}

// V1Usage is what an answer cost, in tokens.
type V1Usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

// source gives an answer piece by piece.
type source func(ctx context.Context, give func(models.Delta)) error

func (d *Door) v1Chat(c *fiber.Ctx) error {
	in, err := read[V1Chat](c, false)
	if err != nil {
		return err
	}
	if err := in.check(); err != nil {
		return err
	}
	ctx := c.UserContext()
	var from source
	if in.Model == solo {
		from, ctx, err = d.soloSource(ctx, in)
	} else {
		from, err = d.modelSource(ctx, &in)
	}
	if err != nil {
		return err
	}
	if err := d.begin(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, d.c.Patience)
	done := func() { cancel(); d.asks.give() }
	w := V1Completion{ID: "chatcmpl-" + random(12), Created: d.c.Now().Unix(), Model: in.Model}
	if in.Stream {
		return streamAs(c, ctx, true, done, func(ctx context.Context, s *streamer) error { return w.stream(ctx, s, from, in.Options) })
	}
	defer done()
	if err := w.whole(ctx, from); err != nil {
		return err
	}
	return c.JSON(w)
}

// soloSource asks the assistant with the last message. What was said before is in the session, which is told by how the
// talk began.
func (d *Door) soloSource(ctx context.Context, in V1Chat) (source, context.Context, error) {
	if err := unless(d.c.Assistant != nil, "assistant"); err != nil {
		return nil, nil, err
	}
	if len(in.Tools) > 0 {
		return nil, nil, fault(http.StatusBadRequest, "no_client_tools", "GET /v1/models lists models that take tools", "The model solo has its own tools and takes none of its client.")
	}
	last := in.Messages[len(in.Messages)-1]
	text := strings.TrimSpace(last.Content.text)
	if last.Role != "user" || text == "" {
		return nil, nil, invalid("The last message must be the user's.")
	}
	ctx, _, err := d.allowed(ctx, "", beginning(in.Messages))
	return func(ctx context.Context, give func(models.Delta)) error {
		first := true
		_, err := d.c.Assistant.Ask(ctx, text, func(p Piece) {
			if p.Sentence == "" {
				return
			}
			if !first {
				p.Sentence = " " + p.Sentence
			}
			first = false
			give(models.Delta{Text: p.Sentence})
		})
		return lateOr(ctx, err)
	}, ctx, err
}

// beginning names a talk by its messages up to the first of the user.
func beginning(all []V1Message) string {
	sum := sha256.New()
	for _, m := range all {
		sum.Write([]byte(m.Role + "\x00" + m.Content.text + "\x00"))
		if m.Role == "user" {
			break
		}
	}
	return "v1-" + hex.EncodeToString(sum.Sum(nil)[:12])
}

// modelSource asks a model past the assistant. The router's consent stands before a cloud's as before any other request.
func (d *Door) modelSource(ctx context.Context, in *V1Chat) (source, error) {
	if err := unless(d.c.Models != nil, "language model of its own"); err != nil {
		return nil, err
	}
	name, err := d.model(ctx, in.Model)
	if err != nil {
		return nil, err
	}
	q, err := in.request(name)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, give func(models.Delta)) error {
		for delta, err := range d.c.Models.Stream(ctx, q) {
			if err != nil {
				return lateOr(ctx, err)
			}
			give(delta)
		}
		return nil
	}, nil
}

// whole collects an answer.
func (w *V1Completion) whole(ctx context.Context, from source) error {
	w.Object = "chat.completion"
	var text strings.Builder
	reply := &V1Reply{Role: "assistant"}
	finish := "stop"
	err := from(ctx, func(delta models.Delta) {
		text.WriteString(delta.Text)
		if delta.Call != nil {
			reply.Calls = append(reply.Calls, callOf(*delta.Call))
			finish = "tool_calls"
		}
		w.cost(delta.Usage, &finish)
	})
	if err != nil {
		return err
	}
	all := text.String()
	reply.Content = &all
	w.Choices = []V1Choice{{Message: reply, Finish: &finish}}
	return nil
}

// cost notes what an answer cost and how it ended.
func (w *V1Completion) cost(u *models.Usage, finish *string) {
	if u == nil {
		return
	}
	w.Usage = &V1Usage{Prompt: u.Prompt, Completion: u.Generated, Total: u.Prompt + u.Generated}
	if u.Finish == "length" && *finish == "stop" {
		*finish = "length"
	}
}

// stream sends an answer in pieces, as the OpenAI API does, with "[DONE]" at its end.
func (w *V1Completion) stream(ctx context.Context, s *streamer, from source, o *V1StreamOptions) error {
	w.Object = "chat.completion.chunk"
	piece := func(r V1Reply, finish *string) {
		out := *w
		out.Usage, out.Choices = nil, []V1Choice{{Delta: &r, Finish: finish}}
		s.send("", out)
	}
	empty, finish, calls := "", "stop", 0
	piece(V1Reply{Role: "assistant", Content: &empty}, nil)
	err := from(ctx, func(delta models.Delta) {
		if delta.Text != "" {
			piece(V1Reply{Content: &delta.Text}, nil)
		}
		if delta.Call != nil {
			call, at := callOf(*delta.Call), calls
			call.Index = &at
			calls++
			finish = "tool_calls"
			piece(V1Reply{Calls: []V1Call{call}}, nil)
		}
		w.cost(delta.Usage, &finish)
	})
	if err != nil {
		return err
	}
	piece(V1Reply{}, &finish)
	if o != nil && o.Usage && w.Usage != nil {
		out := *w
		out.Choices = []V1Choice{}
		s.send("", out)
	}
	s.raw("data: [DONE]\n\n")
	return nil
}

func callOf(c models.ToolCall) V1Call {
	out := V1Call{ID: c.ID, Type: "function"}
	if out.ID == "" {
		out.ID = "call_" + random(8)
	}
	out.Function.Name, out.Function.Arguments = c.Tool, string(c.Arguments)
	if len(c.Arguments) == 0 {
		out.Function.Arguments = "{}"
	}
	return out
}
