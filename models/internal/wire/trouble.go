package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode"

	"github.com/solo-assistant/solo/models"
)

const longestLine = 300 // bytes of a server's words that go into an error

// Refusal is a server's no, as its page told it.
type Refusal struct {
	Status int
	Words  string // one line
	Kind   string // the server's own name for it, such as "exceed_context_size_error"
	Param  string // the field of the request that it does not like
	engine string
	is     error
}

func (r *Refusal) Error() string {
	s := fmt.Sprintf("%s: %v (%d)", r.engine, r.is, r.Status)
	if r.Words != "" {
		s += ": " + r.Words
	}
	return s
}

func (r *Refusal) Unwrap() error { return r.is }

// refusal reads a page of error.
func (p *Peer) refusal(reply *http.Response) error {
	page, _ := io.ReadAll(io.LimitReader(reply.Body, longestRefusal)) // what could be read of it will do
	return p.Refused(reply.StatusCode, page)
}

// Refused makes an error of a server's no. The page may be JSON in one of the usual shapes, or any text.
// A status of 0 stands for an error that came within a stream.
func (p *Peer) Refused(status int, page []byte) error {
	r := &Refusal{Status: status, engine: p.name}
	r.read(page)
	if strings.HasPrefix(r.Words, "{") { // Ollama hands on llama-server's whole page as its words
		r.read([]byte(r.Words))
	}
	r.Words = p.hide(Line(r.Words))
	r.is = r.meaning()
	return r
}

// read finds the words in {"error":{"message","type","code","param"}}, {"error":"words"} or {"message":"words"}.
func (r *Refusal) read(page []byte) {
	var shape struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	r.Words = string(page)
	if json.Unmarshal(page, &shape) != nil {
		return
	}
	var inner struct {
		Message string          `json:"message"`
		Type    string          `json:"type"`
		Code    json.RawMessage `json:"code"`
		Param   string          `json:"param"`
	}
	var words string
	switch {
	case shape.Error != nil && json.Unmarshal(shape.Error, &words) == nil:
		r.Words = words
	case shape.Error != nil && json.Unmarshal(shape.Error, &inner) == nil:
		code := strings.Trim(string(inner.Code), `"`)
		r.Words, r.Kind, r.Param = inner.Message, strings.Trim(inner.Type+" "+code, " "), inner.Param
	case shape.Message != "":
		r.Words = shape.Message
	case shape.Detail != nil:
		r.Words = string(shape.Detail)
	}
}

// meaning finds the error that a door understands.
func (r *Refusal) meaning() error {
	says := strings.ToLower(r.Kind + " " + r.Words)
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(says, p) {
				return true
			}
		}
		return false
	}
	switch {
	case r.Status == http.StatusUnauthorized || r.Status == http.StatusForbidden || r.Status == http.StatusPaymentRequired ||
		has("authentication_error", "permission_error", "insufficient_quota", "billing", "credit balance"):
		return models.ErrKey
	case r.Status == http.StatusRequestEntityTooLarge || has("exceed_context_size", "context_length_exceeded", "maximum context length", "context size", "context window", "prompt is too long", "input length exceeds"):
		return models.ErrTooLong
	case r.Status == http.StatusTooManyRequests || r.Status == http.StatusServiceUnavailable || r.Status == 529 || has("overloaded_error", "rate_limit"):
		return models.ErrBusy
	case r.Status == http.StatusNotImplemented || has("does not support"):
		return models.ErrUnable
	case r.Status == http.StatusNotFound || has("model_not_found", "not_found_error", "file does not exist"):
		return models.ErrNoModel
	case has("out of memory", "requires more system memory", "unable to allocate"):
		return models.ErrTooLarge
	case r.Status == http.StatusRequestTimeout || r.Status == http.StatusGatewayTimeout:
		return models.ErrLate
	case r.Status == http.StatusBadGateway:
		return models.ErrUnreachable
	case r.Status/100 == 4:
		return models.ErrUnable // the request is one that this server does not take
	}
	return models.ErrBroken
}

// unsent tells why there was no answer.
func (p *Peer) unsent(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return p.Ended(ctx)
	case errors.Is(err, models.ErrPrivate):
		return fmt.Errorf("%s: %w: %s", p.name, models.ErrPrivate, p.hide(Line(err.Error())))
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s: %w before it began", p.name, models.ErrBroken)
	}
	return fmt.Errorf("%s: %w: %s", p.name, models.ErrUnreachable, p.hide(Line(err.Error())))
}

// Ended tells that ctx is over: ErrLate when its time was up, else the cause of the cancelling.
func (p *Peer) Ended(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%w: %w", models.ErrLate, err)
	}
	if cause == nil || errors.Is(err, cause) {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	return fmt.Errorf("%s: %w: %w", p.name, err, cause)
}

// Broken tells that an answer stopped in the middle, or that ctx ended, whichever is true.
func (p *Peer) Broken(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return p.Ended(ctx)
	case errors.Is(err, models.ErrNonsense):
		return fmt.Errorf("%s: %w", p.name, err)
	case err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s: %w", p.name, models.ErrBroken)
	}
	return fmt.Errorf("%s: %w: %s", p.name, models.ErrBroken, p.hide(Line(err.Error())))
}

// Nonsense tells that the server sent what nobody can read.
func (p *Peer) Nonsense(format string, args ...any) error {
	return fmt.Errorf("%s: %w: %s", p.name, models.ErrNonsense, p.hide(Line(fmt.Sprintf(format, args...))))
}

// quote is the beginning of something unreadable.
func (p *Peer) quote(text []byte) string {
	if len(text) > 60 {
		text = text[:60]
	}
	return fmt.Sprintf("%q", text)
}

// hide cuts the key out of words that are not ours.
func (p *Peer) hide(s string) string {
	if p.secret == "" {
		return s
	}
	return strings.ReplaceAll(s, p.secret, "(hidden)")
}

// Line makes one short printable line of any text.
func Line(s string) string {
	s = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s)), " ")
	if len(s) > longestLine {
		s = strings.ToValidUTF8(s[:longestLine], "") + "..."
	}
	return s
}
