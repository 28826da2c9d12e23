package openai

import "encoding/json"

// The shapes of an answer that Solo uses, of a stream's chunk and of a whole answer alike.
type (
	chunk struct {
		Model   string          `json:"model"`
		Choices []choice        `json:"choices"`
		Usage   *usage          `json:"usage"`
		Timings *timings        `json:"timings"`
		Error   json.RawMessage `json:"error"`
	}
	choice struct {
		Delta   said   `json:"delta"`
		Message said   `json:"message"`
		Finish  string `json:"finish_reason"`
	}
	said struct {
		Content   string  `json:"content"`
		Refusal   string  `json:"refusal"`
		Reasoning string  `json:"reasoning_content"` // llama-server, DeepSeek, vLLM
		Thinking  string  `json:"reasoning"`         // Groq, OpenRouter
		Calls     []piece `json:"tool_calls"`
	}
	piece struct {
		Index    *int   `json:"index"`
		ID       string `json:"id"`
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"` // a JSON text; some servers send an object
		} `json:"function"`
	}
	usage struct {
		Prompt    int `json:"prompt_tokens"`
		Generated int `json:"completion_tokens"`
		Details   struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	}
	// timings are llama-server's.
	timings struct {
		Cached    int     `json:"cache_n"`
		Read      int     `json:"prompt_n"`
		Reading   float64 `json:"prompt_ms"`
		Generated int     `json:"predicted_n"`
		Writing   float64 `json:"predicted_ms"`
	}
)
