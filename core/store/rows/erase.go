package rows

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/solo-assistant/solo/core/store/rows/gen"
)

// Quoting tells what gives away what is to be forgotten.
type Quoting struct {
	Quotes   func(memory Memory, text string) bool // a text, what a memory said
	Mentions func(text string) bool                // a text, what it is all about; nil for nothing
}

// Traces is what was erased: the memories with their older values, and how much else quoted them.
type Traces struct {
	Memories []Memory
	Messages int // lines of talks and turns of the history
	Talks    int // summaries that were cut
}

// EraseMemories removes memories with their older values, all or none, and every line, turn, summary, job and question
// that quotes them. The files are overwritten where they were, and what is said of them later is not kept either, until
// they are told again. ErrNone where one is missing.
func (o *Own) EraseMemories(ctx context.Context, quotes Quoting, ids ...int64) (Traces, error) {
	e := eraser{ctx: ctx, quotes: quotes}
	err := o.within(ctx, "forgetting", func(t *tx) error {
		e.t = t
		return errors.Join(e.memories(ids), e.talks(), e.deeds(), e.work())
	})
	if err != nil {
		return Traces{}, err
	}
	o.db.hush(o.user, quotes, e.gone)
	if err := o.db.Scrub(ctx); err != nil && !errors.Is(err, ErrBusy) { // a reader is still there: the next one empties it
		return e.Traces, err
	}
	return e.Traces, nil
}

// eraser removes what is to be forgotten, within one transaction.
type eraser struct {
	Traces
	ctx    context.Context
	t      *tx
	quotes Quoting
	gone   []Memory // that others may quote
}

func (e *eraser) quoted(texts ...string) bool {
	return slices.ContainsFunc(texts, func(text string) bool {
		return text != "" && (e.quotes.Mentions != nil && e.quotes.Mentions(text) ||
			slices.ContainsFunc(e.gone, func(m Memory) bool { return e.quotes.Quotes(m, text) }))
	})
}

const pageful = 2000 // that are read at once

// memories removes the memories, and lines and summaries of talks among the others that quote them.
func (e *eraser) memories(ids []int64) error {
	for _, id := range ids {
		for step := 0; id != 0; step++ {
			m, err := e.t.RemoveMemory(e.ctx, gen.RemoveMemoryParams{UserID: e.t.own.user, ID: id})
			if errors.Is(kindOf(err), ErrNone) && (step > 0 || slices.ContainsFunc(e.gone, func(g Memory) bool { return g.ID == id })) {
				break // it went before
			}
			if err != nil {
				return err
			}
			e.Memories, e.gone = append(e.Memories, m), append(e.gone, m)
			id = m.Supersedes
		}
	}
	sessions := map[string]bool{}
	for after := int64(0); ; {
		list, err := e.t.MemoriesAfter(e.ctx, gen.MemoriesAfterParams{UserID: e.t.own.user, ID: after, Limit: pageful})
		if err != nil {
			return err
		}
		for _, m := range list {
			after = m.ID
			if (m.Kind == "episode" || m.Source == "talk") && e.quoted(m.Text) {
				if _, err := e.t.RemoveMemory(e.ctx, gen.RemoveMemoryParams{UserID: e.t.own.user, ID: m.ID}); err != nil {
					return err
				}
				e.Memories = append(e.Memories, m)
				sessions[m.Session] = true
			}
		}
		if len(list) < pageful {
			break
		}
	}
	for _, m := range e.Memories {
		sessions[m.Session] = true
		if err := e.t.bury(e.ctx, "memories", m.ID); err != nil {
			return err
		}
	}
	delete(sessions, "")
	return e.near(sessions)
}

// near takes the quotes out of what stands beside other memories.
func (e *eraser) near(sessions map[string]bool) error {
	for s := range sessions {
		list, err := e.t.NearIn(e.ctx, gen.NearInParams{UserID: e.t.own.user, Session: s})
		if err != nil {
			return err
		}
		for _, m := range list {
			left := slices.DeleteFunc(strings.Split(m.Near, "\n"), func(line string) bool { return e.quoted(line) })
			if near := strings.Join(left, "\n"); near != m.Near {
				if err := e.t.SetNear(e.ctx, gen.SetNearParams{UserID: e.t.own.user, ID: m.ID, Near: near}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

var sentences = regexp.MustCompile(`[^.!?\n]+[.!?]*\s*|\n`)

// talks removes lines and turns, and sentences of summaries.
func (e *eraser) talks() error {
	user := e.t.own.user
	for after := int64(0); ; {
		list, err := e.t.MessagesFrom(e.ctx, gen.MessagesFromParams{UserID: user, ID: after, Limit: pageful})
		if err != nil {
			return err
		}
		for _, m := range list {
			after = m.ID
			if e.quoted(m.Text) {
				e.Messages++
				if err := errors.Join(e.t.RemoveMessage(e.ctx, gen.RemoveMessageParams{UserID: user, ID: m.ID}), e.t.bury(e.ctx, "messages", m.ID)); err != nil {
					return err
				}
			}
		}
		if len(list) < pageful {
			break
		}
	}
	for after := int64(0); ; {
		list, err := e.t.TurnsFrom(e.ctx, gen.TurnsFromParams{UserID: user, ID: after, Limit: pageful})
		if err != nil {
			return err
		}
		for _, h := range list {
			after = h.ID
			if e.quoted(h.Heard, h.Reply, h.Spoken) {
				e.Messages++
				if err := errors.Join(e.t.RemoveTurn(e.ctx, gen.RemoveTurnParams{UserID: user, ID: h.ID}), e.t.bury(e.ctx, "turns", h.ID)); err != nil {
					return err
				}
			}
		}
		if len(list) < pageful {
			break
		}
	}
	return e.summaries()
}

func (e *eraser) summaries() error {
	list, err := e.t.SummariesOf(e.ctx, e.t.own.user)
	if err != nil {
		return err
	}
	for _, s := range list {
		left := strings.Join(slices.DeleteFunc(sentences.FindAllString(s.Summary, -1), func(one string) bool { return e.quoted(one) }), "")
		if e.quoted(left) {
			left = "" // it is said across sentences
		}
		if left == s.Summary {
			continue
		}
		e.Talks++
		if err := e.t.SetSummary(e.ctx, gen.SetSummaryParams{Summary: left, UserID: e.t.own.user, Name: s.Name}); err != nil {
			return err
		}
	}
	return nil
}

// deeds removes what tools were called with.
func (e *eraser) deeds() error {
	user := e.t.own.user
	for after := int64(0); ; {
		list, err := e.t.ExecutionsFrom(e.ctx, gen.ExecutionsFromParams{UserID: user, ID: after, Limit: pageful})
		if err != nil {
			return err
		}
		for _, x := range list {
			after = x.ID
			if e.quoted(x.Arguments, x.Source) {
				if err := errors.Join(e.t.RemoveExecution(e.ctx, gen.RemoveExecutionParams{UserID: user, ID: x.ID}), e.t.bury(e.ctx, "executions", x.ID)); err != nil {
					return err
				}
			}
		}
		if len(list) < pageful {
			return nil
		}
	}
}

// work removes what is over of long work and questions, and blanks what is written of sent messages.
func (e *eraser) work() error {
	user := e.t.own.user
	jobs, err := e.t.JobsOver(e.ctx, user)
	if err != nil {
		return err
	}
	for _, j := range jobs {
		if e.quoted(j.Title, j.Input, j.Saved, j.Result, j.Why) {
			if err := errors.Join(e.t.RemoveJob(e.ctx, gen.RemoveJobParams{UserID: user, ID: j.ID}), e.t.bury(e.ctx, "jobs", j.ID)); err != nil {
				return err
			}
		}
	}
	asked, err := e.t.ApprovalsOver(e.ctx, user)
	if err != nil {
		return err
	}
	for _, a := range asked {
		if e.quoted(a.Arguments, a.Messages, a.Say) {
			if err := e.t.RemoveApproval(e.ctx, gen.RemoveApprovalParams{UserID: user, ID: a.ID}); err != nil {
				return err
			}
		}
	}
	sent, err := e.t.LedgerOf(e.ctx, user)
	if err != nil {
		return err
	}
	for _, s := range sent {
		if e.quoted(s.Content) {
			if err := e.t.BlankLedger(e.ctx, gen.BlankLedgerParams{UserID: user, ID: s.ID}); err != nil {
				return err
			}
		}
	}
	return nil
}

// WithdrawMemory removes one memory as if it had never been said: the value before it holds again.
func (o *Own) WithdrawMemory(ctx context.Context, id int64) (Memory, error) {
	var m Memory
	err := o.within(ctx, "taking a memory back", func(t *tx) (err error) {
		if m, err = t.RemoveMemory(ctx, gen.RemoveMemoryParams{UserID: o.user, ID: id}); err != nil || m.Supersedes == 0 {
			return err
		}
		_, err = t.ReplaceMemory(ctx, gen.ReplaceMemoryParams{UserID: o.user, ID: m.Supersedes})
		return err
	})
	return m, err
}

// hushed are what users had forgotten since the start, so that the answer to "forget that" does not keep it.
type hushed struct {
	mu   sync.Mutex
	list map[int64][]hush
}

type hush struct {
	memory Memory
	quotes func(memory Memory, text string) bool
}

const maxHushed = 200 // a user

func (db *DB) hush(user int64, quotes Quoting, gone []Memory) {
	h := &db.hushed
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.list == nil {
		h.list = map[int64][]hush{}
	}
	for _, m := range gone {
		h.list[user] = append(h.list[user], hush{m, quotes.Quotes})
	}
	h.list[user] = h.list[user][max(0, len(h.list[user])-maxHushed):]
}

// told ends the silence about what a user tells again.
func (h *hushed) told(user int64, text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.list[user]) > 0 {
		h.list[user] = slices.DeleteFunc(h.list[user], func(one hush) bool { return one.quotes(one.memory, text) })
	}
}

// Forgotten stands in the place of what is not kept.
const Forgotten = "[forgotten]"

// discreet is a text that may be kept: Forgotten in the place of one that gives away what was forgotten.
func (o *Own) discreet(text string) string {
	h := &o.db.hushed
	h.mu.Lock()
	defer h.mu.Unlock()
	if slices.ContainsFunc(h.list[o.user], func(one hush) bool { return one.quotes(one.memory, text) }) {
		return Forgotten
	}
	return text
}
