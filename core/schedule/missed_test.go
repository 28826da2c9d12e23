package schedule

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/core/event"
)

// Off for five days and a bit: what is told of a daily reminder, and of one that was due once.
func TestPoliciesForWhatWasMissed(t *testing.T) {
	for policy, want := range map[Policy][]string{
		"":   {"once 121h0m0s", "daily 1h0m0s"},
		Once: {"once 121h0m0s", "daily 1h0m0s"},
		Skip: nil,
		All:  {"daily 121h0m0s", "once 121h0m0s", "daily 97h0m0s", "daily 73h0m0s", "daily 49h0m0s", "daily 25h0m0s", "daily 1h0m0s"},
	} {
		t.Run(string(policy), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				disk := newShelf()
				with := func(c *Config) { confirmed(c); c.MissedReminder = policy }
				n := startWith(t, disk, with)
				n.add(Promise{Kind: Reminder, Text: "daily", Every: "FREQ=DAILY;BYHOUR=9;BYMINUTE=0"})
				n.add(Promise{Kind: Reminder, Text: "once", At: n.now().Add(9 * time.Hour)})
				n.stop()
				time.Sleep(5*24*time.Hour + 10*time.Hour)
				n = startWith(t, disk, with)
				var got []string
				for i := 0; i < len(n.heard()); i++ {
					e := n.told[i]
					got = append(got, fmt.Sprint(e.Text, " ", e.Late.Round(time.Minute)))
					n.say(e)
				}
				if !slices.Equal(got, want) {
					t.Errorf("told %q, want %q", got, want)
				}
				time.Sleep(10 * time.Minute)
				w, err := n.Waiting(t.Context())
				if err != nil || len(w) != 1 || w[0].At.Format("02 15:04") != "07 09:00" {
					t.Errorf("next is %+v, %v", w, err)
				}
				if policy == Skip {
					n.wantStory("skipped", "skipped")
				}
				n.stop()
			})
		})
	}
}

// Of a recurrence by the minute that was missed for a week only the last are told, and it takes no time to find them.
func TestNotAllOfATenThousandMissedTimesAreTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newShelf()
		with := func(c *Config) { confirmed(c); c.MissedReminder = All }
		n := startWith(t, disk, with)
		n.add(Promise{Kind: Reminder, Text: "blink", Every: "FREQ=MINUTELY"})
		n.stop()
		time.Sleep(7*24*time.Hour + 30*time.Second)
		n = startWith(t, disk, with)
		if got := n.heard(); len(got) != 1 || got[0].Late > time.Hour+time.Minute {
			t.Errorf("told %+v", got)
		}
		n.stop()
	})
}

// Yesterday's alarm is told of a minute before today's: today's rings all the same.
func TestATimeThatComesWhileAnOldOneRingsIsNotLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newShelf()
		n := startWith(t, disk, confirmed)
		n.add(Promise{Kind: Alarm, Every: "FREQ=DAILY;BYHOUR=7;BYMINUTE=0"})
		n.stop()
		time.Sleep(31*time.Hour - time.Minute)
		n = startWith(t, disk, confirmed)
		n.say(n.heard()...)
		time.Sleep(5 * time.Minute)
		got := n.heard()
		if len(got) != 2 || got[0].Late != 24*time.Hour-time.Minute || got[1].Late > 2*time.Minute {
			t.Errorf("told %+v", got)
		}
		n.stop()
	})
}

// What cannot be stored as skipped is tried again now and then, not all the time.
func TestSkippingOnAFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newShelf()
		with := func(c *Config) { c.MissedReminder = Skip }
		n := startWith(t, disk, with)
		p := n.add(Promise{Kind: Reminder, Text: "x", At: n.now().Add(time.Minute)})
		n.stop()
		time.Sleep(time.Hour)
		disk.fail(errDisk)
		n = startWith(t, disk, with)
		time.Sleep(time.Hour)
		disk.fail(nil)
		if time.Sleep(look); len(n.heard()) != 0 || disk.state(p) != Done {
			t.Errorf("told %+v, stored %s", n.told, disk.state(p))
		}
		n.stop()
	})
}

// What is late by seconds, after a restart, is not missed.
func TestALittleLateIsNotMissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newShelf()
		with := func(c *Config) { c.MissedTimer = Skip }
		n := startWith(t, disk, with)
		n.add(Promise{Kind: Timer, Length: time.Minute})
		n.stop()
		time.Sleep(90 * time.Second)
		n = startWith(t, disk, with)
		if got := n.heard(); len(got) != 1 {
			t.Errorf("told %+v", got)
		}
		n.stop()
	})
}

// courier carries out plans.
type courier struct {
	got  chan event.Due
	fail error
	long time.Duration
}

func (c *courier) Deliver(ctx context.Context, e event.Due) error {
	c.got <- e
	select {
	case <-time.After(c.long):
		return c.fail
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func TestPlansAreCarriedOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := start(t, newShelf())
		c := &courier{got: make(chan event.Due, 10), long: 10 * time.Minute}
		n.add(Promise{Kind: Briefing, Text: "morning", Every: "FREQ=DAILY;BYHOUR=8;BYMINUTE=0"})
		n.add(Promise{Kind: Routine, Text: "movie time", At: n.now().Add(20 * time.Hour)})
		if time.Sleep(9 * time.Hour); len(n.heard()) != 0 {
			t.Fatal("a plan rang")
		}
		n.Carry(Briefing, c) // until somebody carries it out it waits
		n.Carry(Routine, c)
		if synctest.Wait(); len(c.got) != 1 || len(n.Ringing()) != 0 {
			t.Fatalf("%d carried out, ringing %v", len(c.got), n.Ringing())
		}
		if e := <-c.got; e.Text != "morning" || e.Late != time.Hour {
			t.Errorf("carried out %+v", e)
		}
		time.Sleep(30 * time.Hour) // until 15:00 of the next day
		synctest.Wait()
		if len(c.got) != 2 {
			t.Errorf("%d more", len(c.got))
		}
		n.wantStory("begun", "ran", "begun", "ran", "begun", "ran")
		n.stop()
	})
}

func TestAPlanThatFailsIsTriedThreeTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := start(t, newShelf())
		c := &courier{got: make(chan event.Due, 10), fail: errors.New("no lamp")}
		n.Carry(Routine, c)
		p := n.add(Promise{Kind: Routine, Text: "lights", At: n.now().Add(time.Minute)})
		if time.Sleep(time.Hour); len(c.got) != 3 || n.rows.state(p) != Done {
			t.Errorf("tried %d times, stored %s", len(c.got), n.rows.state(p))
		}
		n.wantStory("begun", "failed", "begun", "failed", "begun", "failed")
		n.stop()
	})
}

// A plan that was under way when Solo ended is begun again, and knows it.
func TestAPlanThatWasCutOffIsBegunAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newShelf()
		c := &courier{got: make(chan event.Due, 10), long: time.Minute}
		n := start(t, disk)
		n.Carry(Routine, c)
		n.add(Promise{Kind: Routine, Text: "lights", At: n.now().Add(time.Minute)})
		time.Sleep(70 * time.Second)
		n.stop()
		n = start(t, disk)
		n.Carry(Routine, c)
		synctest.Wait()
		if first, second := <-c.got, <-c.got; first.How != event.First || second.How != event.Again {
			t.Errorf("told %q, then %q", first.How, second.How)
		}
		time.Sleep(5 * time.Minute)
		n.wantStory("begun", "begun", "ran")
		n.stop()
	})
}

func TestQuietHoursHoldBackBriefingsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startWith(t, newShelf(), func(c *Config) { c.QuietHours = "22:00-07:00"; c.MissedBriefing = Skip })
		c := &courier{got: make(chan event.Due, 10)}
		n.Carry(Briefing, c)
		n.Carry(Routine, c)
		n.add(Promise{Kind: Briefing, Text: "early", At: n.now().Add(5 * time.Hour)})
		n.add(Promise{Kind: Routine, Text: "heating", At: n.now().Add(5 * time.Hour)})
		n.add(Promise{Kind: Reminder, Text: "train", At: n.now().Add(5 * time.Hour)})
		if !n.Quiet(n.now()) || n.Quiet(n.now().Add(8*time.Hour)) {
			t.Error("quiet hours are wrong")
		}
		time.Sleep(5 * time.Hour)
		if got := n.heard(); len(got) != 1 || len(c.got) != 1 || (<-c.got).Kind != "routine" {
			t.Fatalf("told %+v", got)
		}
		if time.Sleep(2*time.Hour - time.Millisecond); len(c.got) != 0 {
			t.Fatal("the briefing came in quiet hours")
		}
		time.Sleep(time.Millisecond)
		if synctest.Wait(); len(c.got) != 1 || (<-c.got).Text != "early" {
			t.Error("the briefing did not come after them")
		}
		n.stop()
	})
}

func TestPostponeAndFinish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startWith(t, newShelf(), confirmed)
		p := n.add(Promise{Kind: Reminder, Text: "x", At: n.now().Add(time.Hour)})
		daily := n.add(Promise{Kind: Reminder, Text: "pills", Every: "FREQ=DAILY;BYHOUR=8;BYMINUTE=0"})
		was, is, err := n.Postpone(t.Context(), Reminder, p.ID, 30*time.Minute)
		if err != nil || !was.At.Equal(p.At) || is.At.Sub(p.At) != 30*time.Minute {
			t.Fatalf("postponed to %v, %v", is.At, err)
		}
		time.Sleep(90 * time.Minute)
		n.say(n.heard()...)
		time.Sleep(10 * time.Minute) // it has rung out
		if f, ok := n.Faded(); !ok || f.ID != p.ID {
			t.Errorf("what rang last is %+v", f)
		}
		if _, is, err = n.Postpone(t.Context(), Reminder, p.ID, time.Hour); err != nil || !is.At.Equal(n.now().Add(time.Hour)) {
			t.Errorf("after it rang out: %v, %v", is.At, err)
		}
		if _, err := n.Finish(t.Context(), Reminder, p.ID); err != nil || n.rows.state(p) != Done {
			t.Errorf("finished: %v", err)
		}
		if _, err := n.Finish(t.Context(), Reminder, p.ID); !errors.Is(err, ErrUnknown) {
			t.Errorf("finished twice: %v", err)
		}
		if _, err := n.Finish(t.Context(), Reminder, daily.ID); err != nil {
			t.Fatal(err)
		}
		w, err := n.Waiting(t.Context())
		if err != nil || len(w) != 1 || w[0].At.Sub(daily.At) != 24*time.Hour {
			t.Errorf("next is %+v, %v", w, err)
		}
		if found, err := n.Find(t.Context(), daily.ID); err != nil || found.Text != "pills" {
			t.Errorf("found %+v, %v", found, err)
		}
		if _, err := n.Find(t.Context(), 99); !errors.Is(err, ErrUnknown) {
			t.Errorf("found what is not there: %v", err)
		}
		for _, d := range []time.Duration{0, -1, 1<<63 - 1} {
			if _, _, err := n.Postpone(t.Context(), Reminder, daily.ID, d); err == nil {
				t.Errorf("postponed by %v", d)
			}
		}
		n.stop()
	})
}
