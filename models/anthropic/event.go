package anthropic

import "encoding/json"

// The shapes of an answer that Solo uses.
type (
	event struct {
		Type    string `json:"type"`
		Index   int    `json:"index"`
		Message reply  `json:"message"`       // message_start
		Block   piece  `json:"content_block"` // content_block_start
		Delta   struct {
			Type   string `json:"type"`
			Text   string `json:"text"`
			JSON   string `json:"partial_json"`
			Reason string `json:"stop_reason"` // message_delta
		} `json:"delta"`
		Usage usage `json:"usage"` // message_delta
	}
	reply struct {
		Model   string  `json:"model"`
		Content []piece `json:"content"`
		Reason  string  `json:"stop_reason"`
		Usage   usage   `json:"usage"`
	}
	piece struct {
		Type  string          `json:"type"`
		Text  string          `json:"text"`
		ID    string          `json:"id"`
		Name  string          `json:"name"`
		Input json.RawMessage `json:"input"`
	}
	usage struct {
		Input   int `json:"input_tokens"` // neither read from the cache nor written to it
		Read    int `json:"cache_read_input_tokens"`
		Written int `json:"cache_creation_input_tokens"`
		Output  int `json:"output_tokens"`
	}
)
