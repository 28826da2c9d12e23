package wire

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// quoted decodes the inside of a JSON string byte by byte, exactly as encoding/json does for one that is valid.
type quoted struct {
	escape bool   // after a backslash
	hex    int    // digits of a \u escape that are missing
	code   rune   // of a \u escape so far
	high   rune   // first half of a pair, which waits for its second
	raw    []byte // of a rune that is not whole
	out    strings.Builder
}

// take decodes one byte. It returns true at the closing quote.
func (q *quoted) take(c byte) (end bool) {
	switch {
	case q.hex > 0:
		q.digit(c)
	case q.escape:
		q.escape = false
		if c == 'u' {
			q.hex, q.code = 4, 0
			return false
		}
		q.put(unescaped(c))
	case c == '\\':
		q.flush()
		q.escape = true
	case c == '"':
		q.flush()
		q.lone()
		return true
	case c < utf8.RuneSelf:
		q.flush()
		q.put(rune(c))
	default:
		q.lone()
		q.raw = append(q.raw, c)
		for len(q.raw) > 0 && utf8.FullRune(q.raw) {
			r, n := utf8.DecodeRune(q.raw)
			q.raw = q.raw[n:]
			q.out.WriteRune(r)
		}
	}
	return false
}

func unescaped(c byte) rune {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	}
	return rune(c)
}

func (q *quoted) digit(c byte) {
	n := strings.IndexByte("0123456789abcdef", c|0x20)
	if c < 0x30 || n < 0 {
		q.hex = 0
		q.put(utf8.RuneError)
		return
	}
	q.code = q.code<<4 | rune(n)
	if q.hex--; q.hex > 0 {
		return
	}
	switch {
	case q.high != 0 && utf16.DecodeRune(q.high, q.code) != utf8.RuneError:
		r := utf16.DecodeRune(q.high, q.code)
		q.high = 0
		q.out.WriteRune(r)
	case utf16.IsSurrogate(q.code) && q.code < 0xDC00:
		q.lone()
		q.high = q.code
	default:
		q.put(q.code) // a lone second half is written as U+FFFD
	}
}

func (q *quoted) put(r rune) {
	q.lone()
	q.out.WriteRune(r)
}

// lone gives up on the second half of a pair.
func (q *quoted) lone() {
	if q.high != 0 {
		q.high = 0
		q.out.WriteRune(utf8.RuneError)
	}
}

// flush gives up on the rest of a rune.
func (q *quoted) flush() {
	for range q.raw {
		q.out.WriteRune(utf8.RuneError)
	}
	q.raw = q.raw[:0]
}

// text gives what was decoded since the last call.
func (q *quoted) text() string {
	s := q.out.String()
	q.out.Reset()
	return s
}
