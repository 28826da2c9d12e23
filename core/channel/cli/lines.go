package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"
)

// Seconds is a time in seconds, to the millisecond.
type Seconds time.Duration

func (s Seconds) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "%.3f", time.Duration(s).Seconds()), nil
}

func (s *Seconds) UnmarshalJSON(text []byte) error {
	return number(text, time.Second, (*time.Duration)(s))
}

// Millis is a time in milliseconds, to the tenth.
type Millis time.Duration

func (m Millis) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "%.1f", float64(m)/float64(time.Millisecond)), nil
}

func (m *Millis) UnmarshalJSON(text []byte) error {
	return number(text, time.Millisecond, (*time.Duration)(m))
}

// number reads a time that was written as a number of units.
func number(text []byte, unit time.Duration, into *time.Duration) error {
	var n float64
	if err := json.Unmarshal(text, &n); err != nil {
		return err
	}
	*into = time.Duration(n * float64(unit))
	return nil
}

func (m Millis) String() string { return fmt.Sprintf("%d ms", time.Duration(m).Milliseconds()) }

// Score is a number from 0 to 1; NaN, for engines that give none, is null.
type Score float64

func (s Score) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(s)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(s))
}

// Note is something to know that is no answer: "no microphone was found".
type Note struct {
	Text string `json:"text"`
}

func (Note) Event() string   { return "note" }
func (n Note) Human() string { return n.Text }

// Broken is a failure after which the rest goes on.
type Broken struct {
	File    string `json:"file"`
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

func (Broken) Event() string { return "error" }
func (b Broken) Human() string {
	text := b.Message
	if b.File != "" {
		text = b.File + ": " + text
	}
	if b.Hint != "" {
		text += "; " + b.Hint
	}
	return text
}

// Woken is a wake word in a talk.
type Woken struct {
	Turn  uint64  `json:"turn"`
	Word  string  `json:"word"`
	Score Score   `json:"score"`
	At    Seconds `json:"at_s"`
}

func (Woken) Event() string   { return "wake" }
func (w Woken) Human() string { return "" }

// Partial is what the recogniser holds so far.
type Partial struct {
	Turn   uint64 `json:"turn"`
	Text   string `json:"text"`
	Stable bool   `json:"stable"`
}

func (Partial) Event() string { return "partial" }
func (Partial) Human() string { return "" }

// Heard is a finished utterance.
type Heard struct {
	Turn   uint64  `json:"turn"`
	Text   string  `json:"text"`
	Engine string  `json:"engine"`
	Start  Seconds `json:"start_s"`
	End    Seconds `json:"end_s"`
}

func (Heard) Event() string   { return "heard" }
func (h Heard) Human() string { return "you:  " + h.Text }

// Intent is what was understood in a talk.
type Intent struct {
	Turn  uint64            `json:"turn"`
	Name  *string           `json:"name"` // null for none
	Slots map[string]string `json:"slots"`
}

func (Intent) Event() string { return "intent" }
func (Intent) Human() string { return "" }

// Reply is one sentence of an answer.
type Reply struct {
	Turn uint64 `json:"turn"`
	Text string `json:"text"`
}

func (Reply) Event() string   { return "reply" }
func (r Reply) Human() string { return "solo: " + r.Text }

// Turn closes a turn with its times.
type Turn struct {
	Turn       uint64 `json:"turn"`
	Outcome    string `json:"outcome"`
	Endpoint   Millis `json:"endpoint_ms"`
	STT        Millis `json:"stt_ms"`
	Think      Millis `json:"think_ms"`
	FirstAudio Millis `json:"tts_first_audio_ms"`
	Total      Millis `json:"total_ms"`
}

func (Turn) Event() string { return "turn" }
func (t Turn) Human() string {
	if t.Endpoint == 0 && t.STT == 0 {
		return "" // typed
	}
	return fmt.Sprintf("      (%s: end of speech found in %v, recognised in %v, understood in %v, first sound in %v; %v in all)",
		t.Outcome, t.Endpoint, t.STT, t.Think, t.FirstAudio, t.Total)
}

// Transcript is the text of a file.
type Transcript struct {
	File     string  `json:"file"`
	Text     string  `json:"text"`
	Engine   string  `json:"engine"`
	Duration Seconds `json:"duration_s"`
	Elapsed  Millis  `json:"elapsed_ms"`
	RTF      float64 `json:"rtf"` // elapsed over duration
}

func (Transcript) Event() string   { return "transcript" }
func (t Transcript) Human() string { return t.Text }

// Found is a wake word in a file.
type Found struct {
	File  string  `json:"file"`
	At    Seconds `json:"at_s"`
	Word  string  `json:"word"`
	Score Score   `json:"score"`
}

func (Found) Event() string { return "wake" }
func (f Found) Human() string {
	return fmt.Sprintf("%s: %q at %.2f s", f.File, f.Word, time.Duration(f.At).Seconds())
}

// Scanned closes the search of one file.
type Scanned struct {
	File     string  `json:"file"`
	Duration Seconds `json:"duration_s"`
	Elapsed  Millis  `json:"elapsed_ms"`
}

func (Scanned) Event() string { return "scanned" }
func (Scanned) Human() string { return "" }

// Understood is what a text was taken to mean and what Solo says to it.
type Understood struct {
	Text   string            `json:"text"`
	Intent *string           `json:"intent"` // null for no match
	Slots  map[string]string `json:"slots"`
	Reply  string            `json:"reply"`
}

func (Understood) Event() string { return "understood" }
func (u Understood) Human() string {
	if u.Intent == nil {
		return "no command: " + u.Reply
	}
	return fmt.Sprintf("%s %v: %s", *u.Intent, u.Slots, u.Reply)
}

// Moment is a time phrase read.
type Moment struct {
	Text       string  `json:"text"`
	Kind       *string `json:"kind"` // null where it is no time
	Start      *string `json:"start"`
	End        *string `json:"end"`
	Grain      *string `json:"grain"`
	Duration   *string `json:"duration"`
	Recurrence *string `json:"recurrence"`
	Matched    *[2]int `json:"matched"` // bytes from, to
}

func (Moment) Event() string { return "when" }
func (m Moment) Human() string {
	if m.Kind == nil {
		return fmt.Sprintf("%q is no time", m.Text)
	}
	parts := []string{*m.Kind}
	for _, p := range []*string{m.Start, m.End, m.Duration, m.Recurrence} {
		if p != nil {
			parts = append(parts, *p)
		}
	}
	return strings.Join(parts, " ")
}

// Device is a microphone or a loudspeaker.
type Device struct {
	Kind    string `json:"kind"` // "input" or "output"
	Name    string `json:"name"`
	Default bool   `json:"default"`
}

func (Device) Event() string { return "device" }
func (d Device) Human() string {
	mark := " "
	if d.Default {
		mark = "*"
	}
	return fmt.Sprintf("%s %-6s %s", mark, d.Kind, d.Name)
}

// Engine is what doctor says of one part.
type Engine struct {
	Name    string `json:"name"`
	Job     string `json:"job"` // "wake word", "recogniser", ...
	Found   bool   `json:"found"`
	Version string `json:"version"`
	Missing string `json:"missing"` // what is missing, "" for nothing
	Mend    string `json:"mend"`    // the one command that mends it
}

func (Engine) Event() string { return "engine" }
func (e Engine) Human() string {
	if e.Found {
		return strings.TrimRight(fmt.Sprintf("ok       %-12s %-16s %s", e.Job, e.Name, e.Version), " ")
	}
	text := fmt.Sprintf("missing  %-12s %-16s %s", e.Job, e.Name, e.Missing)
	if e.Mend != "" {
		text += "\n         mend it with: " + e.Mend
	}
	return text
}

// Setting is one effective value and where it came from.
type Setting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	From  string `json:"from"`
}

func (Setting) Event() string   { return "setting" }
func (s Setting) Human() string { return fmt.Sprintf("%-28s = %-24s # %s", s.Key, s.Value, s.From) }

// Version tells what was built.
type Version struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	System  string `json:"system"`
	Built   string `json:"built"` // build tags and cgo
}

func (Version) Event() string { return "version" }
func (v Version) Human() string {
	return fmt.Sprintf("solo %s (%s, %s, %s)", v.Version, v.Go, v.System, v.Built)
}
