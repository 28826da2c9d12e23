package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/core/job"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/models"
)

// Long work over three lives of Solo, on a real disk: each step is done once, in its order.
func TestJobsGoOnOverARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "solo.db")
	synctest.Test(t, func(t *testing.T) {
		var did []int
		kinds := map[string]job.Kind{"steps": func(ctx context.Context, r *job.Run) (models.Result, error) {
			at := 0
			if r.Saved() != nil {
				if err := json.Unmarshal(r.Saved(), &at); err != nil {
					return models.Result{}, err
				}
			}
			for at < 5 {
				select {
				case <-time.After(time.Minute):
				case <-ctx.Done():
					return models.Result{}, ctx.Err()
				}
				did = append(did, at)
				at++
				if err := r.Save(ctx, at, float64(at)/5, "step"); err != nil {
					return models.Result{}, err
				}
			}
			return models.Result{Say: "All five, " + models.OriginOf(ctx).Speaker + "."}, nil
		}}
		life := func(d time.Duration, do func(j *job.Jobs)) {
			db := must[*rows.DB](t)(rows.Open(t.Context(), rows.Config{Path: path}))
			j := job.New(job.Config{Rows: lend(t, db, "owner").Jobs(), Kinds: kinds})
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- j.Serve(ctx) }()
			do(j)
			time.Sleep(d)
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("Serve ended with %v", err)
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		}
		var id int64
		life(150*time.Second, func(j *job.Jobs) {
			id = must[int64](t)(j.Start(models.WithOrigin(t.Context(), models.Origin{Speaker: "Anna"}), "steps", "five steps", []string{"in"}))
		})
		life(90*time.Second, func(j *job.Jobs) {})
		life(5*time.Minute, func(j *job.Jobs) {
			if x := must[job.Job](t)(j.Get(t.Context(), id)); string(x.Saved) != "3" || x.Progress != 0.6 {
				t.Errorf("in the third life %+v", x)
			}
		})
		life(0, func(j *job.Jobs) {
			x := must[job.Job](t)(j.Get(t.Context(), id))
			if x.State != job.Done || x.Result.Say != "All five, Anna." || !slices.Equal(did, []int{0, 1, 2, 3, 4}) {
				t.Errorf("ended as %+v after %v", x, did)
			}
		})
	})
}

func TestJobsAreKeptToTheLastField(t *testing.T) {
	path, ctx := filepath.Join(t.TempDir(), "solo.db"), t.Context()
	r := lend(t, open(t, path), "owner").Jobs()
	at := time.Date(2026, 11, 21, 16, 20, 0, 7_000_000, time.UTC)
	j := job.Job{Kind: "task", Title: "it", Input: []byte(`{"text":"\u0000 ` + "\u009b" + `"}`), Saved: []byte(`[1, 2]`), State: job.Waiting, Progress: 0.3,
		Doing: "asking", Result: &models.Result{Say: "May I?", Ask: &models.Ask{Call: models.Call{Tool: "a.b", Arguments: []byte(`{}`)}, Approval: "x"}},
		Why: "because", Approval: "x", Origin: models.Origin{Channel: "web", Session: "s", Speaker: "Anna", Model: true, Outside: true, Planned: []string{"a.b"}},
		Tries: 2, Created: at, Changed: at.Add(time.Second)}
	kept := must[job.Job](t)(r.Insert(ctx, j))
	j.ID = kept.ID
	same(t, "inserted", kept, j)
	same(t, "found", must[job.Job](t)(r.Get(ctx, j.ID)), j)
	bare := must[job.Job](t)(r.Insert(ctx, job.Job{Kind: "bare", State: job.Queued}))
	same(t, "waiting", must[[]job.Job](t)(r.In(ctx, job.Waiting)), []job.Job{j})
	same(t, "all", must[[]job.Job](t)(r.List(ctx, 5)), []job.Job{bare, j})
	if _, err := r.Get(ctx, 99); !errors.Is(err, job.ErrUnknown) {
		t.Errorf("unknown: %v", err)
	}
	if err := r.Put(ctx, job.Job{Kind: "task", State: job.Queued}); !errors.Is(err, job.ErrUnknown) {
		t.Errorf("putting without an ID: %v", err)
	}
	j.Saved = json.RawMessage(`"` + strings.Repeat("x", store.MaxText) + `"`)
	if err := r.Put(ctx, j); !errors.Is(err, store.ErrLong) {
		t.Errorf("a huge state: %v", err)
	}
	if err := r.Put(ctx, job.Job{ID: j.ID, Kind: "task", State: "dreaming"}); err == nil {
		t.Error("kept a state that is none")
	}
	if other := lend(t, open(t, path), "guest").Jobs(); len(must[[]job.Job](t)(other.List(ctx, 5))) != 0 {
		t.Error("another user sees the jobs")
	}
}
