package library

import (
	"strings"
	"unicode/utf8"
)

const (
	chunkMost    = 2000 // bytes of a passage, which is about as much as models for embedding take
	chunkWhole   = 2600 // a section of at most so many stays whole
	chunkOverlap = 240  // bytes at the end of a passage that may begin the next one too
	chunkLeast   = 60   // a section of fewer stands with the next one
	headingMost  = 300  // bytes of a path of headings
)

// span is a part of a page: from here on up to there, in bytes.
type span struct{ from, to int }

// Cut parts the pages of a document into passages: at headings, else at the ends of sentences, of about the same size
// within a section, each with the end of the one before it. None crosses a page.
func Cut(p Paper) []Chunk {
	var out []Chunk
	var path trail
	for _, page := range p.Pages {
		runes := counter{text: page.Text}
		for _, s := range sections(page, &path) {
			for _, part := range parts(page.Text, s.span) {
				text := page.Text[part.from:part.to]
				trimmed := strings.TrimSpace(text)
				if trimmed == "" {
					continue
				}
				from := part.from + strings.Index(text, trimmed)
				out = append(out, Chunk{Page: page.Number, Heading: s.heading, Title: p.Title, Text: trimmed,
					Begins: runes.at(from), Ends: runes.at(from + len(trimmed))})
			}
		}
	}
	return out
}

// counter tells characters from bytes.
type counter struct {
	text  string
	bytes int
	runes int
}

func (c *counter) at(bytes int) int {
	if bytes < c.bytes { // the overlap lies before
		c.runes -= utf8.RuneCountInString(c.text[bytes:c.bytes])
	} else {
		c.runes += utf8.RuneCountInString(c.text[c.bytes:bytes])
	}
	c.bytes = bytes
	return c.runes
}

// section is what stands under one heading on one page.
type section struct {
	span
	heading string
}

// sections parts a page at its headings. What has little more than its heading stands with the next one.
func sections(p Page, path *trail) []section {
	var out []section
	from, heading := 0, path.String()
	for _, h := range p.Heads {
		if h.At < from || h.At > len(p.Text) {
			continue
		}
		if len(strings.TrimSpace(p.Text[from:h.At])) >= chunkLeast {
			out = append(out, section{span{from, h.At}, heading})
			from = h.At
		}
		path.enter(h)
		heading = path.String()
	}
	return append(out, section{span{from, len(p.Text)}, heading})
}

// trail is the headings that a place stands under.
type trail []Head

func (t *trail) enter(h Head) {
	for len(*t) > 0 && (*t)[len(*t)-1].Level >= h.Level {
		*t = (*t)[:len(*t)-1]
	}
	*t = append(*t, h)
}

func (t *trail) String() string {
	var all []string
	size := 0
	for i := len(*t) - 1; i >= 0; i-- { // the nearest are worth most
		if size += len((*t)[i].Text) + 3; size > headingMost && len(all) > 0 {
			break
		}
		all = append([]string{(*t)[i].Text}, all...)
	}
	return strings.Join(all, " > ")
}

// parts cuts a section at the ends of sentences.
func parts(text string, s span) []span {
	size := s.to - s.from
	if size <= chunkWhole {
		return []span{s}
	}
	count := (size + chunkMost - 1) / chunkMost
	most := min(chunkMost, size/count+chunkMost/8) // even parts, and none that is only a rest
	var out []span
	from := s.from
	pieces := sentences(text, s, most)
	for i := 0; i < len(pieces); {
		to, n := from, 0
		for ; i < len(pieces) && (n == 0 || pieces[i].to-from <= most); n++ {
			to = pieces[i].to
			i++
		}
		out = append(out, span{from, to})
		from = to
		for back := i - 1; back > i-n && i < len(pieces) && to-pieces[back].from <= chunkOverlap && pieces[i].to-pieces[back].from <= most; back-- {
			from = pieces[back].from
		}
	}
	return out
}
