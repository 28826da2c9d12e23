package tool

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/solo-assistant/solo/models"
)

const (
	offerFor  = 5 * time.Minute // how long a question can be answered
	offersMax = 32
)

// offer is an internal call that the user may answer a question with.
// Without it anyone who can name a tool could skip the question.
type offer struct {
	tool  string
	args  string
	until time.Time
	word  bool // it is the user's word for an approval
}

// offer lets an internal call be made once, however often it is offered.
func (b *Box) offer(c models.Call, word bool) {
	if !b.hidden[c.Tool] {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	args := flat(c.Arguments)
	b.offers = slices.DeleteFunc(b.offers, func(o offer) bool { return o.tool == c.Tool && o.args == args })
	b.offers = append(b.offers, offer{c.Tool, args, time.Now().Add(offerFor), word})
	b.offers = slices.Delete(b.offers, 0, max(0, len(b.offers)-offersMax))
}

// take uses up the offer of exactly this call. Word says that the call is the user's word for an approval.
func (b *Box) take(c models.Call) (word, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	b.offers = slices.DeleteFunc(b.offers, func(o offer) bool { return !now.Before(o.until) })
	args := flat(c.Arguments)
	at := slices.IndexFunc(b.offers, func(o offer) bool { return o.tool == c.Tool && o.args == args })
	if at < 0 {
		return false, false
	}
	word = b.offers[at].word
	b.offers = slices.Delete(b.offers, at, at+1)
	return word, true
}

// flat is a form of JSON that does not depend on spaces or the order of keys.
func flat(raw json.RawMessage) string {
	if len(bytes.TrimSpace(raw)) == 0 {
		return "{}"
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber() // a float would take two great numbers for one
	var v any
	if err := d.Decode(&v); err != nil || d.More() {
		return string(raw)
	}
	out, err := json.Marshal(v)
	if err != nil {
		return string(raw)
	}
	return string(out)
}
