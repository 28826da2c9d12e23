// Package think puts a question to the model for deep thought, and asks the user before anything leaves the machine for it.
package think

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/consent"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

//go:embed think.md
var page string

// Agent knows what to send for a question; *agent.Agent is one.
type Agent interface {
	Deep(ctx context.Context, about string) ([]models.Message, error)
}

// Model answers; *router.Router is one.
type Model interface {
	// Provider says which engine and model would be asked, and whether that is a cloud's; name is "" for none.
	Provider(w models.Work) (name, model string, cloud bool)
	Stream(ctx context.Context, r models.Request) iter.Seq2[models.Delta, error]
}

// Book keeps the user's word; *consent.Book is one.
type Book interface {
	Propose(ctx context.Context, provider, model string, w models.Work, m []models.Message) (id, say string, err error)
	Permitted(ctx context.Context, provider string) (bool, error)
	Grant(ctx context.Context, id string) error
	Leave(ctx context.Context, id string) (models.Leave, []models.Message, error)
}

// Config is what the thinking stands on. Without one of them Solo says that it cannot.
type Config struct {
	Agent Agent
	Model Model
	Book  Book
	Limit time.Duration // for one answer, 0 is 5 minutes
}

type think struct{ Config }

// Tools makes think.deeply and the internal think.send.
func Tools(c Config) []tool.Tool {
	if c.Limit <= 0 {
		c.Limit = 5 * time.Minute
	}
	t := think{c}
	return []tool.Tool{
		tool.Patient(tool.Of("think.deeply", tool.About(page, "think.deeply"), models.Read, t.deeply), c.Limit),
		tool.Internal(tool.Patient(tool.Of(consent.SendTool, tool.About(page, consent.SendTool), models.Outward, t.send), c.Limit)),
	}
}

type deeplyArgs struct {
	About string `json:"about" jsonschema:"the question, in the user's words" limits:"0..4000"`
}

func (t think) deeply(ctx context.Context, a deeplyArgs) (models.Result, error) {
	about := strings.TrimSpace(a.About)
	if about == "" {
		return models.Result{Say: "What should I think about?", Ask: &models.Ask{Slot: "about", Call: *tool.CallOf("think.deeply", deeplyArgs{})}}, nil
	}
	if t.Agent == nil || t.Model == nil {
		return tool.Said("I have no language model to think with."), nil
	}
	name, model, cloud := t.Model.Provider(models.Deep)
	if name == "" {
		return tool.Said("I have no language model to think with."), nil
	}
	m, err := t.Agent.Deep(ctx, about)
	if err != nil {
		return sorry(ctx, fmt.Errorf("gathering what to think about: %w", err))
	}
	if !cloud {
		return t.ask(ctx, name, m)
	}
	if t.Book == nil {
		return tool.Said("%s", models.Excuse(models.ErrPrivate)), nil
	}
	permitted, err := t.Book.Permitted(ctx, name)
	if err != nil {
		return models.Result{}, err
	}
	if permitted {
		return t.ask(ctx, name, m)
	}
	return t.propose(ctx, name, model, m)
}

// disclosure is all that would be sent, for a page or a chat.
type disclosure struct {
	Provider string           `json:"provider"`
	Model    string           `json:"model,omitempty"`
	Messages []models.Message `json:"would_send"`
}

func (t think) propose(ctx context.Context, name, model string, m []models.Message) (models.Result, error) {
	id, say, err := t.Book.Propose(ctx, name, model, models.Deep, m)
	if err != nil {
		return models.Result{}, err
	}
	return tool.With(models.Result{Say: say, Ask: consent.Approval{ID: id}.Question()}, disclosure{name, model, m}), nil
}

type sendArgs struct {
	ID string `json:"id" jsonschema:"id of the approval" limits:"1..64"`
}

// send is the user's yes.
func (t think) send(ctx context.Context, a sendArgs) (models.Result, error) {
	if t.Book == nil || t.Model == nil {
		return tool.Said("I have no language model to think with."), nil
	}
	if err := t.Book.Grant(ctx, a.ID); err != nil {
		return sorry(ctx, err)
	}
	leave, m, err := t.Book.Leave(ctx, a.ID)
	if err != nil {
		return sorry(ctx, err)
	}
	return t.ask(models.WithLeave(ctx, leave), leave.Provider, m)
}

// longest bounds a deep thought, in tokens: about five minutes of speech.
const longest = 1024

// thought is an answer for a program or a model.
type thought struct {
	Answer   string `json:"answer"`
	Provider string `json:"provider"`
}

func (t think) ask(ctx context.Context, provider string, m []models.Message) (models.Result, error) {
	var answer strings.Builder
	for d, err := range t.Model.Stream(ctx, models.Request{Work: models.Deep, Messages: m, MaxTokens: longest}) {
		if err != nil {
			return sorry(ctx, fmt.Errorf("asking %s: %w", provider, err))
		}
		answer.WriteString(d.Text)
		if d.Usage != nil && d.Usage.Engine != "" {
			provider = d.Usage.Engine // another may have stepped in
		}
	}
	said := strings.TrimSpace(answer.String())
	if said == "" {
		return sorry(ctx, fmt.Errorf("asking %s: %w", provider, models.ErrNonsense))
	}
	return tool.With(models.Result{Say: said}, thought{said, provider}), nil
}

// sorry words what went wrong. What an approval or an engine says is for the user, and the rest is the Box's to word.
func sorry(ctx context.Context, err error) (models.Result, error) {
	if ctx.Err() != nil {
		return models.Result{}, err
	}
	var fault *consent.Fault
	if errors.As(err, &fault) {
		return models.Result{Say: fault.Say()}, err
	}
	return models.Result{Say: models.Excuse(err)}, err
}
