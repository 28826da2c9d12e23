package wire

import "strings"

// scan reads on inside the object and gives the text of a reply.
func (r *Reader) scan(piece string) string {
	var out strings.Builder
	for i := 0; i < len(piece) && r.mode == object1; i++ {
		r.step(piece[i])
		if r.state == inText && r.key == "text" {
			out.WriteString(r.speak(r.str.text()))
		}
	}
	if r.kind == "reply" && r.held.Len() > 0 && !r.packed() {
		out.WriteString(r.held.String())
		r.held.Reset()
	}
	return out.String()
}

// speak gives a piece of text where it is known to be a reply, and holds it otherwise.
func (r *Reader) speak(text string) string {
	if r.done || text == "" {
		return ""
	}
	if r.kind != "reply" || r.said.Len() == 0 {
		r.held.WriteString(text)
		return "" // scan lets it go
	}
	return text
}

// packed says whether the text looks like an answer inside the reply; it is held until the end.
func (r *Reader) packed() bool {
	if r.said.Len() > 0 {
		return false
	}
	text := strings.TrimSpace(r.held.String())
	return text == "" || text[0] == '{' || text[0] == '<'
}

func (r *Reader) step(c byte) {
	space := c == ' ' || c == '\n' || c == '\t' || c == '\r'
	switch r.state {
	case inKey:
		if r.str.take(c) {
			r.key, r.state = r.str.text(), wantColon
		}
	case inText:
		if r.str.take(c) {
			r.endText()
		}
	case inOther:
		r.other(c)
	case wantKey:
		r.expect(c, space, '"', inKey)
	case wantColon:
		r.expect(c, space, ':', wantValue)
	case wantComma:
		r.expect(c, space, ',', wantKey)
	case wantValue:
		switch {
		case space:
		case c == '"':
			r.state = inText
		default:
			r.state = inOther
			r.other(c)
		}
	}
}

// expect goes on at the byte that must come next; anything else makes the rest a matter of repair.
func (r *Reader) expect(c byte, space bool, want byte, next state) {
	switch {
	case c == want:
		r.state = next
	case !space:
		r.mode = silent
	}
}

// endText takes a finished string: the type, the text, or one that does not matter.
func (r *Reader) endText() {
	text := r.str.text()
	switch r.key {
	case "type":
		if r.kind == "" {
			r.kind = text
		}
	case "text":
		r.held.WriteString(r.speak(text))
		r.done = true
	}
	r.state = wantComma
}

// other skips a value that is no string.
func (r *Reader) other(c byte) {
	switch {
	case r.esc:
		r.esc = false
	case r.inside:
		r.esc, r.inside = c == '\\', c != '"'
	case c == '"':
		r.inside = true
	case c == '{' || c == '[':
		r.depth++
	case (c == '}' || c == ']') && r.depth > 0:
		r.depth--
	case c == '}' || c == ']':
		r.mode = silent
	case c == ',' && r.depth == 0:
		r.state = wantKey
	}
}
