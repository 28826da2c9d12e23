package timers_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/tool/timers"
	"github.com/solo-assistant/solo/core/tool/tooltest"
)

// TestWhileItRings lets a real book serve and looks at timers that ring.
func TestWhileItRings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		book := schedule.New(schedule.Config{Rows: open(t).Schedule()})
		served := make(chan error, 1)
		go func() { served <- book.Serve(ctx) }()
		box := tooltest.Box(t, timers.Tools(timers.Config{Book: book})...)
		play := func(script string) {
			t.Helper()
			synctest.Wait()
			tooltest.Play(t, box, nil, script)
		}
		play(`
timers.set {"duration":"PT1M","name":"tea"}
  Tea timer, 1 minute, starting now.
timers.set {"duration":"PT30M","name":"bread"}
  Bread timer, 30 minutes, starting now.
timers.snooze
  Nothing is ringing.
`)
		time.Sleep(time.Minute + time.Second)
		play(`
timers.list
  You have 2 timers: tea ringing now and bread with 28 minutes and 59 seconds left.
timers.left {"name":"tea"}
  The tea timer is ringing.
timers.left
  The tea timer is ringing. 28 minutes and 59 seconds left on the bread timer.
timers.snooze
  Okay, 9 minutes more.
timers.left {"name":"tea"}
  9 minutes left on the tea timer.
undo
  Okay, it rings again.
`)
		play(`
timers.snooze {"duration":"PT2M"}
  Okay, 2 minutes more.
`)
		time.Sleep(2*time.Minute + time.Second)
		play(`
timers.extend {"duration":"PT3M","name":"tea"}
  I added 3 minutes to the tea timer. It has 3 minutes left.
`)
		time.Sleep(3*time.Minute + time.Second)
		play(`
timers.cancel {"name":"tea"}
  Tea timer cancelled.
timers.cancel
  Bread timer cancelled.
`)
		if n := len(book.Ringing()); n != 0 {
			t.Errorf("%d still ring", n)
		}
		cancel()
		if err := <-served; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// A reminder that has rung out can still be snoozed, and that taken back.
func TestSnoozeOfWhatFellSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		book := schedule.New(schedule.Config{Rows: open(t).Schedule()})
		served := make(chan error, 1)
		go func() { served <- book.Serve(ctx) }()
		if _, err := book.Add(ctx, schedule.Promise{Kind: schedule.Reminder, Text: "call Anna", At: time.Now().Add(time.Minute)}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		tooltest.Play(t, tooltest.Box(t, timers.Tools(timers.Config{Book: book})...), nil, `
timers.snooze {"duration":"PT10M"}
  Okay, I'll remind you of it again in 10 minutes.
undo
  Okay, it stays quiet.
timers.snooze {"duration":"PT10M"}
  Okay, I'll remind you of it again in 10 minutes.
`)
		time.Sleep(10*time.Minute + time.Second)
		if synctest.Wait(); len(book.Ringing()) != 1 {
			t.Errorf("ringing %v", book.Ringing())
		}
		cancel()
		if err := <-served; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}
