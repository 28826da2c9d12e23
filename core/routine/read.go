package routine

import (
	"slices"
	"strings"

	"github.com/solo-assistant/solo/models"
)

// seams are the words between two orders.
var seams = []string{", and then ", "; and then ", " and then ", ", then ", "; then ", " then ", ", and ", "; and ", "; ", ", ", " and ", " plus "}

// mostPieces bounds how a text is taken apart.
const mostPieces = 40

// Actions makes actions of what the user wants done, in words: commands, one after the other ("set a timer for ten
// minutes and mute the microphone"), and "say ..." for a sentence. Errors: ErrEmpty, ErrLong, ErrNested, or an *UnreadError.
func (b *Book) Actions(text string) ([]Action, error) {
	text = strings.Trim(oneLine(text, MaxActions*MaxWords/4), " .,;!")
	switch {
	case text == "":
		return nil, ErrEmpty
	case len(text) > MaxActions*MaxWords/4:
		return nil, ErrLong
	}
	pieces, joints := apart(text)
	if len(pieces) > mostPieces {
		return nil, ErrLong
	}
	return b.join(pieces, joints)
}

// apart cuts a text at every seam. joints[i] stood behind pieces[i].
func apart(text string) (pieces, joints []string) {
	lower := small(text)
	for {
		at, seam := -1, ""
		for _, s := range seams {
			if i := strings.Index(lower, s); i >= 0 && (at < 0 || i < at || i == at && len(s) > len(seam)) {
				at, seam = i, s
			}
		}
		if at < 0 {
			return append(pieces, text), append(joints, "")
		}
		pieces, joints = append(pieces, text[:at]), append(joints, text[at:at+len(seam)])
		text, lower = text[at+len(seam):], lower[at+len(seam):]
	}
}

// small makes English letters small and leaves the length as it is.
func small(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// join puts pieces together again where that makes an order: of all ways the one with the fewest orders.
func (b *Book) join(pieces, joints []string) ([]Action, error) {
	n := len(pieces)
	best := make([][]Action, n+1) // of the pieces from i on, nil for none
	best[n] = []Action{}
	for i := n - 1; i >= 0; i-- {
		whole := ""
		for j := i; j < n && len(whole) <= MaxWords; j++ {
			whole += pieces[j]
			if best[j+1] != nil && (best[i] == nil || len(best[j+1])+1 < len(best[i])) {
				if a, ok := b.order(whole); ok && (a.Tool != "" || !b.any(pieces[i+1:j+1])) {
					best[i] = append([]Action{a}, best[j+1]...)
				}
			}
			whole += joints[j]
		}
	}
	if best[0] == nil {
		return nil, &UnreadError{b.unread(pieces)}
	}
	for _, a := range best[0] {
		if strings.HasPrefix(a.Tool, "routines.") {
			return nil, ErrNested
		}
	}
	if len(best[0]) > MaxActions {
		return nil, ErrLong
	}
	return best[0], nil
}

// any tells whether one of the pieces is a command by itself, and so nothing that is only to be said.
func (b *Book) any(pieces []string) bool {
	return slices.ContainsFunc(pieces, func(p string) bool { _, ok := b.c.Read(strings.Trim(p, " .,;!")); return ok })
}

// order reads one order.
func (b *Book) order(text string) (Action, bool) {
	text = strings.Trim(text, " .,;!")
	if c, ok := b.c.Read(text); ok {
		return Action{Tool: c.Tool, Arguments: c.Arguments, Words: text}, true
	}
	if word, rest, ok := strings.Cut(text, " "); ok && strings.EqualFold(word, "say") && strings.TrimSpace(rest) != "" {
		return Action{Say: strings.TrimSpace(rest)}, true
	}
	return Action{}, false
}

// unread is the first piece that is no order by itself.
func (b *Book) unread(pieces []string) string {
	i := slices.IndexFunc(pieces, func(p string) bool { _, ok := b.order(p); return !ok })
	return strings.TrimSpace(pieces[max(i, 0)])
}

// call is what an action runs now.
func (b *Book) call(a Action) models.Call {
	if a.Words != "" {
		if c, ok := b.c.Read(a.Words); ok && c.Tool == a.Tool {
			return c
		}
	}
	return models.Call{Tool: a.Tool, Arguments: a.Arguments}
}
