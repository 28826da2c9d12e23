package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
)

// page reads HTML. Encoding is what the page says of itself.
func page(b *book, data []byte) error {
	text := decodePage(data)
	m := &markup{book: b, xml: strings.HasPrefix(strings.TrimSpace(text), "<?xml")}
	if err := m.read(strings.NewReader(text)); err != nil && !errors.Is(err, errEnough) {
		return err
	}
	if b.Title == "" {
		b.Title = m.title.String()
	}
	return nil
}

func decodePage(data []byte) string {
	if _, ok := marked(data); ok || unmarked16(data) != "" {
		return decode(data)
	}
	enc, name, _ := charset.DetermineEncoding(data, "")
	if name == "utf-8" || name == "windows-1252" {
		return decode(data)
	}
	text, err := enc.NewDecoder().Bytes(data)
	if err != nil {
		return decode(data)
	}
	return string(text)
}

// unseen are elements whose content is not shown.
var unseen = map[string]bool{
	"script": true, "style": true, "template": true, "svg": true, "math": true, "noscript": true, "iframe": true,
	"object": true, "select": true, "textarea": true, "noframes": true, "noembed": true,
}

// breaks are elements that stand on lines of their own.
var breaks = map[string]string{
	"p": "\n\n", "div": "\n", "br": "\n", "li": "\n", "ul": "\n", "ol": "\n", "tr": "\n", "table": "\n\n", "h1": "\n\n", "h2": "\n\n",
	"h3": "\n\n", "h4": "\n\n", "h5": "\n\n", "h6": "\n\n", "section": "\n\n", "article": "\n\n", "header": "\n\n", "footer": "\n\n",
	"aside": "\n\n", "nav": "\n\n", "main": "\n\n", "blockquote": "\n\n", "pre": "\n\n", "hr": "\n\n", "dt": "\n", "dd": "\n",
	"figcaption": "\n", "caption": "\n", "option": "\n", "address": "\n", "form": "\n", "fieldset": "\n", "td": "\t", "th": "\t",
}

// markup writes what a reader of the page would see. It works on tokens alone: no tree can be made too deep for it.
type markup struct {
	*book
	title strings.Builder
	in    string // the unseen element that is open, or "title"
	depth int    // of elements called in
	pre   bool
	xml   bool // XHTML
	level int  // of the heading that is open, 0 for none
	words strings.Builder
}

func (m *markup) read(r io.Reader) error {
	z := html.NewTokenizer(r)
	z.SetMaxBuf(32 << 20)
	for {
		switch z.Next() {
		case html.ErrorToken:
			if err := z.Err(); !errors.Is(err, io.EOF) {
				return fmt.Errorf("%w: %w", ErrBroken, err)
			}
			return nil
		case html.TextToken:
			if err := m.text(string(z.Text())); err != nil {
				return err
			}
		case html.SelfClosingTagToken:
			if m.xml {
				z.NextIsNotRawText()
				name, _ := z.TagName()
				if err := m.empty(string(name)); err != nil {
					return err
				}
				continue
			}
			fallthrough // HTML has no such thing
		case html.StartTagToken:
			name, more := z.TagName()
			if err := m.open(string(name), more && hides(z)); err != nil {
				return err
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if err := m.end(string(name)); err != nil {
				return err
			}
		}
	}
}

// hides tells whether an element's attributes say that it is not shown.
func hides(z *html.Tokenizer) bool {
	hidden := false
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "hidden":
			hidden = true
		case "style":
			style := bytes.ReplaceAll(bytes.ToLower(value), []byte(" "), nil)
			hidden = hidden || bytes.Contains(style, []byte("display:none")) || bytes.Contains(style, []byte("visibility:hidden"))
		}
	}
	return hidden
}

// hideable elements always have an end: with others the rest of the page could be lost.
var hideable = map[string]bool{
	"div": true, "span": true, "section": true, "article": true, "aside": true, "header": true, "footer": true, "nav": true,
	"a": true, "b": true, "i": true, "em": true, "strong": true, "font": true, "small": true, "table": true, "ul": true, "ol": true,
	"form": true, "button": true, "blockquote": true, "pre": true, "code": true, "label": true, "dialog": true,
}

// empty is an element that ends where it begins.
func (m *markup) empty(name string) error {
	if m.in != "" {
		return nil
	}
	return m.write(breaks[name])
}

func (m *markup) open(name string, hidden bool) error {
	switch {
	case m.in == name:
		m.depth++
		return nil
	case m.in != "":
		return nil
	case unseen[name] || name == "title" || hidden && hideable[name]:
		m.in, m.depth = name, 1
		return nil
	case name == "pre":
		m.pre = true
	case headLevel(name) > 0:
		m.level = headLevel(name)
		m.words.Reset()
	case name == "li":
		return m.write("\n- ")
	}
	return m.write(breaks[name])
}

func (m *markup) end(name string) error {
	if m.in == "" {
		if name == "pre" {
			m.pre = false
		}
		if name == "li" {
			return nil
		}
		if m.level > 0 && headLevel(name) > 0 {
			m.head(m.level, m.words.String())
			m.level = 0
		}
		return m.write(breaks[name])
	}
	if m.in == name {
		if m.depth--; m.depth == 0 {
			m.in = ""
		}
	}
	return nil
}

func (m *markup) text(text string) error {
	switch {
	case m.in == "title":
		if m.title.Len() < 1000 {
			m.title.WriteString(text)
		}
		return nil
	case m.in != "":
		return nil
	case !m.pre:
		text = spaces(text)
	}
	if m.level > 0 && m.words.Len() < mostHead {
		m.words.WriteString(text)
	}
	return m.write(text)
}

// headLevel is the level of h1 to h6, 0 for other elements.
func headLevel(name string) int {
	if len(name) == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6' {
		return int(name[1] - '0')
	}
	return 0
}

// spaces makes one space of each run of white space.
func spaces(text string) string {
	fields := strings.Fields(text)
	if len(fields) == 0 {
		if text == "" {
			return ""
		}
		return " "
	}
	out := strings.Join(fields, " ")
	if strings.TrimLeft(text, " \t\r\n\f") != text {
		out = " " + out
	}
	if strings.TrimRight(text, " \t\r\n\f") != text {
		out += " "
	}
	return out
}
