package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/core/job"
	"github.com/solo-assistant/solo/models"
)

// JobView is a job as the door shows it.
type JobView struct {
	ID       int64           `json:"id"`
	Kind     string          `json:"kind"`
	Title    string          `json:"title"`
	State    string          `json:"state" jsonschema:"queued, running, waiting, done, failed or cancelled"`
	Progress float64         `json:"progress" jsonschema:"0 to 1"`
	Doing    string          `json:"doing,omitempty"`
	Say      string          `json:"say,omitempty" jsonschema:"what came of it, in words"`
	Data     json.RawMessage `json:"data,omitempty"`
	Why      string          `json:"why,omitempty" jsonschema:"why it failed"`
	Approval string          `json:"approval,omitempty" jsonschema:"the approval that it waits for"`
	Created  time.Time       `json:"created"`
	Changed  time.Time       `json:"changed"`
}

// JobList is the last jobs, the newest first.
type JobList struct {
	Jobs []JobView `json:"jobs"`
}

func viewOf(j job.Job) JobView {
	v := JobView{ID: j.ID, Kind: j.Kind, Title: j.Title, State: string(j.State), Doing: j.Doing, Why: j.Why, Created: j.Created, Changed: j.Changed}
	if !math.IsNaN(j.Progress) {
		v.Progress = min(max(j.Progress, 0), 1)
	}
	if j.State == job.Waiting {
		v.Approval = j.Approval
	}
	if j.Result != nil {
		v.Say = j.Result.Say
		if json.Valid(j.Result.Data) {
			v.Data = j.Result.Data
		}
	}
	return v
}

func (v JobView) address() string { return strconv.FormatInt(v.ID, 10) }

func (d *Door) jobRoutes() []route {
	view := reflect.TypeFor[JobView]()
	return []route{
		{method: http.MethodGet, path: "/jobs", does: "lists the last jobs, the newest first", out: reflect.TypeFor[JobList](), handle: d.listJobs,
			query: []param{{name: "n", does: "how many, 1 to 200", is: "integer"}}},
		{method: http.MethodGet, path: "/jobs/:id", does: "tells how a job stands", out: view, handle: d.withJob(func(c *fiber.Ctx, j job.Job) error { return c.JSON(viewOf(j)) })},
		{method: http.MethodGet, path: "/jobs/:id/transcript", does: "gives what a finished job of a recording heard", gives: []string{fiber.MIMEApplicationJSON, "text/plain", "application/x-subrip", "text/vtt"},
			query: []param{{name: "format", does: "how it is written", is: "string", of: []string{"json", "text", "srt", "vtt", "verbose_json"}}}, handle: d.withJob(jobTranscript)},
		{method: http.MethodDelete, path: "/jobs/:id", does: "cancels a job", status: http.StatusNoContent, handle: d.withJob(d.cancelJob)},
	}
}

func (d *Door) listJobs(c *fiber.Ctx) error {
	if err := unless(d.c.Jobs != nil, "jobs"); err != nil {
		return err
	}
	n, err := strconv.Atoi(c.Query("n", "50"))
	if err != nil || n < 1 || n > 200 {
		return invalid("n must be 1 to 200.")
	}
	list, err := d.c.Jobs.List(c.UserContext(), n)
	if err != nil {
		return err
	}
	out := JobList{Jobs: []JobView{}}
	for _, j := range list {
		out.Jobs = append(out.Jobs, viewOf(j))
	}
	return c.JSON(out)
}

// withJob finds the job that an address names.
func (d *Door) withJob(do func(*fiber.Ctx, job.Job) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if err := unless(d.c.Jobs != nil, "jobs"); err != nil {
			return err
		}
		id, err := strconv.ParseInt(c.Params("id"), 10, 64)
		if err != nil {
			return fmt.Errorf("%w: %s", job.ErrUnknown, short(c.Params("id")))
		}
		j, err := d.c.Jobs.Get(c.UserContext(), id)
		if err != nil {
			return err
		}
		return do(c, j)
	}
}

func (d *Door) cancelJob(c *fiber.Ctx, j job.Job) error {
	if err := d.c.Jobs.Cancel(c.UserContext(), j.ID); err != nil {
		return err
	}
	return c.SendStatus(http.StatusNoContent)
}

func jobTranscript(c *fiber.Ctx, j job.Job) error {
	format := c.Query("format", "json")
	if formats[format] == "" {
		return invalid("format must be json, text, srt, vtt or verbose_json.")
	}
	var t Transcript
	if j.Kind != TranscribeKind || j.State != job.Done || j.Result == nil || json.Unmarshal(j.Result.Data, &t) != nil {
		return fault(http.StatusConflict, "no_transcript", "GET /jobs/"+viewOf(j).address()+" tells how it stands", "This job has no transcript, or not yet.")
	}
	return write(c, format, t)
}

// TranscribeKind is the kind of the jobs that long recordings become.
const TranscribeKind = "transcribe"

// recording is the input of such a job.
type recording struct {
	Path string `json:"path"` // of a copy that the job removes
	Name string `json:"name"`
}

// Transcription is the job.Kind for TranscribeKind.
func Transcription(t Transcriber) job.Kind {
	return func(ctx context.Context, r *job.Run) (models.Result, error) {
		var in recording
		if err := json.Unmarshal(r.Input(), &in); err != nil {
			return models.Result{}, fmt.Errorf("read which recording: %w", err)
		}
		out, err := transcribeFile(ctx, t, in.Path, func(far float64) error { return r.Save(ctx, nil, far, "listening to "+in.Name) })
		if ctx.Err() == nil || errors.Is(context.Cause(ctx), job.ErrCancelled) { // else the next start goes on
			err = errors.Join(err, os.Remove(in.Path))
		}
		if err != nil {
			return models.Result{}, fmt.Errorf("transcribe %s: %w", in.Name, err)
		}
		data, err := json.Marshal(out)
		return models.Result{Say: "I have written down " + in.Name + ".", Data: data}, err
	}
}

func transcribeFile(ctx context.Context, t Transcriber, path string, save func(float64) error) (Transcript, error) {
	f, err := os.Open(path)
	if err != nil {
		return Transcript{}, err
	}
	defer f.Close()
	length, err := t.Length(ctx, f)
	if err != nil {
		return Transcript{}, err
	}
	if _, err := f.Seek(0, 0); err != nil {
		return Transcript{}, err
	}
	var saving error
	pieces, err := t.Transcribe(ctx, f, func(far float64) {
		if saving == nil {
			saving = save(far)
		}
	})
	if errors.Is(err, audio.ErrNoSpeech) {
		err = nil
	}
	return transcriptOf(pieces, length), errors.Join(err, saving)
}
