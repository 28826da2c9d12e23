package whisper

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// reading is what the server made of some sound.
type reading struct {
	segments []segment
	language string
}

// segment is a piece of text whose sound lies together.
type segment struct {
	text       string
	words      []audio.Word // counted from the sound's beginning
	start, end time.Duration
	sure       float64 // 0 to 1, the mean of its words
	silent     float64 // 0 to 1, how surely the model takes it for no speech
}

// listen has the server decode some sound. A server that dies is asked again once, when it is up again.
func (e *Engine) listen(ctx context.Context, pcm []int16, prompt string) (reading, error) {
	for again := false; ; again = true {
		e.begin()
		if e.inside != nil {
			defer e.end()
			return e.inside.read(ctx, pcm, prompt)
		}
		r, err := e.once(ctx, pcm, prompt)
		e.end()
		if again || !errors.Is(err, errBroken) || ctx.Err() != nil {
			return r, err
		}
	}
}

// errBroken marks an answer that did not come because the server is gone.
var errBroken = errors.New("whisper-server broke off")

func (e *Engine) begin() {
	e.touch()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.busy++
}

func (e *Engine) end() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.busy--
	e.last = time.Now()
}

func (e *Engine) once(ctx context.Context, pcm []int16, prompt string) (reading, error) {
	l, err := e.answering(ctx)
	if err != nil {
		return reading{}, err
	}
	body, kind, err := e.form(pcm, prompt)
	if err != nil {
		return reading{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.base+"/inference", body)
	if err != nil {
		return reading{}, err
	}
	req.Header.Set("Content-Type", kind)
	reply, err := l.client.Do(req)
	if err != nil {
		return reading{}, l.because(ctx, err)
	}
	defer reply.Body.Close()
	page, err := io.ReadAll(io.LimitReader(reply.Body, 8<<20))
	if err != nil {
		return reading{}, l.because(ctx, err)
	}
	if reply.StatusCode != http.StatusOK {
		return reading{}, fmt.Errorf("whisper-server answered %d: %.200s", reply.StatusCode, page)
	}
	return parse(page, audio.Time(int64(len(pcm)), audio.Rate))
}

// because waits a moment for the server's last words, which say more than a broken connection.
func (l *life) because(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	select {
	case <-l.gone:
		return fmt.Errorf("%w: %w", errBroken, l.err)
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(300 * time.Millisecond):
		return fmt.Errorf("%w: %w", errBroken, err)
	}
}

// form is a request: the sound as WAV, and how to decode it.
func (e *Engine) form(pcm []int16, prompt string) (io.Reader, string, error) {
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	fields := [][2]string{{"response_format", "verbose_json"}, {"temperature", "0.0"}, {"no_language_probabilities", "true"}, {"suppress_nst", "true"},
		{"no_speech_thold", strconv.FormatFloat(e.conf.NoSpeech, 'f', 2, 64)}, {"audio_ctx", strconv.Itoa(span(len(pcm)))}}
	if prompt != "" {
		fields = append(fields, [2]string{"prompt", prompt})
	}
	var errs []error
	for _, f := range fields {
		errs = append(errs, w.WriteField(f[0], f[1]))
	}
	file, err := w.CreateFormFile("file", "said.wav")
	errs = append(errs, err)
	if err == nil {
		errs = append(errs, audio.WriteWAV(file, audio.Clip{Format: audio.Mono16k, PCM: pcm}))
	}
	errs = append(errs, w.Close())
	return &body, w.FormDataContentType(), errors.Join(errs...)
}

const (
	step    = audio.Rate / 50 // samples that one position of the encoder stands for
	whole   = 1500            // positions of a window of 30 s
	margin  = 64              // positions beyond the sound: without them the model repeats itself
	leastly = 256             // fewer are not asked for: 5 s cost little
)

// span is how much of the encoder's window some sound needs, 0 for all of it. Half the window takes a third of the time.
func span(samples int) int {
	n := (samples+step-1)/step + margin
	n = (n + 63) / 64 * 64
	if n >= whole {
		return 0
	}
	return max(n, leastly)
}

// answer is the server's verbose_json, as far as it is used.
type answer struct {
	Language string `json:"language"`
	Error    string `json:"error"`
	Segments []struct {
		Text     string  `json:"text"`
		Start    float64 `json:"start"`
		End      float64 `json:"end"`
		LogProb  float64 `json:"avg_logprob"`
		NoSpeech float64 `json:"no_speech_prob"`
		Words    []struct {
			Word  string  `json:"word"`
			Start float64 `json:"start"`
			End   float64 `json:"end"`
		} `json:"words"`
	} `json:"segments"`
}

// parse reads an answer about sound of that length. It takes nothing for granted.
func parse(page []byte, long time.Duration) (reading, error) {
	var a answer
	if err := json.Unmarshal(page, &a); err != nil {
		return reading{}, fmt.Errorf("whisper-server's answer cannot be read: %w", err)
	}
	if a.Error != "" {
		return reading{}, fmt.Errorf("whisper-server says %.200q", a.Error)
	}
	r := reading{language: a.Language}
	for _, s := range a.Segments {
		seg := segment{text: strings.TrimSpace(tidy(s.Text)), start: at(s.Start, long), end: at(s.End, long),
			sure: chance(math.Exp(min(0, s.LogProb))), silent: chance(s.NoSpeech)}
		for _, t := range s.Words {
			seg.token(tidy(t.Word), at(t.Start, long), at(t.End, long))
		}
		if seg.text != "" {
			r.segments = append(r.segments, seg)
		}
	}
	return r, nil
}

// token adds a piece of a word: one that begins with a space begins a word.
func (s *segment) token(text string, start, end time.Duration) {
	if strings.HasPrefix(text, "[_") || text == "" {
		return // a mark such as [_BEG_]
	}
	if n := len(s.words); n > 0 && !strings.HasPrefix(text, " ") {
		s.words[n-1].Text += text
		s.words[n-1].End = max(s.words[n-1].End, end)
		return
	}
	if text = strings.TrimSpace(text); text != "" {
		s.words = append(s.words, audio.Word{Text: text, Start: start, End: end})
	}
}

// at is a time in seconds, held within the sound.
func at(seconds float64, long time.Duration) time.Duration {
	if math.IsNaN(seconds) || seconds < 0 {
		return 0
	}
	return time.Duration(min(seconds, long.Seconds()) * float64(time.Second))
}

func chance(p float64) float64 {
	if math.IsNaN(p) {
		return 0
	}
	return min(max(p, 0), 1)
}

// tidy takes out what is no text.
func tidy(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\uFFFD' || r < ' ' && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}
