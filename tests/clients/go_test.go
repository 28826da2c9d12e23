package clients

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"
)

// lamp is a tool of the client.
var lamp = []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{Name: "weather", Description: openai.String("tells the weather"),
	Parameters: shared.FunctionParameters{"type": "object", "properties": map[string]any{"city": map[string]string{"type": "string"}}, "required": []string{"city"}}})}

func goClient(t *testing.T) (openai.Client, chan struct{}) {
	t.Helper()
	url, token, begun := door(t)
	return openai.NewClient(option.WithBaseURL(url+"/v1"), option.WithAPIKey(token)), begun
}

func talk(model, text string) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{Model: model, Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage("Be brief."), openai.UserMessage(text)}}
}

func TestGoListsModels(t *testing.T) {
	c, _ := goClient(t)
	list, err := c.Models.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, m := range list.Data {
		ids = append(ids, m.ID)
	}
	if strings.Join(ids, " ") != "solo llama/tiny" {
		t.Errorf("got %q", ids)
	}
	pages := c.Models.ListAutoPaging(t.Context())
	for pages.Next() {
		ids = ids[1:]
	}
	if err := pages.Err(); err != nil || len(ids) != 0 {
		t.Errorf("%d left, %v", len(ids), err)
	}
	for _, id := range []string{"solo", "llama/tiny"} {
		if m, err := c.Models.Get(t.Context(), id); err != nil || m.ID != id {
			t.Errorf("%s: got %+v %v", id, m, err)
		}
	}
	wrong(t, func() error { _, err := c.Models.Get(t.Context(), "nobody"); return err }, 404, "model_not_found")
}

func TestGoTalks(t *testing.T) {
	c, _ := goClient(t)
	a, err := c.Chat.Completions.New(t.Context(), talk("solo", "Hello there."))
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Choices) != 1 || a.Choices[0].Message.Content != "You said: Hello there." || a.Choices[0].FinishReason != "stop" || a.Model != "solo" {
		t.Errorf("got %s", a.RawJSON())
	}
	for _, model := range []string{"solo", "tiny", "llama/tiny"} {
		q := talk(model, "Hello there")
		q.StreamOptions = openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)}
		s := c.Chat.Completions.NewStreaming(t.Context(), q)
		var all openai.ChatCompletionAccumulator
		pieces := 0
		for s.Next() {
			pieces++
			if !all.AddChunk(s.Current()) {
				t.Fatalf("%s: piece %d does not fit: %s", model, pieces, s.Current().RawJSON())
			}
		}
		if err := s.Err(); err != nil {
			t.Fatal(err)
		}
		want := map[bool]string{true: "You said: Hello there", false: "Heard Hello there."}[model == "solo"]
		if len(all.Choices) != 1 || all.Choices[0].Message.Content != want || all.Choices[0].FinishReason != "stop" || pieces < 4 {
			t.Errorf("%s: got %+v in %d pieces", model, all.Choices, pieces)
		}
		if model != "solo" && all.Usage.TotalTokens != 10 {
			t.Errorf("%s: usage %+v", model, all.Usage)
		}
	}
}

// A model's calls go to the client, which runs them and says what came of it. Solo's own agent takes no tools of others.
func TestGoRunsTools(t *testing.T) {
	c, _ := goClient(t)
	q := talk("tiny", "What is the weather?")
	q.Tools = lamp
	a, err := c.Chat.Completions.New(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	calls := a.Choices[0].Message.ToolCalls
	if len(calls) != 2 || calls[0].Function.Name != "weather" || calls[1].Function.Arguments != `{"city":"Graz"}` || a.Choices[0].FinishReason != "tool_calls" {
		t.Fatalf("got %s", a.RawJSON())
	}
	s := c.Chat.Completions.NewStreaming(t.Context(), q)
	var all openai.ChatCompletionAccumulator
	done := 0
	for s.Next() {
		all.AddChunk(s.Current())
		if _, ok := all.JustFinishedToolCall(); ok {
			done++
		}
	}
	if err := s.Err(); err != nil || len(all.Choices[0].Message.ToolCalls) != 2 || all.Choices[0].Message.ToolCalls[1].ID != "call_1" || all.Choices[0].Message.ToolCalls[0].Function.Arguments != `{"city":"Bonn"}` || done != 2 {
		t.Errorf("got %+v, %d calls were done, %v", all.Choices[0].Message.ToolCalls, done, err)
	}
	q.Messages = append(q.Messages, a.Choices[0].Message.ToParam(), openai.ToolMessage("rain", calls[0].ID), openai.ToolMessage("sun", calls[1].ID))
	a, err = c.Chat.Completions.New(t.Context(), q)
	if err != nil || a.Choices[0].Message.Content != "Heard sun." {
		t.Errorf("got %+v %v", a, err)
	}
	q = talk("solo", "What is the weather?")
	q.Tools = lamp
	wrong(t, func() error { _, err := c.Chat.Completions.New(t.Context(), q); return err }, 400, "no_client_tools")
}

func TestGoHearsAndSpeaks(t *testing.T) {
	c, _ := goClient(t)
	for format, want := range map[openai.AudioResponseFormat]string{"": "turn on the lamp", openai.AudioResponseFormatJSON: "turn on the lamp", openai.AudioResponseFormatVerboseJSON: "turn on the lamp"} {
		f, err := os.Open(recording(t))
		if err != nil {
			t.Fatal(err)
		}
		a, err := c.Audio.Transcriptions.New(t.Context(), openai.AudioTranscriptionNewParams{File: f, Model: "whisper-1", ResponseFormat: format, Language: openai.String("en"), Temperature: openai.Float(0)})
		f.Close()
		if err != nil || a.Text != want {
			t.Errorf("%s: got %+v %v", format, a, err)
		}
		if format == openai.AudioResponseFormatVerboseJSON && (a.Duration != 1 || a.Language != "english" || len(a.Segments) != 1) {
			t.Errorf("got %s", a.RawJSON())
		}
	}
	f, err := os.Open(recording(t))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	stream, said := c.Audio.Transcriptions.NewStreaming(t.Context(), openai.AudioTranscriptionNewParams{File: f, Model: "gpt-4o-transcribe"}), ""
	for stream.Next() {
		said += stream.Current().Type + " " + stream.Current().Delta + stream.Current().Text + "; "
	}
	if err := stream.Err(); err != nil || said != "transcript.text.delta turn on the lamp; transcript.text.done turn on the lamp; " {
		t.Errorf("got %q %v", said, err)
	}
	wrong(t, func() error {
		_, err := c.Audio.Transcriptions.New(t.Context(), openai.AudioTranscriptionNewParams{File: openai.File(strings.NewReader("no sound"), "a.wav", "audio/wav"), Model: "whisper-1"})
		return err
	}, 415, "unsupported_media")
	for format, head := range map[openai.AudioSpeechNewParamsResponseFormat]string{"wav": "RIFF", "flac": "fLaC", "pcm": "\x00\x00"} {
		resp, err := c.Audio.Speech.New(t.Context(), openai.AudioSpeechNewParams{Input: "Hello", Model: "tts-1", Voice: openai.AudioSpeechNewParamsVoiceUnion{OfString: openai.String("alloy")}, ResponseFormat: format})
		if err != nil {
			t.Fatal(err)
		}
		sound, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || !bytes.HasPrefix(sound, []byte(head)) || len(sound) < 44 {
			t.Errorf("%s: got %d bytes %v", format, len(sound), err)
		}
	}
}

func TestGoEmbeds(t *testing.T) {
	c, _ := goClient(t)
	a, err := c.Embeddings.New(t.Context(), openai.EmbeddingNewParams{Model: "tiny", Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: []string{"one", "three"}}})
	if err != nil || len(a.Data) != 2 || len(a.Data[1].Embedding) != 3 || a.Data[1].Embedding[0] != 5 || a.Data[1].Index != 1 {
		t.Errorf("got %+v %v", a, err)
	}
}

func TestGoIsToldWhatIsWrong(t *testing.T) {
	c, begun := goClient(t)
	wrong(t, func() error {
		_, err := c.Chat.Completions.New(t.Context(), talk("solo", "a"), option.WithAPIKey("sk-none"))
		return err
	}, 401, "no_token")
	wrong(t, func() error { _, err := c.Chat.Completions.New(t.Context(), talk("gpt-9", "a")); return err }, 404, "model_not_found")
	wrong(t, func() error { _, err := c.Chat.Completions.New(t.Context(), talk("solo", "")); return err }, 400, "invalid")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := c.Chat.Completions.New(ctx, talk("solo", "wait"))
		done <- err
	}()
	<-begun
	once := option.WithMaxRetries(0)
	wrong(t, func() error {
		_, err := c.Chat.Completions.New(t.Context(), talk("solo", "a"), once)
		return err
	}, 429, "busy")
	s := c.Chat.Completions.NewStreaming(t.Context(), talk("solo", "a"), once)
	wrong(t, func() error { s.Next(); return s.Err() }, 429, "busy")
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// wrong wants an error of the API.
func wrong(t *testing.T, do func() error, status int, code string) {
	t.Helper()
	began := time.Now()
	var bad *openai.Error
	if err := do(); !errors.As(err, &bad) || bad.StatusCode != status || bad.Code != code || bad.Type == "" || bad.Message == "" {
		t.Errorf("got %v after %v, want %d %s", err, time.Since(began), status, code)
	}
}
