package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/solo-assistant/solo/models"
)

// Rooms are what the dashboard shows beside the talk. A nil room answers 501.
type Rooms struct {
	Dialogues Dialogues
	Memories  Memories
	Tasks     Tasks
	Projects  Projects
	Promises  Promises
	Receipts  func(ctx context.Context, n int) ([]ReceiptView, error) // the last n, the newest first
	Approvals Approvals
	Documents Documents
	Searches  Searches
	Settings  func() []Setting
	Logs      func(n int, level string) ([]LogLine, error) // the last n lines, of that level or worse, the oldest first
	Engines   func() []Engine
	Languages func(ctx context.Context) ([]LanguageModel, error)
}

// Errors of the rooms.
var (
	ErrGone    = errors.New("there is nothing of that number or name")
	ErrTaken   = errors.New("there is a document of that name already")
	ErrRefused = errors.New("this file is not taken")
)

// Dialogues remember the turns.
type Dialogues interface {
	// Dialogues gives the last n turns before the one of a number, 0 for the very last; the newest first.
	Dialogues(ctx context.Context, n int, before int64) ([]Dialogue, error)
}

// Dialogue is one turn that is over.
type Dialogue struct {
	ID         int64     `json:"id"`
	At         time.Time `json:"at"`
	Heard      string    `json:"heard"`
	Reply      string    `json:"reply" jsonschema:"what Solo meant to say"`
	Spoken     string    `json:"spoken" jsonschema:"what was said of it"`
	Outcome    string    `json:"outcome"`
	Endpoint   int64     `json:"endpoint_ms"`
	STT        int64     `json:"stt_ms"`
	Think      int64     `json:"think_ms"`
	FirstAudio int64     `json:"first_audio_ms"`
	Total      int64     `json:"total_ms"`
}

// Memories are what the user told Solo to keep.
type Memories interface {
	// Recall gives what is known about something, the best first; "" gives all, the newest first.
	Recall(ctx context.Context, about string) ([]MemoryView, error)
	// Forget takes one away, or says ErrGone.
	Forget(ctx context.Context, id int64) error
}

// MemoryView is one thing that is kept.
type MemoryView struct {
	ID     int64     `json:"id"`
	Text   string    `json:"text"`
	Source string    `json:"source" jsonschema:"who said it, or where it was read"`
	At     time.Time `json:"at"`
}

// Tasks are what the user means to do.
type Tasks interface {
	// Tasks gives what is open, what is due first, or what was done, the latest first.
	Tasks(ctx context.Context, done bool) ([]TaskView, error)
}

// TaskView is one thing to do.
type TaskView struct {
	ID      int64      `json:"id"`
	Text    string     `json:"text"`
	Due     *time.Time `json:"due,omitempty"`
	Tags    []string   `json:"tags"`
	Done    bool       `json:"done"`
	Status  string     `json:"status" jsonschema:"open, doing, blocked or done"`
	Stuck   string     `json:"stuck_on,omitempty"`
	Project string     `json:"project,omitempty"`
	Created time.Time  `json:"created"`
	// Finished is when it was done.
	Finished *time.Time `json:"finished,omitempty"`
}

// Promises are the times that Solo keeps.
type Promises interface {
	Promises(ctx context.Context) ([]PromiseView, error)
	// Cancel takes one back, or says ErrGone.
	Cancel(ctx context.Context, kind string, id int64) error
}

// PromiseView is one promised time.
type PromiseView struct {
	ID      int64     `json:"id"`
	Kind    string    `json:"kind" jsonschema:"timer, alarm or reminder"`
	Text    string    `json:"text"`
	At      time.Time `json:"at"`
	Every   string    `json:"every,omitempty" jsonschema:"its recurrence, as an RRULE"`
	Left    int64     `json:"left_ms" jsonschema:"until then; less than 0 for one that rings"`
	Ringing bool      `json:"ringing"`
}

// ReceiptView is one step of the delivery of a promise.
type ReceiptView struct {
	ID      int64     `json:"id"`
	At      time.Time `json:"at" jsonschema:"when the step was made"`
	Step    string    `json:"step" jsonschema:"begun, spoken, shown, ran, escalated, failed, acknowledged, snoozed, missed, skipped or restored"`
	Channel string    `json:"channel,omitempty" jsonschema:"voice, terminal, desktop, webhook, or the door through which the user answered"`
	Promise int64     `json:"promise"`
	Kind    string    `json:"kind"`
	Text    string    `json:"text"`
	For     time.Time `json:"for" jsonschema:"the time that was promised"`
	Late    int64     `json:"late_ms"`
	Again   bool      `json:"again,omitempty" jsonschema:"told as a repeat"`
	Note    string    `json:"note,omitempty"`
}

// Approvals wait for the user's word.
type Approvals interface {
	Approvals(ctx context.Context) ([]ApprovalView, error)
	// Decide takes the user's yes or no, does what was agreed to and gives what is to be said.
	Decide(ctx context.Context, id string, granted bool) (say string, err error)
}

// ApprovalView is what the user would agree to, whole.
type ApprovalView struct {
	ID        string           `json:"id"`
	Say       string           `json:"say"`
	Tool      string           `json:"tool,omitempty"`
	Arguments json.RawMessage  `json:"arguments,omitempty"`
	Provider  string           `json:"provider,omitempty"`
	Model     string           `json:"model,omitempty"`
	Messages  []models.Message `json:"messages,omitempty"`
	Until     time.Time        `json:"until"`
}

// Documents are the user's files that Solo may read.
type Documents interface {
	Documents(ctx context.Context) ([]DocumentView, error)
	// Add keeps a document. Errors: ErrTaken, ErrRefused.
	Add(ctx context.Context, name string, text io.Reader) (DocumentView, error)
	// Remove takes one away that Add kept, or says ErrGone.
	Remove(ctx context.Context, name string) error
}

// DocumentView is one document.
type DocumentView struct {
	Name     string    `json:"name" jsonschema:"its path, seen from its folder"`
	Bytes    int64     `json:"bytes"`
	Changed  time.Time `json:"changed"`
	State    string    `json:"state" jsonschema:"waiting, reading, read or broken"`
	Progress float64   `json:"progress" jsonschema:"0 to 1, while it is read"`
	Why      string    `json:"why,omitempty" jsonschema:"why it is broken"`
	Title    string    `json:"title,omitempty"`
	Kind     string    `json:"kind,omitempty"`
	Pages    int       `json:"pages,omitempty"`
	Passages int       `json:"passages,omitempty"`
	Same     []string  `json:"same,omitempty" jsonschema:"other names of the same content"`
	Handed   bool      `json:"handed" jsonschema:"it lies in Solo's own folder: removing it deletes it"`
}

// Searches find passages of documents, and memories.
type Searches interface {
	// Search gives at most k finds of a kind, "document", "memory" or "all", the best first.
	Search(ctx context.Context, question string, k int, kind string) ([]Found, error)
}

// Found is one passage or memory that answers a question.
type Found struct {
	Kind     string     `json:"kind" jsonschema:"document or memory"`
	ID       int64      `json:"id" jsonschema:"of the passage or the memory"`
	Document string     `json:"document,omitempty" jsonschema:"the document's name"`
	Path     string     `json:"path,omitempty"`
	Page     int        `json:"page,omitempty"`
	Heading  string     `json:"heading,omitempty" jsonschema:"the headings above it"`
	Text     string     `json:"text"`
	Score    float64    `json:"score" jsonschema:"comparable within one answer; more is better"`
	Source   string     `json:"source,omitempty" jsonschema:"who said what is remembered"`
	At       *time.Time `json:"at,omitempty" jsonschema:"when that was"`
	Same     []string   `json:"same,omitempty" jsonschema:"other names of the same document"`
}

// Setting is one effective setting; what is secret is hidden.
type Setting struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Origin string `json:"origin" jsonschema:"default, or the file and line, variable or flag that set it"`
	Doc    string `json:"doc"`
}

// LogLine is one line of the log.
type LogLine struct {
	At      time.Time      `json:"at"`
	Level   string         `json:"level"`
	Part    string         `json:"part"`
	Message string         `json:"message"`
	Fields  map[string]any `json:"fields"`
}

// Engine is one engine as solo doctor tells it.
type Engine struct {
	Job     string `json:"job"`
	Name    string `json:"name"`
	Version string `json:"version"`
	Found   bool   `json:"found"`
	Missing string `json:"missing,omitempty"`
	Mend    string `json:"mend,omitempty" jsonschema:"the command that mends it"`
}

// LanguageModel is one that can be asked.
type LanguageModel struct {
	Engine  string   `json:"engine"`
	ID      string   `json:"id"`
	Bytes   int64    `json:"bytes"`
	Context int      `json:"context"`
	Loaded  bool     `json:"loaded"`
	GPU     int64    `json:"gpu_bytes" jsonschema:"GPU memory in use"`
	Cloud   bool     `json:"cloud"`
	For     []string `json:"for" jsonschema:"kinds of work that it is asked for"`
}
