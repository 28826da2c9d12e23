package approvals_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/consent"
	"github.com/solo-assistant/solo/core/job"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/tool/approvals"
	"github.com/solo-assistant/solo/models"
)

// solo is one life of what works together at an approval: rows, box, book, jobs and the tools of this package.
type solo struct {
	book *consent.Book
	box  *tool.Box
	jobs *job.Jobs
}

// life runs a Solo over the rows at path until do returns.
func life(t *testing.T, path string, sent *[]mail, do func(s solo)) {
	t.Helper()
	db, err := rows.Open(t.Context(), rows.Config{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	user, err := db.User(t.Context(), "owner")
	if err != nil {
		t.Fatal(err)
	}
	kept, events := store.New(db, user), &bus.Bus{}
	s := solo{book: consent.New(consent.Config{Rows: kept.Consent(), Bus: events})}
	s.box = tool.New(tool.Config{Consent: s.book, Spend: s.book.Spend, Bus: events})
	s.jobs = job.New(job.Config{Rows: kept.Jobs(), Bus: events, Kinds: map[string]job.Kind{"newsletter": func(ctx context.Context, r *job.Run) (models.Result, error) {
		return newsletter(ctx, r, s.box)
	}}})
	send := tool.Worded(tool.Of("mail.send", "", models.Outward, func(_ context.Context, m mail) (models.Result, error) {
		*sent = append(*sent, m)
		return tool.Said("Sent to %s.", m.To), nil
	}), "Send {text|quote} to {to}")
	if err := s.box.Add(append(approvals.Tools(approvals.Config{Book: s.book, Box: s.box, Jobs: s.jobs}), send)...); err != nil {
		t.Fatal(err)
	}
	decided := bus.Subscribe[consent.Decided](events, "jobs", 16, bus.Block)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 2)
	go func() { ended <- s.jobs.Serve(ctx) }()
	go func() {
		for _, e := range decided.All(ctx) {
			if err := s.jobs.Wake(ctx, e.Val.ID); err != nil {
				t.Error(err)
			}
		}
		ended <- ctx.Err()
	}()
	synctest.Wait()
	do(s)
	cancel()
	for range 2 {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("ended with %v", err)
		}
	}
	decided.Close()
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// newsletter sends the same to several people; each sending needs a word of its own.
func newsletter(ctx context.Context, r *job.Run, box *tool.Box) (models.Result, error) {
	var at int
	if r.Saved() != nil {
		if err := json.Unmarshal(r.Saved(), &at); err != nil {
			return models.Result{}, err
		}
	}
	ctx = models.WithOrigin(ctx, models.Origin{Channel: "job", Model: true, Outside: true})
	people, approval := []string{"Anna", "Ben"}, r.Approval
	for ; at < len(people); at++ {
		c := *tool.CallOf("mail.send", mail{people[at], "news"})
		if approval == "" {
			return box.Call(ctx, c)
		}
		if _, err := box.Approved(ctx, c, approval); err != nil && !errors.Is(err, tool.ErrDenied) {
			return models.Result{}, err
		}
		approval = ""
		if err := r.Save(ctx, at+1, float64(at+1)/float64(len(people)), "sending"); err != nil {
			return models.Result{}, err
		}
	}
	return tool.Said("That was the newsletter."), nil
}

func TestAJobAsksActsOnceAndGoesOn(t *testing.T) {
	for name, tt := range map[string]struct {
		answer  func(t *testing.T, s solo, ask models.Ask)
		restart bool
		want    []mail
	}{
		"yes":                    {say(true), false, []mail{{"Anna", "news"}, {"Ben", "news"}}},
		"no":                     {say(false), false, []mail{{"Ben", "news"}}},
		"nothing":                {func(*testing.T, solo, models.Ask) { time.Sleep(2 * time.Minute) }, false, []mail{{"Ben", "news"}}},
		"yes, after a restart":   {say(true), true, []mail{{"Anna", "news"}, {"Ben", "news"}}},
		"a yes to something new": {func(t *testing.T, s solo, ask models.Ask) { say(true)(t, s, ask); say(true)(t, s, ask) }, false, []mail{{"Anna", "news"}, {"Ben", "news"}}},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "solo.db")
			synctest.Test(t, func(t *testing.T) {
				var sent []mail
				var id int64
				first := func(s solo) {
					var err error
					if id, err = s.jobs.Start(t.Context(), "newsletter", "send the newsletter", nil); err != nil {
						t.Fatal(err)
					}
					if x := waiting(t, s, id); x.Result.Say != "Send 'news' to Anna. Yes or no?" || len(sent) != 0 {
						t.Fatalf("asked %q, sent %v", x.Result.Say, sent)
					}
				}
				rest := func(s solo) {
					tt.answer(t, s, *waiting(t, s, id).Result.Ask)
					x := waiting(t, s, id)
					if x.Result.Say != "Send 'news' to Ben. Yes or no?" {
						t.Fatalf("then asked %q", x.Result.Say)
					}
					say(true)(t, s, *x.Result.Ask)
					synctest.Wait()
					x, err := s.jobs.Get(t.Context(), id)
					if err != nil || x.State != job.Done || !slices.Equal(sent, tt.want) {
						t.Errorf("ended as %s (%s), sent %v, %v", x.State, x.Why, sent, err)
					}
					if list, err := s.book.Ledger(t.Context(), 9); err != nil || len(list) != len(tt.want) {
						t.Errorf("%d in the ledger, %v", len(list), err)
					}
				}
				if tt.restart {
					life(t, path, &sent, first)
					life(t, path, &sent, rest)
				} else {
					life(t, path, &sent, func(s solo) { first(s); rest(s) })
				}
			})
		})
	}
}

func waiting(t *testing.T, s solo, id int64) job.Job {
	t.Helper()
	synctest.Wait()
	x, err := s.jobs.Get(t.Context(), id)
	if err != nil || x.State != job.Waiting {
		t.Fatalf("the job is %s (%s), %v", x.State, x.Why, err)
	}
	return x
}

// say answers through the tools, as a door does. Another life's box has not asked, and answers through the list.
func say(yes bool) func(t *testing.T, s solo, ask models.Ask) {
	return func(t *testing.T, s solo, ask models.Ask) {
		t.Helper()
		if r, err := s.box.Call(t.Context(), models.Call{Tool: "consent.list"}); err != nil {
			t.Errorf("listing said %q, %v", r.Say, err)
		}
		c := ask.Call
		if !yes {
			c = *ask.No
		}
		if r, err := s.box.Call(t.Context(), c); err != nil && !errors.Is(err, tool.ErrUnknown) {
			t.Errorf("answering said %q, %v", r.Say, err)
		}
		synctest.Wait()
	}
}
