package web_test

import (
	"context"
	"net/url"
	"testing"

	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/models"
)

// calm is an assistant that knows nothing and is never upset.
type calm struct{}

func (calm) Ask(_ context.Context, text string, tell func(web.Piece)) (web.Reply, error) {
	tell(web.Piece{Sentence: text})
	return web.Reply{Text: text, Turn: 1}, nil
}

func (calm) Call(_ context.Context, c models.Call) (models.Result, error) {
	return models.Result{Say: c.Tool, Data: c.Arguments}, nil
}

// targets are the routes that take something from their caller.
var targets = []struct{ method, path string }{{"POST", "/chat"}, {"POST", "/command"}, {"POST", "/v1/chat/completions"}, {"POST", "/v1/embeddings"},
	{"POST", "/v1/audio/speech"}, {"POST", "/v1/audio/transcriptions"}, {"POST", "/transcribe"}, {"GET", "/jobs"}, {"GET", "/jobs/1"}, {"GET", "/jobs/1/transcript"},
	{"GET", "/ws"}, {"GET", "/login"}, {"POST", "/services/restart"}, {"GET", "/status"}, {"GET", "/assets/x.js"}, {"GET", "/docs"}}

// No request of the owner's makes the server fail, and every refusal says why.
func FuzzHandlers(f *testing.F) {
	h := openDoor(f, func(c *web.Config) {
		c.Assistant, c.Models, c.Hear, c.Voice, c.Status, c.Restart = calm{}, &choir{}, scribe{}, scribe{}, status, func(string) error { return nil }
	})
	for i := range targets {
		for _, body := range bodies {
			if len(body) < 1000 {
				f.Add(byte(i), body, "application/json", "format=srt&n=1&after=3&run=x", "text/event-stream")
			}
		}
		f.Add(byte(i), "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nab\r\n--x--\r\n", "multipart/form-data; boundary=x", "", "")
	}
	f.Fuzz(func(t *testing.T, which byte, body, kind, query, accept string) {
		to := targets[int(which)%len(targets)]
		resp, text, err := h.try(to.method, to.path+"?"+url.PathEscape(query), body, header{"Content-Type": kind, "Accept": accept})
		if err != nil {
			return // a header that HTTP cannot carry, or a form that was cut
		}
		if s := resp.StatusCode; s == 500 || s == 504 {
			t.Fatalf("%s %s: got %d %.300s", to.method, to.path, s, text)
		}
		if resp.StatusCode >= 400 && codeOf(text) == "" && resp.Header.Get("Content-Type") == "application/json" {
			t.Fatalf("%s %s: got %d %.300s", to.method, to.path, resp.StatusCode, text)
		}
	})
}
