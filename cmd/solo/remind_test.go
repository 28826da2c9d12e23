package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// solosRemind runs one command about promised times and gives its lines.
func solosRemind(t *testing.T, home string, want int, args ...string) []lineOf {
	t.Helper()
	code, lines := solo(t, home, "", append([]string{"remind"}, args...)...)
	if code != want {
		t.Fatalf("solo remind %q: exit %d, %v", args, code, lines)
	}
	return lines
}

func TestRemindWithoutARunningSolo(t *testing.T) {
	home := t.TempDir()
	anna := solosRemind(t, home, 0, "call", "Anna", "tomorrow", "at", "five")[0]
	if anna.text("text") != "call Anna" || anna.text("did") != "added" || !strings.Contains(anna.text("when"), "tomorrow at 5 PM") {
		t.Errorf("made %v", anna)
	}
	for _, made := range [][]string{
		{"add", "water the ferns", "--at", "every friday at noon"}, {"add", "stretch", "--at", "20m"}, {"add", "stand up", "--at", "in two hours"},
		{"add", "pay the rent", "--every", "FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=9"}, {"me to feed the cat in ten minutes"},
	} {
		if l := solosRemind(t, home, 0, made...)[0]; l.text("event") != "promise" || l.text("state") != "waiting" || l.text("at") == "" {
			t.Errorf("%q made %v", made, l)
		}
	}
	var texts []string
	for _, l := range solosRemind(t, home, 0, "list") {
		texts = append(texts, l.text("text"))
	}
	if len(texts) != 6 || texts[0] != "feed the cat" || texts[1] != "stretch" {
		t.Errorf("listed %q", texts)
	}
	ferns := solosRemind(t, home, 0, "cancel", "ferns")[0]
	if ferns.text("did") != "cancelled" || ferns.text("text") != "water the ferns" || len(solosRemind(t, home, 0, "list")) != 5 {
		t.Errorf("cancelled %v", ferns)
	}
	number := func(l lineOf) string { text, _ := json.Marshal(l["id"]); return string(text) }
	if back := solosRemind(t, home, 0, "restore", number(ferns))[0]; back.text("state") != "waiting" {
		t.Errorf("restored %v", back)
	}
	before := anna.text("at")
	if later := solosRemind(t, home, 0, "snooze", number(anna), "--for", "half an hour")[0]; later.text("at") <= before {
		t.Errorf("snoozed %v from %s", later, before)
	}
	if done := solosRemind(t, home, 0, "done", number(anna))[0]; done.text("state") != "done" {
		t.Errorf("done %v", done)
	}
	var steps []string
	for _, l := range solosRemind(t, home, 0, "history") {
		steps = append(steps, l.text("step")+" "+l.text("text"))
	}
	if !slices.Equal(steps, []string{"acknowledged call Anna", "snoozed call Anna"}) {
		t.Errorf("history %q", steps)
	}
}

func TestRemindSaysWhatIsWrong(t *testing.T) {
	home := t.TempDir()
	solosRemind(t, home, 0, "add", "call Anna", "--at", "tomorrow at 9")
	solosRemind(t, home, 0, "add", "call Ben", "--at", "tomorrow at 9")
	for name, tt := range map[string]struct {
		args []string
		exit int
		says string
	}{
		"no time":        {[]string{"buy milk"}, 1, "no time was found"},
		"past":           {[]string{"add", "x", "--at", "yesterday at 9"}, 1, "time is past"},
		"nonsense":       {[]string{"add", "x", "--at", "bananas"}, 1, "no time to come"},
		"bad rule":       {[]string{"add", "x", "--every", "FREQ=SOMETIMES"}, 1, "unusable recurrence"},
		"too long":       {[]string{"add", strings.Repeat("x", 5000), "--at", "tomorrow at 9"}, 1, "4096 bytes"},
		"no words":       {[]string{"add", " ", "--at", "tomorrow"}, 1, "nothing to remind"},
		"nobody":         {[]string{"cancel", "999"}, 1, "there is no promise 999"},
		"none about":     {[]string{"cancel", "penguins"}, 1, "no promise is about"},
		"several":        {[]string{"cancel", "call"}, 1, "may be"},
		"nothing rings":  {[]string{"done"}, 1, "nothing rings"},
		"no length":      {[]string{"snooze", "1", "--for", "soon"}, 1, "no length of time"},
		"no such kind":   {[]string{"list", "--kind", "bus"}, 2, "--kind is"},
		"no receipts":    {[]string{"history", "-n", "0"}, 2, "at least 1"},
		"what to cancel": {[]string{"cancel"}, 2, "needs the number"},
		"not over":       {[]string{"restore", "1"}, 1, "not over"},
	} {
		t.Run(name, func(t *testing.T) {
			if errs := only(solosRemind(t, home, tt.exit, tt.args...), "error"); len(errs) != 1 || !strings.Contains(errs[0].text("message"), tt.says) {
				t.Errorf("told %v, want %q", errs, tt.says)
			}
		})
	}
}

// A reminder that nobody answers reaches the webhook of the settings, once, though Solo is killed; the ledger tells what left.
func TestAReminderThatNobodyAnswersLeavesByTheWebhook(t *testing.T) {
	posts := make(chan string, 10)
	far := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		posts <- string(body)
	}))
	defer far.Close()
	home := t.TempDir()
	args := []string{"run", "--no-input", "--set", "reminders.webhook=" + far.URL + "/hook", "--set", "reminders.desktop=off", "--set", "reminders.escalate_after=1s", "--set", "web.use=off"}
	p, out := process(t, home, args...)
	await(t, out, `"ready"`)
	solosRemind(t, home, 0, "add", "call Anna", "--at", "1s")
	select {
	case got := <-posts:
		if !strings.Contains(got, `"text":"call Anna"`) {
			t.Errorf("posted %s", got)
		}
	case <-time.After(30 * time.Second):
		t.Fatalf("nothing was posted\n%s", out)
	}
	steps := func() (all []string) {
		for _, l := range solosRemind(t, home, 0, "history") {
			all = append(all, strings.TrimSpace(l.text("step")+" "+l.text("channel")))
		}
		return all
	}
	for end := time.Now().Add(10 * time.Second); !slices.Contains(steps(), "escalated webhook"); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("receipts %q", steps())
		}
	}
	_, ledger := solo(t, home, "", "ledger")
	if len(ledger) != 1 || ledger[0].text("provider") != "reminders.webhook" {
		t.Errorf("ledger %v", ledger)
	}
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = p.Wait() // it was killed
	_, out = process(t, home, args...)
	await(t, out, `"ready"`)
	if done := solosRemind(t, home, 0, "add", "later", "--at", "tomorrow at 9"); done[0].text("did") != "added" {
		t.Errorf("added %v", done)
	}
	time.Sleep(time.Second)
	if len(posts) != 0 {
		t.Errorf("posted again: %s", <-posts)
	}
}
