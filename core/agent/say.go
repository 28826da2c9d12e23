package agent

import (
	"strings"
	"unicode"

	"github.com/solo-assistant/solo/models"
)

// speech takes the pieces of a reply. After a call that failed they wait until it is clear that they do not deny it.
func (t *turn) speech() func(string) bool {
	if t.failed() {
		return func(string) bool { return true }
	}
	fresh := t.said.Len() > 0
	return func(piece string) bool {
		if fresh && strings.TrimSpace(piece) != "" {
			piece, fresh = " "+piece, false
		}
		return t.say(piece)
	}
}

// say gives a piece to the user; false where nobody listens.
func (t *turn) say(text string) bool {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
	if text == "" {
		return true
	}
	t.said.WriteString(text)
	return t.yield(models.Answer{Text: text}, nil)
}

// sentence says something that stands alone.
func (t *turn) sentence(text string) bool {
	text = strings.TrimSpace(text)
	if text != "" && t.said.Len() > 0 {
		text = " " + text
	}
	return t.say(text)
}

// halfway says whether what was said so far ends within a sentence.
func (t *turn) halfway() bool {
	said := strings.TrimSpace(t.said.String())
	return said != "" && !strings.ContainsAny(said[len(said)-1:], ".!?")
}

// excuse says what went wrong; a sentence that broke off is closed first.
func (t *turn) excuse(err error) { t.after(models.Excuse(err)) }

// after says a sentence of its own behind one that broke off; false where nobody listens any more.
func (t *turn) after(text string) bool {
	if t.halfway() && !t.say("…") {
		return false
	}
	return t.sentence(text)
}

// cutShort tells that an answer was longer than it may be.
const cutShort = "There is more; say go on if you want it."

// reply ends the answer with the model's words, where they are true.
func (t *turn) reply(th thought) error {
	if t.failed() && !admits(th.Text) {
		t.results()
		return nil
	}
	if t.failed() && !t.sentence(th.Text) {
		return errGone
	}
	if th.cut && !t.after(cutShort) {
		return errGone
	}
	return nil
}

// sayable says whether there is anything in text to hear.
func sayable(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.IsPunct(r)
	})
}
