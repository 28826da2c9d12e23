package models

import (
	"encoding/json"
	"time"
)

// Role says whose words a message holds.
type Role string

const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool" // what a tool gave back
)

// Message is one piece of a conversation with a language model.
type Message struct {
	Role  Role       `json:"role"`
	Text  string     `json:"text,omitempty"`
	Calls []ToolCall `json:"calls,omitempty"` // of the assistant, where the engine calls tools natively
	For   string     `json:"for,omitempty"`   // ID of the ToolCall that a Tool message answers
}

// ToolCall is a call made by a model in its engine's own way.
type ToolCall struct {
	ID string `json:"id"`
	Call
}

// Work is the kind of work that a request is for; a model can be chosen for each.
type Work string

const (
	Quick       Work = "quick"       // an answer that someone waits for
	Planning    Work = "planning"    // planning and criticising
	Summarizing Work = "summarizing" // making long text short
	Coding      Work = "coding"      // writing abilities
	Deep        Work = "deep"        // thinking deeply, which may be a cloud's
)

// Request asks a language model to go on with a conversation.
type Request struct {
	Work     Work      // "" is Quick
	Model    string    // "" is the engine's own choice
	Messages []Message // oldest first
	// Schema is the JSON schema that the whole answer must fit, nil for free text. An engine that cannot
	// enforce it asks for JSON in words; the asker checks the answer either way.
	Schema json.RawMessage
	// Tools are offered natively. Engines without native calls ignore them.
	Tools []Spec
	// MaxTokens bounds the answer; 0 is the engine's limit, -1 none at all: the prompt is read and kept ready.
	MaxTokens   int
	Temperature float64 // 0 is deterministic, at most 2
	Stop        []string
}

// Delta is what a model said since the Delta before.
type Delta struct {
	Text  string    // a piece of the answer
	Call  *ToolCall // a native call, whole
	Usage *Usage    // comes once, last
}

// Usage is what one request cost.
type Usage struct {
	Engine    string `json:"engine"`
	Model     string `json:"model"`
	Prompt    int    `json:"prompt_tokens"`           // with those out of the cache
	Cached    int    `json:"cached_tokens,omitempty"` // of the prompt, read before
	Generated int    `json:"generated_tokens"`
	Finish    string `json:"finish,omitempty"` // "stop", "length" or "tool"
	// Times as the engine measured them, 0 where it does not tell.
	Reading time.Duration `json:"reading_ns,omitempty"` // of the prompt
	Writing time.Duration `json:"writing_ns,omitempty"` // of the answer
	Loading time.Duration `json:"loading_ns,omitempty"` // of the model
}

// Info describes a model that an engine can run.
type Info struct {
	ID      string `json:"id"`
	Engine  string `json:"engine"`
	Bytes   int64  `json:"bytes,omitempty"`   // of its weights
	Context int    `json:"context,omitempty"` // tokens that fit
	Loaded  bool   `json:"loaded,omitempty"`
	GPU     int64  `json:"gpu_bytes,omitempty"` // GPU memory in use
	Cloud   bool   `json:"cloud,omitempty"`     // what it is asked leaves the user's machines
}

// Answer is a piece of what is to be said to the user. Ask, on the last piece, is a question that it leaves open.
type Answer struct {
	Text string
	Ask  *Ask
}
