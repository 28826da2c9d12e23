package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Action is a tool that was run for an answer.
type Action struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Status    string          `json:"status"` // "ok", "asked", "denied" or "failed"
}

func (Action) Event() string { return "action" }
func (a Action) Human() string {
	return strings.TrimRight(fmt.Sprintf("      [%s %s", a.Tool, a.Arguments), " ") + ": " + a.Status + "]"
}

// Disclosure is what would leave this machine, or be done to the letter, if the user says yes.
type Disclosure struct {
	Provider  string          `json:"provider,omitempty"`
	Model     string          `json:"model,omitempty"`
	Messages  json.RawMessage `json:"messages,omitempty"` // all that would be sent
	Tool      string          `json:"tool,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

func (Disclosure) Event() string { return "disclosure" }
func (d Disclosure) Human() string {
	if d.Tool != "" {
		return fmt.Sprintf("      [would run %s %s]", d.Tool, d.Arguments)
	}
	return fmt.Sprintf("      [would send to %s %s: %s]", d.Provider, d.Model, d.Messages)
}

// Answer closes an answer to a typed text.
type Answer struct {
	Text string `json:"text"` // whole
	Asks bool   `json:"asks"` // Solo waits for what is typed next
}

func (Answer) Event() string { return "answer" }
func (Answer) Human() string { return "" }

// Said is a line of an earlier talk.
type Said struct {
	Who  string    `json:"who"` // "you" or "solo"
	Text string    `json:"text"`
	At   time.Time `json:"at"`
}

func (Said) Event() string { return "said" }
func (s Said) Human() string {
	text := []rune(strings.Join(strings.Fields(s.Text), " "))
	if len(text) > 300 { // to remind of the talk, not to repeat it
		text = append(text[:300], '…')
	}
	return fmt.Sprintf("%-5s %s", s.Who+":", string(text))
}

// Model is a language model that can be asked.
type Model struct {
	Engine  string   `json:"engine"`
	ID      string   `json:"id"`
	Bytes   int64    `json:"bytes,omitempty"`
	Context int      `json:"context,omitempty"`
	Loaded  bool     `json:"loaded"`
	GPU     int64    `json:"gpu_bytes,omitempty"`
	Cloud   bool     `json:"cloud"`
	For     []string `json:"for,omitempty"` // kinds of work that it is chosen for
}

func (Model) Event() string { return "model" }
func (m Model) Human() string {
	text := fmt.Sprintf("%-10s %-40s", m.Engine, m.ID)
	if m.Bytes > 0 {
		text += fmt.Sprintf(" %6.1f GB", float64(m.Bytes)/1e9)
	}
	for word, is := range map[string]bool{"loaded": m.Loaded, "cloud": m.Cloud} {
		if is {
			text += " " + word
		}
	}
	if len(m.For) > 0 {
		text += " <- " + strings.Join(m.For, ", ")
	}
	return strings.TrimRight(text, " ")
}

// Pulled is how far the download of a model is.
type Pulled struct {
	Model  string `json:"model"`
	Status string `json:"status"` // the server's word for what it does
	Done   int64  `json:"done"`   // bytes
	Total  int64  `json:"total"`  // bytes known so far
}

func (Pulled) Event() string { return "pulled" }
func (p Pulled) Human() string {
	if p.Total == 0 {
		return fmt.Sprintf("%s: %s", p.Model, p.Status)
	}
	return fmt.Sprintf("%s: %s, %.2f of %.2f GB", p.Model, p.Status, float64(p.Done)/1e9, float64(p.Total)/1e9)
}

// Tested is how a model answered a test question.
type Tested struct {
	Engine     string  `json:"engine"`
	Model      string  `json:"model"`
	Text       string  `json:"text"`
	FirstToken Millis  `json:"first_token_ms"`
	Took       Millis  `json:"took_ms"`
	Prompt     int     `json:"prompt_tokens"`
	Generated  int     `json:"generated_tokens"`
	Speed      float64 `json:"tokens_per_s"`
	JSON       bool    `json:"json"` // it keeps to a schema
}

func (Tested) Event() string { return "tested" }
func (t Tested) Human() string {
	keeps := "keeps to a schema"
	if !t.JSON {
		keeps = "does not keep to a schema: its tool calls will often fail"
	}
	return fmt.Sprintf("%s %s: first word after %v, %.0f tokens/s, %s\n      %s", t.Engine, t.Model, t.FirstToken, t.Speed, keeps, t.Text)
}

// Tool is one thing that Solo can do.
type Tool struct {
	Name        string          `json:"name"`
	Class       string          `json:"class"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"`
}

func (Tool) Event() string { return "tool" }
func (t Tool) Human() string {
	first, _, _ := strings.Cut(t.Description, "\n")
	return fmt.Sprintf("%-22s %-9s %s", t.Name, t.Class, first)
}

// Called is what a tool gave back.
type Called struct {
	Tool   string          `json:"tool"`
	Status string          `json:"status"`
	Say    string          `json:"say"`
	Data   json.RawMessage `json:"data,omitempty"`
	Yes    json.RawMessage `json:"yes,omitempty"` // the call that a yes would run, where Solo asks
}

func (Called) Event() string { return "called" }
func (c Called) Human() string {
	if len(c.Data) == 0 {
		return c.Say
	}
	return strings.TrimSpace(c.Say + "\n" + string(c.Data))
}

// Execution is a call of a tool that is over.
type Execution struct {
	At        time.Time       `json:"at"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Status    string          `json:"status"`           // as of an Action
	Source    string          `json:"source,omitempty"` // what of strangers it read
	Took      float64         `json:"took_ms"`
}

func (Execution) Event() string { return "execution" }
func (e Execution) Human() string {
	return fmt.Sprintf("%s  %s %s: %s", e.At.Format("2006-01-02 15:04:05"), e.Tool, e.Arguments, e.Status)
}

// Sent is an entry of the ledger: something that left this machine.
type Sent struct {
	At       time.Time       `json:"at"`
	Provider string          `json:"provider"`
	Model    string          `json:"model"`
	Purpose  string          `json:"purpose"`
	Approval string          `json:"approval"`
	Messages json.RawMessage `json:"messages"`
}

func (Sent) Event() string { return "sent" }
func (s Sent) Human() string {
	return fmt.Sprintf("%s  %s %s for %s, by %s\n%s", s.At.Format("2006-01-02 15:04:05"), s.Provider, s.Model, s.Purpose, s.Approval, s.Messages)
}

// File is a file of the persona.
type File struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

func (File) Event() string   { return "file" }
func (f File) Human() string { return "# " + f.Path + "\n" + strings.TrimRight(f.Text, "\n") + "\n" }

// Job is work in the background.
type Job struct {
	ID       int64     `json:"id"`
	Kind     string    `json:"kind"`
	Title    string    `json:"title"`
	State    string    `json:"state"`
	Progress float64   `json:"progress"` // 0 to 1
	Doing    string    `json:"doing,omitempty"`
	Result   string    `json:"result,omitempty"`
	Error    string    `json:"error,omitempty"`
	Changed  time.Time `json:"changed"`
}

func (Job) Event() string { return "job" }
func (j Job) Human() string {
	text := fmt.Sprintf("%4d  %-9s %3.0f %%  %s", j.ID, j.State, 100*j.Progress, j.Title)
	for _, more := range []string{j.Doing, j.Result, j.Error} {
		if more != "" {
			text += "\n      " + more
		}
	}
	return text
}
