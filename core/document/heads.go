package document

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Head is a heading within a page.
type Head struct {
	Level int // 1 is the highest, at most 9
	Text  string
	At    int // where its line begins in the page's text, in bytes
}

const (
	mostHead   = 200 // bytes of a heading
	mostMissed = 50  // headings of a page that are not on it
	mostBefore = 16  // bytes of a number or a mark before a heading
)

// heading is one that was met and has no place yet.
type heading struct {
	level int
	text  string
}

// head notes a heading that was written to the page, or that stands on it.
func (b *book) head(level int, text string) {
	if text = line(text); text != "" && len(text) < mostHead {
		b.heads = append(b.heads, heading{min(max(level, 1), 9), text})
	}
}

// placed finds the page's headings in its text, in their order. What is not there as a line is none.
func placed(heads []heading, text string) []Head {
	var out []Head
	from, missed := 0, 0
	for _, h := range heads {
		at := lineAt(text, h.text, from)
		if at < 0 {
			if missed++; missed == mostMissed { // each costs a look through the whole page
				break
			}
			continue
		}
		out = append(out, Head{h.level, h.text, at})
		from = at + len(h.text)
	}
	return out
}

// lineAt is where a line that holds a heading begins, from a place on; -1 for none. Its number or mark may stand before it.
func lineAt(text, head string, from int) int {
	for from < len(text) {
		i := strings.Index(text[from:], head)
		if i < 0 {
			return -1
		}
		at := from + i
		window := max(from, at-mostBefore-1)
		begin := window + strings.LastIndexByte(text[window:at], '\n') + 1
		end := at + len(head)
		if at-begin <= mostBefore && !strings.ContainsFunc(text[begin:at], unicode.IsLetter) && (end == len(text) || text[end] == '\n' || text[end] == '\t' || text[end] == ' ' && strings.Trim(restOfLine(text, end), " #") == "") {
			return begin
		}
		from = end
	}
	return -1
}

func restOfLine(text string, at int) string {
	rest, _, _ := strings.Cut(text[at:min(len(text), at+64)], "\n")
	return rest
}

var atx = regexp.MustCompile(`^ {0,3}(#{1,6})\s+(.+?)[ \t]*#*\s*$`)

// marked finds the headings of Markdown: lines that begin with #, and lines with = or - beneath, outside of fenced code.
func markedHeads(text string) []heading {
	var out []heading
	fence, before := "", ""
	for row := range strings.SplitSeq(text, "\n") {
		bare := strings.TrimSpace(row)
		switch {
		case fence != "":
			if strings.HasPrefix(bare, fence) {
				fence = ""
			}
			bare = ""
		case strings.HasPrefix(bare, "```"), strings.HasPrefix(bare, "~~~"):
			fence, bare = bare[:3], ""
		case before != "" && len(bare) >= 3 && strings.Trim(bare, "=") == "":
			out = append(out, heading{1, before})
		case before != "" && len(bare) >= 3 && strings.Trim(bare, "-") == "":
			out = append(out, heading{2, before})
		default:
			if m := atx.FindStringSubmatch(row); m != nil {
				out = append(out, heading{len(m[1]), line(m[2])})
				bare = ""
			}
		}
		if before = line(bare); len(before) >= mostHead || strings.HasPrefix(bare, "|") {
			before = ""
		}
	}
	return out
}

var (
	numbered = regexp.MustCompile(`^(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+\p{Lu}`)
	titled   = regexp.MustCompile(`^(?i:chapter|section|part|article|appendix|annex|clause)\s+(\d+|[ivxlc]+|[A-Z])\b|^§+\s*\d+`)
)

// plainHeads guesses the headings of text without marks: short lines without a full stop that are numbered, in capitals
// or underlined. apart wants an empty line around them, as text has it and PDF has not.
func plainHeads(text string, apart bool) []heading {
	rows := strings.Split(text, "\n")
	row := func(i int) string {
		if i < 0 || i >= len(rows) {
			return ""
		}
		return strings.TrimSpace(rows[i])
	}
	var out []heading
	for i := range rows {
		this := row(i)
		if !short(this) {
			continue
		}
		below := row(i + 1)
		switch {
		case len(below) >= 3 && strings.Trim(below, "=") == "":
			out = append(out, heading{1, line(this)})
		case len(below) >= 3 && strings.Trim(below, "-") == "" && row(i-1) == "":
			out = append(out, heading{2, line(this)})
		case apart && row(i-1) != "" || apart && below != "" && !titled.MatchString(this):
		default:
			if level := plainLevel(this); level > 0 {
				out = append(out, heading{level, line(this)})
			}
		}
	}
	return out
}

// plainLevel is the level of a line that looks like a heading, 0 for one that does not.
func plainLevel(row string) int {
	if m := numbered.FindStringSubmatch(row); m != nil {
		return 1 + strings.Count(m[1], ".")
	}
	if titled.MatchString(row) {
		return 1
	}
	letters, small := 0, 0
	for _, r := range row {
		if unicode.IsLetter(r) {
			letters++
			if unicode.IsLower(r) {
				small++
			}
		}
	}
	if letters >= 4 && small == 0 && letters*2 > utf8.RuneCountInString(row) {
		return 1
	}
	return 0
}

// short tells whether a line may be a heading by its length and its end.
func short(row string) bool {
	if row == "" || len(row) > 90 || len(strings.Fields(row)) > 12 {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(row)
	return !strings.ContainsRune(".,;!-–", last) && !strings.ContainsAny(row, "\t|")
}
