package whisper

import (
	"regexp"
	"strings"
	"time"
	"unicode"
)

// phantoms are what Whisper writes where nobody speaks: it learnt from subtitles.
var phantoms = wordSet(`
	you
	bye
	bye bye
	thank you
	thank you very much
	thank you so much
	thanks
	thanks for watching
	thank you for watching
	thanks for listening
	thank you for listening
	please subscribe
	please like and subscribe
	like and subscribe
	subscribe to my channel
	see you next time
	see you in the next video
	i'll see you in the next video
	the end
	so
	okay
	oh
	uh
	um
	hmm
	mm
	subtitles by the amara org community
	subtitles by
	transcription by
	transcribed by
	captions by
	copyright
	vielen dank
	vielen dank fürs zuschauen
	untertitel der amara org community
	untertitel im auftrag des zdf für funk
	sous titres réalisés par la communauté d'amara org
	merci
	merci d'avoir regardé
	gracias
	gracias por ver
	subtítulos realizados por la comunidad de amara org
	grazie
	obrigado
	ご視聴ありがとうございました
`)

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for line := range strings.Lines(text) {
		if line = bare(line); line != "" {
			set[line] = true
		}
	}
	return set
}

// bare is a text without case and marks, for comparing.
func bare(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && !unicode.IsMark(r)
	}), " ")
}

// unbelievable is whether a segment is likelier made up than said. voiced is the share of its time with speech in it,
// prompt what the model was given to read before.
func (c Config) unbelievable(s segment, voiced float64, prompt string) bool {
	text := bare(s.text)
	doubt := s.silent > c.NoSpeech || voiced < 0.2
	switch {
	case text == "":
		return true
	case doubt && (s.sure < 0.45 || voiced < 0.05):
		return true
	case phantoms[text]: // people say such things too, and clearly
		return s.silent > c.NoSpeech/3 || voiced < 0.35
	case prompt != "" && doubt:
		return strings.Contains(" "+bare(prompt)+" ", " "+text+" ")
	}
	return false
}

// sounds are descriptions of sounds: [MUSIC], (laughs), *sighs*, ♪.
var sounds = regexp.MustCompile(`\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\}|【[^【】]*】|（[^（）]*）|\*[^\s*][^*]{0,40}\*|[♪♫]`)

// unmarked takes them out, those within each other too.
func unmarked(text string) string {
	for range 4 {
		clean := sounds.ReplaceAllString(text, " ")
		if clean == text {
			break
		}
		text = clean
	}
	return strings.Join(strings.Fields(text), " ")
}

// unlooped cuts a text that goes round in circles, as Whisper does when it is lost: four times the same is once.
func unlooped(words []string) ([]string, bool) {
	for size := 1; size <= 8; size++ {
		for from := 0; from+4*size <= len(words); from++ {
			times := 1
			for next := from + size; next+size <= len(words) && same(words[from:from+size], words[next:next+size]); next += size {
				times++
			}
			if times >= 4 {
				return append(words[:from+size:from+size], words[from+times*size:]...), true
			}
		}
	}
	return words, false
}

func same(a, b []string) bool {
	for i := range a {
		if bare(a[i]) != bare(b[i]) {
			return false
		}
	}
	return true
}

// share is how much of from to to lies in speech, by frames of 20 ms.
func share(voiced []bool, from, to time.Duration) float64 {
	const frame = 20 * time.Millisecond
	a, b := int(from/frame), int((to+frame-1)/frame)
	b = min(b, len(voiced))
	if a >= b {
		return 0
	}
	n := 0
	for _, v := range voiced[a:b] {
		if v {
			n++
		}
	}
	return float64(n) / float64(b-a)
}
