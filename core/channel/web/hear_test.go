package web_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/job"
	"github.com/solo-assistant/solo/models"
)

// scribe hears the letters of a "recording", one a second; "?" cannot be read and "." is silence.
type scribe struct{}

func (scribe) Length(_ context.Context, r io.ReadSeeker) (time.Duration, error) {
	text, err := io.ReadAll(r)
	if strings.Contains(string(text), "?") {
		return 0, fmt.Errorf("open: %w", web.ErrMedia)
	}
	return time.Duration(len(text)) * time.Second, err
}

func (scribe) Transcribe(ctx context.Context, r io.ReadSeeker, far func(float64)) (out []web.Segment, err error) {
	text, err := io.ReadAll(r)
	if strings.Trim(string(text), ".") == "" {
		return nil, audio.ErrNoSpeech
	}
	for i, word := range strings.Split(string(text), ".") {
		out = append(out, web.Segment{Start: time.Duration(i) * 3700 * time.Second, End: time.Duration(i)*3700*time.Second + 1500*time.Millisecond, Transcript: audio.Transcript{Text: word, Sure: 0.5}})
	}
	far(1)
	return out, err
}

func (scribe) Speak(_ context.Context, text, voice string, pace float64) (audio.Clip, error) {
	if voice == "nobody" {
		return audio.Clip{}, errors.New("no such voice")
	}
	return audio.Clip{Format: audio.Format{Rate: 16000, Channels: 1}, PCM: make([]int16, int(float64(len(text)*1600)/pace))}, nil
}

// form packs a recording and fields as a browser does.
func form(name, sound string, fields map[string]string) (body, kind string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for k, v := range fields {
		_ = w.WriteField(k, v)
	}
	if name != "" {
		p, _ := w.CreateFormFile(name, "../talk.wav")
		_, _ = io.WriteString(p, sound)
	}
	_ = w.Close()
	return b.String(), w.FormDataContentType()
}

func hearing(t testing.TB, jobs web.Jobs, dir string) *home {
	return openDoor(t, func(c *web.Config) {
		c.Hear, c.Voice, c.Jobs, c.Uploads = scribe{}, scribe{}, jobs, dir
		c.Body, c.Upload, c.Head = 64<<10, 300<<10, 2*time.Second
	})
}

func TestTranscribe(t *testing.T) {
	h := hearing(t, nil, "")
	for query, want := range map[string]string{
		"":                     `{"text":"hello there"}`,
		"?format=json":         `{"text":"hello there"}`,
		"?format=text":         "hello there\n",
		"?format=srt":          "1\n00:00:00,000 --> 00:00:01,500\nhello\n\n2\n01:01:40,000 --> 01:01:41,500\nthere\n\n",
		"?format=vtt":          "WEBVTT\n\n1\n00:00:00.000 --> 00:00:01.500\nhello\n\n2\n01:01:40.000 --> 01:01:41.500\nthere\n\n",
		"?format=verbose_json": `{"task":"transcribe","language":"english","text":"hello there","duration":11,"segments":[{"id":0,"start":0,"end":1.5,"text":"hello","sure":0.5},{"id":1,"start":3700,"end":3701.5,"text":"there","sure":0.5}]}`,
	} {
		if got := h.wants(200, "", "POST", "/transcribe"+query, "hello.there", header{"Content-Type": "audio/wav"}); got != want {
			t.Errorf("%s: %q", query, got)
		}
		body, kind := form("file", "hello.there", nil)
		if got := h.wants(200, "", "POST", "/transcribe"+query, body, header{"Content-Type": kind}); got != want {
			t.Errorf("form %s: %q", query, got)
		}
	}
	if got := h.wants(200, "", "POST", "/transcribe", "...", header{"Content-Type": "audio/wav"}); got != `{"text":""}` {
		t.Error(got)
	}
	h.wants(415, "unsupported_media", "POST", "/transcribe", "??", nil)
	h.wants(400, "invalid", "POST", "/transcribe", "", nil)
	h.wants(400, "invalid", "POST", "/transcribe?format=doc", "a", nil)
	body, kind := form("other", "x", nil)
	h.wants(400, "invalid", "POST", "/transcribe", body, header{"Content-Type": kind})
	h.wants(413, "too_long", "POST", "/transcribe", strings.Repeat("a", 14401), nil)
	openDoor(t, nil).wants(501, "not_here", "POST", "/transcribe", "a", nil)
	// More than a body of JSON may have, but not more than a recording may.
	body, kind = form("file", strings.Repeat(".", 14000), map[string]string{"x": strings.Repeat("y", 200<<10)})
	h.wants(200, "", "POST", "/transcribe", body, header{"Content-Type": kind})
	body, kind = form("file", strings.Repeat(".", 400<<10), nil)
	if resp, text, err := h.try("POST", "/transcribe", body, header{"Content-Type": kind}); err == nil && resp.StatusCode != 413 {
		t.Errorf("got %d %.200s", resp.StatusCode, text)
	}
	body, kind = form("file", strings.Repeat(".", 100<<10), nil)
	if resp, text, err := h.try("POST", "/transcribe", body, header{"Content-Type": kind, "Authorization": ""}); err == nil && resp.StatusCode != 413 && resp.StatusCode != 401 {
		t.Errorf("a stranger's upload got %d %.200s", resp.StatusCode, text)
	}
}

func TestV1Audio(t *testing.T) {
	h := hearing(t, nil, "")
	body, kind := form("file", "hello.there", map[string]string{"model": "whisper-1", "response_format": "text"})
	if got := h.wants(200, "", "POST", "/v1/audio/transcriptions", body, header{"Content-Type": kind}); got != "hello there\n" {
		t.Error(got)
	}
	h.wants(415, "no_form", "POST", "/v1/audio/transcriptions", "{}", nil)
	h.wants(400, "invalid", "POST", "/v1/audio/transcriptions", "--x--", header{"Content-Type": "multipart/form-data; boundary=x"})
	resp, sound := h.ask("POST", "/v1/audio/speech", `{"model":"tts-1","input":"0123456789","voice":"alloy","speed":2,"response_format":"wav"}`, nil)
	if resp.Header.Get("Content-Type") != "audio/wav" || len(sound) != 44+16000 || sound[:4] != "RIFF" || binary.LittleEndian.Uint32([]byte(sound[4:])) != uint32(len(sound)-8) || binary.LittleEndian.Uint32([]byte(sound[24:])) != 16000 {
		t.Errorf("%v, %d bytes", resp.Header, len(sound))
	}
	if resp, sound := h.ask("POST", "/v1/audio/speech", `{"input":"0123456789","response_format":"pcm"}`, nil); resp.Header.Get("Content-Type") != "audio/pcm" || len(sound) != 48000 {
		t.Errorf("%v, %d bytes", resp.Header, len(sound))
	}
	for _, bad := range []string{`{}`, `{"input":"  "}`, `{"input":"a","response_format":"mp4"}`, `{"input":"a","speed":9}`, `{"input":"` + strings.Repeat("a", 5000) + `"}`} {
		h.wants(400, "invalid", "POST", "/v1/audio/speech", bad, nil)
	}
	h.wants(500, "internal", "POST", "/v1/audio/speech", `{"input":"a","voice":"nobody"}`, nil)
}

// shelf keeps jobs in memory.
type shelf struct {
	mu  sync.Mutex
	all []job.Job
}

func (s *shelf) Insert(_ context.Context, j job.Job) (job.Job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j.ID = int64(len(s.all) + 1)
	s.all = append(s.all, j)
	return j, nil
}

func (s *shelf) Put(_ context.Context, j job.Job) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[j.ID-1] = j
	return nil
}

func (s *shelf) Get(_ context.Context, id int64) (job.Job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id < 1 || int(id) > len(s.all) {
		return job.Job{}, job.ErrUnknown
	}
	return s.all[id-1], nil
}

func (s *shelf) List(_ context.Context, n int) (out []job.Job, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := len(s.all) - 1; i >= 0 && len(out) < n; i-- {
		out = append(out, s.all[i])
	}
	return out, nil
}

func (s *shelf) In(_ context.Context, state job.State) (out []job.Job, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range s.all {
		if j.State == state {
			out = append(out, j)
		}
	}
	return out, nil
}

func TestLongRecordingsBecomeJobs(t *testing.T) {
	dir := t.TempDir()
	waits := func(ctx context.Context, _ *job.Run) (models.Result, error) {
		<-ctx.Done()
		return models.Result{}, ctx.Err()
	}
	jobs := job.New(job.Config{Rows: &shelf{}, Kinds: map[string]job.Kind{web.TranscribeKind: web.Transcription(scribe{}), "wait": waits}})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- jobs.Serve(ctx) }()
	defer func() { cancel(); <-done }()
	h := hearing(t, jobs, dir)
	body, kind := form("file", strings.Repeat("hello.there.", 10), nil)
	resp, text := h.ask("POST", "/transcribe", body, header{"Content-Type": kind})
	var got web.JobOut
	if err := json.Unmarshal([]byte(text), &got); err != nil || resp.StatusCode != 202 || resp.Header.Get("Location") != "/jobs/1" || got.Job.Title != "transcribing talk.wav" {
		t.Fatalf("got %d %v %s", resp.StatusCode, resp.Header, text)
	}
	for got.Job.State != "done" {
		if got.Job.State == "failed" {
			t.Fatalf("%+v", got)
		}
		text := h.wants(200, "", "GET", "/jobs/1", "", nil)
		if err := json.Unmarshal([]byte(text), &got.Job); err != nil || strings.Contains(text, dir) {
			t.Fatal(text)
		}
		time.Sleep(time.Millisecond)
	}
	if got := h.wants(200, "", "GET", "/jobs/1/transcript?format=text", "", nil); got != strings.TrimSpace(strings.Repeat("hello there ", 10))+"\n" {
		t.Errorf("%q", got)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	id, err := jobs.Start(t.Context(), "wait", "waiting", nil)
	if err != nil {
		t.Fatal(err)
	}
	one := fmt.Sprint("/jobs/", id)
	h.wants(409, "no_transcript", "GET", one+"/transcript", "", nil)
	h.wants(204, "", "DELETE", one, "", nil)
	h.wants(409, "job_over", "DELETE", one, "", nil)
	if text := h.wants(200, "", "GET", one, "", nil); !strings.Contains(text, `"state":"cancelled"`) {
		t.Error(text)
	}
	if text := h.wants(200, "", "GET", "/jobs?n=1", "", nil); strings.Count(text, `"id"`) != 1 || !strings.Contains(text, fmt.Sprintf(`"id":%d`, id)) {
		t.Error(text)
	}
	for _, bad := range []string{"/jobs/99", "/jobs/x", "/jobs/-1", "/jobs/99999999999999999999", "/jobs/1e3"} {
		h.wants(404, "unknown_job", "GET", bad, "", nil)
	}
	for _, bad := range []string{"?n=0", "?n=-1", "?n=x", "?n=1000"} {
		h.wants(400, "invalid", "GET", "/jobs"+bad, "", nil)
	}
	openDoor(t, nil).wants(501, "not_here", "GET", "/jobs", "", nil)
}
