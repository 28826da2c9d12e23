package web

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Transcript is what was said in a recording.
type Transcript struct {
	Text     string       `json:"text"`
	Duration float64      `json:"duration"` // seconds of sound
	Segments []SegmentOut `json:"segments"`
}

// SegmentOut is a stretch of speech; times are in seconds.
type SegmentOut struct {
	ID    int     `json:"id"`
	Start float64 `json:"start"`
	End   float64 `json:"end"`
	Text  string  `json:"text"`
	Sure  float64 `json:"sure"`
}

func transcriptOf(pieces []Segment, length time.Duration) Transcript {
	t := Transcript{Duration: length.Seconds(), Segments: []SegmentOut{}}
	var all []string
	for _, p := range pieces {
		text := strings.Join(strings.Fields(p.Text), " ")
		if text == "" {
			continue
		}
		all = append(all, text)
		t.Segments = append(t.Segments, SegmentOut{ID: len(t.Segments), Start: p.Start.Seconds(), End: p.End.Seconds(), Text: text, Sure: p.Sure})
	}
	t.Text = strings.Join(all, " ")
	return t
}

// in writes the transcript in one of the formats.
func (t Transcript) in(format string) (string, error) {
	switch format {
	case "text":
		return t.Text + "\n", nil
	case "srt":
		return t.captions("", ","), nil
	case "vtt":
		return t.captions("WEBVTT\n\n", "."), nil
	case inEvents:
		return t.events()
	case "verbose_json":
		text, err := json.Marshal(struct {
			Task     string `json:"task"`
			Language string `json:"language"`
			Transcript
		}{"transcribe", "english", t})
		return string(text), err
	}
	text, err := json.Marshal(map[string]string{"text": t.Text})
	return string(text), err
}

// events tells each segment, and then the whole.
func (t Transcript) events() (string, error) {
	type told struct {
		Type  string  `json:"type"`
		Delta *string `json:"delta,omitempty"`
		Text  *string `json:"text,omitempty"`
	}
	all := []told{}
	for i, s := range t.Segments {
		delta := s.Text
		if i > 0 {
			delta = " " + delta
		}
		all = append(all, told{Type: "transcript.text.delta", Delta: &delta})
	}
	var b strings.Builder
	for _, e := range append(all, told{Type: "transcript.text.done", Text: &t.Text}) {
		text, err := json.Marshal(e)
		if err != nil {
			return "", err
		}
		b.WriteString("data: " + string(text) + "\n\n")
	}
	return b.String(), nil
}

func (t Transcript) captions(head, point string) string {
	var b strings.Builder
	b.WriteString(head)
	for i, s := range t.Segments {
		fmt.Fprintf(&b, "%d\n%s --> %s\n%s\n\n", i+1, clock(s.Start, point), clock(s.End, point), strings.ReplaceAll(s.Text, "-->", "→"))
	}
	return b.String()
}

// clock writes seconds as captions do: 01:02:03,456.
func clock(seconds float64, point string) string {
	n := int64(seconds*1000 + 0.5)
	return fmt.Sprintf("%02d:%02d:%02d%s%03d", n/3600000, n/60000%60, n/1000%60, point, n%1000)
}
