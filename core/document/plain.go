package document

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// plain reads text and Markdown. A form feed ends a page.
func plain(b *book, data []byte) error {
	text := decode(data)
	if b.Kind == "markdown" {
		if m := firstHead.FindStringSubmatch(text); m != nil {
			b.Title = m[1]
		}
	}
	for part := range strings.SplitSeq(text, "\f") {
		if err := b.write(part); err != nil {
			break
		}
		b.turn()
	}
	b.Total = strings.Count(text, "\f") + 1
	return nil
}

var firstHead = regexp.MustCompile(`(?m)^# +(.+?)[ #]*$`)

// decode turns bytes of UTF-8, UTF-16, or else Windows-1252, which holds Latin-1, into text.
func decode(data []byte) string {
	if order, ok := marked(data); ok {
		return from16(data[2:], order)
	}
	if order := unmarked16(data); order != "" {
		return from16(data, order)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if utf8.Valid(data) {
		return string(data)
	}
	if n := len(data); n > 1000 && mostly8(data) {
		return strings.ToValidUTF8(string(data), "\ufffd") // cut or damaged, still UTF-8
	}
	var text strings.Builder
	for _, c := range data {
		if c >= 0x80 && c < 0xa0 {
			text.WriteRune(windows[c-0x80])
		} else {
			text.WriteRune(rune(c))
		}
	}
	return text.String()
}

// mostly8 tells whether damaged text is UTF-8: it has many characters of several bytes and few broken ones.
func mostly8(data []byte) bool {
	good, bad := 0, 0
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		switch {
		case r == utf8.RuneError && n == 1:
			bad++
		case n > 1:
			good++
		}
		data = data[n:]
	}
	return good > 20*bad
}

// windows is what Windows-1252 has where Latin-1 has control characters.
var windows = [32]rune{
	'€', '\u0081', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u008d', 'Ž', '\u008f',
	'\u0090', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u009d', 'ž', 'Ÿ',
}

// marked tells the byte order of UTF-16 that begins with a mark: "be" or "le".
func marked(data []byte) (order string, ok bool) {
	switch {
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return "be", true
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return "le", true
	}
	return "", false
}

// unmarked16 guesses UTF-16 without a mark: in western text every other byte is 0.
func unmarked16(data []byte) string {
	start := data[:min(len(data)&^1, 2048)]
	if len(start) < 8 {
		return ""
	}
	var zero [2]int
	for i, c := range start {
		if c == 0 {
			zero[i%2]++
		}
	}
	half := len(start) / 2
	switch {
	case zero[0] > half*7/10 && zero[1] == 0:
		return "be"
	case zero[1] > half*7/10 && zero[0] == 0:
		return "le"
	}
	return ""
}

func from16(data []byte, order string) string {
	units := make([]uint16, len(data)/2)
	for i := range units {
		low, high := data[2*i], data[2*i+1]
		if order == "be" {
			low, high = high, low
		}
		units[i] = uint16(low) | uint16(high)<<8
	}
	return string(utf16.Decode(units))
}
