package voices

import (
	"regexp"
	"strings"
	"unicode"
)

// Plain makes text fit to be spoken: no markup is read aloud, and numbers, times, units and sums of
// money become English words, so that every engine says them alike.
func Plain(text string) string {
	text = unmark(text)
	text = spellOut(text)
	text = strings.Map(speakable, text)
	return strings.Join(strings.Fields(text), " ")
}

var (
	fence    = regexp.MustCompile("(?s)```.*?(```|$)")
	image    = regexp.MustCompile(`!\[([^\]]*)\]\([^)]*\)`)
	link     = regexp.MustCompile(`\[([^\]]+)\]\([^)]*\)`)
	tag      = regexp.MustCompile(`</?[a-zA-Z][^<>]*>`)
	heading  = regexp.MustCompile(`(?m)^[ \t]*#{1,6}[ \t]+(.*?)[ \t]*#*$`)
	bullet   = regexp.MustCompile(`(?m)^[ \t]*([-*+•]|\d{1,3}[.)])[ \t]+`)
	rule     = regexp.MustCompile(`(?m)^[ \t]*([-*_=|:][ \t]*){3,}$`)
	quoted   = regexp.MustCompile(`(?m)^[ \t]*>+[ \t]?`)
	emphasis = regexp.MustCompile(`(\*{1,3}|_{2,3}|~~)(\S(?:[^\n]*?\S)?)(\*{1,3}|_{2,3}|~~)`)
	lowline  = regexp.MustCompile(`(^|[\s(])_([^_\n]+)_($|[\s.,;:!?)])`)
	web      = regexp.MustCompile(`\b(?:https?://|www\.)[^\s<>"']*[^\s<>"'.,;:!?)]`)
)

// unmark removes Markdown and HTML and keeps their words.
func unmark(text string) string {
	text = fence.ReplaceAllString(text, " Here is some code. ")
	text = image.ReplaceAllString(text, "$1")
	text = link.ReplaceAllString(text, "$1")
	text = tag.ReplaceAllString(text, " ")
	text = rule.ReplaceAllString(text, "")
	text = heading.ReplaceAllString(text, "$1.")
	text = quoted.ReplaceAllString(text, "")
	text = bullet.ReplaceAllString(text, "")
	text = emphasis.ReplaceAllString(text, "$2")
	text = lowline.ReplaceAllString(text, "$1$2$3")
	text = strings.ReplaceAll(text, "`", "")
	text = strings.ReplaceAll(text, "|", ", ")
	return web.ReplaceAllStringFunc(text, sayAddress)
}

// sayAddress names the host of a link and leaves the rest of it unsaid.
func sayAddress(url string) string {
	host := url[strings.Index(url, "://")+1:]
	host = strings.TrimPrefix(strings.TrimLeft(host, ":/"), "www.")
	if i := strings.IndexAny(host, "/?#:"); i >= 0 {
		host = host[:i]
	}
	return strings.ReplaceAll(host, ".", " dot ")
}

// speakable drops what has no sound: pictures, arrows, controls, leftover markup.
func speakable(r rune) rune {
	switch {
	case r == '’' || r == '‘':
		return '\''
	case r == '“' || r == '”' || r == '"':
		return -1
	case r == '–' || r == '—' || r == ';' || r == '…':
		return ','
	case r == '\n' || r == '\t':
		return ' '
	case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == ' ':
		return r
	case strings.ContainsRune(".,!?'-:()/", r):
		return r
	case unicode.IsSpace(r):
		return ' '
	}
	return -1
}
