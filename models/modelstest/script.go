// Package modelstest is a model server that plays a script, for tests, and the one suite that every engine passes.
//
// One Script is played over three protocols: OpenAI's chat completions, Anthropic's messages and Ollama's chat.
//
//	srv := modelstest.New(t, modelstest.Script{Turns: []modelstest.Turn{
//		{Text: "Hello there.", Pace: 100},                        // 100 pieces a second
//		{Calls: []models.Call{{Tool: "timers.set", Arguments: json.RawMessage(`{"duration":"PT5M"}`)}}},
//		{Text: "It breaks in the middle of this.", Cut: 300},     // bytes
//	}})
//	engine, err := openai.New(openai.Config{BaseURL: srv.OpenAI()})
//
// The server is strict: what the API's documentation does not know fails the test, as does a missing key. It
// keeps what it was asked (Requests) and when a client went away (Request.Gone, Left).
package modelstest

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/solo-assistant/solo/models"
)

// Script says what the server answers.
type Script struct {
	Turns  []Turn               // one for each chat request, in their order; one request more fails the test
	Answer func(r Request) Turn // decides instead of Turns; may be called by several goroutines at once

	Key     string                      // that every request must carry; "" is none
	Models  []Model                     // that the server has; nil is one, "test-model"
	Embed   func(text string) []float32 // nil is three numbers made of the text
	Timings bool                        // tell times as llama-server does; Ollama always tells them
	// Pull is what Ollama's server tells of a download, in this order; nil is one of 1,000 bytes in ten steps.
	Pull []Progress
	// Llama lets a chat request have llama-server's own fields, and read a prompt without an answer (max_tokens 0),
	// which other servers refuse.
	Llama bool
}

// Model is one that the server has.
type Model struct {
	ID      string
	Bytes   int64
	Context int    // tokens
	Loaded  bool   // Ollama
	GPU     int64  // bytes of GPU memory, Ollama
	Embeds  bool   // it gives embeddings and does not talk, Ollama
	Remote  string // host that it really runs on, Ollama's cloud
}

// Progress is one line of a download.
type Progress struct {
	Status      string
	Done, Total int64
	Error       string
}

// Turn is one answer.
type Turn struct {
	Text     string        // comes in pieces
	Thinking string        // comes in pieces before the text, where the protocol knows thoughts
	Calls    []models.Call // native calls, in pieces after the text; their IDs are "call_1", "call_2" ...
	Delay    time.Duration // before the first piece
	Pace     float64       // pieces a second; 0 is as fast as can be
	Piece    int           // letters of a piece; 0 is 4
	Finish   string        // "stop", "length" or "tool"; "" is "stop", or "tool" after calls
	Usage    models.Usage  // tokens; zero is counted: 4 letters are a token
	NoUsage  bool          // the server does not tell the usage
	Whole    bool          // one JSON value instead of a stream, whatever was asked for

	// Troubles. Each counts in the stream that it disturbs.
	Status  int         // instead of an answer, with Body and Header; Body "" is the protocol's own error
	Body    string      // words of the error, or a whole page when it begins with "{" or "<"
	Header  http.Header // "Retry-After" and so on
	Break   int         // bytes after which the stream ends as if it were whole
	Cut     int         // bytes after which the connection is cut
	Garbage int         // pieces after which comes one that is no JSON
	Huge    int         // bytes of a line that comes first
	Fault   string      // words of an error that comes in the stream after the text
	Hang    int         // pieces after which nothing comes any more until the client goes; -1 is from the beginning, before the status
	Open    bool        // the stream has no end mark and no finish, but ends
}

// Request is one chat that the server was asked for.
type Request struct {
	Protocol    string // "openai", "anthropic" or "ollama"
	Model       string
	Messages    []models.Message // tools by the names that came over the wire
	Schema      json.RawMessage  // nil is none
	Tools       []models.Spec    // Name, Description and Schema
	MaxTokens   int              // 0 where not set, -1 for a prompt that is only read
	Temperature float64
	Stop        []string
	Stream      bool
	Header      http.Header
	Raw         []byte         // the request's JSON
	Fields      map[string]any // the same, read
	At          time.Time      // when it came
	First       time.Time      // when the first piece was sent, zero where none was
	Gone        time.Time      // when the client went away before the end, zero where it stayed
	Sent        int            // pieces
	Over        bool           // the server has nothing more to do for it
}
