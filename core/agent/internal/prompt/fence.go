package prompt

import (
	"crypto/rand"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// Marker makes the random word of a request's fences, which no stranger can know beforehand.
func Marker() string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails; the program ends where it would
	return hex.EncodeToString(b[:])
}

// Fence encloses what strangers wrote, so that a model can tell where it begins and ends.
func Fence(marker, source, text string) string {
	return "<<outside " + marker + " " + Defuse(source) + "\n" + strings.ReplaceAll(Defuse(text), marker, "…") + "\noutside " + marker + ">>"
}

// brackets are the marks with which templates of models part roles.
var brackets = strings.NewReplacer("[INST]", "(INST)", "[/INST]", "(/INST)", "[SYS]", "(SYS)", "|>", "|›", ">>", "››", "outside>>", "outside››")

// Defuse takes the meaning from all that a model's template or Solo's own fences could take for an end: no "<" is left
// before a letter or sign, and no invisible character.
func Defuse(text string) string {
	text = strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		return r
	}, text)
	text = brackets.Replace(text)
	if !strings.Contains(text, "<") {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for i, r := range text {
		if next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):]); r == '<' && i+1 < len(text) && opens(next) {
			r = '‹'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// opens says whether "<" before r may begin a mark; "3 < 5" and "<=" do not.
func opens(r rune) bool { return !strings.ContainsRune(" \t\n=-0123456789", r) }

// invisible characters hide words from the user that the model reads: tags, directions, joiners without width.
func invisible(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < ' ', r == 0x7f, r >= 0x80 && r < 0xa0:
		return true
	case r >= 0x200b && r <= 0x200f && r != 0x200d && r != 0x200c, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff:
		return true
	case r >= 0xe0000 && r <= 0xe007f:
		return true
	}
	return false
}
