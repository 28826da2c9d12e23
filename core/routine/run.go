package routine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/solo-assistant/solo/models"
)

// The internal calls with which a routine that waits for the user's word goes on.
const (
	YesTool = "routines.agree"
	NoTool  = "routines.skip"
)

const (
	waitFor = 5 * time.Minute // how long a routine waits for the user's word
	haltMax = 8
)

// halt is a routine that waits for the user's word.
type halt struct {
	r    Routine
	next int // action after the one that was asked about
	ask  models.Ask
	from time.Time
}

// Halted names a routine that waits: the argument of YesTool and NoTool.
type Halted struct {
	Run string `json:"run"`
}

// Run carries a routine out and gives what is to be said of it. Actions that fail are told and do not keep the others from
// being done. A Result with Ask waits for the user's word; Answer goes on. The error is the ctx's or the rows'.
func (b *Book) Run(ctx context.Context, r Routine) (models.Result, error) {
	r.Ran = b.c.Now()
	b.changing.Lock()
	_, err := b.Get(ctx, r.ID)
	if err == nil {
		_, err = b.put(ctx, r)
	}
	b.changing.Unlock()
	if err != nil {
		return models.Result{}, err
	}
	return b.on(ctx, r, 0, nil)
}

// on carries out the actions from one on; said is what there is to say so far.
func (b *Book) on(ctx context.Context, r Routine, from int, said []string) (models.Result, error) {
	inner := ctx
	if o := models.OriginOf(ctx); r.Model && !o.Model {
		o.Model = true // what a model put down is a model's call whenever it runs
		inner = models.WithOrigin(ctx, o)
	}
	for i, a := range r.Actions[from:] {
		if ctx.Err() != nil {
			return models.Result{}, context.Cause(ctx)
		}
		if a.Tool == "" {
			said = append(said, sentence(a.Say))
			continue
		}
		res, err := b.c.Box.Call(inner, b.call(a))
		switch last := from+i == len(r.Actions)-1; {
		case err != nil && res.Say == "":
			said = append(said, strings.TrimSuffix(sentence(name(a)), ".")+" did not work.")
		case res.Ask == nil || err != nil:
			said = append(said, res.Say)
		case last && res.Ask.Slot != "":
			res.Say, res.Undo = spoken(append(said, res.Say)), nil
			return res, nil
		case res.Ask.Slot != "":
			said = append(said, fmt.Sprintf("I left out %q: it needs more than the routine tells.", name(a)))
		default:
			id := b.halt(halt{r, from + i + 1, *res.Ask, b.c.Now()})
			return models.Result{Say: spoken(append(said, res.Say)), Ask: &models.Ask{
				Call: models.Call{Tool: YesTool, Arguments: id}, No: &models.Call{Tool: NoTool, Arguments: id}}}, nil
		}
	}
	return models.Result{Say: spoken(said)}, nil
}

// name is an action in words.
func name(a Action) string {
	if a.Words != "" {
		return a.Words
	}
	return a.Tool
}

// sentence closes a text as one.
func sentence(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	s = string(unicode.ToUpper(r)) + s[size:]
	if !strings.ContainsAny(s[max(0, len(s)-1):], ".!?") {
		s += "."
	}
	return s
}

// spoken joins what is to be said.
func spoken(said []string) string {
	said = slices.DeleteFunc(said, func(s string) bool { return strings.TrimSpace(s) == "" })
	if len(said) == 0 {
		return "Done."
	}
	return strings.Join(said, " ")
}

// halt keeps a routine that waits and gives the arguments by which it is found again.
func (b *Book) halt(h halt) json.RawMessage {
	b.mu.Lock()
	defer b.mu.Unlock()
	oldest := ""
	for id, o := range b.halted {
		if h.from.Sub(o.from) > waitFor {
			delete(b.halted, id)
		} else if oldest == "" || o.from.Before(b.halted[oldest].from) {
			oldest = id
		}
	}
	if len(b.halted) >= haltMax {
		delete(b.halted, oldest)
	}
	b.number++
	id := strconv.Itoa(b.number)
	b.halted[id] = &h
	out, _ := json.Marshal(Halted{id}) // a string always marshals
	return out
}

// Answer goes on with a routine that waits: what was asked about is done on yes and left on no, then comes the rest.
// It is ErrUnknown where none waits under that name any more.
func (b *Book) Answer(ctx context.Context, run string, yes bool) (models.Result, error) {
	b.mu.Lock()
	h := b.halted[run]
	delete(b.halted, run)
	b.mu.Unlock()
	if h == nil || b.c.Now().Sub(h.from) > waitFor {
		return models.Result{}, fmt.Errorf("a routine that waits: %w", ErrUnknown)
	}
	call := &h.ask.Call
	if !yes {
		call = h.ask.No
	}
	var said []string
	if call != nil {
		res, err := b.c.Box.Call(ctx, *call)
		if err != nil && ctx.Err() != nil {
			return models.Result{}, context.Cause(ctx)
		}
		said = append(said, res.Say)
	} else if h.next == len(h.r.Actions) {
		said = append(said, "Okay.")
	}
	return b.on(ctx, h.r, h.next, said)
}
