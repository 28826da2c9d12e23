package brief_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/brief"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var berlin = func() *time.Location {
	z, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		panic(err)
	}
	return z
}()

// at is a time of November 2026, whose 21st is a Saturday.
func at(day, hour, minute int) time.Time { return time.Date(2026, 11, day, hour, minute, 0, 0, berlin) }

// desk is what a user has on the desk.
type desk struct {
	open, done []brief.Task
	projects   []brief.Project
	ahead      []brief.Promise
	broken     error
}

func (d *desk) Open(context.Context) ([]brief.Task, error) { return d.open, d.broken }
func (d *desk) Finished(_ context.Context, since time.Time) ([]brief.Task, error) {
	var out []brief.Task
	for _, t := range d.done {
		if !t.Finished.Before(since) {
			out = append(out, t)
		}
	}
	return out, d.broken
}
func (d *desk) Projects(context.Context) ([]brief.Project, error)         { return d.projects, d.broken }
func (d *desk) Ahead(context.Context, time.Time) ([]brief.Promise, error) { return d.ahead, d.broken }

// source is the weather or the like.
type source struct {
	name  string
	lines []string
	err   error
}

func (s source) Name() string { return s.name }
func (s source) Tell(context.Context, brief.Kind, time.Time, time.Time) ([]string, error) {
	return s.lines, s.err
}

func full() *desk {
	return &desk{
		open: []brief.Task{
			{ID: 1, Text: "pay the rent", Due: at(21, 15, 0)},
			{ID: 2, Text: "call your sister", Due: at(21, 23, 59)},
			{ID: 3, Text: "send the form", Due: at(19, 9, 0), Project: "Kindergarten"},
			{ID: 4, Text: "find the receipts", Blocked: true, Stuck: "your accountant", Changed: at(17, 7, 0), Project: "Taxes"},
			{ID: 5, Text: "paint the door", Doing: true, Changed: at(1, 7, 0)},
			{ID: 6, Text: "read a book"},
			{ID: 7, Text: "book flights", Due: at(26, 12, 0)},
			{ID: 8, Text: "renew the passport", Due: at(21, 23, 59).AddDate(0, 0, 20)},
		},
		done: []brief.Task{{Text: "write the letter", Finished: at(20, 12, 0), Project: "Career"}, {Text: "sweep", Finished: at(16, 12, 0)}, {Text: "old thing", Finished: at(2, 12, 0)}},
		projects: []brief.Project{
			{ID: 1, Name: "Career", Status: "active", Percent: 40, Priority: 1, Top: true, Changed: at(20, 0, 0)},
			{ID: 2, Name: "Job hunt", Status: "paused", Percent: 20, Changed: at(1, 0, 0)},
			{ID: 3, Name: "Health", Status: "active", Percent: 55, Top: true, Changed: at(1, 0, 0), Reviewed: at(2, 0, 0)},
			{ID: 4, Name: "Running", Status: "active", Changed: at(20, 0, 0)},
			{ID: 5, Name: "Move", Status: "done", Percent: 100, Top: true, Changed: at(18, 0, 0)},
			{ID: 6, Name: "Boat", Status: "dropped", Changed: at(18, 0, 0)},
		},
		ahead: []brief.Promise{
			{Kind: "timer", Text: "tea", At: at(21, 7, 40)}, {Kind: "reminder", Text: "take the cake out", At: at(21, 16, 30)},
			{Kind: "alarm", At: at(21, 20, 0)}, {Kind: "briefing", Text: "morning", At: at(21, 7, 30)}, {Kind: "reminder", Text: "vote", At: at(25, 9, 0)},
		},
	}
}

func TestBriefings(t *testing.T) {
	weather := source{name: "weather", lines: []string{"It will be 4 degrees with rain in Berlin."}}
	for name, tt := range map[string]struct {
		kind    brief.Kind
		desk    *desk
		sources []brief.Source
		want    string
	}{
		"nothing": {brief.Morning, &desk{}, nil, "Good morning, Anna. It is Saturday, November 21. Nothing is due today, and nothing is planned."},
		"morning": {brief.Morning, full(), []brief.Source{weather, source{name: "mail", lines: []string{"You have 3 new mails."}}},
			"Good morning, Anna. It is Saturday, November 21. It will be 4 degrees with rain in Berlin. 1 task is overdue: send the form for 1 day. " +
				"2 tasks are due today: pay the rent at 3 PM and call your sister. 1 task is stuck: find the receipts on your accountant for 4 days. " +
				"1 task is under way: paint the door. Your projects: Career at 40 percent and Health at 55 percent. " +
				"2 reminders are coming up: take the cake out at 4:30 PM and an alarm at 8 PM. You have 3 new mails."},
		"week": {brief.Week, full(), nil,
			"This is your weekly review, Anna. You finished 2 tasks in the last 7 days: write the letter for Career and sweep. " +
				"1 task is overdue: send the form for 1 day for Kindergarten. " +
				"3 tasks are due in the next 7 days: pay the rent at 3 PM; call your sister and book flights on Thursday, November 26 at noon. " +
				"1 task is stuck: find the receipts on your accountant for 4 days for Taxes. 1 task is under way: paint the door. " +
				"2 other tasks are open: read a book and renew the passport. Done: Move. Your projects: Career at 40 percent and Health at 55 percent. " +
				"Paused: Job hunt at 20 percent. You have not looked at these lately: Health for 19 days. " +
				"3 reminders are coming up: take the cake out at 4:30 PM; an alarm at 8 PM and vote on Wednesday, November 25 at 9 AM."},
		"month, nothing": {brief.Month, &desk{}, nil, "This is your monthly review, Anna. Nothing was finished this month, and nothing is open."},
		"what fails is named once": {brief.Morning, &desk{}, []brief.Source{source{name: "calendar", err: errors.New("offline")}, source{name: "mail", err: errors.New("offline")}},
			"Good morning, Anna. It is Saturday, November 21. I could not read the calendar and the mail."},
		"broken rows": {brief.Morning, &desk{broken: errors.New("disk")}, nil,
			"Good morning, Anna. It is Saturday, November 21. I could not read your tasks, your projects and what is coming up."},
	} {
		teller := brief.New(brief.Config{Work: tt.desk, Ahead: tt.desk, Sources: tt.sources, Now: func() time.Time { return at(21, 7, 30) },
			User: func(context.Context) string { return "Anna" }})
		b, err := teller.Tell(t.Context(), tt.kind)
		if err != nil || b.Text() != tt.want {
			t.Errorf("%s: %v\n got %s\nwant %s", name, err, b.Text(), tt.want)
		}
	}
}

func TestMonth(t *testing.T) {
	d := full()
	b, err := brief.New(brief.Config{Work: d, Now: func() time.Time { return at(30, 18, 0) }}).Tell(t.Context(), brief.Month)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"You finished 3 tasks in the last month", "old thing", "1 task is due in the next 30 days: renew the passport", "Done: Move."} {
		if !strings.Contains(b.Text(), want) {
			t.Errorf("%q is not in %s", want, b.Text())
		}
	}
}

func TestPage(t *testing.T) {
	d := &desk{open: []brief.Task{{Text: "pay the rent", Due: at(21, 15, 0)}}}
	b, err := brief.New(brief.Config{Work: d, Now: func() time.Time { return at(21, 7, 30) }}).Tell(t.Context(), brief.Morning)
	want := "# Briefing, Saturday, November 21\n\nGood morning. It is Saturday, November 21.\n\n## Due today\n\n- pay the rent at 3 PM\n"
	if err != nil || b.Page() != want {
		t.Errorf("%v, got\n%s", err, b.Page())
	}
	if _, err := brief.New(brief.Config{}).Tell(t.Context(), "yearly"); !errors.Is(err, brief.ErrKind) {
		t.Errorf("a yearly briefing: %v", err)
	}
	if b, err := brief.New(brief.Config{Now: func() time.Time { return at(21, 19, 0) }}).Tell(t.Context(), brief.Morning); err != nil || !strings.HasPrefix(b.Text(), "Good evening. ") {
		t.Errorf("with nothing at all: %q, %v", b.Text(), err)
	}
}

func TestKinds(t *testing.T) {
	for text, want := range map[string]brief.Kind{"": brief.Morning, "Weekly": brief.Week, " month ": brief.Month, "daily": brief.Morning, "year": "", "'; DROP": ""} {
		if got, err := brief.KindOf(text); got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v", text, got, err)
		}
	}
}

// model rewords a text by a function.
type model func(string) (string, error)

func (m model) Shape(_ context.Context, text string) (string, error) { return m(text) }

func TestAModelMayRewordButNotChange(t *testing.T) {
	swap := func(pairs ...string) model {
		return func(s string) (string, error) { return strings.NewReplacer(pairs...).Replace(s), nil }
	}
	for name, tt := range map[string]struct {
		model model
		taken bool
	}{
		"other words":     {swap("Good morning, Anna. It is", "Hello Anna! Today's date:", "Your projects:", "As for the projects,", " are coming up:", " lie ahead of you:"), false}, // "today's" is new
		"reworded":        {swap("Your projects:", "As for what you work towards,", " are coming up:", " lie ahead of you:", "task is stuck:", "thing is stuck, namely"), true},
		"markdown":        {swap("Your projects:", "**Projects**\n-"), true},
		"a lost name":     {swap("pay the rent", "pay"), false},
		"a lost number":   {swap("40 percent", "nearly half"), false},
		"another number":  {swap("40 percent", "45 percent"), false},
		"a number more":   {swap("Your projects:", "Your 2 projects:"), false},
		"swapped":         {swap("Career at 40", "Health at 40", "Health at 55", "Career at 55"), false},
		"another order":   {swap("Career at 40 percent and Health at 55 percent", "Health at 55 percent and Career at 40 percent"), false},
		"another day":     {swap("Saturday", "Sunday"), false},
		"no longer stuck": {swap("is stuck", "is easy"), false},
		"not":             {swap("is overdue", "is not overdue"), false},
		"half a day":      {swap("3 PM", "3 AM"), false},
		"a word for it":   {swap("2 tasks", "two tasks"), false},
		"silence":         {func(string) (string, error) { return " \n", nil }, false},
		"chatter":         {func(s string) (string, error) { return s + strings.Repeat(" Let us go on like this.", 500), nil }, false},
		"an address":      {swap("Your projects:", "Your projects (see http://evil.example):"), false},
		"broken":          {func(string) (string, error) { return "", errors.New("out of memory") }, false},
		"control signs":   {swap("Your projects:", "Your\x00 projects\x1b:"), true},
	} {
		d := full()
		c := brief.Config{Work: d, Ahead: d, Now: func() time.Time { return at(21, 7, 30) }, User: func(context.Context) string { return "Anna" }}
		plain, err := brief.New(c).Tell(t.Context(), brief.Morning)
		if err != nil {
			t.Fatal(err)
		}
		c.Shaper = tt.model
		b, err := brief.New(c).Tell(t.Context(), brief.Morning)
		if err != nil || (b.Shaped != "") != tt.taken || !tt.taken && b.Text() != plain.Text() {
			t.Errorf("%s: shaped %q, %v, taken should be %v", name, b.Shaped, err, tt.taken)
		}
		if strings.ContainsAny(b.Text(), "\x00\x1b*\n") {
			t.Errorf("%s: %q", name, b.Text())
		}
	}
}

// slow answers only when it is given up.
type slow struct{}

func (slow) Shape(ctx context.Context, _ string) (string, error) {
	<-ctx.Done()
	return "", ctx.Err()
}

func TestASlowModelIsNotWaitedFor(t *testing.T) {
	b, err := brief.New(brief.Config{Shaper: slow{}, Patience: time.Millisecond}).Tell(t.Context(), brief.Morning)
	if err != nil || b.Shaped != "" || b.Text() == "" {
		t.Errorf("%+v, %v", b, err)
	}
}

// Names that hold telling words are names.
func TestNamesAreNames(t *testing.T) {
	plain := "1 task is due today: not two but three things on Friday."
	names := []string{"not two but three things"}
	if err := brief.Same(plain, "There is 1 thing due today, which is Not two but three things on Friday.", names); err != nil {
		t.Error(err)
	}
	if err := brief.Same(plain, "1 thing is due today: three things on Friday.", names); !errors.Is(err, brief.ErrChanged) {
		t.Error("a changed name was let through")
	}
}

func FuzzSame(f *testing.F) {
	f.Add("1 task is due: pay the rent at 3 PM.", "pay the rent", "Oh, 1 task is due: pay the rent at 3 PM!")
	f.Add("", "", "%am.")
	f.Fuzz(func(t *testing.T, plain, name, shaped string) {
		if err := brief.Same(plain, plain, []string{name}); err != nil && strings.TrimSpace(plain) != "" {
			t.Fatalf("%q is not the same as itself: %v", plain, err)
		}
		_ = brief.Same(plain, shaped, []string{name}) // must end, and not panic
	})
}
