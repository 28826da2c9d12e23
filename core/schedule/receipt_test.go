package schedule

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solo-assistant/solo/core/event"
)

// say tells as a conductor does: what was due last begins to be said, takes a second, and was said.
func (n *night) say(es ...event.Due) {
	n.t.Helper()
	if err := n.Telling(n.t.Context(), es...); err != nil {
		n.t.Error(err)
	}
	time.Sleep(time.Second)
	if err := n.Told(n.t.Context(), Spoken, "voice", es...); err != nil {
		n.t.Error(err)
	}
}

// story is the receipts of all promises as "step channel", in their order.
func (n *night) story() []string {
	n.t.Helper()
	list, err := n.History(n.t.Context(), 1000, 0)
	if err != nil {
		n.t.Fatal(err)
	}
	var out []string
	for _, d := range slices.Backward(list) {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s", d.Step, d.Channel)))
	}
	return out
}

func (n *night) wantStory(want ...string) {
	n.t.Helper()
	if got := n.story(); !slices.Equal(got, want) {
		n.t.Errorf("receipts %q, want %q", got, want)
	}
}

func TestAnAnsweredReminderHasItsReceipts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startWith(t, newShelf(), confirmed)
		n.add(Promise{Kind: Reminder, Text: "call Anna", At: n.now().Add(time.Minute)})
		time.Sleep(time.Minute)
		n.say(n.heard()...)
		if _, err := n.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		n.wantStory("begun", "spoken voice", "acknowledged voice")
		list, err := n.History(t.Context(), 1, 0)
		if err != nil || list[0].Text != "call Anna" || list[0].Late != time.Second {
			t.Errorf("history %+v, %v", list, err)
		}
		n.stop()
	})
}

func confirmed(c *Config) { c.Confirmed, c.EscalateAfter = true, time.Minute }

// What a crash leaves decides how it is told at the next start.
func TestAfterACrash(t *testing.T) {
	begin := func(n *night, es []event.Due) { _ = n.Telling(t.Context(), es...) }
	said := func(n *night, es []event.Due) { n.say(es...) }
	for name, tt := range map[string]struct {
		kind Kind
		do   func(n *night, es []event.Due)
		off  time.Duration
		want []event.Telling // how it is told then
	}{
		"nothing was said yet":                {Reminder, func(*night, []event.Due) {}, time.Second, []event.Telling{event.First}},
		"killed between sound and receipt":    {Reminder, begin, time.Second, []event.Telling{event.Again}},
		"a timer, between sound and receipt":  {Timer, begin, time.Second, []event.Telling{event.Again}},
		"a day later":                         {Reminder, begin, 24 * time.Hour, []event.Telling{event.Again}},
		"a reminder with its receipt":         {Reminder, said, time.Second, nil},
		"a timer with its receipt rings on":   {Timer, said, time.Second, []event.Telling{event.On}},
		"an alarm with its receipt rings on":  {Alarm, said, time.Minute, []event.Telling{event.On}},
		"but not beyond the time of its ring": {Alarm, said, 5 * time.Minute, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				disk := newShelf()
				n := startWith(t, disk, confirmed)
				n.add(Promise{Kind: tt.kind, Text: "x", At: n.now().Add(time.Minute)})
				time.Sleep(time.Minute)
				tt.do(n, n.heard())
				n.stop()
				time.Sleep(tt.off)
				n = startWith(t, disk, confirmed)
				var got []event.Telling
				for _, e := range n.heard() {
					got = append(got, e.How)
				}
				if !slices.Equal(got, tt.want) {
					t.Errorf("told %q, want %q", got, tt.want)
				}
				if time.Sleep(3 * time.Minute); tt.want == nil && len(n.heard()) != 0 {
					t.Errorf("told later: %+v", n.told)
				}
				n.stop()
			})
		})
	}
}

// A repeat is noted as one, and with its receipt it never comes again.
func TestARepeatComesOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newShelf()
		n := startWith(t, disk, confirmed)
		n.add(Promise{Kind: Reminder, Text: "x", At: n.now().Add(time.Minute)})
		time.Sleep(time.Minute)
		if err := n.Telling(t.Context(), n.heard()...); err != nil {
			t.Fatal(err)
		}
		n.stop()
		n = startWith(t, disk, confirmed)
		n.say(n.heard()...)
		list, err := n.History(t.Context(), 1, 0)
		if err != nil || !list[0].Again || list[0].Step != Spoken {
			t.Errorf("the receipt is %+v, %v", list, err)
		}
		n.stop()
		n = startWith(t, disk, confirmed)
		if got := n.heard(); len(got) != 0 {
			t.Errorf("told a third time: %+v", got)
		}
		n.stop()
	})
}

// post is a channel that notes what it is given.
type post struct {
	name string
	fail error
	got  chan event.Due
}

func newPost(name string) *post { return &post{name: name, got: make(chan event.Due, 100)} }

func (p *post) Name() string { return p.name }

func (p *post) Send(_ context.Context, e event.Due) error {
	p.got <- e
	return p.fail
}

func TestNobodyAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		desktop, hook := newPost("desktop"), newPost("webhook")
		hook.fail = errors.New("no net")
		n := startWith(t, newShelf(), func(c *Config) { confirmed(c); c.Channels = []Channel{desktop, hook} })
		n.add(Promise{Kind: Reminder, Text: "call Anna", At: n.now().Add(time.Minute)})
		time.Sleep(time.Minute)
		n.say(n.heard()...)
		if time.Sleep(time.Minute - time.Millisecond); len(n.heard()) != 1 || len(desktop.got) != 0 {
			t.Fatal("passed on early")
		}
		time.Sleep(time.Millisecond)
		got := n.heard()
		if len(got) != 2 || got[1].How != event.Still || len(desktop.got) != 1 || len(hook.got) != 1 {
			t.Fatalf("told %+v, desktop %d, webhook %d", got, len(desktop.got), len(hook.got))
		}
		n.say(got[1])
		if time.Sleep(5 * time.Minute); len(n.heard()) != 2 || len(desktop.got) != 1 || len(n.Ringing()) != 0 {
			t.Errorf("told %d times, desktop %d", len(n.told), len(desktop.got))
		}
		story := n.story()
		slices.Sort(story[2:4]) // the channels are asked at the same time
		if want := []string{"begun", "spoken voice", "escalated desktop", "failed webhook", "begun", "spoken voice", "missed"}; !slices.Equal(story, want) {
			t.Errorf("receipts %q", story)
		}
		n.stop()
	})
}

func TestAnAnswerInTimeKeepsTheOtherChannelsOut(t *testing.T) {
	for name, answer := range map[string]func(n *night) error{
		"stop":          func(n *night) error { _, err := n.Stop(n.t.Context()); return err },
		"snooze":        func(n *night) error { _, err := n.Snooze(n.t.Context(), time.Hour); return err },
		"somebody here": func(n *night) error { return n.Answered(n.t.Context(), n.now()) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				desktop := newPost("desktop")
				n := startWith(t, newShelf(), func(c *Config) { confirmed(c); c.Channels = []Channel{desktop} })
				n.add(Promise{Kind: Reminder, Text: "x", At: n.now().Add(time.Minute)})
				time.Sleep(time.Minute)
				n.say(n.heard()...)
				time.Sleep(30 * time.Second)
				if err := answer(n); err != nil || len(n.Ringing()) != 0 {
					t.Fatalf("answered: %v, ringing %v", err, n.Ringing())
				}
				if time.Sleep(10 * time.Minute); len(n.heard()) != 1 || len(desktop.got) != 0 {
					t.Errorf("told %d times, desktop %d", len(n.told), len(desktop.got))
				}
				n.stop()
			})
		})
	}
}

// Who spoke before it was said has not heard it, and who speaks while an alarm rings has not stopped it.
func TestWhatIsNoAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startWith(t, newShelf(), confirmed)
		n.add(Promise{Kind: Reminder, Text: "x", At: n.now().Add(time.Minute)})
		n.add(Promise{Kind: Alarm, At: n.now().Add(time.Minute)})
		time.Sleep(time.Minute)
		before := n.now()
		n.say(n.heard()...)
		if err := n.Answered(t.Context(), before); err != nil || len(n.Ringing()) != 2 {
			t.Errorf("ringing %v, %v", n.Ringing(), err)
		}
		time.Sleep(time.Second)
		if err := n.Answered(t.Context(), n.now()); err != nil || len(n.Ringing()) != 1 || n.Ringing()[0].Kind != Alarm {
			t.Errorf("ringing %v, %v", n.Ringing(), err)
		}
		n.stop()
	})
}

func TestWithoutAVoiceTheChannelsTakeItAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		desktop := newPost("desktop")
		n := startWith(t, newShelf(), func(c *Config) { confirmed(c); c.Channels = []Channel{desktop} })
		n.add(Promise{Kind: Reminder, Text: "x", At: n.now().Add(time.Minute)})
		time.Sleep(time.Minute)
		if err := n.Untold(t.Context(), "voice", errors.New("no voice"), n.heard()...); err != nil {
			t.Fatal(err)
		}
		if synctest.Wait(); len(desktop.got) != 1 {
			t.Fatal("the desktop was not asked")
		}
		if time.Sleep(10 * time.Minute); len(n.heard()) != 1 || len(n.Ringing()) != 0 {
			t.Errorf("told %d times, ringing %v", len(n.told), n.Ringing())
		}
		n.wantStory("failed voice", "escalated desktop", "missed")
		n.stop()
	})
}

// What was told when Solo ended, and answered by nobody, is not said again; the channels that had not taken it do.
func TestTheChannelsAreToldAfterACrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk, desktop, hook := newShelf(), newPost("desktop"), newPost("webhook")
		n := startWith(t, disk, func(c *Config) { confirmed(c); c.Channels = []Channel{desktop} })
		n.add(Promise{Kind: Reminder, Text: "x", At: n.now().Add(time.Minute)})
		time.Sleep(time.Minute)
		n.say(n.heard()...)
		time.Sleep(70 * time.Second)
		n.heard()
		n.stop()
		n = startWith(t, disk, func(c *Config) { confirmed(c); c.Channels = []Channel{desktop, hook} })
		if got := n.heard(); len(got) != 0 || len(desktop.got) != 1 || len(hook.got) != 1 {
			t.Errorf("told %+v, desktop %d, webhook %d", got, len(desktop.got), len(hook.got))
		}
		n.stop()
	})
}

// Until it was said a reminder does not ring out, however long the conversation before it is.
func TestWhatWaitsToBeSaidDoesNotRingOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startWith(t, newShelf(), confirmed)
		n.add(Promise{Kind: Reminder, Text: "x", At: n.now().Add(time.Minute)})
		time.Sleep(time.Hour)
		got := n.heard()
		if len(got) != 1 || len(n.Ringing()) != 1 {
			t.Fatalf("told %d times, ringing %v", len(got), n.Ringing())
		}
		n.say(got[0])
		if time.Sleep(3 * time.Minute); len(n.Ringing()) != 0 {
			t.Error("rings on for ever")
		}
		n.stop()
	})
}

func TestReceiptsThatCannotBeStoredAreStoredLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startWith(t, newShelf(), confirmed)
		n.add(Promise{Kind: Reminder, Text: "x", At: n.now().Add(time.Minute)})
		time.Sleep(time.Minute)
		due := n.heard()
		n.rows.fail(errDisk)
		if err := n.Told(t.Context(), Spoken, "voice", due...); !errors.Is(err, errDisk) {
			t.Errorf("told: %v", err)
		}
		time.Sleep(10 * time.Second)
		n.rows.fail(nil)
		time.Sleep(look + retry)
		n.wantStory("spoken voice")
		n.stop()
	})
}

// An answer that is taken back rings anew, and a crash then does not take the old receipt for the new.
func TestATakenBackAnswerNeedsANewReceipt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newShelf()
		n := startWith(t, disk, confirmed)
		n.add(Promise{Kind: Reminder, Text: "x", At: n.now().Add(time.Minute)})
		time.Sleep(time.Minute)
		n.say(n.heard()...)
		rang, err := n.Stop(t.Context())
		if err != nil || n.Restore(t.Context(), rang[0]) != nil || len(n.heard()) != 2 {
			t.Fatalf("stopped %v, told %d times", err, len(n.told))
		}
		n.stop()
		n = startWith(t, disk, confirmed)
		if got := n.heard(); len(got) != 1 || got[0].How != event.First {
			t.Errorf("told %+v", got)
		}
		n.stop()
	})
}
