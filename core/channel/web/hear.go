package web

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/solo-assistant/solo/audio"
)

// JobOut names the job that a long recording became.
type JobOut struct {
	Job JobView `json:"job"`
}

// formats are the ways in which a transcript is written, with their media types.
var formats = map[string]string{
	"json": fiber.MIMEApplicationJSON, "verbose_json": fiber.MIMEApplicationJSON, "text": fiber.MIMETextPlainCharsetUTF8,
	"srt": "application/x-subrip; charset=utf-8", "vtt": "text/vtt; charset=utf-8", inEvents: eventStream,
}

// inEvents is how clients of the OpenAI API who ask for a stream are told.
const inEvents = "events"

// asJob is the length of sound from which a recording becomes a job, and longestSound what is taken at all.
const (
	asJob        = 60 // seconds
	longestSound = 4 * 60 * 60
)

func (d *Door) hearRoutes() []route {
	format := param{name: "format", does: "how the transcript is written", is: "string", of: []string{"json", "text", "srt", "vtt", "verbose_json"}}
	gives := []string{fiber.MIMEApplicationJSON, "text/plain", "application/x-subrip", "text/vtt"}
	return []route{
		{method: http.MethodPost, path: "/transcribe", does: "makes text of a recording: the body itself, or the part \"file\" of a form. A long one becomes a job (202)",
			takes: "application/octet-stream", gives: gives, query: []param{format}, handle: d.transcribe},
		{method: http.MethodPost, path: "/v1/audio/transcriptions", does: "makes text of a recording, as the OpenAI API does", takes: fiber.MIMEMultipartForm, gives: gives, handle: d.v1Transcribe},
	}
}

// sound opens what was uploaded. It is there until the handler returns.
func sound(c *fiber.Ctx) (f io.ReadSeeker, name string, done func(), err error) {
	if !strings.HasPrefix(strings.ToLower(c.Get(fiber.HeaderContentType)), fiber.MIMEMultipartForm) {
		body := c.Request().Body()
		if len(body) == 0 {
			return nil, "", nil, invalid("There is no sound in the body.")
		}
		return bytes.NewReader(body), "recording", func() {}, nil
	}
	head, err := c.FormFile("file")
	if err != nil {
		return nil, "", nil, invalid("The form has no part named file.")
	}
	part, err := head.Open()
	if err != nil {
		return nil, "", nil, err
	}
	return part, short(filepath.Base(head.Filename)), func() { _ = part.Close() }, nil
}

// heard measures and reads a recording, unless it is so long that it becomes a job.
func (d *Door) heard(c *fiber.Ctx, format string, aside bool) error {
	if err := unless(d.c.Hear != nil, "recogniser"); err != nil {
		return err
	}
	if format == "" {
		format = "json"
	}
	if formats[format] == "" {
		return invalid("format must be json, text, srt, vtt or verbose_json.")
	}
	f, name, done, err := sound(c)
	if err != nil {
		return err
	}
	defer done()
	if err := d.begin(); err != nil {
		return err
	}
	defer d.asks.give()
	ctx, cancel := context.WithTimeout(c.UserContext(), d.c.Patience)
	defer cancel()
	length, err := d.c.Hear.Length(ctx, f)
	switch {
	case err != nil:
		return lateOr(ctx, err)
	case length.Seconds() > longestSound:
		return ErrTooLong
	case aside && length.Seconds() > asJob && d.c.Jobs != nil && d.c.Uploads != "":
		return d.putAside(c, f, name)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	pieces, err := d.c.Hear.Transcribe(ctx, f, func(float64) {})
	if err != nil && !errors.Is(err, audio.ErrNoSpeech) {
		return lateOr(ctx, err)
	}
	return write(c, format, transcriptOf(pieces, length))
}

func write(c *fiber.Ctx, format string, t Transcript) error {
	text, err := t.in(format)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, formats[format])
	return c.SendString(text)
}

func (d *Door) transcribe(c *fiber.Ctx) error { return d.heard(c, c.Query("format"), true) }

func (d *Door) v1Transcribe(c *fiber.Ctx) error {
	if !strings.HasPrefix(strings.ToLower(c.Get(fiber.HeaderContentType)), fiber.MIMEMultipartForm) {
		return fault(http.StatusUnsupportedMediaType, "no_form", "send multipart/form-data with the part file", "The body must be a form.")
	}
	format := c.FormValue("response_format")
	if c.FormValue("stream") == "true" {
		format = inEvents
	}
	return d.heard(c, format, false)
}

// putAside keeps an upload for the job that will read it.
func (d *Door) putAside(c *fiber.Ctx, f io.ReadSeeker, name string) error {
	path, err := d.keep(f)
	if err != nil {
		return err
	}
	ctx := c.UserContext()
	id, err := d.c.Jobs.Start(ctx, TranscribeKind, "transcribing "+name, recording{Path: path, Name: name})
	if err != nil {
		return errors.Join(err, os.Remove(path))
	}
	j, err := d.c.Jobs.Get(ctx, id)
	if err != nil {
		return err
	}
	c.Location("/jobs/" + viewOf(j).address())
	return c.Status(http.StatusAccepted).JSON(JobOut{viewOf(j)})
}

func (d *Door) keep(f io.ReadSeeker) (path string, err error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	if err := os.MkdirAll(d.c.Uploads, 0o700); err != nil {
		return "", err
	}
	out, err := os.CreateTemp(d.c.Uploads, "recording-*")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(out, f)
	if err = errors.Join(err, out.Close()); err != nil {
		return "", errors.Join(err, os.Remove(out.Name()))
	}
	return filepath.Abs(out.Name())
}
