package words

import (
	"strings"
	"unicode"
)

// Fold splits a text into plain words: lower case, letters without their accents, number words up to twelve as digits,
// apostrophes dropped together with a possessive s.
func Fold(text string) []string {
	text = strings.ToLower(text)
	if strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) >= 0 {
		text = plain.Replace(text)
	}
	fields := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '\''
	})
	out := fields[:0]
	for _, w := range fields {
		w = strings.TrimSuffix(strings.Trim(w, "'"), "'s")
		if w = strings.ReplaceAll(w, "'", ""); w == "" {
			continue
		}
		if digit, ok := numbers[w]; ok {
			w = digit
		}
		out = append(out, w)
	}
	return out
}

var plain = strings.NewReplacer(
	"’", "'", "‘", "'", "ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d",
	"à", "a", "á", "a", "â", "a", "ã", "a", "ä", "a", "å", "a", "ç", "c", "č", "c", "ć", "c",
	"è", "e", "é", "e", "ê", "e", "ë", "e", "ě", "e", "ì", "i", "í", "i", "î", "i", "ï", "i",
	"ñ", "n", "ń", "n", "ò", "o", "ó", "o", "ô", "o", "õ", "o", "ö", "o", "ř", "r", "š", "s", "ś", "s",
	"ù", "u", "ú", "u", "û", "u", "ü", "u", "ů", "u", "ý", "y", "ÿ", "y", "ž", "z", "ź", "z", "ż", "z",
)

var numbers = map[string]string{
	"zero": "0", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
	"seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
}

func set(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

// empty are words that carry nothing when a person names a thing.
var empty = set(`a an the this that these those it its i im ive id me my mine myself we us our you your yours
	he him his she her they them their is are am was were be been being to of in on at for from with by about
	and or but so as if do does did have has had having will would shall should can could may might must
	what which who whom when where why how there here please just also some any thing things something
	one ones task tasks todo item reminder note fact remember know said says told tell not no yes`)

// light are words that many texts share, as stems: alone they name none.
var light = func() map[string]bool {
	m := map[string]bool{}
	for w := range set(`call buy get do make go take send write pick finish start check pay give bring put find
		ask tell see need want like love use new up out off down back over again today tomorrow`) {
		m[Stem(w)] = true
	}
	return m
}()
