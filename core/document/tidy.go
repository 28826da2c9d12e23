package document

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tidy makes text readable: single spaces, at most one empty line, no letters that cannot be seen, since those are
// where strangers hide words.
func tidy(text string) string {
	var out strings.Builder
	blank := 0
	for row := range strings.SplitSeq(unify(text), "\n") {
		row = squeeze(row)
		if row == "" {
			blank++
			continue
		}
		if out.Len() > 0 {
			out.WriteString(strings.Repeat("\n", 1+min(blank, 1)))
		}
		blank = 0
		out.WriteString(row)
	}
	return out.String()
}

// squeeze makes one space of several, and one tab of those around a tab.
func squeeze(row string) string {
	var cells []string
	for cell := range strings.SplitSeq(row, "\t") {
		if cell = strings.Join(strings.Fields(cell), " "); cell != "" {
			cells = append(cells, cell)
		}
	}
	return strings.Join(cells, "\t")
}

// unify gives lines one kind of end, joins words that a soft hyphen broke, and drops what is not visible.
func unify(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n\n", "\v", "\n",
		"\ufb00", "ff", "\ufb01", "fi", "\ufb02", "fl", "\ufb03", "ffi", "\ufb04", "ffl").Replace(text)
	// PDFium writes U+0002 or U+FFFE where a hyphen ends a line.
	text = strings.NewReplacer("\u00ad\n", "", "\x02\n", "", "\ufffe\n", "", "\u00ad", "", "\x02", "", "\ufffe", "").Replace(text)
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && hidden(r) {
			return -1
		}
		return r
	}, text)
}

// hidden are control characters, and marks without width or with a direction, and tags. Joiners, which some scripts
// need, stay.
func hidden(r rune) bool {
	switch {
	case r == '\u200c' || r == '\u200d':
		return false
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
		return true
	case r >= 0xe000 && r <= 0xf8ff, r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef, r >= 0xf0000:
		return true // private letters, variation selectors
	}
	return false
}

// line makes a title of text: one line, at most 200 bytes.
func line(text string) string {
	text = strings.Join(strings.Fields(unify(text)), " ")
	return whole(text[:min(len(text), 200)])
}

// whole drops a letter that was cut at the end.
func whole(text string) string {
	for i := 0; i < utf8.UTFMax && len(text) > 0; i++ {
		if r, n := utf8.DecodeLastRuneInString(text); r != utf8.RuneError || n != 1 {
			break
		}
		text = text[:len(text)-1]
	}
	return text
}
