// Package prompt writes what a language model reads, short: tool lines, fences around what strangers wrote, and an
// estimate of what it all costs.
package prompt

import (
	"unicode"
	"unicode/utf8"
)

// Tokens estimates, rather too high, how many tokens a text is. Tokenizers differ; all of them know that a common short
// word is one token with the space before it, a long one several, and punctuation often one by itself. So: a word of
// Latin letters is one token for every six letters begun, every digit and every sign is one, and a letter of another
// script is one. On English prose that is about 4 bytes a token, on JSON about 2.5.
func Tokens(text string) int {
	n, letters := 0, 0
	for _, r := range text {
		latin := r < utf8.RuneSelf && unicode.IsLetter(r)
		if latin {
			if letters%6 == 0 {
				n++
			}
			letters++
			continue
		}
		letters = 0
		if r != ' ' {
			n++
		}
	}
	return n
}

// Cut gives the longest head of text that is at most n tokens, at the end of a word where it can.
func Cut(text string, n int) (head, rest string) {
	if Tokens(text) <= n {
		return text, ""
	}
	end, last, count, letters := len(text), 0, 0, 0
	for i, r := range text {
		if unicode.IsSpace(r) {
			last = i
		}
		switch latin := r < utf8.RuneSelf && unicode.IsLetter(r); {
		case latin && letters%6 == 0:
			count, letters = count+1, letters+1
		case latin:
			letters++
		default:
			letters = 0
			if r != ' ' {
				count++
			}
		}
		if count > n {
			end = i
			break
		}
	}
	if last > end/2 && last < end {
		end = last
	}
	return text[:end], text[end:]
}
