package documents

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/solo-assistant/solo/core/document"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

// span is the pages from..to.
type span struct{ from, to int }

// pagesOf reads "3" and "2-5,9".
func pagesOf(text string) ([]span, error) {
	var all []span
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		first, last, ranged := strings.Cut(part, "-")
		if !ranged {
			last = first
		}
		from, err1 := strconv.Atoi(strings.TrimSpace(first))
		to, err2 := strconv.Atoi(strings.TrimSpace(last))
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		if from < 1 || to < from {
			return nil, fmt.Errorf("no pages: %q", part)
		}
		all = append(all, span{from, to})
	}
	return all, nil
}

func wants(wanted []span, page int) bool {
	for _, s := range wanted {
		if page >= s.from && page <= s.to {
			return true
		}
	}
	return len(wanted) == 0
}

// telling is what a model is given of a document.
type telling struct {
	Path    string     `json:"path"`
	Title   string     `json:"title"`
	Kind    string     `json:"kind"`
	Total   int        `json:"pages"` // of the whole document
	Read    []pageText `json:"text"`
	LeftOut string     `json:"left_out,omitempty"`
	Others  []string   `json:"other_files,omitempty"` // that fit the name too
}

type pageText struct {
	Page int    `json:"page"`
	Text string `json:"text"`
}

func (d documents) told(f found, doc document.Document, wanted []span) models.Result {
	t := telling{Path: f.path(), Title: doc.Title, Kind: doc.Kind, Total: doc.Total, Read: []pageText{}, Others: f.more}
	room, cut := d.MaxText, 0 // cut is the first page that did not fit, or not wholly
	chosen := 0
	for _, p := range doc.Pages {
		if !wants(wanted, p.Number) {
			continue
		}
		chosen++
		text := p.Text
		if len(text) > room {
			text = trimmed(text, room)
			if cut == 0 {
				cut = p.Number
			}
		}
		if text == "" {
			continue
		}
		room -= len(text)
		t.Read = append(t.Read, pageText{p.Number, text})
		if cut > 0 {
			room = 0
		}
	}
	name := filepath.Base(f.rel)
	if chosen == 0 {
		return tool.With(tool.Said("%s has %s, and no text on those.", name, tool.Count(doc.Total, "page")), t)
	}
	say := fmt.Sprintf("I read %s", name)
	if doc.Total > 1 {
		say += fmt.Sprintf(", %s of %s", tool.Count(len(t.Read), "page"), strconv.Itoa(doc.Total))
		if len(t.Read) == doc.Total {
			say = fmt.Sprintf("I read %s, all %d pages", name, doc.Total)
		}
	}
	say += "."
	switch {
	case cut > 0:
		t.LeftOut = fmt.Sprintf("the text was cut on page %d of %d: ask for later pages by number", cut, doc.Total)
		say += " It is long, so I left out the rest."
	case doc.Cut:
		t.LeftOut = "the document is longer than what is read of any document"
		say += " It is very long, so I left out its end."
	}
	return tool.With(tool.Said("%s", say), t)
}

// trimmed cuts text to at most n bytes, at the end of a line or a word where one is near.
func trimmed(text string, n int) string {
	text = text[:max(0, n)]
	for i := 0; i < utf8.UTFMax && len(text) > 0; i++ {
		if r, size := utf8.DecodeLastRuneInString(text); r != utf8.RuneError || size != 1 {
			break
		}
		text = text[:len(text)-1]
	}
	for _, end := range []string{"\n", " "} {
		if at := strings.LastIndex(text, end); at > len(text)-200 && at > 0 {
			return text[:at]
		}
	}
	return text
}
