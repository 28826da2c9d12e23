package clients

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/models"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.updateServerDate.func1"),    // one for the life of the program
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*workerPool).Start.func2"), // ends by itself some seconds after its server
		goleak.IgnoreAnyFunction("net/http.(*persistConn).readLoop"),                      // of the client, which closes none
		goleak.IgnoreAnyFunction("net/http.(*persistConn).writeLoop"),
	)
}

// mind repeats what it is told in two sentences, and thinks about "wait" until it is let go.
type mind struct{ begun chan struct{} }

func (m mind) Ask(ctx context.Context, text string, tell func(web.Piece)) (web.Reply, error) {
	if text == "wait" {
		m.begun <- struct{}{}
		<-ctx.Done()
		return web.Reply{}, ctx.Err()
	}
	tell(web.Piece{Action: &web.Action{Tool: "clock.now", Arguments: json.RawMessage(`{}`), Status: "ok"}})
	tell(web.Piece{Sentence: "You said:"})
	tell(web.Piece{Sentence: text})
	return web.Reply{Text: "You said: " + text, Turn: 1}, nil
}

func (mind) Call(context.Context, models.Call) (models.Result, error) {
	return models.Result{}, errors.New("clients of the OpenAI API run no tools of Solo")
}

// runner is a language model that answers in words, calls the first tool that it is given, and reads what a tool said.
type runner struct{}

func (runner) Models(context.Context) ([]models.Info, error) {
	return []models.Info{{Engine: "llama", ID: "tiny"}}, nil
}

func (runner) Embed(_ context.Context, _ string, in []string) (out [][]float32, err error) {
	for _, t := range in {
		out = append(out, []float32{float32(len(t)), 0.25, -1})
	}
	return out, nil
}

func (runner) Stream(_ context.Context, r models.Request) iter.Seq2[models.Delta, error] {
	last := r.Messages[len(r.Messages)-1]
	return func(yield func(models.Delta, error) bool) {
		if len(r.Tools) > 0 && last.Role == models.User {
			for i, city := range []string{"Bonn", "Graz"} {
				call := models.ToolCall{ID: fmt.Sprintf("call_%d", i), Call: models.Call{Tool: r.Tools[0].Name, Arguments: json.RawMessage(`{"city":"` + city + `"}`)}}
				if !yield(models.Delta{Call: &call}, nil) {
					return
				}
			}
		} else {
			for _, w := range []string{"Heard ", last.Text, "."} {
				if !yield(models.Delta{Text: w}, nil) {
					return
				}
			}
		}
		yield(models.Delta{Usage: &models.Usage{Prompt: 7, Generated: 3}}, nil)
	}
}

// ears and mouth take any sound and say every text for half a second.
type ears struct{}

func (ears) Length(_ context.Context, sound io.ReadSeeker) (time.Duration, error) {
	head := make([]byte, 4)
	if _, err := io.ReadFull(sound, head); err != nil || string(head) != "RIFF" {
		return 0, web.ErrMedia
	}
	return time.Second, nil
}

func (ears) Transcribe(context.Context, io.ReadSeeker, func(float64)) ([]web.Segment, error) {
	return []web.Segment{{End: time.Second, Transcript: audio.Transcript{Text: "turn on the lamp", Sure: 0.9}}}, nil
}

func (ears) Speak(context.Context, string, string, float64) (audio.Clip, error) {
	return audio.Clip{Format: audio.Mono16k, PCM: make([]int16, 8000)}, nil
}

// door opens a web door and gives its address and its token.
func door(t *testing.T) (url, token string, begun chan struct{}) {
	t.Helper()
	told := make(chan web.Listening, 1)
	begun = make(chan struct{}, 1)
	d, err := web.New(web.Config{TokenFile: filepath.Join(t.TempDir(), "token"), Listening: func(l web.Listening) { told <- l }, AtOnce: 1,
		Assistant: mind{begun}, Models: runner{}, Hear: ears{}, Voice: ears{}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- d.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	l := <-told
	text, err := os.ReadFile(l.TokenFile)
	if err != nil {
		t.Fatal(err)
	}
	return l.URL, strings.TrimSpace(string(text)), begun
}

// recording is a WAV of a second of silence.
func recording(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "order.wav")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := audio.WriteWAV(f, audio.Clip{Format: audio.Mono16k, PCM: make([]int16, audio.Rate)}); err != nil {
		t.Fatal(err)
	}
	return path
}
