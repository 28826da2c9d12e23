package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/solo-assistant/solo/core/job"
	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

// Fault is an error as every route tells it: {"error":{"code","message","hint"}}.
type Fault struct {
	Status  int    `json:"-"`
	Code    string `json:"code"`           // for programs: "no_token"
	Message string `json:"message"`        // for people, one sentence
	Hint    string `json:"hint,omitempty"` // what mends it
	// Type is what clients of the OpenAI API expect beside the code.
	Type  string `json:"type,omitempty"`
	after int    // seconds after which to try again, 0 for nothing said
}

func (f *Fault) Error() string { return f.Message }

// refusal is the body of every error.
type refusal struct {
	Error *Fault `json:"error"`
}

func fault(status int, code, hint, format string, args ...any) *Fault {
	return &Fault{Status: status, Code: code, Hint: hint, Message: fmt.Sprintf(format, args...)}
}

func invalid(format string, args ...any) *Fault {
	return fault(http.StatusBadRequest, "invalid", "GET /openapi.json tells what is understood", format, args...)
}

// known are the errors of the parts behind the door.
var known = []struct {
	err    error
	status int
	code   string
}{
	{ErrMedia, http.StatusUnsupportedMediaType, "unsupported_media"},
	{ErrTooLong, http.StatusRequestEntityTooLarge, "too_long"},
	{ErrGone, http.StatusNotFound, "gone"},
	{ErrTaken, http.StatusConflict, "taken"},
	{ErrUnfit, http.StatusBadRequest, "unfit"},
	{ErrClash, http.StatusConflict, "clash"},
	{ErrRefused, http.StatusUnsupportedMediaType, "refused"},
	{tool.ErrUnknown, http.StatusNotFound, "unknown_tool"},
	{tool.ErrArguments, http.StatusBadRequest, "bad_arguments"},
	{tool.ErrDenied, http.StatusForbidden, "denied"},
	{tool.ErrOften, http.StatusTooManyRequests, "too_often"},
	{job.ErrUnknown, http.StatusNotFound, "unknown_job"},
	{job.ErrOver, http.StatusConflict, "job_over"},
	{job.ErrMany, http.StatusTooManyRequests, "too_many_jobs"},
	{job.ErrKind, http.StatusNotImplemented, "no_such_job_kind"},
	{supervise.ErrUnknown, http.StatusNotFound, "unknown_service"},
	{context.DeadlineExceeded, http.StatusGatewayTimeout, "too_late"},
	{context.Canceled, http.StatusServiceUnavailable, "closing"},
}

// hints tell what mends some of them.
var hints = map[string]string{"unsupported_media": "WAV, MP3, FLAC, Ogg and WebM are read, and MP4 and AAC where ffmpeg is installed"}

// thinking are the errors of language models.
var thinking = []struct {
	err    error
	status int
	code   string
}{
	{models.ErrNoModel, http.StatusNotFound, "model_not_found"},
	{models.ErrTooLong, http.StatusBadRequest, "context_length_exceeded"},
	{models.ErrPrivate, http.StatusForbidden, "private"},
	{models.ErrUnable, http.StatusNotImplemented, "unable"},
	{models.ErrBusy, http.StatusServiceUnavailable, "busy"},
	{models.ErrAbsent, http.StatusServiceUnavailable, "no_engine"},
	{models.ErrUnreachable, http.StatusServiceUnavailable, "engine_away"},
	{models.ErrTooLarge, http.StatusServiceUnavailable, "model_too_large"},
	{models.ErrKey, http.StatusBadGateway, "key_refused"},
	{models.ErrLate, http.StatusGatewayTimeout, "too_late"},
	{models.ErrBroken, http.StatusBadGateway, "broken_answer"},
	{models.ErrNonsense, http.StatusBadGateway, "nonsense"},
}

// faultOf words any error for who asked. What nobody foresaw is told without its text, which may be private.
func faultOf(err error) *Fault {
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	if f, ok := errors.AsType[*fiber.Error](err); ok {
		return faultOfFiber(f)
	}
	for _, e := range thinking {
		if errors.Is(err, e.err) {
			return fault(e.status, e.code, "GET /status tells how the engines are", "%s", models.Excuse(err))
		}
	}
	for _, e := range known {
		if errors.Is(err, e.err) {
			return fault(e.status, e.code, hints[e.code], "%s", err)
		}
	}
	return fault(http.StatusInternalServerError, "internal", "the log tells more", "Something went wrong inside Solo.")
}

func faultOfFiber(e *fiber.Error) *Fault {
	f := fault(e.Code, strings.ReplaceAll(strings.ToLower(http.StatusText(e.Code)), " ", "_"), "", "%s", e.Message)
	switch {
	case e.Code == http.StatusNotFound:
		f.Code, f.Message, f.Hint = "not_found", "There is nothing at this address.", "GET /openapi.json lists what there is"
	case e.Code == http.StatusMethodNotAllowed:
		f.Hint = "GET /openapi.json lists what there is"
	case e.Code == http.StatusBadRequest || e.Code == http.StatusBadGateway: // how a request was broken is of no use to its sender
		f.Status, f.Code, f.Message = http.StatusBadRequest, "bad_request", "The request could not be read."
	}
	return f
}

// refuse writes an error as the answer. A browser that wants a page is told in one.
func (d *Door) refuse(c *fiber.Ctx, err error) error {
	f := faultOf(err)
	if f.Status >= 500 {
		d.c.Log.Warn().Err(err).Str("path", c.Route().Path).Int("status", f.Status).Msg("a request failed")
	}
	told := *f
	if strings.HasPrefix(c.Path(), "/v1/") {
		told.Type = "invalid_request_error"
		if f.Status >= 500 {
			told.Type = "server_error"
		}
	}
	secure(c)
	if f.Status == http.StatusUnauthorized {
		c.Set(fiber.HeaderWWWAuthenticate, `Bearer realm="solo"`)
		if wantsPage(c) {
			return d.lockedPage(c)
		}
	}
	if f.after > 0 {
		c.Set(fiber.HeaderRetryAfter, strconv.Itoa(f.after))
	}
	return c.Status(f.Status).JSON(refusal{&told})
}
