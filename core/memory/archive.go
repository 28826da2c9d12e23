package memory

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Said is one line of a talk.
type Said struct {
	Turn    int64 // ID of the line
	User    bool  // else Solo said it
	Text    string
	At      time.Time
	Outside bool // strangers' words shine through
}

// Archive keeps the lines of a talk before a summary stands for them: each thing that the user told as what it is, and
// each line as it was said, so that nothing is lost by making talk short. It may be told the same lines again.
func (m *Memory) Archive(ctx context.Context, session string, lines []Said) error {
	var items []Item
	for _, l := range lines {
		text := strings.TrimFunc(l.Text, blank)
		if text == "" {
			continue
		}
		who, source := "Solo", "talk"
		if l.User {
			who = "User"
		}
		if l.Outside {
			source = Outside
		}
		key := fmt.Sprintf("line:%s:%d", session, l.Turn)
		items = append(items, Item{Key: key, Kind: Episode, Text: cutTo(who+": "+text, MaxText-1000), Session: "talk:" + session, Turn: l.Turn, Source: source, At: l.At, Confidence: 1})
		if !l.User || l.Outside {
			continue
		}
		for i, f := range Told(text) {
			items = append(items, Item{Key: fmt.Sprintf("%s:%d", key, i), Kind: kindOf(f), Text: cutTo(f, MaxText-1000), Subject: "", Turn: l.Turn, Source: source, At: l.At, Confidence: 0.8})
		}
	}
	if len(items) == 0 {
		return nil
	}
	_, err := m.Import(ctx, items...)
	return err
}

// Summarized keeps the summary of a talk up to a line, in the place of the one before.
func (m *Memory) Summarized(ctx context.Context, session string, upto int64, text string, outside bool) error {
	source := "summary"
	if outside {
		source = Outside
	}
	_, err := m.Import(ctx, Item{Key: "summary:" + session, Kind: Episode, Text: cutTo(text, MaxText-1000), Turn: upto, Source: source, Confidence: 0.6})
	return err
}

// Outside is the source of what strangers wrote.
const Outside = "outside"

func cutTo(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}

var (
	sentence = regexp.MustCompile(`[^.!?\n]+[.!?]*`)
	telling  = regexp.MustCompile(`(?i)\b(?:my|our|i|i'm|i've|i'd|we|we're|we've)\b`)
	states   = regexp.MustCompile(`(?i)\b(?:is|are|was|were|am|'m|have|has|had|like|love|hate|prefer|live|work|moved|bought|got|met|born|called|need|want|plan|go|going|went|start|started|stopped|quit|own|drive|study|allergic|married|belongs|costs?|lives|works|likes|loves)\b`)
	asking   = regexp.MustCompile(`(?i)^\s*(?:what|who|when|where|why|how|which|is|are|do|does|did|can|could|would|will|shall|should|please|set|remind|tell|show|play|stop|add|turn|open|call|send|hey|ok|okay|thanks|thank)\b`)
)

// Told gives the sentences in which a line tells something that is so, rather than asks or orders.
func Told(line string) []string {
	var out []string
	for _, s := range sentence.FindAllString(line, 40) {
		s = strings.TrimSpace(s)
		if len(s) < 8 || len(s) > 600 || strings.HasSuffix(s, "?") || asking.MatchString(s) {
			continue
		}
		if telling.MatchString(s) && states.MatchString(s) {
			out = append(out, strings.TrimRight(s, ".! "))
		}
	}
	return out
}
