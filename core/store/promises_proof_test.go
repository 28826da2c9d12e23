package store_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/store/rows/rowstest"
)

// proof keeps promises in a process that is killed again and again, on a wall clock that jumps.
type proof struct {
	t      *testing.T
	child  childConfig
	clock  func() time.Time
	kept   []schedule.Promise
	lines  []childLine // of all children, in their order
	kills  int
	begun  []time.Time // when a child was ready
	phases []phase
}

// phase is a stretch of the wall clock's time.
type phase struct {
	name     string
	begin    string // on Berlin's wall clock, with its offset
	long     time.Duration
	once     int  // promises that are due in it
	spared   bool // no child is killed
	rehearse bool // the clock is set back by half of it in the middle
}

func berlin(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse("2006-01-02 15:04:05 -0700", text)
	if err != nil {
		t.Fatal(err)
	}
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return at.In(zone)
}

func (p *proof) set(at time.Time) {
	p.t.Helper()
	next := p.child.Clock + ".new"
	if err := os.WriteFile(next, []byte(strconv.FormatInt(int64(time.Until(at)), 10)), 0o600); err != nil {
		p.t.Fatal(err)
	}
	if err := os.Rename(next, p.child.Clock); err != nil {
		p.t.Fatal(err)
	}
}

// Promises under kill -9, over clock jumps and both switches of daylight saving: in small on every run.
func TestPromisesSurviveKillsAndClocks(t *testing.T) {
	prove(t, rowstest.Config(t, rows.SQLite), 40, 500*time.Millisecond)
}

func TestPromisesSurviveKillsInPostgres(t *testing.T) {
	if os.Getenv("SOLO_SOAK") == "" {
		t.Skip("skipped: SOLO_SOAK=1 has the promises kept in PostgreSQL killed too")
	}
	prove(t, rowstest.Config(t, rows.Postgres), 200, 3*time.Second)
}

// A thousand of them, for two and a half minutes.
func TestAThousandPromises(t *testing.T) {
	if os.Getenv("SOLO_SOAK") == "" {
		t.Skip("skipped: SOLO_SOAK=1 keeps a thousand promises for three minutes")
	}
	prove(t, rowstest.Config(t, rows.SQLite), 1000, 24*time.Second)
}

func prove(t *testing.T, c rows.Config, n int, long time.Duration) {
	p := &proof{t: t, child: childConfig{Path: c.Path, DSN: string(c.DSN), Clock: filepath.Join(t.TempDir(), "clock")}}
	p.clock = clockOf(p.child.Clock)
	p.phases = []phase{
		{name: "over the gap of spring", begin: "2026-03-29 01:59:59 +0100", long: long, once: n / 4},
		{name: "what the gap moved", begin: "2026-03-29 03:29:59.7 +0200", long: max(long/3, 700*time.Millisecond)},
		{name: "the clock is set back", begin: "2026-06-01 12:00:00 +0200", long: long, once: n / 4, rehearse: true},
		{name: "a day without a fault", begin: "2026-09-01 09:00:00 +0200", long: long, once: n / 4, spared: true},
		{name: "before the overlap of autumn", begin: "2026-10-25 02:29:59.7 +0200", long: max(long/3, 700*time.Millisecond)},
		{name: "into the overlap", begin: "2026-10-25 02:59:59 +0200", long: long, once: n - 3*(n/4) - n/20},
		{name: "the second half past two", begin: "2026-10-25 02:29:59.7 +0100", long: max(long/3, 700*time.Millisecond)},
	}
	p.promise(c, n/20)
	for _, ph := range p.phases {
		p.live(ph)
	}
	p.settle()
	p.check(c)
}

// promise makes all promises: some for each phase, spread over it, and some for half past two of every day.
func (p *proof) promise(c rows.Config, daily int) {
	db := rowstest.Open(p.t, c)
	p.set(berlin(p.t, "2026-03-28 12:00:00 +0100"))
	b := schedule.New(schedule.Config{Rows: lend(p.t, db, "owner").Schedule(), Now: p.clock})
	kinds := []schedule.Kind{schedule.Reminder, schedule.Alarm, schedule.Timer}
	add := func(x schedule.Promise) {
		x.Kind, x.Text = kinds[len(p.kept)%3], fmt.Sprintf("promise %d", len(p.kept))
		p.kept = append(p.kept, must[schedule.Promise](p.t)(b.Add(p.t.Context(), x)))
	}
	for range daily {
		add(schedule.Promise{Every: "FREQ=DAILY;BYHOUR=2;BYMINUTE=30"})
	}
	for _, ph := range p.phases {
		for i := range ph.once {
			add(schedule.Promise{At: berlin(p.t, ph.begin).Add(ph.long * time.Duration(i) / time.Duration(ph.once))})
		}
	}
}

// live has children keep the promises of a phase.
func (p *proof) live(ph phase) {
	p.set(berlin(p.t, ph.begin))
	end := time.Now().Add(ph.long)
	back := time.Now().Add(ph.long / 2)
	for time.Now().Before(end) {
		until := end
		if !ph.spared {
			until = time.Now().Add(time.Duration(20+rand.IntN(int(min(ph.long/4, 2*time.Second)/time.Millisecond))) * time.Millisecond)
		}
		if ph.rehearse && time.Now().After(back) {
			p.set(p.clock().Add(-ph.long / 2))
			end, ph.rehearse = end.Add(ph.long/2), false
		}
		p.run(until)
	}
}

// settle lets what is left be told and answered.
func (p *proof) settle() {
	p.set(berlin(p.t, "2026-10-25 02:30:30 +0100"))
	p.run(time.Now().Add(2 * time.Second))
}

// run starts a child, and kills it.
func (p *proof) run(until time.Time) {
	p.t.Helper()
	text, err := json.Marshal(p.child)
	if err != nil {
		p.t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SOLO_PROMISES_CHILD="+string(text))
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	kill := time.AfterFunc(max(time.Until(until), 50*time.Millisecond), func() { _ = cmd.Process.Kill() })
	for in := bufio.NewScanner(out); in.Scan(); {
		var l childLine
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			if strings.HasPrefix(in.Text(), "error") {
				p.t.Error(in.Text())
			}
			continue // a line that the kill has cut
		}
		if l.What == "ready" {
			p.begun = append(p.begun, l.Now)
			kill.Reset(max(time.Until(until), 50*time.Millisecond)) // a slow start is no reason to learn nothing
		}
		p.lines = append(p.lines, l)
	}
	_ = cmd.Wait() // it was killed
	p.kills++
}

// told is what was heard of a promise at one of its times.
type told struct {
	says     []event.Telling
	receipts int // committed before the last of says
	after    int // says after a committed receipt
}

func (p *proof) heard() map[int64]map[int64]*told {
	out := map[int64]map[int64]*told{}
	for _, l := range p.lines {
		if l.What == "ready" || l.How == event.On {
			continue
		}
		if out[l.ID] == nil {
			out[l.ID] = map[int64]*told{}
		}
		h := out[l.ID][l.At.UnixMilli()]
		if h == nil {
			h = &told{}
			out[l.ID][l.At.UnixMilli()] = h
		}
		if l.What == "receipt" {
			h.receipts++
			continue
		}
		if h.receipts > 0 {
			h.after++
		}
		h.says = append(h.says, l.How)
	}
	return out
}

// check judges: none lost, none repeated behind its receipt, each repeat announced as one.
func (p *proof) check(c rows.Config) {
	heard, repeats := p.heard(), 0
	for _, x := range p.kept {
		if x.Every == "" && len(heard[x.ID]) == 0 {
			p.t.Errorf("%s at %v is lost", x.Text, x.At)
		}
		if x.Every != "" {
			p.daily(x, heard[x.ID])
		}
		for at, h := range heard[x.ID] {
			if h.after > 0 {
				p.t.Errorf("%s at %v was told again behind its receipt", x.Text, time.UnixMilli(at).UTC())
			}
			for i, how := range h.says {
				if i > 0 && how != event.Again { // the first may be one too: it was killed between its note and its sound
					p.t.Errorf("%s was told as %q", x.Text, h.says)
					break
				}
			}
			repeats += len(h.says) - 1
		}
	}
	p.rowsAgree(c, heard)
	p.report(repeats)
}

// daily is told at the moved time on the day of the gap, and once on the day of the overlap.
func (p *proof) daily(x schedule.Promise, heard map[int64]*told) {
	for when, want := range map[string]bool{"2026-03-29 03:30:00 +0200": true, "2026-10-25 02:30:00 +0200": true, "2026-10-25 02:30:00 +0100": false} {
		if got := heard[berlin(p.t, when).UnixMilli()] != nil; got != want {
			p.t.Errorf("%s, daily at half past two: told for %s is %v", x.Text, when, got)
		}
	}
}

// rowsAgree compares what was heard with what the rows tell in the end.
func (p *proof) rowsAgree(c rows.Config, heard map[int64]map[int64]*told) {
	db := rowstest.Open(p.t, c)
	r := lend(p.t, db, "owner").Schedule()
	for _, x := range p.kept {
		now := must[schedule.Promise](p.t)(r.Get(p.t.Context(), x.Kind, x.ID))
		if want := schedule.Done; x.Every == "" && now.State != want {
			p.t.Errorf("%s is %s in the end", x.Text, now.State)
		}
		for at := range heard[x.ID] {
			spoken := 0
			for _, rc := range must[[]schedule.Receipt](p.t)(r.Receipts(p.t.Context(), x.Kind, x.ID, time.UnixMilli(at))) {
				if rc.Step == schedule.Spoken {
					spoken++
				}
			}
			if spoken != 1 {
				p.t.Errorf("%s has %d receipts that it was spoken", x.Text, spoken)
			}
		}
	}
}

// report tells the figures: how late a promise was told that came due while a child ran.
func (p *proof) report(repeats int) {
	var late []time.Duration
	var ready, running time.Time
	for _, l := range p.lines {
		if l.What == "ready" {
			ready, running = l.Now, l.Now
			continue
		}
		// What came due before the child ran, or in a jump of the clock, is late by no fault of its own.
		if l.What == "say" && l.How == event.First && !l.At.Before(ready) && l.Now.Sub(running).Abs() < 10*time.Second {
			late = append(late, l.Now.Sub(l.At))
		}
		running = l.Now
	}
	if len(late) == 0 {
		p.t.Fatal("nothing came due while a child ran")
	}
	slices.Sort(late)
	p.t.Logf("%d promises, %d processes killed, %d times told as a repeat; lateness of %d that came due while running: p50 %v, p95 %v, worst %v",
		len(p.kept), p.kills, repeats, len(late), late[len(late)/2].Round(time.Microsecond), late[len(late)*95/100].Round(time.Microsecond), late[len(late)-1].Round(time.Microsecond))
}
