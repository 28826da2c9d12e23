// Package notify takes what nobody answered to where its user may see it: the desktop, a webhook.
//
// A channel has a name and a Send that returns when the notice was taken. Channels are safe for use by several goroutines.
package notify

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Notice is what a channel takes.
type Notice struct {
	Key   string // the same for the same thing sent twice
	Kind  string // "timer", "alarm", "reminder"
	ID    int64
	Title string // a few words
	Text  string // may be ""
	At    time.Time
	Late  time.Duration
}

// shown is text that is fit to be shown by another program: one line of at most so many bytes, without what cannot be seen.
func shown(text string, most int) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.In(r, unicode.Cf)
	}), " ")
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "..."
}

// Longest title and text on a desktop, in bytes.
const (
	maxTitle = 100
	maxText  = 500
)
