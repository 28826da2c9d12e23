package main

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/mind"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/llama/llamatest"
	"github.com/solo-assistant/solo/tests/corpus"
)

// wonders are what the soak asks that is no command, with the voices in which it is not taken for one.
var wonders = []struct{ voice, text string }{
	{"rms", sky}, {"slt", sky}, {"slt", "tell me a story about a dog"}, {"rms", "tell me a story about a dog"},
	{"slt", "what should i cook tonight"}, {"slt", "how do birds find their way home"}, {"rms", "is there life on mars"},
	{"slt", "why do cats sleep so much"}, {"rms", "tell me about the sea"}, {"slt", "where do the birds go in winter"},
}

// victim is a llama-server that is known by its model's file.
type victim struct{ model string }

// pids are the processes whose command line names the model; those that have ended have none.
func (v victim) pids() (all []int) {
	names, _ := filepath.Glob("/proc/[0-9]*/cmdline") // elsewhere than on Linux there are none
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(text, []byte(v.model)) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil && pid != os.Getpid() {
			all = append(all, pid)
		}
	}
	return all
}

// haunt kills it with -9 at random moments until ctx ends, and tells when.
func (v victim) haunt(ctx context.Context, rnd *rand.Rand) (kills []time.Time) {
	for {
		select {
		case <-time.After(time.Duration(400+rnd.IntN(3600)) * time.Millisecond):
		case <-ctx.Done():
			return kills
		}
		for _, pid := range v.pids() {
			if p, err := os.FindProcess(pid); err == nil && p.Kill() == nil {
				kills = append(kills, time.Now())
			}
		}
	}
}

// wondered is one turn of the soak as it was printed.
type wondered struct {
	heard, first, ended time.Time // first is the first sentence of the model's own
	command             bool
	excuses, sentences  int // sentences of the model's own
	outcome             string
}

// good is a whole answer.
func (q wondered) good() bool { return q.sentences > 0 && q.excuses == 0 && !q.ended.IsZero() }

// isExcuse knows what Solo says in the place of an answer.
func isExcuse(sentence string) bool {
	for _, err := range []error{models.ErrUnreachable, models.ErrBroken, models.ErrLate, models.ErrBusy, models.ErrNonsense, models.ErrTooLong, errors.New("any")} {
		if sentence == models.Excuse(err) {
			return true
		}
	}
	return false
}

// wonderedIn reads the turns of a session that had words.
func wonderedIn(lines []printed) []*wondered {
	turns := map[any]*wondered{}
	var all []*wondered
	for _, l := range lines {
		q := turns[l.lineOf["turn"]]
		switch event := l.text("event"); {
		case event == "heard":
			q = &wondered{heard: l.at}
			turns[l.lineOf["turn"]], all = q, append(all, q)
		case q == nil: // before the words, or something that is due
		case event == "intent":
			q.command = l.lineOf["name"] != nil
		case event == "reply":
			q.hears(l)
		case event == "turn":
			q.ended, q.outcome = l.at, l.text("outcome")
		}
	}
	return all
}

func (q *wondered) hears(l printed) {
	switch text := l.text("text"); {
	case slices.Contains(mind.Fillers, text):
	case strings.HasPrefix(text, "Did you mean"):
		q.command = true // the model was not asked
	case isExcuse(text):
		q.excuses++
	default:
		if q.sentences++; q.first.IsZero() {
			q.first = l.at
		}
	}
}

// recoveries are the times from each kill to the next good answer of the session; late are kills that none followed.
// A kill that another one followed before that answer is not counted twice: the time runs from the last.
func recoveries(kills []time.Time, turns []*wondered) (waits []time.Duration, late int) {
	for n, k := range kills {
		i := slices.IndexFunc(turns, func(q *wondered) bool { return !q.command && q.good() && q.first.After(k) })
		if i < 0 {
			late++
			continue
		}
		if n+1 < len(kills) && kills[n+1].Before(turns[i].first) {
			continue
		}
		waits = append(waits, turns[i].first.Sub(k))
	}
	return waits, late
}

// at is the value below which the share p of the sorted times lies.
func at(p float64, sorted []time.Duration) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, int(p*float64(len(sorted))))].Round(time.Millisecond)
}

// themes are all that tools are about. The little model is offered none of them, and no schema: it can only tell stories.
func themes(t *testing.T, home string) string {
	t.Helper()
	code, lines := solo(t, home, "", "tools", "list")
	var all []string
	for _, l := range lines {
		if theme, _, _ := strings.Cut(l.text("name"), "."); !slices.Contains(all, theme) {
			all = append(all, theme)
		}
	}
	if code != 0 || len(all) < 5 {
		t.Fatalf("exit %d, themes %v", code, all)
	}
	return strings.Join(all, ",")
}

// haunted is a session of n spoken questions during which the model's server is killed again and again.
func haunted(t *testing.T, v victim, home string, n int, rnd *rand.Rand) (turns []*wondered, kills []time.Time) {
	t.Helper()
	calls := clips(t, filepath.Join(corpus.Dir(t), "wake", "jarvis"))
	sound := quiet(second)
	for range n {
		q := wonders[rnd.IntN(len(wonders))]
		sound = join(sound, trim(calls[rnd.IntN(len(calls))]), say(t, q.voice, q.text), quiet(12*second))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	w := &watch{}
	var killer sync.WaitGroup
	hunt, rest := context.WithCancel(ctx)
	killer.Go(func() { kills = v.haunt(hunt, rnd) })
	talkInto(ctx, t, w, home, record(t, sound), "--set", "llama.use=on", "--set", "llama.server="+llamatest.Program(t), "--set", "llama.model="+v.model,
		"--set", "ollama.use=off", "--set", "agent.max_tokens=96", "--set", "agent.talk=200", "--set", "agent.native=true",
		"--set", "agent.hidden="+themes(t, home))
	rest()
	killer.Wait()
	return wonderedIn(w.lines), kills
}

// A language model that is killed again and again costs an answer now and then, and never the conversation.
func TestSoakModelKilled(t *testing.T) {
	soaking(t)
	listens(t)
	text, err := os.ReadFile(llamatest.Model(t))
	if err != nil {
		t.Fatal(err)
	}
	v := victim{filepath.Join(t.TempDir(), "haunted.gguf")}
	if err := os.WriteFile(v.model, text, 0o600); err != nil {
		t.Fatal(err)
	}
	home, rnd := t.TempDir(), rand.New(rand.NewPCG(5, 6))
	var asked []*wondered
	var waits []time.Duration
	killed, late := 0, 0
	began := time.Now()
	for session := 0; len(asked) < 200 && session < 20; session++ {
		turns, kills := haunted(t, v, home, 25, rnd)
		some, none := recoveries(kills, turns)
		waits, late, killed = append(waits, some...), late+none, killed+len(kills)
		asked = append(asked, slices.DeleteFunc(turns, func(q *wondered) bool { return q.command })...)
	}
	tellOf(t, asked, began)
	slices.Sort(waits)
	t.Logf("soak: the model's server killed with -9 %d times; the next good answer began after %v (median), %v (p95), %v (worst) in %d cases; none was asked for after %d",
		killed, at(0.5, waits), at(0.95, waits), at(1, waits), len(waits), late)
	if len(asked) < 200 || killed < 60 || len(waits) < 40 || at(0.95, waits) > 3*time.Second {
		t.Errorf("%d turns, %d kills, %d recoveries, p95 %v", len(asked), killed, len(waits), at(0.95, waits))
	}
	if left := v.pids(); len(left) > 0 {
		t.Errorf("processes %v are left behind", left)
	}
	t.Logf("soak: no process is left, %d goroutines", runtime.NumGoroutine())
}

// tellOf judges the turns: each ends with an answer or one clear sentence.
func tellOf(t *testing.T, asked []*wondered, began time.Time) {
	t.Helper()
	count := map[string]int{}
	var slow []time.Duration
	for i, q := range asked {
		switch {
		case q.ended.IsZero():
			t.Errorf("turn %d never ended: %+v", i, *q)
			continue
		case q.sentences+q.excuses == 0 || q.excuses > 1:
			t.Errorf("turn %d ended without a clear sentence: %+v", i, *q)
		case q.good():
			count["whole"]++
		case q.sentences > 0:
			count["broken off"]++
		default:
			count["excused"]++
		}
		count[q.outcome]++
		if slow = append(slow, q.ended.Sub(q.heard)); q.outcome != "answered" && q.outcome != "interrupted" {
			t.Errorf("turn %d: %+v", i, *q)
		}
	}
	slices.Sort(slow)
	t.Logf("soak: %d turns in %v: %d answered whole, %d broken off with a sentence that says so, %d with that sentence alone; a turn took %v (median), %v (worst)",
		len(asked), time.Since(began).Round(second), count["whole"], count["broken off"], count["excused"], at(0.5, slow), at(1, slow))
	if count["whole"] < len(asked)/2 {
		t.Error("the model was hardly ever there")
	}
	if at(1, slow) > 20*time.Second {
		t.Error("a turn hung")
	}
}
