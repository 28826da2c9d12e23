package agent

import (
	"strings"
	"time"
)

// summary is folded talk in two parts, because what strangers wrote must not hide among the rest.
type summary struct {
	clean   string
	outside string
	at      time.Time // when the newest outside line was said
}

const outsideMark = "\n[outside "

// String writes a summary for Sessions: the clean part, then the other under a line with its time.
func (s summary) String() string {
	if s.outside == "" {
		return s.clean
	}
	return s.clean + outsideMark + s.at.UTC().Format(time.RFC3339) + "]\n" + s.outside
}

// parseSummary reads what String wrote.
func parseSummary(text string) summary {
	i := strings.Index(text, outsideMark)
	if i < 0 {
		return summary{clean: text}
	}
	s := summary{clean: text[:i]}
	stamp, rest, _ := strings.Cut(text[i+len(outsideMark):], "]\n")
	at, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		at = time.Unix(1<<40, 0) // never too old to be careful about
	}
	s.outside, s.at = rest, at
	return s
}
